"""Utilization trap: why 1-hour jobs wait four hours on a healthy, busy fleet."""

import streamlit as st

from lessons import UTILIZATION_TRAP as LESSON
from lessons.utilization_trap import chart, knee, order, simulation, verdict
from lessons.utilization_trap.settings import Fleet
from ui.page import prediction
from ui.page.lesson_page import open_page

page = open_page(LESSON)
page.start()
row = page.choice.container(horizontal=True, vertical_alignment="center")
view = page.views(later={"knee"}, place=row)
said = order if view == "order" else LESSON


@page.explore
def explore(fleet: Fleet) -> None:
    """All that a turn of a knob changes."""
    found = simulation.held(fleet)
    page.metrics(said.metrics(fleet))
    page.verdict(said.verdict(fleet))
    if view == "film":
        page.film("fleet")
    elif view == "knee":
        page.figure(knee.figure(fleet, page.look))
    elif view == "order":
        page.figure(order.figure(fleet, page.look))
    else:
        told = prediction.is_reflected(LESSON)
        page.figure(page.guessed(chart.figure, fleet, page.look, told=told, found=found), chart.figure)
    with page.below:
        st.caption({"knee": knee.knee_words, "order": order.words}.get(view, verdict.derived_words)(fleet))
        simulation.show(fleet, found)
        page.challenge()


with row:
    simulation.offer(page)
page.remedies()
page.explain()
page.close()
