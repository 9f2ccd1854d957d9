"""Scheduling policy, going further: fair share with ever more shares for training, in the plane of both targets."""

from dataclasses import replace

from lessons.scheduling_policy.four import RIGHT, plane_of
from lessons.scheduling_policy.settings import LEADS, Scenario
from ui.base.lesson import Figure
from ui.charts import Look


def narrowed(scenario: Scenario) -> Scenario:
    """Return the settings that this part shows: fair share with EASY, at the lead's rates."""
    return replace(scenario, **LEADS, order="fair_share", backfill="easy", quotas="none")


def figure(scenario: Scenario, look: Look, end: float = RIGHT) -> Figure:
    """Return where some weights of training lie on the present jobs."""
    even = replace(scenario, weight_interactive=1, weight_search=1)
    points = {f"{weight} to 1": replace(even, weight_training=weight) for weight in (50, 200)}
    return plane_of("waits", "What do training's shares cost the others?", points, scenario, look, end)
