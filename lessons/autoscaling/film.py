"""Autoscaling: the run as a film. Each replica is a bar of twenty cells, and the share of them that is lit is busy."""

from functools import lru_cache

import numpy as np

from lessons.autoscaling.settings import STRETCH, Fleet, say
from physics import constants as k
from physics.films import Film, film
from ui.films import Kind, Showing

#: Cells of a replica, and replicas side by side.
CELLS, LINE = 20, 4
DARK, STARTING = -2, -1
#: What is counted along, in replicas' worth: columns of the run.
CURVES = {"load": Kind("load", "ink"), "ready": Kind("ready", "accent")}


@lru_cache(maxsize=8)
def run_film(fleet: Fleet) -> Film:
    """The simulated run from its beginning; a replica that leaves is dark at once."""
    run, columns, sync = fleet.run, _columns(fleet), float(k.HPA_SYNC)
    replicas = int(run["requested"].max())
    lit = np.floor(CELLS * run["utilization"].to_numpy() + 0.5).astype(int)
    ready, requested = run["ready"].to_numpy(), run["requested"].to_numpy()
    boxes = []
    for block in range(replicas):
        state = np.where(block < ready, lit, np.where(block < requested, STARTING, DARK))
        first = block // LINE * 2 * columns + block % LINE * (CELLS + 1)
        starts = np.flatnonzero(np.diff(state, prepend=-9)).tolist()
        for start, end in zip(starts, [*starts[1:], len(state)], strict=True):
            value, times = int(state[start]), (start * sync, end * sync)
            if value == STARTING:
                boxes.append((first, first + CELLS - 1, *times, "starting", ""))
            if value > 0:
                boxes.append((first, first + value - 1, *times, "busy", ""))
            if 0 <= value < CELLS:
                boxes.append((first + value, first + CELLS - 1, *times, "idle", ""))
    curves, rows = run.melt("time", list(CURVES), "kind"), 2 * -(-replicas // LINE) - 1
    return film(rows * columns, 0.0, float(STRETCH), sorted(boxes, key=lambda box: box[2]), curves=curves)


def _columns(fleet: Fleet) -> int:
    return min(LINE, int(fleet.run["requested"].max())) * (CELLS + 1) - 1


def showing(fleet: Fleet) -> Showing:
    """The film with its words."""
    kinds = {"busy": Kind("busy", "accent"), "idle": Kind("ready, idle", "quiet"), "starting": Kind("starting", "s3")}
    caption, alt = (say(text, fleet) for text in ("film", "film_shows"))
    looks = {"queue": False, "grid": False, "curves": CURVES, "counts": "(replicas' worth)"}
    clock = {"unit": float(k.MINUTE), "unit_name": "min"}
    return Showing(run_film(fleet), kinds, caption, alt, _columns(fleet), **clock, **looks)
