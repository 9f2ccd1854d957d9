"""The quiet row at the end of a lesson: pins, a link to share, tables, sources, the report."""

from urllib.parse import urlencode

import segno
import streamlit as st

from ui.base import device
from ui.base.words import fill
from ui.knobs.knob import as_in_query
from ui.page import figures, reference, shell
from ui.page.lesson.flow import Flow
from ui.record import compare

#: What a QR code of error level L holds, in bytes; beyond it only the link is shown.
QR_MOST = 2900


def row(page: Flow) -> None:
    """Draw the tools side by side; an open one that shows numbers of the settings follows them."""
    lesson = page.lesson
    with device.line(f"{lesson.id}_quiet"):
        if not page.curtained:
            compare.controls(lesson.id)
        box = device.popover(
            "Share", f"{lesson.id}_share", ":material/share:", answers=True, width="content"
        )
        if box:
            with box:
                _share(page)
            page.follow(lambda settings: settings)
        for figure in () if page.curtained else page.charts:
            if len(page.charts) == 1:
                label = "Table"
            else:
                label = f"Table: {figure.title}"
            called = lesson.labels["table"]
            if figures.table(figure, lesson.id, label, popover=True, called=called):
                page.follow(lambda settings: settings)
        box = device.popover(
            "Sources", f"{lesson.id}_sources", ":material/menu_book:", width="content"
        )
        if box:
            box.markdown(
                "\n".join(
                    f"- {reference.linked(fill(text, page.values))}" for text in lesson.sources
                )
            )
        shell.link("pages/report.py", "Report", ":material/description:")


def _share(page: Flow) -> None:
    """Draw a link with exactly these knobs, those at their default too, and its QR code."""
    values = {
        f"{page.lesson.id}_{name}": value
        for name, value in page.knobs.values.items()
        if value != ""
    }
    query = urlencode(
        {name: one if isinstance(one, str) else as_in_query(one) for name, one in values.items()}
    )
    # Where the page's own address is not known, the link is a path.
    link = f"{(st.context.url or f'/{page.lesson.page}').split('?')[0]}?{query}"
    st.markdown("Opens this page with exactly these settings, without your answers.")
    st.code(link, language=None, wrap_lines=True)
    if len(link.encode()) <= QR_MOST:
        st.image(
            segno.make(link, error="l").svg_inline(scale=4, border=4, light="#ffffff"), width=220
        )
    else:
        st.caption("Too long for a QR code.")
