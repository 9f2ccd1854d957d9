"""Page of the laboratory: the further parts of all lessons by theme, with links."""

import streamlit as st

from ui.base import device
from ui.base.device import on_phone
from ui.base.lesson import Lesson, View, lessons
from ui.knobs.declared import knobs_of, quantities, read
from ui.knobs.knob import as_in_query
from ui.page import parts, prediction, shell
from ui.record import local_storage

OPENING = (
    "Each of these parts asks one question beyond its lesson. A part opens on the lesson's page, "
    "with settings that show its point. If you have not yet locked in a prediction, the lesson's "
    "message comes first."
)


def draw() -> None:
    """Draw the whole page."""
    shell.open_plain("The laboratory", "laboratory")
    parts.leave_all()
    st.markdown(OPENING)
    for theme, lessons_of_theme in by_theme().items():
        device.heading(theme)
        for lesson in lessons_of_theme:
            _parts(lesson)
    local_storage.sync()


def by_theme() -> dict[str, list[Lesson]]:
    """Return the lessons with parts, by theme, in menu order."""
    lessons_by_theme: dict[str, list[Lesson]] = {}
    for lesson in lessons():
        if lesson.parts:
            lessons_by_theme.setdefault(lesson.theme or lesson.topic, []).append(lesson)
    return lessons_by_theme


def address(lesson: Lesson, view: View) -> dict[str, str]:
    """Return the query string that opens a part with its declared settings."""
    query = {f"{lesson.id}_view": view.id}
    opens = view.opens or {}
    declared = knobs_of(lesson.settings)
    values = quantities(read(lesson.settings, opens)[0])
    for name in opens:
        query[f"{lesson.id}_{name}"] = as_in_query(declared[name].in_widget(values[name]))
    return query


def _parts(lesson: Lesson) -> None:
    """Draw a link and a sentence for each part of a lesson."""
    with st.container(gap="xsmall"):
        title = f"**{lesson.title}**"
        if not prediction.is_locked(lesson):
            title += ", predict first"
        st.markdown(title)
        for view in lesson.parts.values():
            _part(lesson, view)


def _part(lesson: Lesson, view: View) -> None:
    """Draw the link to a part and its question: side by side, or on a phone one below the other."""
    asks = view.asks
    if view.after:
        asks += " *After the lesson's last question.*"
    if on_phone():
        title = st.container(gap=None)
        question = title
    else:
        title, question = st.columns([6, 15], gap="xxsmall", vertical_alignment="center")
    with title, st.container(key=f"laboratory_{lesson.id}_{view.id}"):
        shell.link(lesson.path, view.title, ":material/arrow_forward:", address(lesson, view))
    question.caption(asks)
