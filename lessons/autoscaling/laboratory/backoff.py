"""Autoscaling: steps that grow, and waits that grow after each reversal."""

from functools import lru_cache

import pandas as pd

from lessons.autoscaling.following import replica_figure
from lessons.autoscaling.laboratory.several import changes
from lessons.autoscaling.settings import JUMP, JUMP_STRETCH, Fleet, say
from physics import constants as k
from physics.autoscaling.fleet import step_load
from physics.autoscaling.rules import round_up
from physics.autoscaling.several import simulate_metrics
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Outcome, View, verdict_of
from ui.charts import Look


@lru_cache(maxsize=64)
def jump_of(fleet: Fleet, step_factor: float) -> pd.DataFrame:
    """Simulate the two thresholds after a jump of the load, one row per step.

    Cached, so do not modify the table.
    """
    load = step_load(fleet.base, fleet.peak, JUMP, JUMP_STRETCH)
    run = simulate_metrics(
        [load],
        fleet.upper,
        fleet.limit,
        cold_start=fleet.cold_start,
        cool_down_down=fleet.cool_down_down,
        step_factor=step_factor,
    )
    return run.assign(slo_met=run["load"] < run["ready"])


@lru_cache(maxsize=64)
def day_of(fleet: Fleet, wait_factor: float) -> pd.DataFrame:
    """Simulate one day at the message's steady load, one row per step.

    Cached, so do not modify the table.
    """
    return simulate_metrics(
        [[fleet.base] * round(k.DAY / k.HPA_SYNC)],
        cold_start=fleet.cold_start,
        cool_down_down=fleet.cool_down_down,
        wait_factor=wait_factor,
    )


def enough_after(fleet: Fleet, step_factor: float) -> float | None:
    """Time after the jump until no replica is overloaded [s]; None if the run ends before."""
    run = jump_of(fleet, step_factor)
    relieved = run["time"][(run["time"] >= JUMP) & (run["utilization_0"] <= fleet.upper)]
    if relieved.empty:
        return None
    return float(relieved.iloc[0] - JUMP)


def figure(fleet: Fleet, look: Look) -> Figure:
    """Chart of the ready replicas after a jump of the load, with single and with growing steps."""
    growing = jump_of(fleet, fleet.step_factor)
    single = jump_of(fleet, 1.0)
    lines = {"one": ("growing steps", growing["ready"]), "two": ("single steps", single["ready"])}
    jumping = Fleet(base=fleet.base, peak=fleet.peak, step_factor=fleet.step_factor)
    title = "Ready replicas after a jump"
    return replica_figure(look, jumping, "backoff", title, growing, lines)


def metrics(fleet: Fleet) -> list[Metric]:
    """Metrics: time until enough replicas are ready, most replicas, changes on a steady day."""
    growing = _time(enough_after(fleet, fleet.step_factor))
    single = f"single steps: {_time(enough_after(fleet, 1.0))}"
    peak = int(jump_of(fleet, fleet.step_factor)["requested"].max())
    needed = f"needed: {round_up(fleet.peak / fleet.upper)}"
    growing_wait = changes(day_of(fleet, fleet.wait_factor))
    constant_wait = f"in a day; with a constant wait: {changes(day_of(fleet, 1.0))}"
    return [
        Metric("Time to enough replicas", growing, single),
        Metric("Peak replicas", str(peak), needed),
        Metric("Changes at a steady load", str(growing_wait), constant_wait),
    ]


@verdict_of(say)
def verdict(fleet: Fleet) -> Outcome:
    """Return the verdict on whether growing steps reach the load sooner, and on their cost."""
    if fleet.step_factor == 1:
        return "backoff_single", None
    after = enough_after(fleet, fleet.step_factor)
    if after is None:
        return "backoff_never", False
    return "backoff_grows", True, {"after": f.duration(after)}


def _time(seconds: float | None) -> str:
    """Write a time [s], or "over" the simulated time if there is none."""
    if seconds is None:
        return f"over {f.duration(float(JUMP_STRETCH - JUMP))}"
    return f.duration(seconds)


view = View("backoff", figure=figure, metrics=metrics, verdict=verdict)
