"""Autoscaling: how much of a day's load to reserve, if reserved replicas are cheaper but paid when
idle.
"""

import numpy as np

from lessons.autoscaling.settings import Fleet, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab, Verdict
from ui.charts import axes, level, line, marks, picture, upright

#: Ends of the axes: what can be reserved, and cost ÷ cost with everything on demand.
RIGHT = float(k.RESERVED.high)
TOP = 2.0


@picture(
    say,
    "reserve",
    "How does a reservation change the bill?",
    axes.x("x:Q", "reserved (replicas' worth of work)", [0, RIGHT]),
    axes.y("y:Q", "cost ÷ all on demand", [0, TOP], format=".0%", tickCount=5),
    level("all", "quiet"),
    upright("mean", "quiet"),
    line("curve"),
    lines=("curve",),
    grab=Grab("reserved"),
    told="chart_reserve",
)
def figure(fleet: Fleet) -> list[marks.Row]:
    """Chart of the bill by the number of reserved replicas."""
    levels = np.linspace(0, RIGHT, 81)
    costs = np.array([fleet.bill_of(float(one)) for one in levels])
    inside = costs <= TOP
    bill = fleet.reservation["bill"]
    mean = fleet.mean_load
    looks = {
        "dx": 10 if fleet.reserved < 0.7 * RIGHT else -10,
        "dy": 14 if bill > TOP else -14,
        "tone": "accent",
    }
    return [
        {"kind": "curve", "x": levels[inside], "y": costs[inside]},
        *marks.limit(
            "all", RIGHT, 1.0, "all on demand", short="on demand", dx=-4, dy=11, tone="quiet"
        ),
        *marks.limit(
            "mean", mean, 0.0, f"mean load {f.significant(mean)}", dx=5, dy=-10, tone="quiet"
        ),
        *marks.here(
            fleet.reserved, bill, f"you are here: {f.share(bill)}", top=TOP, size=110, **looks
        ),
    ]


def verdict(fleet: Fleet) -> Verdict:
    """Return the verdict on whether the last reserved replica is worth its price."""
    worth = fleet.reservation["above"] > fleet.price_ratio
    return Verdict(say("reserve_more" if worth else "reserve_enough", fleet))
