"""Fair queueing: whose turn it is, and for how long past use is held against somebody."""

import streamlit as st

from lessons import FAIR_QUEUEING as LESSON
from lessons.fair_queueing import ACTS, gantt, memory
from lessons.fair_queueing.settings import Turns
from ui.page import prediction
from ui.page.lesson_page import open_page

page = open_page(LESSON)
page.start()
view = page.views()


@page.explore
def explore(turns: Turns) -> None:
    """All that a turn of a knob changes, in the act that is looked at."""
    act = ACTS.get(view, gantt)
    page.metrics(act.metrics(turns))
    page.verdict(act.verdict(turns))
    if view == "film":
        page.film("turns")
    else:
        told = prediction.is_reflected(LESSON)
        drawn = page.guessed(act.figure, turns, page.look, told=told)
        page.figure(drawn, memory.figure if act is memory else None)
    with page.below:
        st.caption(act.words(turns))
        page.challenge()


page.remedies()
page.explain()
page.close()
