"""The view in sight of a lesson's page: headline numbers, verdict, picture, and the paragraph under it.

`page` is the `Page` of `ui.page.lesson_page`, which draws itself with the help of this module.
"""

from contextlib import nullcontext
from functools import partial
from typing import Any

import streamlit as st

from ui.base.device import unbroken
from ui.base.lesson import Figure, Film, View
from ui.base.words import fill
from ui.charts.look import table
from ui.page import prediction
from ui.record import ledger


def draw_picture(page: Any, view: View, settings: Any) -> None:
    """Draw the view's charts or its film, and what else its module draws."""
    if hasattr(view.module, "beside"):
        left, right = page.beside()
        with left:
            view.module.beside(page, settings)
        with right:
            _one(page, view, settings)
    elif isinstance(view, Film):
        page.film(view.name)
    elif hasattr(view.module, "figure"):
        _one(page, view, settings)
    else:
        _side_by_side(page, view.figures(settings, page.look))
    if hasattr(view.module, "draw"):
        view.module.draw(page, view.shown(settings))


def draw_words(view: View, settings: Any) -> None:
    """Draw the paragraph under the picture."""
    if words := view.paragraph(settings):
        st.caption(unbroken(fill(words, {})))


def draw_below(page: Any, view: View, settings: Any) -> None:
    """Draw what belongs below the picture."""
    if hasattr(view.module, "below"):
        view.module.below(page, view.shown(settings))


def _one(page: Any, view: View, settings: Any) -> None:
    """Draw the view's one chart, with the visitor's guess and what is pinned."""
    known = {"told": prediction.is_reflected(page.lesson), "own": ledger.own(page.lesson.id)}

    def made(settings: Any, look: Any, **known: Any) -> Figure:
        return view.figures(settings, look, **known)[0]

    figure = page.guessed(partial(made, settings, page.look, playing=page.playing, **known))
    page.figure(figure, getattr(view.module, "pinned", made) if _leaves_ghosts(figure) else None)


def _leaves_ghosts(figure: Figure) -> bool:
    """Say whether a pinned scenario leaves something on this chart."""
    rows = table(figure.rows)
    return bool(figure.lines) or ("role" in rows.column_names and "here" in rows["role"].to_pylist())


def _side_by_side(page: Any, figures: list[Figure]) -> None:
    columns = st.columns(len(figures)) if len(figures) > 1 else [nullcontext()] * len(figures)
    for column, figure in zip(columns, figures, strict=True):
        with column:
            page.figure(figure)
