"""Autoscaling: a replica that serves a batch of requests, and its time per token."""

import numpy as np

from lessons.autoscaling.settings import BATCHES, Fleet, say
from physics import constants as k
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Top of the frame [ms]: a tenth above the time of a step that reads the whole memory.
TOP = 1000 * (k.SERVING_MEMORY / k.SERVING_BANDWIDTH) * 1.1


@chart(say, "batch", x=[1, BATCHES[-1]], y=[0, TOP])
def figure(fleet: Fleet) -> Rows:
    """Chart of the time per token against the batch size, up to the memory's limit."""
    sizes = np.unique(np.geomspace(1, min(fleet.places, BATCHES[-1]), 40).astype(int)).tolist()
    served = min(fleet.batch, fleet.places)
    time = 1000 * fleet.serving["time"]
    words = "you are here" if fleet.serving["fits"] else "full"
    side = {"size": 110, "dy": 18, "tone": "accent", "align": "left" if served < 100 else "right"}
    knee = 1000 * fleet.step_time(fleet.knee)
    knee_side = {"dx": -10, "dy": -6, "tone": "good", "short": "twice"}
    rows = [
        {"kind": "curve", "x": sizes, "y": [1000 * fleet.step_time(size) for size in sizes]},
        marks.point(fleet.knee, knee, shape="diamond", size=90, tone="good"),
        marks.label(fleet.knee, knee, say("knee", fleet), **knee_side),
        *marks.here(served, time, words, **side),
    ]
    if fleet.places <= BATCHES[-1]:
        full_side = {"dx": -6, "dy": 10, "tone": "bad", "short": "full"}
        full = float(fleet.places)
        rows += marks.limit("full", full, TOP, say("memory_full", fleet), **full_side)
    return rows


@verdict_of(say)
def verdict(fleet: Fleet) -> Outcome:
    """Return the verdict on the cost of batching per request and its gain in throughput."""
    if fleet.batch == 1:
        return "batch_one", None
    if fleet.serving["good"]:
        return "batch_flat", True
    if fleet.serving["fits"]:
        return "batch_steep", False
    return "batch_full", False


view = View("batch", figure=figure, verdict=verdict)
