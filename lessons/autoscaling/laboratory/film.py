"""Autoscaling: animation of the run.

Each replica is a bar of twenty cells, of which its utilization is lit.
"""

from functools import lru_cache
from itertools import pairwise

import numpy as np

from lessons.autoscaling.settings import STRETCH, Fleet, say
from physics import constants as k
from physics import films
from ui.base.lesson import Film
from ui.films import Kind, Showing

#: Cells of a replica.
CELLS = 20
#: States of a replica that is not ready; otherwise its state is the number of its busy cells.
DARK = -2
STARTING = -1
#: Columns of the run that the animation counts along [replicas' worth].
CURVES = {"load": Kind("load", "ink"), "ready": Kind("ready", "accent")}


@lru_cache(maxsize=8)
def run_film(fleet: Fleet) -> films.Film:
    """Film of the simulated run from its start; a replica that leaves is dark immediately."""
    run = fleet.run
    sync = k.HPA_SYNC
    boxes = []
    lit = np.floor(CELLS * run["utilization"] + 0.5)
    for first in range(0, int(run["requested"].max()) * CELLS, CELLS):
        last = first + CELLS - 1
        others = np.where(run["requested"] * CELLS > first, STARTING, DARK)
        state = lit.where(run["ready"] * CELLS > first, others).to_numpy(int)
        starts = np.flatnonzero(np.diff(state, prepend=-9)).tolist()
        for start, end in pairwise([*starts, len(state)]):
            busy = int(state[start])
            times = (start * sync, end * sync)
            if busy == STARTING:
                boxes.append((first, last, *times, "starting", ""))
            if busy > 0:
                boxes.append((first, first + busy - 1, *times, "busy", ""))
            if 0 <= busy < CELLS:
                boxes.append((first + busy, last, *times, "idle", ""))
    boxes.sort(key=lambda box: box[2])
    curves = run.melt("time", list(CURVES), "kind")
    return films.film(
        int(run["requested"].max()) * CELLS, 0.0, float(STRETCH), boxes, curves=curves
    )


def showing(fleet: Fleet) -> Showing:
    """Return the animation with its captions."""
    kinds = {
        "busy": Kind("busy", "accent"),
        "idle": Kind("ready, idle", "quiet"),
        "starting": Kind("starting", "s3"),
    }
    return Showing(
        run_film(fleet),
        kinds,
        say("film", fleet),
        say("film_shows", fleet),
        CELLS,
        unit=k.MINUTE,
        unit_name="min",
        queue=False,
        grid=False,
        curves=CURVES,
        counts="(replicas' worth)",
    )


view = Film("film", showing=showing)
