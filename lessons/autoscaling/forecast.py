"""Autoscaling: a rule that orders replicas for the load that is forecast."""

from lessons.autoscaling import following
from lessons.autoscaling.settings import Fleet, say
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import Look


def figure(fleet: Fleet, look: Look) -> Figure:
    """Ready replicas, the load, and what was forecast."""
    lines = {
        "load": ("load", fleet.forecast_run["load"].to_numpy()),
        "forecast": ("forecast", fleet.peaks[0]),
        "one": ("replicas", fleet.forecast_run["ready"].to_numpy(dtype=float)),
    }
    rows = following.rows(fleet, lines, fleet.forecast_run, say("late", fleet))
    spec, text = following.spec(look, fleet.load), say("chart_forecast", fleet)
    return Figure("forecast", "Ready replicas by a forecast", rows, spec, text)


def metrics(fleet: Fleet) -> list[Metric]:
    """How far the forecast is off, and what comes of it."""
    run = fleet.forecasted
    return [
        Metric("Forecast off by", f.share(fleet.off), "mean absolute error (MAPE)"),
        Metric("Fast enough", f.share(run.slo_share), "of the time"),
        Metric("Turned away", f.share(run.lost_share), "of all work"),
        Metric(
            "Cost ÷ cheapest", f.times(run.cost_ratio, 3), f"{f.money(run.cost)} against {f.money(run.cheapest_cost)}"
        ),
    ]


def verdict(fleet: Fleet) -> Verdict:
    """Say whether the replicas are there in time."""
    late = fleet.forecasted.slo_share < 1
    return Verdict(say("forecast_late" if late else "forecast_in_time", fleet), not late)
