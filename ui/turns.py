"""Take turns, so that many visitors at once do not stall one another.

All visitors share one Python interpreter, which runs one thread at a time. Pages drawn side by side all come late, and
switching among them takes time of its own: so one page is drawn after the other. A long computation takes turns with
other long ones only, between two signs of progress; a page that is being drawn then gets every second slice of time,
not one of eleven beside ten simulations.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# A page that waits for the interpreter gets it after 1 ms, not 5: beside ten simulating visitors its median falls
# by a third.
sys.setswitchinterval(0.001)

#: A page that has waited so long is drawn all the same [s].
PATIENCE = 5.0
#: Re-entrant: a step of a search may itself ask for a replication.
_TURN = threading.RLock()
_DRAWING = threading.Semaphore(1)
_OF_THREAD = threading.local()


class _Place:
    """The right to draw, from its making until it is given back, at the latest when its thread ends."""

    def __init__(self) -> None:
        self.held = _DRAWING.acquire(timeout=PATIENCE)

    def give_back(self) -> None:
        if self.held:
            self.held = False
            _DRAWING.release()

    def __del__(self) -> None:
        self.give_back()


def draw() -> None:
    """Wait until no other page is being drawn; then it is this thread's turn, until it ends or computes at length.

    Streamlit gives every run of a page a thread, and what belongs to a thread is dropped with it, however it ends.
    """
    if getattr(_OF_THREAD, "place", None) is None:
        _OF_THREAD.place = _Place()


def leave() -> None:
    """Let others draw: before anything that takes long or waits for somebody else."""
    place = getattr(_OF_THREAD, "place", None)
    if place is not None:
        place.give_back()


@contextmanager
def turn() -> Iterator[None]:
    """Compute at length while nobody else does; hold it for tens of milliseconds, and never while drawing."""
    leave()
    with _TURN:
        yield
