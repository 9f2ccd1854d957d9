"""Scheduling policy, going further: policies against both targets."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from lessons.scheduling_policy.settings import FOUR, Scenario, say
from ui.page import shell


def table(policies: Mapping[str, Scenario]) -> str:
    """Return a table with a row for each policy: both numbers, and whether they meet the targets."""
    lines = [say("targets", Scenario()), "|---|---|---|---|"]
    return "\n".join([*lines, *(say("against_targets", one, name=name) for name, one in policies.items())])


def draw(page: object, scenario: Scenario) -> None:
    """Draw the question's four policies on the message's jobs, and the present settings."""
    four = {name: replace(Scenario(), **changes) for name, changes in FOUR.values()}
    st.markdown(table(four | {"Your settings": scenario}))


def below(page: object, scenario: Scenario) -> None:
    """Draw the way to a log of one's own."""
    shell.link("pages/your_cluster.py", "Replay a log on Your cluster", ":material/history:")
