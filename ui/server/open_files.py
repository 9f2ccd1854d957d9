"""Open files of the server: as many as the system allows, and one for an open page.

A page holds its websocket. Streamlit also keeps an event loop for each session, three files that
no page of this app uses between two runs; closed sessions keep theirs for two minutes. Here a loop
is made when a run begins and closed when it has ended. Where Streamlit no longer names these things
so, loops stay open, which costs files only.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ui.server import insides

_LOG = insides.logger(__name__)
_LOOP = "_script_event_loop"


def raise_limit() -> tuple[int, int]:
    """Raise the soft limit of open files to the hard one; return it before and now, 0 where the
    system has none.
    """
    try:
        import resource
    except ImportError:  # Windows
        return 0, 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # A system may call its hard limit infinite, and take a number only.
    for limit in (hard, 65_536, 10_240):
        if soft == hard or 0 <= limit < soft:
            break
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
            break
    now = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if insides.has_server():  # a command of the app prints what it was asked for, and no more
        _LOG.info("open files: at most %s, %s before", now, soft)
    return soft, now


def without_loop(begin: Callable[..., None]) -> Callable[..., None]:
    """Return a maker of sessions that have no event loop before their first run."""

    def begun(self: Any, *args: Any, **kwargs: Any) -> None:
        begin(self, *args, **kwargs)
        close(self)

    return begun


def with_loop(create: Callable[..., None]) -> Callable[..., None]:
    """Return a way to begin a run with an event loop of its own."""

    def created(self: Any, *args: Any, **kwargs: Any) -> None:
        loop = getattr(self, _LOOP, None)
        if loop is not None and loop.is_closed():
            setattr(self, _LOOP, asyncio.new_event_loop())
        create(self, *args, **kwargs)

    return created


def closing(handle: Callable[..., None]) -> Callable[..., None]:
    """Return a way to take note of what a run does that closes its event loop in the end."""

    def handled(self: Any, *args: Any, **kwargs: Any) -> None:
        was = getattr(self, "_scriptrunner", None)
        handle(self, *args, **kwargs)
        if was is not None and getattr(self, "_scriptrunner", was) is None:
            close(self)

    return handled


def close(session: Any) -> None:
    """Close the event loop of a session that runs nothing; what is bound to it ends with it."""
    loop = getattr(session, _LOOP, None)
    if loop is not None and not loop.is_running():
        loop.close()


def watch() -> None:
    """Do so from now on."""
    raise_limit()
    session = insides.find(*insides.APP_SESSION)
    names = ("_create_scriptrunner", "_handle_scriptrunner_event_on_event_loop")
    if all(hasattr(session, name) for name in names):
        insides.replace(session, "__init__", without_loop)
        insides.replace(session, names[0], with_loop)
        insides.replace(session, names[1], closing)
