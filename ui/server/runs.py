"""Four things that Streamlit does at every run, done cheaper. There is no option for any of them.

What begins a run says options and pages again, forty of them: a tenth of a turn's processor time.
It is made once a visit; only the number of the run changes.

A turn runs the fragment that has drawn the knob, with all other knobs. Where knobs and picture are
a fragment and the picture is one inside of it, the inner one is run instead: a knob shows by itself
what it has been turned to. If Streamlit no longer asks here, the outer one is run, which shows the
same.

A full run looks at each file of `pages/`: once for all visitors, since they stay while the app
runs. The folder itself is still listed at every run, so that an author's new page appears.

A chart's specification is parsed and searched for names that Altair numbers: once for each, as most
stay the same.
"""

from collections.abc import Callable
from copy import copy
from functools import lru_cache
from typing import Any

from streamlit.errors import StreamlitAPIException
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from ui.server import insides

#: The keys of the two fragments.
ALL = "knobs_and_picture"
PICTURE = "picture"


def remembering(make: Callable[..., ForwardMsg]) -> Callable[..., ForwardMsg]:
    """Return a maker of the message that begins a run, which makes it once for each page."""

    def begin(
        self: Any, page_script_hash: str, run_descriptor: Any, pages: Any = None
    ) -> ForwardMsg:
        made = self.__dict__.setdefault("_fleet_begins", {})
        key = page_script_hash, self._state
        if key not in made:
            made.clear()
            made[key] = make(self, page_script_hash, run_descriptor, pages)
        message = ForwardMsg()
        message.CopyFrom(made[key])
        message.metadata.run.script_run_id = run_descriptor.script_run_id
        message.metadata.run.fragment_ids[:] = run_descriptor.fragment_ids
        return message

    return begin


def narrowing(ask: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Return a way to ask for a run that asks for the picture alone where it is all that
    changes.
    """

    def request(self: Any, client_state: Any) -> None:
        fragments = getattr(self, "_fragment_storage", None)
        if client_state is not None and client_state.fragment_id and fragments is not None:
            client_state.fragment_id = narrowed(fragments, client_state.fragment_id)
        ask(self, client_state)

    return request


def narrowed(fragments: Any, wished: str) -> str:
    """Return the id of the fragment that is enough for what a browser wishes."""
    try:
        if wished in fragments.resolve_target(ALL):
            return fragments.resolve_target(PICTURE)[0]
        return wished
    except (StreamlitAPIException, AttributeError):
        return wished


def pages_once(create: Callable[..., Any]) -> Callable[..., Any]:
    """Return a maker of pages that looks at each file once; every run gets a copy, which it
    marks.
    """
    made: dict[tuple[str, bool], Any] = {}

    def page(path: Any, *, default: bool = False) -> Any:
        key = str(path), default
        if key not in made:
            made[key] = create(path, default=default)
        return copy(made[key])

    return page


def watch() -> None:
    """Do so from now on."""
    session = insides.find(*insides.APP_SESSION)
    insides.replace(session, "_create_new_session_message", remembering)
    insides.replace(session, "request_rerun", narrowing)
    insides.replace(insides.find(*insides.PAGE), "_create_page", pages_once)
    charts = insides.find(*insides.VEGA_CHARTS)
    insides.replace(charts, "_stabilize_vega_json_spec", lru_cache(maxsize=128))
