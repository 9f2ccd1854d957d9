"""Autoscaling: how much of a day's load to reserve when what is reserved is cheaper, and paid used or not."""

import numpy as np

from lessons.autoscaling.settings import Fleet, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Verdict
from ui.charts import Look, axes, level, line, marks, plane, stack, upright

#: Ends of the axes: what can be reserved, and cost ÷ cost with everything on demand.
RIGHT, TOP = float(k.RESERVED.high), 2.0


def figure(fleet: Fleet, look: Look) -> Figure:
    """What a reservation makes of the bill."""
    levels = np.linspace(0, RIGHT, 81)
    costs = np.array([fleet.bill_of(float(one)) for one in levels])
    inside = costs <= TOP
    bill = fleet.reservation["bill"]
    far, y, dx = bill > TOP, min(bill, TOP), 10 if fleet.reserved < 0.7 * RIGHT else -10
    looks = {"dx": dx, "dy": 14 if far else -14, "bold": True, "tone": "accent"}
    rows = [
        {"kind": "curve", "x": levels[inside], "y": costs[inside]},
        {"kind": "mean", "x": fleet.mean_load, "y": 0.0},
        {"kind": "all", "x": 0.0, "y": 1.0},
        marks.label(RIGHT, 1, "all on demand", short="on demand", dx=-4, dy=11, tone="quiet"),
        marks.label(fleet.mean_load, 0, f"mean load {f.significant(fleet.mean_load)}", dx=5, dy=-10, tone="quiet"),
        marks.point(fleet.reserved, y, role="here"),
        marks.label(fleet.reserved, y, f"you are here: {f.share(bill)}{' ↑' * far}", **looks),
    ]
    title = "How does a reservation change the bill?"
    return Figure("reserve", title, stack(rows), _spec(look), say("chart_reserve", fleet), ("curve",), Grab("reserved"))


@plane
def _spec(look: Look) -> tuple:
    """Cost against what is reserved."""
    x = axes.x("x:Q", "reserved (replicas' worth of work)", [0, RIGHT])
    y = axes.y("y:Q", "cost ÷ all on demand", [0, TOP], format=".0%", tickCount=5)
    return x, y, level("all", "quiet"), upright("mean", "quiet"), line("curve")


def verdict(fleet: Fleet) -> Verdict:
    """Say what the last part of the reservation earns."""
    worth = fleet.reservation["above"] > fleet.price_ratio
    return Verdict(say("reserve_more" if worth else "reserve_enough", fleet))
