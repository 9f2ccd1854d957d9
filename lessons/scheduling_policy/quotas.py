"""Scheduling policy, going further: what kinds of quotas cost, against both targets."""

from dataclasses import replace

import streamlit as st

from lessons.scheduling_policy.four import table
from lessons.scheduling_policy.settings import EASY, LEADS, Scenario, say
from ui.base.lesson import Verdict
from ui.knobs.declared import knobs_of


def narrowed(scenario: Scenario) -> Scenario:
    """Return the settings that this part shows: priority with EASY at the lead's rates, and the quotas."""
    return replace(scenario, **EASY, **LEADS)


def draw(page: object, scenario: Scenario) -> None:
    """Draw the kinds of quotas on the present jobs."""
    kinds = knobs_of(Scenario)["quotas"].choices({})
    st.markdown(table({words: replace(scenario, quotas=kind) for kind, words in kinds.items()}))


def verdict(scenario: Scenario) -> Verdict:
    """Say what this kind of quota promises."""
    return Verdict(say(f"quotas_{scenario.quotas}", scenario))
