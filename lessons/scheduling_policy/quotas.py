"""Scheduling policy, going further: what kinds of quotas cost, in the plane of both targets."""

from dataclasses import replace

from lessons.scheduling_policy.four import RIGHT, plane_of
from lessons.scheduling_policy.settings import EASY, LEADS, Scenario, say
from ui.base.lesson import Figure, Verdict
from ui.charts import Look
from ui.knobs.declared import knobs_of


def narrowed(scenario: Scenario) -> Scenario:
    """Return the settings that this part shows: priority with EASY at the lead's rates, and the quotas."""
    return replace(scenario, **EASY, **LEADS)


def figure(scenario: Scenario, look: Look, end: float = RIGHT) -> Figure:
    """Return where the kinds of quotas lie on the present jobs."""
    points = {words: replace(scenario, quotas=name) for name, words in knobs_of(Scenario)["quotas"].choices({}).items()}
    return plane_of("quotas", "What does a quota cost, and is it kept?", points, scenario, look, end)


def verdict(scenario: Scenario) -> Verdict:
    """Say what this kind of quota promises."""
    return Verdict(say(f"quotas_{scenario.quotas}", scenario))
