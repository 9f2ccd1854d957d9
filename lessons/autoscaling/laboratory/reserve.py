"""Autoscaling: how much of a day's load to reserve at a lower price per replica."""

import numpy as np

from lessons.autoscaling.settings import Fleet, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Ends of the axes: reserved replicas, and cost ÷ cost with all replicas on demand.
RIGHT = float(k.RESERVED.high)
TOP = 2.0


@chart(say, "reserve", x=[0, RIGHT], y=[0, TOP])
def figure(fleet: Fleet) -> Rows:
    """Chart of the bill by the number of reserved replicas."""
    levels = np.linspace(0, RIGHT, 81)
    costs = np.array([fleet.bill_of(level) for level in levels.tolist()])
    inside = costs <= TOP
    bill = fleet.reservation["bill"]
    mean = fleet.mean_load
    all_style = {"short": "on demand", "dx": -4, "dy": 11, "tone": "quiet"}
    mean_style = {"dx": 5, "dy": -10, "tone": "quiet"}
    here_style = {"size": 110, "tone": "accent"}
    here_style["dx"] = 10 if fleet.reserved < 0.7 * RIGHT else -10
    here_style["dy"] = 14 if bill > TOP else -14
    words = f"you are here: {f.share(bill)}"
    return [
        {"kind": "curve", "x": levels[inside], "y": costs[inside]},
        *marks.limit("all", RIGHT, 1.0, "all on demand", **all_style),
        *marks.limit("mean", mean, 0.0, f"mean load {f.significant(mean)}", **mean_style),
        *marks.here(fleet.reserved, bill, words, top=TOP, **here_style),
    ]


@verdict_of(say)
def verdict(fleet: Fleet) -> Outcome:
    """Return the verdict on whether the last reserved replica is worth its price."""
    if fleet.reservation["above"] > fleet.price_ratio:
        return "reserve_more", None
    return "reserve_enough", None


view = View("reserve", figure=figure, verdict=verdict)
