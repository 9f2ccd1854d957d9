"""Sharing a GPU, second picture: how long each job takes on one GPU, by its neighbor."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from lessons.gpu_sharing.pair import verdict
from lessons.gpu_sharing.settings import INTENSITIES, Sharing, demand, say, times
from physics.gpu_sharing import corun
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

#: Ends of the chart: two jobs that reach the roofline take at most twice as long.
BOTTOM = 0.75
TOP = 2.3
END = INTENSITIES[-1]


def narrowed(pair: Sharing) -> Sharing:
    """Return the settings with both jobs on one GPU."""
    return replace(pair, together=True)


@lru_cache(maxsize=512)
def curve(intensity: int, reach: float, neighbor_reach: float) -> tuple[list[float], list[float]]:
    """Return intensities of the neighbor [FLOP/B], and the slowdown of each job at these [1]."""
    xs = sorted([*np.geomspace(INTENSITIES[0], END, 160).tolist(), Sharing.ridge])
    yours = demand(intensity, reach)
    return xs, [1 / min(corun([yours, demand(x, neighbor_reach)])) for x in xs]


@chart(say, "neighbor", x=[1, END], y=[BOTTOM, TOP])
def figure(pair: Sharing) -> Rows:
    """Chart of the slowdown against the neighbor's intensity, on fixed axes."""
    x, y = curve(pair.intensity, pair.reach, pair.neighbor_reach)
    slowdown = times(pair.slowdown, pair.accepted)
    at_ridge = (pair.ridge, BOTTOM + 0.1)
    accepted = f"accepted: {times(pair.accepted)}"
    left = {"dx": -6, "tone": "quiet", "short": "more bandwidth"}
    style = {"short": slowdown.removesuffix(" times"), "dx": 12, "dy": -11}
    # The label is to the right of the point, above the falling curve, if there is room.
    if pair.neighbor > 1000:
        style |= {"dx": -12, "dy": 14}
    return [
        {"kind": "curve", "x": x, "y": y},
        *marks.limit("accepted", 1, pair.accepted, accepted, short="accepted", dx=6, dy=-9),
        *marks.limit(
            "ridge", *at_ridge, "demands more compute", short="more compute", dx=6, tone="quiet"
        ),
        marks.label(*at_ridge, "demands more memory bandwidth", **left),
        *marks.here(pair.neighbor, pair.slowdown, f"here: {slowdown}", **style),
    ]


view = View("neighbor", figure=figure, verdict=verdict, narrowed=narrowed)
