"""Current view of a lesson's page: headline numbers, verdict, picture, and the paragraph below.

`page` is the `Page` of `ui.page.lesson_page`, which draws itself with the help of this module.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

import streamlit as st

from ui import films
from ui.base.lesson import Figure, Film, View
from ui.page import class_answers, prediction
from ui.page.lesson import spotlight
from ui.record import compare, ledger

#: Round ends of an axis, times a power of ten.
ROUND = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)


def draw_picture(page: Any, view: View, settings: Any) -> None:
    """Draw the view's charts or animation, and its further content."""
    if view.beside is not None:
        # Two pictures that answer the same knobs stand side by side; on a phone above and below
        # these.
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
    return view.figures(settings, look, **extra)[0]


def _chart(page: Any, view: View, settings: Any) -> None:
    """Draw the view's one chart, with the visitor's guess, in a class with its answers, and with
    what is pinned.
    """
    made = partial(_figure, view)
    extra = {"told": prediction.is_reflected(page.lesson), "own": ledger.own(page.lesson.id)}
    draw = partial(made, settings, page.look, playing=page.playing, **extra)

    def together(**end: float) -> Figure:
        return class_answers.together(partial(draw, **end), page.guess, page.class_winners)

    figure = _fitted(page, together)
    if page.stop is not None:
        figure = spotlight.lit(figure, page.stop.look, page.look)
    pinned = None
    if figure.lines or "here" in figure.roles:
        pinned = view.pinned or made
    page.figure(figure, pinned)


def _fitted(page: Any, draw: Callable[..., Figure]) -> Figure:
    """Return a chart; if something leaves its frame and the visitor wants that, with an axis that
    holds it.

    It is offered while the chart's `reach` goes beyond its end and can be shown; for this visit
    only. `draw` then takes another `end`. One chart of a page at a time.
    """
    figure = draw()
    reach = figure.reach
    if reach is None or (end := holding(reach.value, reach.end)) == reach.end:
        return figure
    help = "Off: the axes stay fixed, and an arrow with a number marks any value beyond them."
    key = f"{page.lesson.id}_fit"
    with page.below:
        if st.toggle("Fit axes", key=key, help=help, persist_state="session"):
            return draw(end=end)
    return figure


def holding(reach: float, usual: float) -> float:
    """Return the axis end for a value: the usual one, or the next round number if the value exceeds
    it.

    What leaves the frame farther than 100 times its end would press all the rest against the axis.

    >>> holding(7.0, 8.0), holding(19.0, 8.0), holding(1e9, 8.0), holding(math.inf, 8.0)
    (8.0, 20.0, 8.0, 8.0)
    """
    if not usual < reach <= 100 * usual:
        return usual
    size = 10.0 ** math.floor(math.log10(1.05 * reach))
    return next(size * end for end in ROUND if size * end >= 1.05 * reach)


def _film(page: Any, view: Film) -> None:
    """Play the lesson's film of the present settings and, if asked, that of a pinned scenario by
    the same clock.
    """
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
