"""Hook that long computations call between steps, so that they can be paused or stopped.

Whoever runs one may answer by waiting a moment, so that others get the processor, or by raising an
exception, which ends it. Unless somebody listens, asking costs a look at one variable and changes
nothing.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["hook", "paced", "step"]

_LISTENER: ContextVar[Callable[[], object] | None] = ContextVar("listener", default=None)


def step() -> None:
    """Call the function that `paced` has set for this thread, if there is one."""
    listener = _LISTENER.get()
    if listener is not None:
        listener()


def hook() -> Callable[[], object] | None:
    """Return the function that `paced` has set for this thread, or None; for short loops."""
    return _LISTENER.get()


@contextmanager
def paced(listener: Callable[[], object] | None) -> Iterator[None]:
    """Set the function that `step` calls in this thread.

    It may wait, or raise to stop the computation. None: go on.

    >>> def enough():
    ...     raise TimeoutError("enough")
    >>> with paced(enough):
    ...     step()
    Traceback (most recent call last):
    TimeoutError: enough
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)
