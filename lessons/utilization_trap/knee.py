"""Utilization trap: how the job size changes the highest utilization that meets the target."""

from functools import lru_cache

import numpy as np

from lessons.utilization_trap.settings import Fleet, knee_of, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

#: Most servers for which every step of the staircase is drawn; with more, steps are invisible.
STEPS = 32
#: GPUs of the largest fleet, with the largest purchase: the right end of the chart.
MOST = int(k.TRAP_FLEET.high + k.TRAP_ADDED.high)


@lru_cache(maxsize=64)
def _staircase(gpus: int, target: float, scv: float) -> dict[int, float]:
    """Highest utilization by job size, at both ends of every step; the target in job lengths."""
    last_sizes = {gpus // servers for servers in range(1, min(gpus, STEPS) + 1)}
    first_sizes = {gpus // (gpus // size + 1) + 1 for size in last_sizes}
    small = np.geomspace(1, max(1, gpus // STEPS), 14).astype(int).tolist()
    sizes = sorted({*last_sizes, *first_sizes, *small})
    return {size: knee_of(target, gpus // size, scv) for size in sizes}


@chart(say, "knee", x=[1, MOST])
def figure(fleet: Fleet) -> Rows:
    """Chart of the highest utilization against GPUs per job, with the current values."""
    load = min(fleet.load, 1.2)
    load_words = f.share(fleet.load)
    knee_words = f"your jobs: {f.share(fleet.knee)}"
    load_style = {"tone": "accent", "short": load_words, "dx": 6, "dy": 12}
    stairs = _staircase(fleet.gpus, fleet.target / fleet.job_length, fleet.scv)
    # Near full load, the label is above the curve so that it does not cover the utilization's.
    side = {"dx": 4 if fleet.gpus_per_job < 8 else -10, "dy": -14 if fleet.knee > 0.9 else 20}
    return [
        {"kind": "beyond", "y": 1.2},
        {"kind": "curve", "x": list(stairs), "y": list(stairs.values())},
        {"kind": "now", "x": [1, fleet.gpus], "y": [load, load]},
        marks.label(MOST, 1.2, "overload", dx=-6, dy=11, tone="bad"),
        marks.label(1, load, f"your utilization, {load_words}", **load_style),
        *marks.here(fleet.gpus_per_job, fleet.knee, knee_words, role=None, **side),
    ]


view = View("knee", figure=figure)
