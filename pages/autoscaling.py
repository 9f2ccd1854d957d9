"""Autoscaling: whether a rule that adds and removes replicas comes to rest, keeps its promise, and at what price."""

import streamlit as st

from lessons import AUTOSCALING as LESSON
from lessons.autoscaling import charts, verdict
from lessons.autoscaling.settings import Fleet
from ui.page.lesson_page import open_page

page = open_page(LESSON)
page.start()


@page.explore
def explore(fleet: Fleet) -> None:
    """All that a turn of a knob changes."""
    page.metrics(LESSON.metrics(fleet))
    page.verdict(LESSON.verdict(fleet))
    place = st.container()
    view = page.views()
    with place:
        page.figure(charts.figure(view, fleet, page.look, page.guess))
    st.caption(verdict.derived_words(fleet))
    page.challenge()
    page.remedies()


page.explain()
page.close()
