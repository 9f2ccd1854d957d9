"""Row of tools at the end of a lesson: pins, share link, tables, files, sources, the report."""

import re
from urllib.parse import urlencode

import segno
import streamlit as st

from ui import saving
from ui.base import device
from ui.base.device import said
from ui.base.words import fill
from ui.knobs.declared import quantities
from ui.knobs.knob import as_in_query
from ui.page import figures, reference, shell
from ui.page.lesson.flow import Flow
from ui.record import compare

#: What a QR code of error level L holds, in bytes; beyond it only the link is shown.
QR_MOST = 2900


def row(page: Flow) -> None:
    """Draw the tools side by side; an open tool with numbers is updated when settings change."""
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
        if not page.curtained and (page.charts or page.films):
            _save(page)
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


def _link(page: Flow) -> str:
    """Return the address of the page with exactly these knobs, those at their default too.

    Where the page's own address is not known, it is a path.
    """
    values = {
        f"{page.lesson.id}_{name}": value
        for name, value in page.knobs.values.items()
        if value != ""
    }
    query = urlencode(
        {name: one if isinstance(one, str) else as_in_query(one) for name, one in values.items()}
    )
    return f"{(st.context.url or f'/{page.lesson.page}').split('?')[0]}?{query}"


def _share(page: Flow) -> None:
    """Draw a link with exactly these knobs and its QR code."""
    link = _link(page)
    st.markdown("Opens this page with exactly these settings, without your answers.")
    st.code(link, language=None, wrap_lines=True)
    if len(link.encode()) <= QR_MOST:
        st.image(
            segno.make(link, error="l").svg_inline(scale=4, border=4, light="#ffffff"), width=220
        )
    else:
        st.caption("Too long for a QR code.")


def _save(page: Flow) -> None:
    """Draw the buttons that save the pictures in sight; their pages are made once it is open."""
    key = f"{page.lesson.id}_save"
    box = device.popover("Save", key, ":material/download:", answers=True, width="content")
    if box:
        with box:
            st.markdown("Each file works without a network, in a slide or a course page.")
            saving.offer(f"{key}_files", files(page))
        page.follow(lambda settings: settings)


def files(page: Flow) -> list[dict]:
    """Return the current pictures as arguments for `saving.offer`."""
    lesson = page.lesson
    look = page.look
    view = lesson.view(page.view)
    title = f"{lesson.title}: {view.title}"
    link = f"{_link(page)}&{lesson.id}_view={view.id}"
    sentence = _plain(lesson.speaker(view, "verdict")(page.settings).text)
    settings = _settings(page)
    made = []
    for figure in page.charts:
        words = saving.Words(title, sentence, settings, link)
        file = {"name": f"fleet-what-if-{lesson.page}-{figure.name}", "heading": figure.title}
        file |= {"title": figure.title, "paper": look.paper}
        file["page"] = saving.picture(words, figure, look, lesson.labels["table"])
        made.append(file)
    for film in page.films:
        words = saving.Words(title, sentence, settings, link, _plain(film.caption))
        file = {"name": f"fleet-what-if-{lesson.page}-{film.name}-animation"}
        file |= {"heading": "Animation", "page": saving.film(words, film.data, look)}
        made.append(file)
    return made


def _settings(page: Flow) -> dict[str, str]:
    """Return what the knobs say that do something in the picture in sight, by label."""
    values = quantities(page.settings)
    worded = {}
    for name, knob in page.knobs.declared.items():
        if name in (*page.knobs.shown, *page.knobs.also):
            label = knob.label
            if knob.spoken:  # its words have their unit
                label = re.sub(r" \([^)]*\)$", "", label)
            worded[label] = knob.words(values[name], values)
    return worded


def _plain(text: str) -> str:
    """Return a text as the page says it, without Markdown."""
    return re.sub(r"[*`\\]", "", said(text))
