"""Placement: eight free GPUs are not a node, and how long a node is worth waiting for."""

import streamlit as st

from lessons import PLACEMENT as LESSON
from lessons.placement import chart, stream
from lessons.placement.settings import Training
from ui.page.opening import open_page

page = open_page(LESSON)
page.start()
view = page.views()
second = view in ("stream", "film")


@page.explore
def explore(training: Training) -> None:
    """All that a turn of a knob changes, in the act that is looked at."""
    page.metrics(stream.metrics(training) if second else LESSON.metrics(training))
    page.verdict(stream.verdict(training) if second else LESSON.verdict(training))
    if view == "wait":
        page.figure(page.guessed(chart.figure, training, page.look), chart.pinned)
    elif view == "step":
        page.figure(chart.step_figure(training, page.look))
    elif view == "stream":
        page.figure(stream.figure(training, page.look))
    else:
        page.film("stream")
    with page.below:
        if view == "stream":
            with page.fold("All twenty streams", "twenty", ":material/stacks:") as wanted:
                if wanted:
                    st.markdown(stream.twenty(training))
        page.challenge()


page.remedies()
page.explain()
page.close()
