"""Current view of a lesson's page: headline numbers, verdict, picture, and the paragraph below.

`page` is the `Page` of `ui.page.lesson_page`, which draws itself with the help of this module.
"""

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

import streamlit as st

from ui import films
from ui.base.lesson import Figure, Film, View
from ui.page import class_answers, prediction
from ui.page.lesson import spotlight
from ui.record import compare, ledger

#: Round ends of an axis, each times a power of ten.
ROUND_ENDS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)


def draw_picture(page: Any, view: View, settings: Any) -> None:
    """Draw the view's charts or animation, and its further content."""
    if view.beside is not None:
        # The two pictures stand side by side, or on a phone above and below the main knob.
        if page.under is not None:
            left = st.container()
            right = page.under
        else:
            left, right = st.columns(2, gap="medium")
        with left, st.container(key=f"{page.lesson.id}_beside"):
            view.beside(page, settings)
        with right:
            _chart(page, view, settings)
    elif isinstance(view, Film):
        _film(page, view)
    elif view.figure is not None:
        _chart(page, view, settings)
    else:
        figures = view.figures(settings, page.look)
        columns: Sequence[AbstractContextManager] = [nullcontext()]
        if len(figures) > 1:
            columns = st.columns(len(figures))
        for column, figure in zip(columns, figures, strict=False):
            with column:
                page.figure(figure)
    _draw_more(page, view, settings)


def _draw_more(page: Any, view: View, settings: Any) -> None:
    """Draw the view's further content below its chart, if it has any."""
    if view.draw is not None:
        view.draw(page, view.shown(settings))


def draw_behind_the_curtain(page: Any, view: View, settings: Any) -> None:
    """Draw the view's chart with the visitor's answer, but without the predicted number."""
    if view.figure is not None:
        extra = {"told": False, "playing": False, "own": ledger.own(page.lesson.id)}
        draw = partial(_figure, view, settings, page.look, **extra)
        figure = class_answers.together(draw, page.guess, page.class_winners)
        page.figure(view.curtain.figure(figure, draw(guess=None)))
    _draw_more(page, view, settings)


def _figure(view: View, settings: Any, look: Any, **extra: Any) -> Figure:
    """Return the one chart of a view."""
    return view.figures(settings, look, **extra)[0]


def _chart(page: Any, view: View, settings: Any) -> None:
    """Draw the view's one chart, with the answers of the visitor and the class, and with pins."""
    extra = {"told": prediction.is_reflected(page.lesson), "own": ledger.own(page.lesson.id)}
    draw = partial(_figure, view, settings, page.look, playing=page.playing, **extra)
    figure = class_answers.together(draw, page.guess, page.class_winners)
    end = _fitting_end(page, figure)
    if end is not None:
        draw = partial(draw, end=end)
        figure = class_answers.together(draw, page.guess, page.class_winners)
    if page.stop is not None:
        figure = spotlight.lit(figure, page.stop.look, page.look)
    pinned = None
    if figure.lines or "here" in figure.roles:
        pinned = view.pinned or partial(_figure, view)
    page.figure(figure, pinned)


def _fitting_end(page: Any, figure: Figure) -> float | None:
    """Return another end for a chart's axis, if a value is beyond it and the visitor wants that.

    The toggle for it appears only while a longer axis could show the value. At most one chart of a
    page has such an axis.
    """
    reach = figure.reach
    if reach is None:
        return None
    end = holding(reach.value, reach.end)
    if end == reach.end:
        return None
    help = "Off: the axes stay fixed, and an arrow with a number marks any value beyond them."
    key = f"{page.lesson.id}_fit"
    with page.below:
        if st.toggle("Fit axes", key=key, help=help, persist_state="session"):
            return end
    return None


def holding(reach: float, usual: float) -> float:
    """Return the end of an axis: the usual one, or for a larger value the next round number.

    A value beyond 100 times the usual end keeps the usual one, or all other values would be drawn
    next to zero.

    >>> holding(7.0, 8.0), holding(19.0, 8.0), holding(1e9, 8.0), holding(math.inf, 8.0)
    (8.0, 20.0, 8.0, 8.0)
    """
    if not usual < reach <= 100 * usual:
        return usual
    size = 10.0 ** math.floor(math.log10(1.05 * reach))
    return next(size * end for end in ROUND_ENDS if size * end >= 1.05 * reach)


def _film(page: Any, view: Film) -> None:
    """Play the lesson's film of the current settings, and next to it that of a chosen pin."""
    lesson = page.lesson
    pins = dict(compare.scenarios(lesson))
    stage = st.container()
    beside = {}
    if pins:
        style: dict = {"key": f"{lesson.id}_film_beside", "format_func": str.capitalize}
        pin = st.segmented_control("Compare with", list(pins), **style)
        if pin in pins:
            beside = {pin.capitalize(): lesson.film(pins[pin])}
    showing = lesson.film(page.settings)
    page.keep_film(
        films.show(lesson.id, view.name, showing, page.look, beside, stage, page.earning())
    )
