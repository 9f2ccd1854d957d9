"""GPU slices: which instances fit on one GPU, and what stays free that the next job cannot use."""

from contextlib import nullcontext

import streamlit as st

from lessons import GPU_SLICES as LESSON
from lessons.gpu_slices import ACTS, slots, stream
from lessons.gpu_slices.settings import Slices
from ui.page import prediction
from ui.page.opening import open_page

page = open_page(LESSON)
page.start()
view = page.views()


@page.explore
def explore(wish: Slices) -> None:
    """All that a turn of a knob changes, in the act that is looked at."""
    act = ACTS.get(view, stream)  # the film is the stream's
    page.metrics(act.metrics(wish))
    page.verdict(act.verdict(wish))
    if view == "film":
        page.film("stream")
    told = {"told": prediction.is_reflected(LESSON)} if view == "gang" else {}
    if view == "slots":
        figures = [page.guessed(slots.figure, wish, page.look)]
    else:
        figures = [] if view == "film" else act.figures(wish, page.look, **told)
    columns = st.columns(len(figures)) if len(figures) > 1 else [nullcontext()] * len(figures)
    for column, figure in zip(columns, figures, strict=True):
        with column:
            page.figure(figure)
    with page.below:
        if view == "stream":
            st.caption(stream.moment_words(wish))
        page.challenge()


page.remedies()
page.explain()
page.close()
