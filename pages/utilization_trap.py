"""Utilization trap: why 1-hour jobs wait four hours on a healthy, busy fleet."""

import streamlit as st

from lessons.utilization_trap import LESSON, chart, knee, simulation, verdict
from lessons.utilization_trap.settings import Fleet
from ui.page.lesson_page import open_page

page = open_page(LESSON)
page.start()


@page.explore
def explore(fleet: Fleet) -> None:
    """All that a turn of a knob changes."""
    page.metrics(LESSON.metrics(fleet))
    page.verdict(LESSON.verdict(fleet))
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        view = page.views()
        found = simulation.offer(fleet)
    with place:
        page.figure(knee.figure(fleet, page.look) if view == "knee" else chart.figure(fleet, page.look, found))
    st.caption(knee.knee_words(fleet) if view == "knee" else verdict.derived_words(fleet))
    simulation.show(fleet, found)
    page.remedies()


page.explain()
page.close()
