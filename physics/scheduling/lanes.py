"""Which GPUs a job holds, for a drawing: the lowest free ones at its start, until it ends.

The simulator counts GPUs; their places do not matter to it. For a Gantt chart each run is given the first free lanes,
and where those do not lie side by side it is drawn in pieces.
"""

import heapq
import math
from itertools import pairwise

import numpy as np
import pandas as pd

from physics.arguments import Count, within_range
from physics.scheduling.schedule import Schedule


@within_range
def assign_lanes(runs: pd.DataFrame, capacity: Count) -> pd.DataFrame:
    """Give each run its GPUs, first free ones first, and return the pieces to draw.

    Args:
        runs: start [s], end [s], gpus [1]; any further columns, any index, as `Schedule.runs` has them.
        capacity: C, GPUs of the fleet [1].

    Returns: One row for each piece: run (position in `runs`, from 0), start, end, low and high: the GPUs low … high −
    1, counted from 0. The pieces of a run add up to its GPUs, and no GPU is in two pieces at once.

    Raises ValueError if the runs need more GPUs at some moment than there are: a GPU is never drawn twice.

    >>> runs = pd.DataFrame({"start": [0, 0, 5], "end": [5, 9, 9], "gpus": [2, 1, 3]})
    >>> assign_lanes(runs, 4).to_numpy().tolist()
    [[0, 0, 5, 0, 2], [1, 0, 9, 2, 3], [2, 5, 9, 0, 2], [2, 5, 9, 3, 4]]
    """
    start, end = runs["start"].to_numpy(), runs["end"].to_numpy()
    gpus = runs["gpus"].to_numpy(np.int64)
    unit = math.gcd(capacity, *gpus.tolist())  # lanes that always go together
    free = np.ones(capacity // unit, bool)
    running: list[tuple[float, int]] = []
    held: dict[int, np.ndarray] = {}
    pieces = []
    for run in np.argsort(start, kind="stable"):
        while running and running[0][0] <= start[run]:
            free[held.pop(heapq.heappop(running)[1])] = True
        lanes = np.flatnonzero(free)[: gpus[run] // unit]
        if len(lanes) * unit < gpus[run]:
            raise ValueError(f"runs must fit into {capacity} GPUs at every moment, got more at {start[run]:g} s")
        free[lanes] = False
        held[int(run)] = lanes
        heapq.heappush(running, (end[run], int(run)))
        for low, high in pieces_of(lanes):
            pieces.append((int(run), start[run], end[run], low * unit, high * unit))
    return pd.DataFrame(pieces, columns=["run", "start", "end", "low", "high"])


def pieces_of(lanes: np.ndarray) -> list[tuple[int, int]]:
    """Return the stretches of neighboring lanes, each as its first lane and the one after its last.

    >>> pieces_of(np.array([0, 1, 4, 5, 6]))
    [(0, 2), (4, 7)]
    """
    if not len(lanes):
        return []
    breaks = np.flatnonzero(np.diff(lanes) > 1)
    firsts = lanes[np.concatenate(([0], breaks + 1))]
    lasts = lanes[np.concatenate((breaks, [len(lanes) - 1]))]
    return [(int(first), int(last) + 1) for first, last in zip(firsts, lasts, strict=True)]


def idle_lanes(pieces: pd.DataFrame, capacity: int, begin: float, finish: float) -> pd.DataFrame:
    """Return what no piece covers between two times, as pieces: start, end, low, high; merged while unchanged.

    >>> pieces = pd.DataFrame({"start": [0.0], "end": [5.0], "low": [0], "high": [2]})
    >>> idle_lanes(pieces, 4, 0.0, 8.0).to_numpy().tolist()
    [[0.0, 5.0, 2.0, 4.0], [5.0, 8.0, 0.0, 4.0]]
    """
    inside = pieces[(pieces["end"] > begin) & (pieces["start"] < finish)]
    cuts = np.unique(
        np.concatenate(([begin, finish], inside["start"].clip(lower=begin), inside["end"].clip(upper=finish)))
    )
    rows: list[tuple[float, float, int, int]] = []
    open_pieces: dict[tuple[int, int], float] = {}
    low, high = (inside[name].to_numpy(np.int64) for name in ("low", "high"))
    first, last = inside["start"].to_numpy(), inside["end"].to_numpy()
    for moment, until in pairwise(cuts):
        idle, here = np.ones(capacity, bool), (first <= moment) & (last >= until)
        for begins, ends in zip(low[here], high[here], strict=True):
            idle[begins:ends] = False
        gaps = set(pieces_of(np.flatnonzero(idle)))
        for gap in [gap for gap in open_pieces if gap not in gaps]:
            rows.append((open_pieces.pop(gap), moment, *gap))
        for gap in gaps:
            open_pieces.setdefault(gap, moment)
    rows += [(since, finish, *gap) for gap, since in open_pieces.items()]
    rows.sort()
    return pd.DataFrame(rows, columns=["start", "end", "low", "high"])


def busy_lanes(schedule: Schedule, begin: float, finish: float) -> pd.DataFrame:
    """Return the pieces of all runs between two times [s]: row (position in `Schedule.jobs`), start, end, low, high.

    A run that began before keeps its beginning, one that goes on its end.

    >>> from physics.scheduling import simulate
    >>> jobs = pd.DataFrame({"submit": [0, 1], "runtime": [10, 5], "gpus": [3, 4]})
    >>> busy_lanes(simulate(jobs, 4), 10.0, 12.0).to_numpy().tolist()
    [[1.0, 10.0, 15.0, 0.0, 4.0]]
    """
    runs = schedule.runs[schedule.runs["start"] < finish]
    pieces = assign_lanes(runs, schedule.capacity)
    pieces = pieces[pieces["end"] > begin]
    row = runs["row"].to_numpy()[pieces["run"].to_numpy()]
    return pieces.assign(run=row).rename(columns={"run": "row"}).reset_index(drop=True)


def queued_lanes(idle: pd.DataFrame, timeline: pd.DataFrame) -> pd.DataFrame:
    """Cut idle pieces where the queue fills or empties: start, end, low, high, and whether jobs are queued.

    Args:
        idle: What `idle_lanes` returns.
        timeline: `Schedule.timeline`.

    >>> idle = pd.DataFrame({"start": [0.0], "end": [9.0], "low": [0], "high": [2]})
    >>> timeline = pd.DataFrame({"time": [1.0, 4.0, 6.0], "queue_length": [0, 2, 0]})
    >>> queued_lanes(idle, timeline).to_numpy().tolist()
    [[0.0, 4.0, 0, 2, False], [4.0, 6.0, 0, 2, True], [6.0, 9.0, 0, 2, False]]
    """
    waits = timeline["queue_length"].to_numpy() > 0
    turns = np.flatnonzero(np.diff(waits)) + 1
    at, state = timeline["time"].to_numpy()[turns], waits[turns]
    rows = []
    for start, end, low, high in idle.itertuples(index=False):
        first, last = np.searchsorted(at, start, side="right"), np.searchsorted(at, end)
        queued = bool(state[first - 1]) if first else False
        for place, (since, until) in enumerate(pairwise([start, *at[first:last], end])):
            rows.append((since, until, low, high, queued ^ bool(place % 2)))
    return pd.DataFrame(rows, columns=["start", "end", "low", "high", "queued"])
