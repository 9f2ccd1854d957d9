"""Autoscaling: a policy that orders replicas for the forecast load."""

from lessons.autoscaling.following import replica_figure
from lessons.autoscaling.settings import Fleet, say
from ui.base.lesson import Figure, Outcome, View, verdict_of
from ui.charts import Look


def figure(fleet: Fleet, look: Look) -> Figure:
    """Chart of the ready replicas, the load, and the forecast."""
    run = fleet.forecasted.run
    lines = {"one": ("replicas", run["ready"]), "forecast": ("forecast", fleet.peaks[0])}
    return replica_figure(look, fleet, "forecast", "Ready replicas with a forecast", run, lines)


@verdict_of(say)
def verdict(fleet: Fleet) -> Outcome:
    """Return the verdict on whether the replicas are ready in time."""
    if fleet.forecasted.slo_share < 1:
        return "forecast_slow", False
    return "forecast_in_time", True


view = View("forecast", figure=figure, verdict=verdict)
