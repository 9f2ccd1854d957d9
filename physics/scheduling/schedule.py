"""Record of a simulation: the outcome of every job, and use and queue length over time.

The simulator counts GPUs; which ones a job holds does not matter to it. For a chart each run gets
lanes, the lowest free ones at its start, until it ends. Lanes that are not neighbors are separate
pieces.
"""

import heapq
import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from physics.scheduling.machine import Decision
from physics.scheduling.policy import Policy


def outcomes(
    jobs: pd.DataFrame,
    can_start: np.ndarray,
    start: np.ndarray,
    end: np.ndarray,
    stops: np.ndarray | None = None,
) -> pd.DataFrame:
    """Make the table `Schedule.jobs`: one row per job, with its start, end, and preemptions.

    `stops` are preemptions, lost and requeued, all zero if left out.
    """
    submit = jobs["submit"].to_numpy(float)
    runtime = jobs["runtime"].to_numpy(float)
    if stops is None:
        stops = np.zeros((3, len(jobs)))
    preemptions, lost, requeued = stops
    return jobs.assign(
        start=start,
        end=end,
        wait=start - submit,
        slowdown=(end - submit) / runtime,
        preemptions=preemptions.astype(np.int64),
        lost=lost,
        requeued=requeued,
        can_start=can_start,
    )


