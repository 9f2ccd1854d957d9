"""Notebook sharing: what is gained when notebooks share a node and each cell gets its cores when it starts."""

import streamlit as st

from lessons import NOTEBOOK_SHARING as LESSON
from lessons.notebook_sharing import figures, think
from lessons.notebook_sharing.settings import Study
from ui.page import prediction
from ui.page.figures import draw
from ui.page.opening import open_page

page = open_page(LESSON)
page.start()
view = page.views()


@page.explore
def explore(study: Study) -> None:
    """All that a turn of a knob changes."""
    page.metrics(LESSON.metrics(study))
    page.verdict(LESSON.verdict(study))
    if view == "film":
        page.film("node")
    else:
        page.figure(page.guessed(figures.figure, view, study, page.look))
        page.below.markdown(figures.words(view, study))
    with page.below:
        page.challenge()


page.remedies()
page.explain()
if prediction.ask(LESSON, LESSON.predictions["2"], "2"):
    draw(think.figure(page.settings, page.look), LESSON.id)
    page.said["think_words"] = page.values["think_words"]
    st.caption(page.said["think_words"])
    prediction.explain(LESSON, page.values, LESSON.predictions["2"], "2")
page.close()
