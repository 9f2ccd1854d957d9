"""Scheduling policy, going further: fair share with ever more shares for training, against both targets."""

from dataclasses import replace

import streamlit as st

from lessons.scheduling_policy.four import table
from lessons.scheduling_policy.settings import LEADS, Scenario


def narrowed(scenario: Scenario) -> Scenario:
    """Return the settings that this part shows: fair share with EASY, at the lead's rates."""
    return replace(scenario, **LEADS, order="fair_share", backfill="easy", quotas="none")


def draw(page: object, scenario: Scenario) -> None:
    """Draw some weights of training on the present jobs, and the present weights."""
    even = replace(scenario, weight_interactive=1, weight_search=1)
    rows = {f"Training {weight} to 1": replace(even, weight_training=weight) for weight in (50, 200)}
    st.markdown(table(rows | {"Your shares": scenario}))
