"""Scheduling policy, going further: what kinds of quotas cost, in the plane of both targets."""

from dataclasses import replace

from lessons.scheduling_policy import queue
from lessons.scheduling_policy.four import RIGHT, plane_of
from lessons.scheduling_policy.settings import EASY, LEADS, Scenario, say
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import Look
from ui.knobs.declared import knobs_of


def narrowed(scenario: Scenario) -> Scenario:
    """Return the settings that this part shows: priority with EASY at the lead's rates, and the quotas."""
    return replace(scenario, **EASY, **LEADS)


def figure(scenario: Scenario, look: Look, end: float = RIGHT) -> Figure:
    """Return where the kinds of quotas lie on the present jobs."""
    points = {words: replace(scenario, quotas=name) for name, words in knobs_of(Scenario)["quotas"].choices({}).items()}
    return plane_of("quotas", "What does a quota cost, and is it kept?", points, scenario, look, end)


def metrics(scenario: Scenario) -> list[Metric]:
    """Return both targets, what is lost, and training's quota."""
    left = Metric("Training's quota", f.count(scenario.entitled["training"], "GPU"), "what the others leave")
    return [*queue.metrics(scenario)[:2], queue.lost(scenario), left]


def verdict(scenario: Scenario) -> Verdict:
    """Say what this kind of quota promises."""
    return Verdict(say(f"quotas_{scenario.quotas}", scenario))
