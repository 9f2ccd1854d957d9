"""Spot training: a job that grows and shrinks with the spot price."""

import numpy as np

from lessons.spot_training.settings import MAX_WORKERS, TICK, Plan, say
from physics import constants as k
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Gains that differ by less than this share are equal but for rounding.
TIE = 1e-9
#: Height of the label [workers], and color, of each way of resizing.
WAYS = {"plain": (112, "s4"), "banded": (84, "s0"), "still": (60, "ink")}


@chart(say, "resized", y=[0, MAX_WORKERS])
def figure(plan: Plan) -> Rows:
    """Chart of workers over time on one price path."""
    rows = []
    for way, (height, tone) in WAYS.items():
        workers = plan.ways[way].workers.astype(float)
        name = say(f"way_{way}", plan)
        rows += [
            {"kind": way, "x": np.arange(len(workers)) * TICK / k.HOUR, "y": workers},
            marks.label(1, height, name, tone=tone, bold=way == "banded"),
        ]
    return rows


@verdict_of(say)
def verdict(plan: Plan) -> Outcome:
    """Return the verdict on which way of resizing gains most on this path."""
    highest = max(plan.gains.values())
    ways = [way for way, gain in plan.gains.items() if gain >= highest - TIE * abs(highest)]
    if len(ways) > 1:
        return "most_alike", None, {"gain": highest}
    return f"most_{ways[0]}", None


view = View("elastic", figure=figure, verdict=verdict)
