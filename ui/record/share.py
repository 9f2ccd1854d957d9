"""Share a scenario: a link with exactly these knobs and nothing of the sharer's answers, and its QR code."""

from urllib.parse import urlencode

import segno
import streamlit as st

from ui.base.device import popover
from ui.base.lesson import Lesson
from ui.knobs.declared import as_in_query
from ui.knobs.widgets import Knobs

#: What a QR code of error level L holds, in bytes; beyond it only the link is shown.
QR_MOST = 2900


def address(lesson: Lesson, knobs: Knobs, base: str | None) -> str:
    """Write the link that opens a lesson with these knobs, which have been drawn, also those at their default.

    `base` is the page's address, as `st.context.url` gives it; where it is not known, the link is a path.
    """
    values = {name: value for name, value in knobs.values.items() if value != ""}
    query = {f"{lesson.id}_{name}": v if isinstance(v, str) else as_in_query(v) for name, v in values.items()}
    return f"{(base or '/' + lesson.page).split('?')[0]}?{urlencode(query)}"


def panel(lesson: Lesson, knobs: Knobs) -> bool:
    """Draw “Share this scenario” and say whether it is open: nothing is computed until then."""
    box = popover("Share", f"{lesson.id}_share", ":material/share:", answers=True, width="content")
    if box is None:
        return False
    link = address(lesson, knobs, st.context.url)
    with box:
        st.markdown("Opens this page with exactly these settings, without your answers.")
        st.code(link, language=None, wrap_lines=True)
        if len(link.encode()) <= QR_MOST:
            st.image(segno.make(link, error="l").svg_inline(scale=4, border=4, light="#ffffff"), width=220)
        else:
            st.caption("Too long for a QR code.")
    return True
