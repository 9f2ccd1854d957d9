"""Spot training: a job that grows and shrinks with the spot price, and the savings of a price
band.
"""

import numpy as np

from lessons.spot_training.settings import MOST, TICK, Plan, say
from physics import constants as k
from ui.base.lesson import Verdict
from ui.charts import axes, line, marks, picture

#: Gains that differ by less than this share are alike.
TIE = 1e-9

#: How each way is drawn: height of its label [workers] and tone.
WAYS = {"plain": (112, "s4"), "banded": (84, "s0"), "still": (60, "ink")}


@picture(
    say,
    "resized",
    "Workers over two days of a spot price that changes",
    axes.x("x:Q", "time (h)", [0, k.SPOT_PRICE_SPAN / k.HOUR], values=[0, 12, 24, 36, 48]),
    axes.y("y:Q", "workers", [0, MOST], type="sqrt", values=[0, 4, 16, 36, 64, 100], format="d"),
    line("still", "ink", (6, 3)),
    line("plain", "s4", width=1.2),
    line("banded", "s0"),
    told="elastic_chart",
)
def figure(plan: Plan) -> list[marks.Row]:
    """Chart of workers over time on one price path."""
    rows: list[marks.Row] = []
    for way, (height, tone) in WAYS.items():
        workers = plan.ways[way].workers.astype(float)
        rows.append({"kind": way, "x": np.arange(len(workers)) * TICK / k.HOUR, "y": workers})
        rows.append(
            marks.label(1, height, say(f"way_{way}", plan), tone=tone, bold=way == "banded")
        )
    return rows


def verdict(plan: Plan) -> Verdict:
    """Return the verdict on which way of resizing gains most on this path."""
    most = max(plan.gains.values())
    ways = [way for way, gain in plan.gains.items() if gain >= most - TIE * abs(most)]
    if len(ways) > 1:
        return Verdict(say("most_alike", plan, gain=most))
    return Verdict(say(f"most_{ways[0]}", plan))
