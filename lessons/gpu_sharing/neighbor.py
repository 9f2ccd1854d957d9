"""Sharing a GPU, second picture: how long each job takes on one GPU, by its neighbor."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from lessons.gpu_sharing.pair import verdict
from lessons.gpu_sharing.settings import INTENSITIES, Sharing, demand, say, times
from physics.gpu_sharing import corun
from ui.base.lesson import Grab
from ui.charts import axes, level, line, marks, picture, upright

__all__ = ["curve", "figure", "narrowed", "verdict"]

#: Ends of the chart: two jobs that reach the roofline take at most twice as long.
BOTTOM = 0.75
TOP = 2.3
END = INTENSITIES[-1]
LOG = {"type": "log", "format": ",d", "values": [1, 10, 100, 1000]}


def narrowed(pair: Sharing) -> Sharing:
    """Return the settings with both jobs on one GPU."""
    return replace(pair, together=True)


@lru_cache(maxsize=512)
def curve(intensity: int, reach: float, neighbor_reach: float) -> tuple[list[float], list[float]]:
    """Slowdown of each job against the neighbor's intensity [FLOP/B]."""
    found = sorted([*np.geomspace(INTENSITIES[0], END, 160).tolist(), Sharing.ridge])
    mine = demand(intensity, reach)
    return found, [1 / min(corun([mine, demand(one, neighbor_reach)])) for one in found]


@picture(
    say,
    "neighbor",
    "How long do both jobs take with each neighbor?",
    axes.x("x:Q", "neighbor's arithmetic per byte (FLOP/B)", [1, END], **LOG),
    axes.y("y:Q", "time ÷ time alone", [BOTTOM, TOP], values=[1, 1.5, 2], format=".2~f"),
    upright("ridge", "quiet", (2, 3)),
    level("accepted", "good"),
    line("curve"),
    lines=("curve",),
    grab=Grab("neighbor"),
)
def figure(pair: Sharing) -> list[marks.Row]:
    """Chart of the slowdown against the neighbor's intensity, on fixed axes."""
    x, y = curve(pair.intensity, pair.reach, pair.neighbor_reach)
    here = times(pair.slowdown, pair.accepted)
    low = BOTTOM + 0.1
    accepted = f"accepted: {times(pair.accepted)}"
    # The label has room at the right, above the falling curve, and far out at the left.
    if pair.neighbor > 1000:
        side = {"dx": -12, "dy": 14}
    else:
        side = {"dx": 12, "dy": -11}
    return [
        {"kind": "curve", "x": x, "y": y},
        *marks.limit("accepted", 1, pair.accepted, accepted, short="accepted", dx=6, dy=-9),
        *marks.limit("ridge", pair.ridge, low, "more compute", dx=6, tone="quiet"),
        marks.label(
            pair.ridge,
            low,
            "demands more memory bandwidth",
            dx=-6,
            tone="quiet",
            short="more bandwidth",
        ),
        *marks.here(
            pair.neighbor, pair.slowdown, f"here: {here}", short=here.removesuffix(" times"), **side
        ),
    ]
