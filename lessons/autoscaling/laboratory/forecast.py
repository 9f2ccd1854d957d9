"""Autoscaling: a policy that orders replicas for the forecast load."""

from lessons.autoscaling import following
from lessons.autoscaling.settings import Fleet, say
from ui.base.lesson import Figure, Verdict
from ui.charts import Look


def figure(fleet: Fleet, look: Look) -> Figure:
    """Chart of the ready replicas, the load, and the forecast."""
    run = fleet.forecasted.run
    lines = {"one": ("replicas", run["ready"]), "forecast": ("forecast", fleet.peaks[0])}
    return following.drawn(look, fleet, "forecast", "Ready replicas with a forecast", run, lines)


def verdict(fleet: Fleet) -> Verdict:
    """Return the verdict on whether the replicas are ready in time."""
    late = fleet.forecasted.slo_share < 1
    return Verdict(say("forecast_slow" if late else "forecast_in_time", fleet), not late)
