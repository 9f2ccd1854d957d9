"""DRF story: the visitor's own jobs, with weights, limits and GPUs, and what two policies make of them."""

import streamlit as st

from lessons.drf_story import pool, table
from lessons.drf_story.properties import checked, wide_table
from lessons.drf_story.settings import Scenario, say
from lessons.drf_story.verdict import verdict as ends
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts.look import Look

words = pool.words


def above(page) -> None:
    """Draw the table of jobs; a change of it is a full run."""
    table.draw(page.knobs)


def figure(scenario: Scenario, look: Look, end: float = pool.TOP) -> Figure:
    """How full the pool is in the end, GPUs included."""
    return pool.pool_figure(scenario.at_end, look, [0, 1, 2, 3], None, end)


def metrics(scenario: Scenario) -> list[Metric]:
    """Executors and largest shares in the end."""
    return pool.metrics(scenario.at_end)


def verdict(scenario: Scenario) -> Verdict:
    """Say what stops the hand-out."""
    return ends(scenario.at_end)


def below(page, scenario: Scenario) -> None:
    """Draw the button that checks the four properties on these jobs, and what it finds."""
    if st.button("Check the four properties", key=f"{page.lesson.id}_check", icon=":material/fact_check:"):
        with st.spinner("Trying false claims …"):
            wide_table(checked(scenario.jobs, scenario.pool))
        st.caption(say("check_words", scenario))
