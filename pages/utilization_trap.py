"""Utilization trap: why 1-hour jobs wait four hours on a healthy, busy fleet."""

import streamlit as st

from lessons import UTILIZATION_TRAP as LESSON
from lessons.utilization_trap import chart, film, knee, simulation, verdict
from lessons.utilization_trap.settings import Fleet
from ui import films
from ui.page import prediction
from ui.page.lesson_page import open_page

page = open_page(LESSON)
page.start()


@page.explore
def explore(fleet: Fleet) -> None:
    """All that a turn of a knob changes."""
    page.metrics(LESSON.metrics(fleet))
    page.verdict(LESSON.verdict(fleet))
    place, told = st.container(), prediction.is_reflected(LESSON)
    with st.container(horizontal=True, vertical_alignment="center"):
        view = page.views(later={"knee"})
        found = simulation.offer(fleet)
    with place:
        if view == "film":
            films.show(LESSON.id, "fleet", film.showing(fleet), page.look)
        elif view == "knee":
            page.figure(knee.figure(fleet, page.look))
        else:
            page.figure(chart.figure(fleet, page.look, page.guess, told, found))
    st.caption(knee.knee_words(fleet) if view == "knee" else verdict.derived_words(fleet))
    simulation.show(fleet, found)
    page.challenge()
    page.remedies()


page.explain()
page.close()
