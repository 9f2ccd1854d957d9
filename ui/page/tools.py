"""Row of tools at the end of a lesson: pins, share link, tables, files, sources, the report."""

import re
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

import segno
import streamlit as st

from ui import saving
from ui.base import device
from ui.base.device import render_text
from ui.base.words import fill
from ui.knobs.knob import as_in_query
from ui.page import figures, reference, shell
from ui.page.lesson.flow import Flow
from ui.record import compare

#: Maximum length of a link in a QR code of error correction level L [bytes].
MAX_QR_BYTES = 2900


def row(page: Flow) -> None:
    """Draw the tools side by side; an open tool with numbers is updated when settings change."""
    lesson = page.lesson
    charts = [] if page.curtained else page.charts
    with device.line(f"{lesson.id}_quiet"):
        if not page.curtained:
            compare.controls(lesson.id)
        key = f"{lesson.id}_share"
        box = device.popover("Share", key, ":material/share:", answers=True, width="content")
        if box:
            with box:
                _share(page)
            page.follow(_settings_alone)
        for chart in charts:
            label = "Table"
            if len(charts) > 1:
                label = f"Table: {chart.title}"
            called = lesson.labels["table"]
            if figures.table(chart, lesson.id, label, popover=True, called=called):
                page.follow(_settings_alone)
        has_pictures = charts or (page.films and not page.curtained)
        if has_pictures and saving.offer(f"{lesson.id}_save", partial(files, page)):
            page.follow(_settings_alone)
        key = f"{lesson.id}_sources"
        box = device.popover("Sources", key, ":material/menu_book:", width="content")
        if box:
            texts = (reference.linked(fill(text, page.values)) for text in lesson.sources)
            box.markdown("\n".join(f"- {text}" for text in texts))
        shell.link("pages/report.py", "Report", ":material/description:")


def _settings_alone(settings: Any) -> Any:
    """Return the settings, so that an open tool follows all of them."""
    return settings


def _link(page: Flow) -> str:
    """Return the page's address with all of its settings, also those at their defaults.

    If the address of the app is unknown, the result is only a path.
    """
    query = {
        f"{page.lesson.id}_{name}": as_in_query(value)
        for name, value in page.knobs.values.items()
        if value != ""
    }
    address = st.context.url or f"/{page.lesson.page}"
    return f"{address.split('?')[0]}?{urlencode(query)}"


def _share(page: Flow) -> None:
    """Draw the link to these settings and its QR code."""
    link = _link(page)
    st.markdown("Opens this page with exactly these settings, without your answers.")
    st.code(link, language=None, wrap_lines=True)
    if len(link.encode()) <= MAX_QR_BYTES:
        code = segno.make(link, error="l").svg_inline(scale=4, border=4, light="#ffffff")
        st.image(code, width=220)
    else:
        st.caption("Too long for a QR code.")


def files(page: Flow) -> list[dict]:
    """Return the current pictures as arguments for `saving.offer`."""
    lesson = page.lesson
    look = page.look
    view = lesson.view(page.view)
    title = f"{lesson.title}: {view.title}"
    link = f"{_link(page)}&{lesson.id}_view={view.id}"
    sentence = _plain(lesson.speaker(view, "verdict")(page.settings).text)
    words = saving.Words(title, sentence, _settings(page), link)
    called = lesson.labels["table"]
    pictures = [saving.chart(lesson.page, words, chart, look, called) for chart in page.charts]
    for film in page.films:
        name = f"fleet-what-if-{lesson.page}-{film.name}-animation"
        file = {"name": name, "heading": "Animation"}
        of_film = replace(words, caption=_plain(film.caption))
        pictures.append(file | {"page": saving.film(of_film, film.data, look)})
    return pictures


def _settings(page: Flow) -> dict[str, str]:
    """Return the settings that matter for the current picture as text, by label."""
    declared = page.knobs.declared
    values = {name: getattr(page.settings, name) for name in declared}
    texts = {}
    for name, knob in declared.items():
        if name in page.knobs.shown or name in page.knobs.also:
            label = knob.label
            if knob.spoken:  # the value's text has the unit already
                label = re.sub(r" \([^)]*\)$", "", label)
            texts[label] = knob.words(values[name], values)
    return texts


def _plain(text: str) -> str:
    """Return a text as the page shows it, without Markdown."""
    return re.sub(r"[*`\\]", "", render_text(text))
