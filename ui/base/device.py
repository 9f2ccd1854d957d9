"""The visitor's device: browser or script, phone or projector, address; and common widgets."""

import html
import ipaddress
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import streamlit as st

from ui.base import state
from ui.base.words import Values, fill
from ui.server import insides

#: A container on the page into which other functions draw.
Box = st.delta_generator.DeltaGenerator
#: The space between a number and its unit, or between factors.
_BEFORE_UNIT = re.compile(
    r"(?<=\d) (?=(?:µs|ms|s|min|h|[kMGT]B(?:/s)?)(?![\w/])|× \d)|(?<=\d ×) (?=\d)"
)


#: Kinds of files, by their ending.
KINDS = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "zip": "application/zip",
}


def in_browser() -> bool:
    """Return whether a browser shows the page; a script has none and cannot open expanders."""
    return "Mozilla" in _agent()


def session() -> str:
    """Return the server's id of the visitor's session; "" for a script."""
    context = insides.context()
    if context is not None and in_browser():
        return context.session_id
    return ""


def uploaded(key: str) -> Any:
    """Return the file in an upload field, even in a callback.

    The result is None if the server has no file for it.
    """
    file = state.get(key)
    if hasattr(file, "getvalue"):
        return file
    return None


def address() -> str:
    """Return the visitor's network, or the session's id if it is unknown; "" for a script."""
    session_id = session()
    visitor_network = session_id and network(st.context.ip_address)
    # A private address may be that of a proxy for all visitors.
    if visitor_network and ipaddress.ip_network(visitor_network).is_global:
        return visitor_network
    return session_id


def network(address: str | None) -> str | None:
    """Return the network of an IP address, even of a private one; None if the address is unknown.

    >>> network("::ffff:9.9.9.9"), network("2620:fe::9"), network("10.0.0.1"), network(None)
    ('9.9.9.9', '2620:fe::/64', '10.0.0.1', None)
    """
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return None
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    # A provider gives each customer a whole /64 network of IPv6 addresses.
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def on_phone() -> bool:
    """Return whether a phone shows the page: its sidebar is closed, its columns are stacked."""
    return "Mobi" in _agent()


def on_projector() -> bool:
    """Return whether the page is shown on a projector, as the query string or the session says."""
    mode = st.query_params.get("present")
    if mode is not None:
        state.put("_present", mode if mode in ("1", "screen") else "")
    return bool(state.get("_present"))


def on_stage() -> bool:
    """Return whether this is a class's separate projector screen, which shows no controls."""
    return on_projector() and state.get("_present") == "screen"


def expander(label: str, key: str, icon: str | None = None, answers: bool = False) -> Box | None:
    """Draw an expander; return it, or None while it is closed and needs no content.

    A browser gets the content when the box is opened, so that hidden content costs no time. A
    script gets everything immediately, except content that reveals `answers`.
    """
    return _opened(st.expander, label, key, answers, icon=icon)


def popover(label: str, key: str, icon: str, **options: Any) -> Box | None:
    """Draw a popover as wide as its container; return it, or None while it needs no content."""
    return _opened(st.popover, label, key, **{"icon": icon, "width": "stretch"} | options)


def _opened(
    draw: Callable, label: str, key: str, answers: bool = False, **options: Any
) -> Box | None:
    """Draw an expander or a popover; return it, or None while it needs no content."""
    if not in_browser() and not answers:
        return draw(label, **options)
    box = draw(label, key=key, on_change="rerun", **options)
    if box.open:
        return box
    return None


def button(label: str, key: str, act: Callable, *args: Any, **options: Any) -> None:
    """Draw a button that calls `act` with `args` when it is pressed."""
    st.button(label, key=key, on_click=act, args=args, **options)


def choice(label: str, key: str, titles: Mapping[Any, str]) -> Any:
    """Draw a select box of titles with the first one preselected, and return the selected key."""
    ids = list(titles)
    if state.get(key) not in ids:
        state.put(key, ids[0])
    # A script may choose by the title.
    return st.selectbox(
        label, ids, key=key, format_func=lambda option: titles.get(option, str(option))
    )


def download(label: str, data: str | bytes, file: str, key: str, **options: Any) -> None:
    """Draw a download button for a file; pressing the button does not rerun the page."""
    options = {"icon": ":material/download:", "on_click": "ignore"} | options
    kind = KINDS.get(file.rpartition(".")[2], "text/plain")
    st.download_button(label, data, file, kind, key=key, **options)


def heading(text: str) -> None:
    """Draw the heading of a section, without the link to itself that Streamlit adds."""
    st.header(text, anchor=False)


def row(key: str | None = None) -> Box:
    """Return a container whose content stands side by side."""
    return st.container(horizontal=True, key=key)


def line(key: str) -> Box:
    """Return a container in which a sentence and its button share a line."""
    return st.container(horizontal=True, vertical_alignment="center", key=key)


def unseen(sentence: str) -> None:
    """Add a description of a picture for screen readers."""
    st.html(f'<p class="unseen">{html.escape(sentence)}</p>')


def reserved_box(key: str, height: int, **options: Any) -> Box:
    """Return a container that reserves height [px] for a late-loading widget, so nothing shifts.

    The page's style sheet must repeat the height, because it lets the box grow with its content.
    """
    return st.container(key=f"{key}_place", height=height, border=False, **options)


def unbroken(text: str) -> str:
    """Return a text in which numbers and their units stay on one line in the browser."""
    if in_browser():
        return _BEFORE_UNIT.sub("\u00a0", text)
    return text


def render_text(text: str, values: Values = MappingProxyType({})) -> str:
    """Return a text with numbers filled in and kept on one line with their units."""
    return unbroken(fill(text, values))


def _agent() -> str:
    """Return the browser's user agent, from the session after the first call: headers are slow."""
    stored = state.get("_agent")
    if isinstance(stored, str):
        return stored
    return state.put("_agent", st.context.headers.get("User-Agent") or "")
