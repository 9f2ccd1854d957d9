"""Autoscaling: the run as a film. Each replica is twenty cells, and the share of them that is lit is busy."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from lessons.autoscaling.settings import LENGTHS, Fleet
from physics import constants as k
from physics.films import Film, film
from ui.base import format as f
from ui.films import Kind, Showing

#: Cells of a replica side by side and one above the other, and replicas side by side.
WIDE, TALL, LINE = 5, 4, 10
CELLS = WIDE * TALL
#: Blocks of what waits that a film shows at most.
BLOCKS = 10
#: Boxes that a film shows at most, so that it stays light: a longer run is cut.
MOST = 1800
DARK, STARTING = -2, -1
#: What is counted along, in replicas' worth: columns of the run.
CURVES = {"load": Kind("load", "ink"), "ready": Kind("ready", "accent")}


def cells(amount: np.ndarray) -> np.ndarray:
    """Whole cells nearest to so many replicas' worth."""
    return np.floor(CELLS * np.asarray(amount, dtype=float) + 0.5).astype(int)


def unit(fleet: Fleet) -> float:
    """What a block of excess stands for: a replica's worth of work [1], or where work waits a replica's time [s]."""
    if not fleet.kept:
        return 1.0
    return max(float(k.MINUTE), float(fleet.run["backlog"].max()) / BLOCKS)


def excess(fleet: Fleet) -> np.ndarray:
    """Cells of work that is turned away in each step, or that waits at its end."""
    run = fleet.run
    return cells(run["backlog"] / unit(fleet) if fleet.kept else run["lost"] / k.HPA_SYNC)


def _lanes(fleet: Fleet) -> tuple[int, int]:
    """Blocks of replicas and of excess."""
    run = fleet.run
    return int(run["requested"].max()), -(-int(excess(fleet).max()) // CELLS)


@lru_cache(maxsize=8)
def run_film(fleet: Fleet) -> Film:
    """The simulated run, from its beginning; a replica that leaves is dark at once."""
    replicas, more = _lanes(fleet)
    columns = _columns(replicas, more)
    lines = -(-replicas // LINE)
    rows = (lines + -(-more // LINE)) * (TALL + 1) - 1
    boxes = sorted(_boxes(fleet, replicas, more, lines, columns), key=lambda box: box[2])
    end = float(LENGTHS[fleet.load])
    if len(boxes) > MOST:
        end = boxes[MOST][2]
    curves = fleet.run.melt("time", list(CURVES), "kind")
    return film(rows * columns, 0.0, end, boxes, curves=curves)


def _columns(replicas: int, more: int) -> int:
    return min(LINE, max(replicas, more)) * (WIDE + 1) - 1


def _boxes(fleet: Fleet, replicas: int, more: int, lines: int, columns: int) -> Iterator[tuple]:
    """Boxes of all blocks, row by row."""
    run, extra = fleet.run, excess(fleet)
    lit = cells(run["utilization"])
    ready, requested = run["ready"].to_numpy(), run["requested"].to_numpy()
    for block in range(replicas):
        state = np.where(block < ready, lit, np.where(block < requested, STARTING, DARK))
        yield from _block(block // LINE, block % LINE, state, columns, "busy", "idle")
    for block in range(more):
        state = np.clip(extra - CELLS * block, 0, CELLS)
        yield from _block(lines + block // LINE, block % LINE, state, columns, "excess", None)


def _block(line: int, column: int, state: np.ndarray, columns: int, full: str, empty: str | None) -> Iterator[tuple]:
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
                yield (first, first + value - 1, *times, full, "")
            if 0 <= value < WIDE and empty:
                yield (first + value, first + WIDE - 1, *times, empty, "")


def showing(fleet: Fleet) -> Showing:
    """The film with its words."""
    played, (replicas, more) = run_film(fleet), _lanes(fleet)
    length, whole = played.end - played.begin, float(LENGTHS[fleet.load])
    kinds = {
        "busy": Kind("busy", "accent"),
        "idle": Kind("ready, idle", "quiet"),
        "starting": Kind("starting", "s3"),
        "excess": Kind("waiting" if fleet.kept else "turned away", "bad"),
    }
    stretch = f"the first {f.duration(length)}" if length < whole else f"all {f.duration(whole)}"
    below = ""
    if more:
        block = (
            f"{f.duration(unit(fleet))} of one replica's time waiting"
            if fleet.kept
            else "a replica's worth turned away"
        )
        below = f" Below, a block is {block}."
    below += " The lines are the load and the replicas that are ready for it."
    day, there = fleet.daily, fleet.run.loc[fleet.run["time"] < played.end, "requested"]
    return Showing(
        played,
        {name: one for name, one in kinds.items() if name != "excess" or more},
        caption=f"A block of {CELLS} squares is a replica; the share of its squares that is lit is busy, to the "
        f"nearest {f.share(1 / CELLS)}.{below} A replica that leaves goes dark at once. This is {stretch} of the one "
        "run that is simulated at these settings; another start or another load is another run.",
        alt=f"In {f.duration(length)} at least {f.count(int(there.min()), 'replica')} and at most "
        f"{f.count(int(there.max()), 'replica')} start or serve.",
        columns=_columns(replicas, more),
        tall=150,
        unit=float(k.HOUR if day else k.MINUTE),
        unit_name="h" if day else "min",
        digits=1,
        queue=False,
        grid=False,
        curves=CURVES,
        counts="(replicas' worth)",
    )