@dataclass(frozen=True, eq=False)
class Schedule:
    """Results of a simulation: the outcome of every job.

    `jobs` is the input frame with these columns, NaN for a job that can never start:

    - start, end [s]: first start, and completion;
    - wait [s]: start − submit, until the first start, service not included;
    - slowdown [1]: (end − submit) ÷ runtime, so 1 is no wait;
    - preemptions [1]: how often it was stopped;
    - lost [GPU·s]: work done twice and restarts, so that executed = gpus × runtime + lost;
    - requeued [s]: time in the queue after its first start;
    - can_start: False for a job larger than the part of the fleet that it may use.
    """

    jobs: pd.DataFrame
    capacity: int  #: C, GPUs of the fleet [1]
    policy: Policy
    _runs: np.ndarray = field(repr=False)
    #: preemptions weighed under the rule "pays"
    decisions: tuple[Decision, ...] = field(default=(), repr=False)
    _fragments: tuple[tuple[float, int], ...] = field(default=(), repr=False)

    @property
    def fragments(self) -> pd.DataFrame:
        """Idle GPUs that only placement keeps from the first waiting job: time [s] and gpus [1].

        Each row holds from its time on until the next one.
        """
        return pd.DataFrame(self._fragments, columns=["time", "gpus"])

    @property
    def fragmented(self) -> float:
        """GPU-seconds that are idle only because of placement, from `fragments`.

        The result is 0 without nodes.
        """
        time, gpus = self.fragments.to_numpy(float).reshape(-1, 2).T
        return float((gpus[:-1] * np.diff(time)).sum())

    @property
    def never_started(self) -> pd.DataFrame:
        """Jobs that can never start: each is larger than the part of the fleet that it may use."""
        return self.jobs[~self.jobs["can_start"]]

    @cached_property
    def runs(self) -> pd.DataFrame:
        """Every uninterrupted run, by start: row (position in `jobs`), start, end [s], gpus [1].

        A job that was preempted has several.
        """
        order = np.lexsort((self._runs[:, 0], self._runs[:, 1]))
        row = self._runs[order, 0].astype(np.int64)
        gpus = self.jobs["gpus"].to_numpy(np.int64)[row]
        return pd.DataFrame(
            {"row": row, "start": self._runs[order, 1], "end": self._runs[order, 2], "gpus": gpus}
        )

    @cached_property
    def timeline(self) -> pd.DataFrame:
        """Busy GPUs and queue length at every change: time [s], busy [1], queue_length [1].

        Jobs that can never start do not join the queue; preempted jobs join it again.

        >>> from physics.scheduling import simulate
        >>> jobs = pd.DataFrame({"submit": [0, 1], "runtime": [10, 5], "gpus": [3, 4]})
        >>> simulate(jobs, 4).timeline.to_numpy().tolist()
        [[0.0, 3.0, 0.0], [1.0, 3.0, 1.0], [10.0, 4.0, 0.0], [15.0, 0.0, 0.0]]
        """
        start, end, gpus = (self.runs[name].to_numpy() for name in ("start", "end", "gpus"))
        begin = self.waits["begin"]
        until = self.waits["end"]
        instants, index = np.unique(np.concatenate((start, end, begin, until)), return_inverse=True)
        counts = [2 * len(gpus), len(begin), len(until)]
        moves = np.concatenate((gpus, -gpus, 0 * begin, 0 * until)), np.repeat([0, 1, -1], counts)
        busy, queued = (
            np.cumsum(np.bincount(index, move, len(instants))).round().astype(np.int64)
            for move in moves
        )
        change = (np.diff(busy, prepend=-1) != 0) | (np.diff(queued, prepend=-1) != 0)
        return pd.DataFrame(
            {"time": instants[change], "busy": busy[change], "queue_length": queued[change]}
        )

    @cached_property
    def waits(self) -> pd.DataFrame:
        """Every stretch of waiting, also after stops: row (position in `jobs`), begin, end [s]."""
        order = np.lexsort((self.runs["start"], self.runs["row"]))
        row, start, end = (self.runs[name].to_numpy()[order] for name in ("row", "start", "end"))
        submit = self.jobs["submit"].to_numpy(float)[row]
        begin = np.where(np.diff(row, prepend=-1) > 0, submit, np.append(0.0, end)[:-1])
        return pd.DataFrame({"row": row, "begin": begin, "end": start})[start > begin]

    def queue_at(self, moments: np.ndarray) -> np.ndarray:
        """Number of waiting jobs at each of some times [s]; 0 before the first change.

        >>> from physics.scheduling import simulate
        >>> jobs = pd.DataFrame({"submit": [2, 3], "runtime": [10, 5], "gpus": [3, 4]})
        >>> simulate(jobs, 4).queue_at(np.array([0.0, 5.0, 12.0])).tolist()
        [0, 1, 0]
        """
        index = np.searchsorted(self.timeline["time"].to_numpy(), moments, side="right")
        return np.append(0, self.timeline["queue_length"].to_numpy())[index]

    def done_at(self, moments: np.ndarray, jobs: int | None = None) -> np.ndarray:
        """Completed useful work of all jobs, or of the first `jobs`, at each of some times [GPU·s].

        >>> from physics.scheduling import simulate
        >>> jobs = pd.DataFrame({"submit": [2, 3], "runtime": [10, 5], "gpus": [3, 4]})
        >>> simulate(jobs, 4).done_at(np.array([0.0, 12.0, 20.0])).tolist()
        [0.0, 30.0, 50.0]
        """
        frame = self.jobs.iloc[:jobs].sort_values("end")
        work = np.append(0.0, np.cumsum(frame["gpus"] * frame["runtime"]))
        return work[np.searchsorted(frame["end"], moments, side="right")]

    def idle_beside_queue(self, begin: float, end: float) -> float:
        """Share of the GPU time between two times that is idle while jobs wait [1]."""
        times = np.clip(np.append(self.timeline["time"].to_numpy(), end), begin, end)
        free = (self.capacity - self.timeline["busy"].to_numpy()) * (
            self.timeline["queue_length"].to_numpy() > 0
        )
        return float((free * np.diff(times)).sum() / (self.capacity * (end - begin)))

    @property
    def executed(self) -> float:
        """Executed GPU-seconds: useful ones, Σ gpus × runtime of jobs that ran, and lost ones."""
        ran = self.jobs[self.jobs["can_start"]]
        gpus, runtime, lost = (ran[name].to_numpy(float) for name in ("gpus", "runtime", "lost"))
        return float((gpus * runtime + lost).sum())


