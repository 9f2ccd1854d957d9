"""Open files: raise the system's limit, and need only one file per open page.

An open page needs a file for its websocket. Streamlit also keeps an event loop per session, three
files that no page of this app uses between two runs; closed sessions keep theirs for two minutes.
Here a loop is made when a run begins and closed when it has ended. If Streamlit renames these
functions, loops stay open, which costs only files.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ui.server import insides

_LOG = insides.logger(__name__)
_LOOP = "_script_event_loop"


def raise_limit() -> tuple[int, int]:
    """Raise the soft limit on open files to the hard limit.

    Return the old and new limits, 0 if there are none.
    """
    try:
        import resource
    except ImportError:  # Windows
        return 0, 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # A system may report an infinite hard limit (-1), but accept only a number.
    for limit in (hard, 65_536, 10_240):
        if soft == hard or 0 <= limit < soft:
            break
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
            break
    new = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if insides.has_server():  # a command must print only its own output
        _LOG.info("open files: at most %s, %s before", new, soft)
    return soft, new


def open_loop(session: Any, *_: Any, **__: Any) -> None:
    """Create an event loop for a session whose loop was closed, because a run begins."""
    loop = getattr(session, _LOOP, None)
    if loop is not None and loop.is_closed():
        setattr(session, _LOOP, asyncio.new_event_loop())


def close_after_run(handle: Callable[..., None]) -> Callable[..., None]:
    """Wrap the handler of run events to close a run's event loop at its end."""

    def handled(self: Any, *args: Any, **kwargs: Any) -> None:
        """Handle an event, and close the session's loop if the event has ended its run."""
        before = getattr(self, "_scriptrunner", None)
        handle(self, *args, **kwargs)
        if before is not None and getattr(self, "_scriptrunner", before) is None:
            close(self)

    return handled


def close(session: Any, *_: Any, **__: Any) -> None:
    """Close the event loop of an idle session, and thereby its files."""
    loop = getattr(session, _LOOP, None)
    if loop is not None and not loop.is_running():
        loop.close()


def watch() -> None:
    """Replace Streamlit's functions so that idle sessions have no event loop."""
    raise_limit()
    session = insides.find(*insides.APP_SESSION)
    names = ("_create_scriptrunner", "_handle_scriptrunner_event_on_event_loop")
    if all(hasattr(session, name) for name in names):
        # A session has no loop before its first run.
        insides.call_after(session, "__init__", close)
        insides.call_before(session, names[0], open_loop)
        insides.replace(session, names[1], close_after_run)
