"""Autoscaling: a rule that orders replicas for the load that is forecast."""

from lessons.autoscaling import following
from lessons.autoscaling.settings import Fleet, say
from ui.base.lesson import Figure, Verdict
from ui.charts import Look


def figure(fleet: Fleet, look: Look) -> Figure:
    """Ready replicas, the load, and what was forecast."""
    run = fleet.forecasted.run
    lines = {"one": ("replicas", run["ready"]), "forecast": ("forecast", fleet.peaks[0])}
    return following.drawn(look, fleet, "forecast", "Ready replicas with a forecast", run, lines)


def verdict(fleet: Fleet) -> Verdict:
    """Say whether the replicas are there in time."""
    late = fleet.forecasted.slo_share < 1
    return Verdict(say("forecast_slow" if late else "forecast_in_time", fleet), not late)
