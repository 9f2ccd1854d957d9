"""Utilization trap: why 1-hour jobs wait four hours on a healthy, busy fleet."""

import streamlit as st

from lessons import UTILIZATION_TRAP as LESSON
from lessons.utilization_trap import chart, film, knee, order, simulation, verdict
from lessons.utilization_trap.settings import Fleet
from ui import films
from ui.page import prediction
from ui.page.lesson_page import open_page

page = open_page(LESSON)
page.start()


@page.explore
def explore(fleet: Fleet) -> None:
    """All that a turn of a knob changes."""
    head, place, told = st.container(), st.container(), prediction.is_reflected(LESSON)
    with st.container(horizontal=True, vertical_alignment="center"):
        view = page.views(later={"knee"})
        found = simulation.offer(fleet)
    said = order if view == "order" else LESSON
    with head:
        page.metrics(said.metrics(fleet))
        page.verdict(said.verdict(fleet))
    with place:
        if view == "film":
            films.show(LESSON.id, "fleet", film.showing(fleet), page.look)
        elif view == "knee":
            page.figure(knee.figure(fleet, page.look))
        elif view == "order":
            page.figure(order.figure(fleet, page.look))
        else:
            page.figure(chart.figure(fleet, page.look, page.guess, told, found))
    st.caption({"knee": knee.knee_words, "order": order.words}.get(view, verdict.derived_words)(fleet))
    simulation.show(fleet, found)
    page.challenge()
    page.remedies()


page.explain()
page.close()
