"""All uses of Streamlit's private names in one module, each with a public fallback.

Names are looked up when they are needed, so that a release without one of them changes speed or
comfort, not whether a page opens.
"""

import logging
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import pyarrow as pa

#: `_create_new_session_message`: the message that begins a run is made once a visit, a tenth of a
#: turn's time; without it Streamlit makes it at every run. `request_rerun`: a turn of a setting
#: runs the picture alone; without it the settings are run, too. `_script_event_loop`,
#: `_create_scriptrunner` and `_handle_scriptrunner_event_on_event_loop`: a session has three more
#: open files during its runs only; without them, as long as it lives.
APP_SESSION = "streamlit.runtime.app_session", "AppSession"
#: `_mpa_v1` and `_navigation`: the folder `pages/` is listed when it has changed; without them, at
#: every run. `calc_hash`: a page's hash is computed once; without it, thrice at every run.
SCRIPT_RUNNER = "streamlit.runtime.scriptrunner", "script_runner"
NAVIGATION = "streamlit.commands", "navigation"
PAGE = "streamlit.navigation", "page"
#: `_stabilize_vega_json_spec`: a specification is searched for numbered names once; without it, at
#: every run.
VEGA_CHARTS = "streamlit.elements", "vega_charts"
#: `filtered_state`: a box for a number or a choice looks up its own key; without it, Streamlit
#: lists the whole session for each.
SESSION_STATE = "streamlit.runtime.state.safe_session_state", "SafeSessionState"
#: Rows as Streamlit packs them; without it pyarrow packs them here.
ARROW_BYTES = "streamlit.dataframe_util", "convert_arrow_table_to_arrow_bytes"
#: With the run's `script_requests._state`: a simulation stops when its visitor moves a setting;
#: without it, at its end.
REQUEST_TYPE = "streamlit.runtime.scriptrunner_utils.script_requests", "ScriptRequestType"
#: The session's id, Back and Forward, and the query string's bindings; without it every visit
#: counts as a script's, and a setting out of sight leaves the address until the next run. With the
#: session state's `_state` and `_lock`, a value is read without a look at whether the run should
#: end, twice as fast; without them, the public way.
CONTEXT = "streamlit.runtime.scriptrunner", "get_script_run_ctx"
#: The server, which knows the sessions that are open; without it work goes on after its visitor.
SERVER = "streamlit.runtime", "get_instance"
#: Starlette's `receive_bytes`: no browser sends more than its share; without it Streamlit's own
#: limit of a megabyte per message holds. `accept`: silent connections end; without it they stay.
WEB_SOCKET = "starlette.websockets", "WebSocket"
#: The server's HTTP protocol, whichever of the two is installed: `connection_made` and
#: `data_received` close silent connections; without them these stay.
HTTP = (
    ("uvicorn.protocols.http.h11_impl", "H11Protocol"),
    ("uvicorn.protocols.http.httptools_impl", "HttpToolsProtocol"),
)
#: `_file_uploader`, the storage of files, and `handle`: a file is taken for a field that was shown
#: and within bounds; without one of them, as Streamlit takes it.
FILE_UPLOADER = "streamlit.elements.widgets.file_uploader", "FileUploaderMixin"
FILES = "streamlit.runtime.memory_uploaded_file_manager", "MemoryUploadedFileManager"
ROUTE = "starlette.routing", "Route"
#: Notes of the server are shown from its start; without it, warnings only.
LOGGER = "streamlit.logger", "get_logger"


def find(module: str, name: str) -> Any:
    """Return an attribute of a module, or None if the module or the attribute is missing."""
    try:
        owner = sys.modules.get(module) or import_module(module)
    except ImportError:
        return None
    return getattr(owner, name, None)


def replace(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Replace a private function by `make(function)`, once; do nothing if it is missing."""
    original = getattr(owner, name, None)
    if original is None or hasattr(original, "original"):
        return
    replacement = make(original)
    replacement.original = original
    setattr(owner, name, replacement)


def call_before(owner: Any, name: str, act: Callable[..., None]) -> None:
    """Have a private function call `act` with its own arguments before it does its work."""
    replace(owner, name, partial(_both, first=act))


def call_after(owner: Any, name: str, act: Callable[..., None]) -> None:
    """Have a private function call `act` with its own arguments after it has done its work."""
    replace(owner, name, partial(_both, last=act))


def _nothing(*_: Any, **__: Any) -> None:
    """Do nothing, whatever the arguments."""


def _both(original: Callable, first: Callable = _nothing, last: Callable = _nothing) -> Callable:
    """Return a function that calls `first`, the original, and `last` with the same arguments."""

    def call(*args: Any, **kwargs: Any) -> Any:
        """Return the result of the original."""
        first(*args, **kwargs)
        result = original(*args, **kwargs)
        last(*args, **kwargs)
        return result

    return call


def logger(name: str) -> logging.Logger:
    """Return a logger whose messages are visible: Streamlit's, or else the standard one."""
    make = find(*LOGGER) or logging.getLogger
    return make(name)


def context() -> Any:
    """Return the run's context with session and requests; None outside a run."""
    read = find(*CONTEXT)
    if read is None:
        return None
    return read(suppress_warning=True)


def session_value(key: str, default: object, read: Callable[[str, object], Any]) -> Any:
    """Return the session's value for a key of a widget or the app; `read` is the public way."""
    session = getattr(context(), "session_state", None)
    stored = getattr(session, "_state", None)
    lock = getattr(session, "_lock", None)
    if stored is None or lock is None:
        return read(key, default)
    with lock:
        try:
            return stored[key]
        except KeyError:
            return default


def wants_whole_run() -> bool:
    """Return whether the visitor has requested a new run during this one."""
    requests = getattr(context(), "script_requests", None)
    kinds = find(*REQUEST_TYPE)
    if requests is None or kinds is None:
        return False
    return getattr(requests, "_state", None) is getattr(kinds, "RERUN", kinds)


def is_history_step() -> bool:
    """Return whether this run follows the browser's Back or Forward button."""
    return bool(getattr(context(), "is_history_navigation", False))


def query_params() -> Any:
    """Return Streamlit's own record of the query string and of the widgets bound to it, or None."""
    state = getattr(getattr(context(), "session_state", None), "_state", None)
    return getattr(state, "query_params", None)


def arrow_bytes(table: pa.Table) -> bytes:
    """Return a table as the bytes of an Arrow stream, as Streamlit sends them."""
    pack = find(*ARROW_BYTES)
    if pack is not None:
        return pack(table)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def has_server() -> bool:
    """Return whether a server, not a script, runs the app."""
    exists = find("streamlit.runtime", "exists")
    return exists is not None and find(*SERVER) is not None and bool(exists())


def files() -> Any:
    """Return the server's storage of uploaded files, or None."""
    if not has_server():
        return None
    return getattr(find(*SERVER)(), "uploaded_file_mgr", None)


def is_open(session: str) -> bool:
    """Return whether a session of the server is open; True if that is unknown."""
    if not has_server():
        return True
    return bool(find(*SERVER)().is_active_session(session))
