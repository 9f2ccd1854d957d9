"""Three things that Streamlit does at every turn of a knob, done cheaper. There is no option for
any of them.

What begins a run says options and pages again, forty of them: a tenth of a turn's processor time.
It is made once a visit; only the number of the run changes.

A turn runs the fragment that has drawn the knob, with all other knobs. Where knobs and picture are
a fragment and the picture is one inside of it, the inner one is run instead: a knob shows by itself
what it has been turned to. If Streamlit no longer asks here, the outer one is run, which shows the
same.

A chart's specification is parsed and searched for names that Altair numbers: once for each, as most
stay the same.
"""

from functools import lru_cache
from typing import Any

from streamlit.elements import vega_charts
from streamlit.errors import StreamlitAPIException
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession

#: The keys of the two fragments.
ALL = "knobs_and_picture"
PICTURE = "picture"
_BEGIN = AppSession._create_new_session_message
_REQUEST = AppSession.request_rerun


def begin(
    self: AppSession, page_script_hash: str, run_descriptor: Any, pages: Any = None
) -> ForwardMsg:
    """Make the message that begins a run of a page."""
    made = self.__dict__.setdefault("_fleet_begins", {})
    key = page_script_hash, self._state
    if key not in made:
        made.clear()
        made[key] = _BEGIN(self, page_script_hash, run_descriptor, pages)
    message = ForwardMsg()
    message.CopyFrom(made[key])
    message.metadata.run.script_run_id = run_descriptor.script_run_id
    message.metadata.run.fragment_ids[:] = run_descriptor.fragment_ids
    return message


def request(self: AppSession, client_state: Any) -> None:
    """Ask for the run that a browser wishes, or for the picture alone where that is all that
    changes.
    """
    if client_state is not None and client_state.fragment_id:
        client_state.fragment_id = narrowed(self._fragment_storage, client_state.fragment_id)
    _REQUEST(self, client_state)


def narrowed(fragments: Any, wished: str) -> str:
    """Return the id of the fragment that is enough for what a browser wishes."""
    try:
        if wished in fragments.resolve_target(ALL):
            return fragments.resolve_target(PICTURE)[0]
        return wished
    except StreamlitAPIException:
        return wished


def watch() -> None:
    """Do so from now on."""
    AppSession._create_new_session_message = begin
    AppSession.request_rerun = request
    if not hasattr(vega_charts._stabilize_vega_json_spec, "cache_info"):
        vega_charts._stabilize_vega_json_spec = lru_cache(maxsize=128)(
            vega_charts._stabilize_vega_json_spec
        )
