"""Autoscaling: a sweep of the steady load, and at which loads the fleet oscillates."""

import numpy as np

from lessons.autoscaling.settings import Fleet, say
from ui.base import format as f
from ui.base.lesson import Grab, Verdict
from ui.charts import axes, layer, level, line, marks, picture

#: Ends of the axes: room for the names of the thresholds at the right, and for labels at the top.
RIGHT = 7.5
TOP = 1.12
#: Width that the name of a number of replicas needs [replicas' worth].
ROOM = 0.45


@picture(
    say,
    "flapping",
    "At which steady loads does it oscillate?",
    axes.x("x:Q", "steady load (replicas' worth of work)", [0, RIGHT], values=list(range(7))),
    axes.y(
        "y:Q", "measured utilization", [0, TOP], format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1]
    ),
    level("upper", "quiet"),
    level("lower", "quiet"),
    layer("between", "area", "bad", {"y2": "end:Q", "detail": "part:N"}, opacity=0.25),
    line("curve", detail="part:N"),
    line("oscillates", "bad", detail="part:N", width=4),
    lines=("curve",),
    grab=Grab("base", says="{} replicas' worth"),
)
def figure(fleet: Fleet) -> list[marks.Row]:
    """Utilization while the load rises slowly: the replicas that it brings, and where they come
    and go.
    """
    rows = [
        *marks.limit("upper", RIGHT, fleet.upper, f"add above {fleet.upper:.0%}", **_beside(-9)),
        *marks.limit("lower", RIGHT, fleet.lower, f"remove below {fleet.lower:.0%}", **_beside(13)),
    ]
    start = 0.0
    end_of_name = 0.0
    for replicas, low, high in fleet.sweep:
        settled = {"kind": "curve", "part": replicas}
        rows.append(settled | {"x": [start, low], "y": [start / replicas, low / replicas]})
        if start >= end_of_name:
            name = f.count(replicas, "replica")
            looks = {"dx": 6, "dy": 12, "tone": "accent", "short": str(replicas)}
            rows.append(marks.label(start, start / replicas, name, **looks))
            end_of_name = start + ROOM
        if high > low:
            rows += _oscillation(replicas, low, high)
        start = max(low, high)
    rows += marks.here(fleet.base, fleet.settled_busy, "your load", dx=10, dy=-16)
    return rows


def verdict(fleet: Fleet) -> Verdict:
    """Say whether some steady load oscillates."""
    if fleet.restless:
        return Verdict(say("loads_oscillate", fleet), False)
    return Verdict(say("loads_settle", fleet), True)


def _beside(dy: int) -> dict[str, object]:
    """How the name of a threshold stands at the right end of its line."""
    return {"dx": -4, "dy": dy, "tone": "quiet"}


def _oscillation(replicas: int, low: float, high: float) -> list[marks.Row]:
    """The loads between which the fleet goes back and forth between two sizes."""
    loads = np.unique([low, np.clip(replicas, low, high), high])
    upper_ends = np.minimum(1.0, loads / replicas)
    lower_ends = loads / (replicas + 1)
    between = {"kind": "between", "part": replicas}
    edge = {"kind": "oscillates", "part": replicas}
    return [
        between | {"x": loads, "y": upper_ends, "end": lower_ends},
        edge | {"x": loads, "y": upper_ends},
        marks.label(
            (low + high) / 2, TOP, f"{replicas} ↔ {replicas + 1}", dy=12, tone="bad", bold=True
        ),
    ]
