"""Scheduling policy, going further: fair share with ever more shares for training, in the plane of both targets."""

from dataclasses import replace

from lessons.scheduling_policy import queue
from lessons.scheduling_policy.four import RIGHT, plane_of
from lessons.scheduling_policy.settings import Scenario, say
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts.look import Look


def of(scenario: Scenario) -> Scenario:
    """Return the settings that this part shows: fair share with EASY."""
    return replace(scenario, order="fair_share", backfill="easy", preemption=False, reserved=0, quotas="none")


def figure(scenario: Scenario, look: Look, end: float = RIGHT) -> Figure:
    """Return where some weights of training lie on the present jobs."""
    named = {1.0: "even shares", 20.0: "20 to 1", 50.0: "50 to 1", 200.0: "200 to 1"}
    points = {words: (words, replace(of(scenario), weight_training=weight)) for weight, words in named.items()}
    return plane_of("waits", points, of(scenario), look, None, end, "What do training's shares cost the others?")


def metrics(scenario: Scenario) -> list[Metric]:
    """Return both targets, the factors that decide the order, and how long past use counts."""
    shown = of(scenario)
    written = " · ".join(f.significant(one, 2) for one in shown.factors.values())
    return [
        *queue.metrics(shown)[:2],
        Metric("Factors", written, "interactive, search, training"),
        Metric("After 30 days alone", f.duration(shown.catch_up), "last in line"),
    ]


def verdict(scenario: Scenario) -> Verdict:
    """Say which class goes first."""
    factors = of(scenario).factors
    return Verdict(say("shares_verdict", of(scenario), found=max(factors, key=factors.get)))


def words(scenario: Scenario) -> str:
    """Return what fair share remembers."""
    return say("shares_words", of(scenario))
