"""Autoscaling: a sweep over steady loads, and the loads at which the fleet oscillates."""

import numpy as np

from lessons.autoscaling.settings import Fleet, say
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Ends of the axes: room for the names of the thresholds at the right, and for labels at the top.
RIGHT = 7.5
TOP = 1.12
#: Room for texts [replicas' worth]: a number of replicas, "your load" on the left of its point, and
#: a pair of fleet sizes.
ROOM = 0.2
ROOM_AT_LEFT = 0.8
ROOM_OF_PAIR = 0.5


@chart(say, "flapping", x=[0, RIGHT], y=[0, TOP])
def figure(fleet: Fleet) -> Rows:
    """Chart of utilization against a slowly rising load, with replicas and oscillations."""
    rows = []
    for kind, height, words, arrow, dy in (
        ("upper", fleet.upper, "add a replica above", "↑", -9),
        ("lower", fleet.lower, "remove a replica below", "↓", 13),
    ):
        style = {"dx": -4, "dy": dy, "tone": "quiet", "short": f"{arrow} {height:.0%}"}
        rows += marks.limit(kind, RIGHT, height, f"{words} {height:.0%}", **style)
    start = 0.0
    end_of_name = 0.0
    end_of_pair = 0.0
    for replicas, low, high in fleet.sweep:
        settled = {"kind": "curve", "part": replicas}
        rows.append(settled | {"x": [start, low], "y": [start / replicas, low / replicas]})
        if start >= end_of_name:
            rows.append(_name(replicas, start, low))
            end_of_name = start + ROOM
        if high > low:
            rows += _oscillation(replicas, low, high)
            if low >= end_of_pair:
                rows.append(_pair(replicas, (low + high) / 2))
                end_of_pair = low + ROOM_OF_PAIR
        start = max(low, high)
    busy = min(1.0, fleet.base / (fleet.swing or fleet.last))
    if fleet.swing or fleet.base < ROOM_AT_LEFT:
        side = {"dx": 14, "dy": 3}
    else:
        side = {"dx": -9, "dy": -13}
    rows += marks.here(fleet.base, busy, "your load", **side)
    return rows


@verdict_of(say)
def verdict(fleet: Fleet) -> Outcome:
    """Return the verdict: at which steady loads the fleet oscillates, if at any."""
    if fleet.calm:
        return "loads_settle", True
    return "loads_oscillate", False


def _name(replicas: int, low: float, high: float) -> marks.Row:
    """Label of the curve of this many replicas, which take the loads from `low` to `high`."""
    if replicas == 1:
        return marks.label(
            high / 4, high / 4, f.count(1, "replica"), dx=9, dy=5, tone="accent", short="1"
        )
    middle = (low + high) / 2
    return marks.label(middle, middle / replicas, str(replicas), dx=4, dy=11, tone="accent")


def _oscillation(replicas: int, low: float, high: float) -> Rows:
    """Rows of the loads at which the fleet goes back and forth between this size and the next."""
    loads = np.unique([low, np.clip(replicas, low, high), high])
    edge = {"part": replicas, "x": loads, "y": np.minimum(1.0, loads / replicas)}
    return [
        {"kind": "between"} | edge | {"end": loads / (replicas + 1)},
        {"kind": "oscillates"} | edge,
    ]


def _pair(replicas: int, middle: float) -> marks.Row:
    """Label with the two sizes between which the fleet oscillates."""
    words = f"{replicas} ↔ {replicas + 1}"
    return marks.label(middle, TOP, words, short="↔", align="center", dy=12, tone="bad", bold=True)


view = View("flapping", figure=figure, verdict=verdict)
