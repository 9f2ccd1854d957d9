"""Autoscaling: a replica that serves a batch of requests, its time per token, and signals that it
is full.
"""

import numpy as np

from lessons.autoscaling.settings import BATCHES, Fleet, say
from physics import constants as k
from ui.base.lesson import Grab, Verdict
from ui.charts import axes, line, marks, picture, upright

#: Top of the frame [ms]: no step reads more than the whole memory.
TOP = 1000 * float(k.SERVING_MEMORY / k.SERVING_BANDWIDTH) * 1.1
LOG = {"type": "log", "base": 2, "values": [1, 4, 16, 64, 256], "format": "d"}


@picture(
    say,
    "batch",
    "Time per token",
    axes.x("x:Q", "requests in the batch", [BATCHES[0], BATCHES[-1]], **LOG),
    axes.y("y:Q", "time per token (ms)", [0, TOP], tickCount=5),
    upright("full", "bad"),
    line("curve"),
    lines=("curve",),
    grab=Grab("batch", says="request"),
    told="chart_batch",
)
def figure(fleet: Fleet) -> list[marks.Row]:
    """Chart of the time per token against the batch size, up to the memory's limit."""
    sizes = np.unique(np.geomspace(1, min(fleet.places, BATCHES[-1]), 40).astype(int)).tolist()
    here = min(fleet.batch, fleet.places)
    at = 1000 * fleet.serving["time"]
    fits = fleet.serving["fits"]
    full = float(fleet.places)
    knee = 1000 * fleet.step_time(fleet.knee)
    looks = {"size": 110, "dy": 18, "tone": "accent", "align": "left" if here < 100 else "right"}
    rows = [
        {"kind": "curve", "x": sizes, "y": [1000 * fleet.step_time(n) for n in sizes]},
        marks.point(fleet.knee, knee, shape="diamond", size=90, tone="good"),
        marks.label(
            fleet.knee, knee, say("knee", fleet), dx=-10, dy=-6, tone="good", short="twice"
        ),
        *marks.here(here, at, "you are here" if fits else "full", **looks),
    ]
    if full <= BATCHES[-1]:
        rows += marks.limit(
            "full", full, TOP, say("memory_full", fleet), dx=-6, dy=10, tone="bad", short="full"
        )
    return rows


def verdict(fleet: Fleet) -> Verdict:
    """Return the verdict on the cost of batching per request and its gain in throughput."""
    if fleet.batch == 1:
        return Verdict(say("batch_one", fleet))
    if fleet.serving["good"]:
        name = "batch_flat"
    elif fleet.serving["fits"]:
        name = "batch_steep"
    else:
        name = "batch_full"
    return Verdict(say(name, fleet), name == "batch_flat")
