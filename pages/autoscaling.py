"""Autoscaling: whether a rule that adds and removes replicas comes to rest, keeps its promise, and at what price."""

import streamlit as st

from lessons import AUTOSCALING as LESSON
from lessons.autoscaling import charts, reserve, verdict
from lessons.autoscaling.settings import Fleet
from ui.page.opening import open_page

page = open_page(LESSON)
page.start()
view = page.views()


@page.explore
def explore(fleet: Fleet) -> None:
    """All that a turn of a knob changes."""
    said = reserve if view == "reserve" else LESSON
    page.metrics(said.metrics(fleet))
    page.verdict(said.verdict(fleet))
    if view == "film":
        page.film("run")
    else:
        drawn = page.guessed(charts.figure, view, fleet, page.look)
        page.figure(drawn, charts.pinned if view == "fleet" else None)
    with page.below:
        st.caption(reserve.words(fleet) if view == "reserve" else verdict.derived_words(fleet))
        if view == "reserve":
            with page.fold("How much to reserve?", "reserve_answer", ":material/savings:") as wanted:
                if wanted:
                    st.markdown(reserve.answer(fleet))
        page.challenge()


page.remedies()
page.explain()
page.close()
