"""Lesson's picture for a class in three presses: its question, its numbers, and its explanation."""

import re
from dataclasses import replace
from typing import Any

import pyarrow as pa
import streamlit as st

from ui import films
from ui.base import device
from ui.base.device import render_text, unbroken
from ui.base.lesson import Figure, Film, View
from ui.base.lesson.curtain import ASKED, CLOSED
from ui.base.words import fill
from ui.charts.look import Look
from ui.classes import hall
from ui.classes.moves import NUMBERS, PRESSES, SENTENCE, Screens
from ui.page import figures
from ui.page.lesson import spotlight, tour

#: Height of a lesson's chart, so that it ends with its sentence at 720 px [px].
HIGH = 305
#: Question to the hall if a picture has no question of its own.
GUESS = "What do you expect?"
#: Description of a chart as long as its numbers are hidden.
HIDDEN = "The chart shows this setting. Its numbers come with the next step."
#: Columns of a chart's rows whose texts appear in the chart.
_WRITTEN = ("label", "short")


def draw(screens: Screens, look: Look) -> None:
    """Draw an animation, or a picture with what its presses have revealed so far."""
    step = screens.step
    stop_index, press = divmod(screens.press, PRESSES)
    lesson, view, settings = step.scene(stop_index)
    device.heading(f"{lesson.title}: {step.preset_title or view.title}")
    if step.do == "animation":
        if isinstance(view, Film):
            showing = view.showing(settings)
            films.perform(f"class_film_{lesson.id}", showing, look, screens.stage.plays)
        return
    stop = step.tour[stop_index] if step.do == "tour" else None
    explained = stop if press == SENTENCE else None
    with device.row("class_stage_metrics"):
        if explained:
            st.html(tour.highlight("class", explained.look))
        for metric in lesson.speaker(view, "metrics")(settings):
            st.metric(metric.label, ASKED if press < NUMBERS else metric.value)
    charts = view.figures(settings, look)
    for column, figure in zip(st.columns(len(charts), gap="medium"), charts, strict=True):
        with column:
            if press < NUMBERS:
                figure = without_numbers(view, figure)
            elif explained and view.figure is not None:
                figure = spotlight.lit(figure, explained.look, look)
            spec = dict(figure.spec)
            if "height" in spec:
                spec["height"] = HIGH
            if device.on_stage():
                spec = hall.spaced(spec)
            figures.chart(replace(figure, spec=spec, levels=()), "class_stage")
    # Below the picture, the last press replaces the question by the sentence.
    if explained:
        words = tour.text(lesson, explained)
    elif press == SENTENCE:
        words = unbroken(fill(lesson.speaker(view, "verdict")(settings).text, {}))
    elif stop and stop.ask:
        words = f"**{render_text(stop.ask, lesson.values(settings))}**"
    else:
        words = f"**{fill(step.asks or GUESS, {})}**"
    with st.container(key="stage_sentence"):
        st.markdown(words)


def without_numbers(view: View, figure: Figure) -> Figure:
    """Return a chart without the answer and without numbers other than its axes'."""
    if view.curtain is not CLOSED:
        figure = view.curtain.figure(figure, figure)
    rows = figure.rows
    for name in _WRITTEN:
        if name in rows.column_names:
            column = rows.column_names.index(name)
            texts = [_blank(text) for text in rows.column(name).to_pylist()]
            rows = rows.set_column(column, name, pa.array(texts, rows.schema.field(name).type))
    return replace(figure, rows=rows, alt=HIDDEN, lines=(), reach=None)


def _blank(text: Any) -> Any:
    """Return "" for a text with a digit, anything else as it is."""
    if isinstance(text, str) and re.search(r"\d", text):
        return ""
    return text
