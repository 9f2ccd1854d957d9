"""Autoscaling: the run as a film. Each replica is twenty cells, and the share of them that is lit is busy."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from lessons.autoscaling.settings import STRETCH, Fleet, say
from physics import constants as k
from physics.films import Film, film
from ui.films import Kind, Showing

#: Cells of a replica side by side and one above the other, and replicas side by side.
WIDE, TALL, LINE = 5, 4, 10
CELLS = WIDE * TALL
DARK, STARTING = -2, -1
#: What is counted along, in replicas' worth: columns of the run.
CURVES = {"load": Kind("load", "ink"), "ready": Kind("ready", "accent")}


def cells(amount: np.ndarray) -> np.ndarray:
    """Number of cells closest to a load given in replicas."""
    return np.floor(CELLS * np.asarray(amount, dtype=float) + 0.5).astype(int)


@lru_cache(maxsize=8)
def run_film(fleet: Fleet) -> Film:
    """The simulated run from its beginning; a replica that leaves is dark at once."""
    run, replicas = fleet.run, int(fleet.run["requested"].max())
    columns, rows = _columns(fleet), -(-replicas // LINE) * (TALL + 1) - 1
    lit = cells(run["utilization"])
    ready, requested = run["ready"].to_numpy(), run["requested"].to_numpy()
    boxes = []
    for block in range(replicas):
        state = np.where(block < ready, lit, np.where(block < requested, STARTING, DARK))
        boxes += _block(block // LINE, block % LINE, state, columns)
    curves = run.melt("time", list(CURVES), "kind")
    return film(rows * columns, 0.0, float(STRETCH), sorted(boxes, key=lambda box: box[2]), curves=curves)


def _columns(fleet: Fleet) -> int:
    return min(LINE, int(fleet.run["requested"].max())) * (WIDE + 1) - 1


def _block(line: int, column: int, state: np.ndarray, columns: int) -> Iterator[tuple]:
    """Boxes of one block: its rows fill from the bottom, the left end first."""
    for row in range(TALL):
        filled = np.clip(state - (TALL - 1 - row) * WIDE, 0, WIDE)
        code = np.where(state < 0, state, filled)
        starts = np.flatnonzero(np.diff(code, prepend=-9))
        ends = np.append(starts[1:], len(code))
        first = (line * (TALL + 1) + row) * columns + column * (WIDE + 1)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            value, times = int(code[start]), (start * float(k.HPA_SYNC), end * float(k.HPA_SYNC))
            if value == STARTING:
                yield (first, first + WIDE - 1, *times, "starting", "")
            if value > 0:
                yield (first, first + value - 1, *times, "busy", "")
            if 0 <= value < WIDE:
                yield (first + value, first + WIDE - 1, *times, "idle", "")


def showing(fleet: Fleet) -> Showing:
    """The film with its words."""
    kinds = {"busy": Kind("busy", "accent"), "idle": Kind("ready, idle", "quiet"), "starting": Kind("starting", "s3")}
    return Showing(
        run_film(fleet),
        kinds,
        caption=say("film", fleet),
        alt=say("film_shows", fleet),
        columns=_columns(fleet),
        unit=float(k.MINUTE),
        unit_name="min",
        queue=False,
        grid=False,
        curves=CURVES,
        counts="(replicas' worth)",
    )