def busy_lanes(schedule: Schedule, begin: float, finish: float) -> pd.DataFrame:
    """Return the pieces of all runs between two times [s]: row, start, end, low, high.

    The row is the job's position in `Schedule.jobs`. A piece covers the GPUs low … high − 1,
    counted from 0; those of a run add up to its GPUs, and no GPU is in two at once. A run that
    began before keeps its start, one that goes on its end.

    >>> from physics.scheduling import simulate
    >>> jobs = pd.DataFrame({"submit": [0, 0, 0], "runtime": [5, 9, 4], "gpus": [2, 1, 3]})
    >>> busy_lanes(simulate(jobs, 4), 0.0, 12.0).to_numpy(int).tolist()
    [[0, 0, 5, 0, 2], [1, 0, 9, 2, 3], [2, 5, 9, 0, 2], [2, 5, 9, 3, 4]]
    """
    # All runs take whole multiples of this many GPUs, so that one lane stands for so many.
    unit = math.gcd(schedule.capacity, *schedule.runs["gpus"].tolist())
    free = np.ones(schedule.capacity // unit, bool)
    running: list[tuple[float, int]] = []
    lanes_of: dict[int, np.ndarray] = {}
    pieces = []
    for run, (row, start, end, gpus) in enumerate(schedule.runs.itertuples(index=False, name=None)):
        if start >= finish:
            break
        while running and running[0][0] <= start:
            free[lanes_of.pop(heapq.heappop(running)[1])] = True
        lanes_of[run] = lanes = np.flatnonzero(free)[: gpus // unit]
        free[lanes] = False
        heapq.heappush(running, (end, run))
        if end > begin:
            pieces += [(row, start, end, low * unit, high * unit) for low, high in pieces_of(lanes)]
    return pd.DataFrame(pieces, columns=["row", "start", "end", "low", "high"])


def pieces_of(lanes: np.ndarray) -> list[tuple[int, int]]:
    """Return the runs of neighboring lanes, each as its first lane and its last lane plus one.

    >>> pieces_of(np.array([0, 1, 4, 5, 6]))
    [(0, 2), (4, 7)]
    """
    if not len(lanes):
        return []
    neighbors = np.split(lanes, np.flatnonzero(np.diff(lanes) > 1) + 1)
    return [(int(lanes[0]), int(lanes[-1]) + 1) for lanes in neighbors]


def idle_lanes(
    pieces: pd.DataFrame, schedule: Schedule, begin: float, finish: float
) -> pd.DataFrame:
    """Return the idle pieces between two times: start, end, low, high, and whether jobs are queued.

    Args:
        pieces: What `busy_lanes` returns.

    >>> from physics.scheduling import simulate
    >>> jobs = pd.DataFrame({"submit": [0, 4], "runtime": [6, 2], "gpus": [2, 4]})
    >>> schedule = simulate(jobs, 4)
    >>> idle_lanes(busy_lanes(schedule, 0.0, 9.0), schedule, 0.0, 9.0).to_numpy().tolist()
    [[0.0, 4.0, 2, 4, False], [4.0, 6.0, 2, 4, True], [8.0, 9.0, 0, 4, False]]
    """
    inside = pieces[(pieces["end"] > begin) & (pieces["start"] < finish)]
    low, high = (inside[name].to_numpy(np.int64) for name in ("low", "high"))
    starts = inside["start"].to_numpy()
    ends = inside["end"].to_numpy()
    times = schedule.timeline["time"].to_numpy()
    queued = schedule.timeline["queue_length"].to_numpy() > 0
    changes = times[np.diff(queued, prepend=False)]
    cuts = np.unique(np.concatenate(([begin, finish], starts, ends, changes)).clip(begin, finish))
    states = []
    for moment, until in pairwise(cuts):
        idle = np.ones(schedule.capacity, bool)
        running = (starts <= moment) & (ends >= until)
        for low_lane, high_lane in zip(low[running], high[running], strict=True):
            idle[low_lane:high_lane] = False
        waits = bool(np.append(False, queued)[np.searchsorted(times, moment, side="right")])
        states.append((moment, {(*gap, waits) for gap in pieces_of(np.flatnonzero(idle))}))
    rows = sorted(stretches(states, finish))
    return pd.DataFrame(rows, columns=["start", "end", "low", "high", "queued"])


def stretches(
    states: Iterable[tuple[float, Collection[tuple]]], finish: float
) -> list[tuple[Any, ...]]:
    """Return the stretches of time in which each item is present: start, end, its values.

    Args:
        states: Moments in order, each with the items that are there until the next one.
        finish: End of the last state.

    >>> stretches([(0.0, [("a", 1)]), (2.0, [("a", 1), ("b", 2)]), (3.0, [("b", 2)])], 5.0)
    [(0.0, 3.0, 'a', 1), (2.0, 5.0, 'b', 2)]
    """
    rows = []
    since: dict[tuple, float] = {}
    for moment, items in states:
        for item in [item for item in since if item not in items]:
            rows.append((since.pop(item), moment, *item))
        for item in items:
            since.setdefault(item, moment)
    rows += [(start, finish, *item) for item, start in since.items()]
    return rows
