"""Step functions of time: GPUs in use, waiting jobs, and GPUs idle while jobs wait."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physics import constants as c
from physics import pace
from physics.cluster.jobs import Log
from physics.cluster.machine.parts import AnySchedule

HOUR = float(c.HOUR)
DAY = float(c.DAY)
#: Longest span of time that is shown by the hour; a longer one is shown by the day [s].
HOURLY = 14 * DAY
#: Digits to which sums of sizes are rounded, some of which may be sevenths.
DIGITS = 9


@dataclass(frozen=True, eq=False)
class Steps:
    """Step function: its height from each time on, and its cumulative integral."""

    time: np.ndarray  #: of each step [s]
    height: np.ndarray  #: from this time on
    area: np.ndarray  #: up to this time, in units of the height times s

    @classmethod
    def of(cls, start: np.ndarray, end: np.ndarray, height: np.ndarray) -> "Steps":
        """Step function that is the sum of rectangular blocks, given by start, end, and height."""
        pace.step()
        time, index = np.unique(np.append(start, end), return_inverse=True)
        change = np.bincount(index, np.append(height, -height).astype(float), len(time))
        return cls.at(time, np.cumsum(change).round(DIGITS))

    @classmethod
    def at(cls, time: np.ndarray, height: np.ndarray) -> "Steps":
        """Step function from its times, in order, and its height from each time on."""
        if not len(time):
            time = np.zeros(1)
            height = np.zeros(1)
        return cls(time, height, np.append(0.0, np.cumsum(height[:-1] * np.diff(time))))

    def integral(self, times: np.ndarray | float) -> np.ndarray:
        """Area under the steps up to each time; 0 before the first, constant after the last."""
        return np.interp(times, self.time, self.area)

    def between(self, begin: float, end: float) -> float:
        """Area under the steps between two times."""
        return float(self.integral(end) - self.integral(begin))

    def heights(self, times: np.ndarray) -> np.ndarray:
        """Height of the step function from each of these times on."""
        index = np.searchsorted(self.time, times, side="right") - 1
        return np.where(index >= 0, self.height[np.maximum(index, 0)], 0.0)


def idle_while_waiting(busy: Steps, queue: Steps, size: int, down: Steps) -> Steps:
    """Idle GPUs while jobs wait, without those that are down."""
    time = np.unique(np.concatenate((busy.time, queue.time, down.time)))
    free = np.maximum(size - busy.heights(time) - down.heights(time), 0.0)
    return Steps.at(time, np.where(queue.heights(time) > 0, free, 0.0))


def down_of(log: Log) -> Steps:
    """GPUs that are down over time."""
    begin, end, gpus = np.array(log.down, float).reshape(-1, 3).T
    return Steps.of(begin, end, gpus)


def in_service(log: Log, size: int) -> float:
    """Mean number of a cluster's GPUs that are not down, at least one."""
    return max(1.0, size - down_of(log).between(log.begin, log.end) / (log.end - log.begin))


def missing(busy: Steps, size: int, down: Steps) -> Steps:
    """GPUs out of service over time: down and not in use."""
    time = np.union1d(busy.time, down.time)
    free = np.maximum(size - busy.heights(time), 0.0)
    return Steps.at(time, np.minimum(down.heights(time), free))


def use_of(log: Log) -> tuple[Steps, Steps]:
    """GPUs in use and waiting jobs over time, as recorded; no jobs wait if no wait is recorded."""
    recorded = log.recorded
    start = log.start
    counted = log.compared
    busy = Steps.of(start[counted], (start + log.runtime)[counted], log.gpus[counted])
    pace.step()
    submit = np.append(log.submit[recorded], log.waiting)
    left = np.append(start[recorded], np.full(len(log.waiting), log.end))
    return busy, Steps.of(submit, left, np.ones(len(submit)))


def in_timeline(schedule: AnySchedule, *columns: str) -> list[Steps]:
    """Columns of a schedule's timeline as step functions."""
    line = schedule.timeline
    time = line["time"].to_numpy(float)
    return [Steps.at(time, line[column].to_numpy(float)) for column in columns]


def edges_between(begin: float, end: float, length: float | None = None) -> np.ndarray:
    """Edges of time bins at whole multiples of their length; an hour or a day by default [s]."""
    if length is None:
        length = HOUR if end - begin <= HOURLY else DAY
    inner = np.arange(math.floor(begin / length) + 1, math.ceil(end / length)) * length
    return np.concatenate(([begin], inner, [end]))


def use_by_time(schedule: AnySchedule, begin: float, end: float) -> pd.DataFrame:
    """GPU time in use, and idle only because of placement, by the hour or the day.

    Returns: begin, length [s], used and fragmented [GPU·s].
    """
    edges = edges_between(begin, end)
    [busy] = in_timeline(schedule, "busy")
    lost = Steps.at(*schedule.fragments.to_numpy(float).reshape(-1, 2).T)
    columns = {
        "begin": edges[:-1],
        "length": np.diff(edges),
        "used": np.diff(busy.integral(edges)),
        "fragmented": np.diff(lost.integral(edges)),
    }
    return pd.DataFrame(columns)
