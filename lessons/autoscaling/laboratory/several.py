"""Autoscaling on two metrics: either can add a replica, and both must agree to remove one."""

from dataclasses import replace
from functools import lru_cache

import pandas as pd

from lessons.autoscaling.following import stepped, steps
from lessons.autoscaling.settings import STRETCH, Fleet, between, say
from physics import constants as k
from physics.autoscaling.several import metrics_oscillate, simulate_metrics
from ui.base.lesson import Figure, Metric, Outcome, View, verdict_of
from ui.charts import Look, axes, level, marks, plane, stack

#: End of the lines, and of the axis with room for their names [min]; top of the frame [1].
END = STRETCH / k.MINUTE
RIGHT = 40.0
TOP = 1.12
#: Metrics: their columns in a run, names, and tones.
METRICS = {"gpu": ("utilization_0", "GPU", "s0"), "memory": ("utilization_1", "memory", "s1")}


@lru_cache(maxsize=64)
def run_of(fleet: Fleet) -> pd.DataFrame:
    """Simulate the two thresholds with both metrics, one row per step.

    Cached, so do not modify the table.
    """
    checks = round(STRETCH / k.HPA_SYNC)
    return simulate_metrics(
        [[fleet.base] * checks, [fleet.memory] * checks],
        fleet.upper,
        fleet.lower,
        cold_start=fleet.cold_start,
        cool_down_down=fleet.cool_down_down,
    )


def changes(run: pd.DataFrame) -> int:
    """Number of replicas that a run adds and removes [1]."""
    return int((run["wanted"] - run["requested"]).abs().sum())


def oscillates(fleet: Fleet) -> bool:
    """Whether the two steady loads make the fleet oscillate forever."""
    loads = [fleet.base, fleet.memory]
    sizes = range(1, int(k.AUTOSCALE_CEILING))
    return any(metrics_oscillate(loads, fleet.upper, fleet.lower, size) for size in sizes)


def figure(fleet: Fleet, look: Look) -> Figure:
    """Chart of both measured utilizations over time, with the thresholds."""
    run = run_of(fleet)
    rows = []
    for kind, height, arrow in (("upper", fleet.upper, "↑"), ("lower", fleet.lower, "↓")):
        text = f"{arrow} {height:.0%}"
        rows += marks.limit(kind, RIGHT, height, text, dx=-4, dy=-9, tone="quiet")
    last_values = [float(run[column].iloc[-1]) for column, *_ in METRICS.values()]
    heights = marks.apart(last_values, 0.08, TOP)
    for height, (kind, (column, name, tone)) in zip(heights, METRICS.items(), strict=True):
        rows.append({"kind": kind} | stepped(run[column].to_numpy(), k.MINUTE, END))
        rows.append(marks.label(END, height, name, dx=6, tone=tone, bold=True))
    alt_text = say("several_chart", fleet, changes=changes(run))
    return Figure("several", "Two metrics over time", stack(rows), _spec(look), alt_text)


@plane
def _spec(look: Look) -> tuple:
    """Specification: a step line for each metric, and a level for each threshold."""
    x = axes.x("x:Q", "time (minutes)", [0, RIGHT], values=[0, 5, 10, 15, 20, 25, 30])
    y = axes.y("y:Q", "measured utilization", [0, TOP], format=".0%", values=[0, 0.5, 1])
    levels = (level("upper", "quiet"), level("lower", "quiet"))
    return x, y, *levels, steps("gpu", "s0", width=3), steps("memory", "s1", [8, 3], 3)


def metrics(fleet: Fleet) -> list[Metric]:
    """Metrics: replica changes with both metrics and with GPU load alone, and the fleet's sizes."""
    run = run_of(fleet)
    alone = replace(fleet, start=Fleet.start).changes
    sizes = between({"low": run["ready"].min(), "high": run["ready"].max()})
    good = not oscillates(fleet)
    return [
        Metric("Changes", str(changes(run)), f"with GPU metric only: {alone}", good),
        Metric("Replicas", sizes, "ready during the 30 min"),
    ]


@verdict_of(say)
def verdict(fleet: Fleet) -> Outcome:
    """Return the verdict that names the deciding metric."""
    if oscillates(fleet):
        return "several_oscillates", False
    if fleet.memory > fleet.base:
        return "several_memory", True
    return "several_gpu", True


view = View("several", figure=figure, metrics=metrics, verdict=verdict)
