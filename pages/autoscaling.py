"""Autoscaling: whether a rule that adds and removes replicas comes to rest, keeps its promise, and at what price."""

import streamlit as st

from lessons import AUTOSCALING as LESSON
from lessons.autoscaling import charts, verdict
from lessons.autoscaling.settings import Fleet
from ui.page.lesson_page import open_page

page = open_page(LESSON)
page.start()
view = page.views()


@page.explore
def explore(fleet: Fleet) -> None:
    """All that a turn of a knob changes."""
    page.metrics(LESSON.metrics(fleet))
    page.verdict(LESSON.verdict(fleet))
    page.figure(charts.figure(view, fleet, page.look, page.guess))
    with page.below:
        st.caption(verdict.derived_words(fleet))
        page.challenge()


page.remedies()
page.explain()
page.close()
