"""Scheduling policy, going further: what kinds of quotas cost, in the plane of both targets."""

from dataclasses import replace

from lessons.scheduling_policy import queue
from lessons.scheduling_policy.four import RIGHT, plane_of
from lessons.scheduling_policy.settings import EASY, QUOTAS, Scenario, say
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts.look import Look


def of(scenario: Scenario) -> Scenario:
    """Return the settings that this part shows: priority with EASY, and the quotas."""
    return replace(scenario, **EASY, preemption=False, reserved=0)


def figure(scenario: Scenario, look: Look, end: float = RIGHT) -> Figure:
    """Return where the kinds of quotas lie on the present jobs."""
    points = {name: (words, replace(of(scenario), quotas=name)) for name, words in QUOTAS.items()}
    return plane_of("quotas", points, of(scenario), look, None, end, "What does a quota cost, and is it kept?")


def metrics(scenario: Scenario) -> list[Metric]:
    """Return both targets, what is lost, and training's quota."""
    shown = of(scenario)
    return [
        *queue.metrics(shown)[:2],
        Metric("GPU-hours lost", f.share(shown.lost), "by stopped jobs"),
        Metric("Training's quota", f.count(shown.entitled["training"], "GPU"), "what the others leave"),
    ]


def verdict(scenario: Scenario) -> Verdict:
    """Say what this kind of quota promises."""
    return Verdict(say(f"quotas_{scenario.quotas}", of(scenario)))


def words(scenario: Scenario) -> str:
    """Return what is drawn."""
    return say("quotas_words", of(scenario))
