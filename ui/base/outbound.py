"""What Streamlit sends at the start of every run, made once a visit: all of it but the number of the run stays the same.

It reads forty options and lists all pages for it, which takes a tenth of the processor time of a turn of a knob. There
is no option for that, so the function that does it is replaced by one that remembers.
"""

from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession

_MAKE = AppSession._create_new_session_message


def _remembered(self: AppSession, page_script_hash: str, run_descriptor: Any, pages: Any = None) -> ForwardMsg:
    """Make the message that begins a run of a page."""
    made = self.__dict__.setdefault("_fleet_begins", {})
    key = page_script_hash, self._state
    if key not in made:
        made.clear()
        made[key] = _MAKE(self, page_script_hash, run_descriptor, pages)
    message = ForwardMsg()
    message.CopyFrom(made[key])
    message.metadata.run.script_run_id = run_descriptor.script_run_id
    message.metadata.run.fragment_ids[:] = run_descriptor.fragment_ids
    return message


def remember_beginnings() -> None:
    """Make the message that begins a run once from now on."""
    AppSession._create_new_session_message = _remembered
