"""Distance of simulated waits from the recorded ones: in total, by class, and by half of a log."""

import math

import numpy as np
import pandas as pd

from physics import pace
from physics.cluster.jobs import ALL, Log, by_class, by_limit, ratio, table
from physics.cluster.weeks import over_weeks

#: Weeks of a block in which errors may cancel.
BLOCK = 8


def unexplained(record: np.ndarray, simulated: np.ndarray, week: np.ndarray) -> float:
    """Error of simulated mean waits: mean |record − simulation| over blocks of eight weeks [s].

    Blocks are weighted by their jobs.

    >>> unexplained(np.array([2.0, 4.0, 7.0]), np.array([3.0, 5.0, 6.0]), np.array([0, 7, 8]))
    1.0
    """
    both = np.isfinite(record) & np.isfinite(simulated)
    if not both.any():
        return math.nan
    errors = np.bincount(week[both] // BLOCK, record[both] - simulated[both])
    return float(np.abs(errors).sum() / both.sum())


def row_of_waits(log: Log, wait: np.ndarray) -> tuple[float, ...]:
    """Mean wait with its range, median, P95, distance from the record, and unexplained time."""
    compared = np.where(log.compared, wait, np.nan)
    finite = compared[np.isfinite(compared)]
    pace.step()
    percentiles = np.full(2, np.nan)
    if len(finite):
        percentiles = np.quantile(finite, (0.5, 0.95))
    means = over_weeks(compared, log.week)
    return *means, *percentiles, distance(log, wait), unexplained(log.wait, wait, log.week)


def distance_of_mean(mean: float, record: np.ndarray) -> float:
    """Distance of a mean from the mean of the recorded waits, relative to it [1].

    The result is 0 if both means are 0, and NaN if no wait is recorded.
    """
    recorded = record[np.isfinite(record)]
    if not len(recorded):
        return math.nan
    recorded_mean = float(recorded.mean())
    return ratio(abs(mean - recorded_mean), recorded_mean)


def distance(log: Log, wait: np.ndarray, group: np.ndarray | bool = True) -> float:
    """Distance of a group's simulated waits from the recorded ones, compared by class [1].

    The result is NaN if no job has both waits.
    """
    shared = group & log.recorded & np.isfinite(wait)
    if not shared.any():
        return math.nan
    errors = wait - log.wait
    classes = by_class(log.classes)[:-1]
    total = sum(abs(float(errors[members & shared].sum())) for _, members in classes)
    return ratio(total, float(log.wait[shared].sum()))


def compared_by_class(log: Log, wait: np.ndarray) -> pd.DataFrame:
    """Table of recorded and simulated mean waits by class, see `physics.cluster.calibrate`."""
    week = log.week

    def row(group: np.ndarray) -> tuple:
        """Number of a group's jobs, mean waits with their ranges, distance, unexplained time."""
        record = log.wait[group]
        recorded = over_weeks(np.where(group, log.wait, np.nan), week)
        simulated = over_weeks(np.where(group, wait, np.nan), week)
        error = distance_of_mean(simulated[0], record)
        unexplained_time = unexplained(record, wait[group], week[group])
        return len(record), *recorded, *simulated, error, unexplained_time

    columns = "jobs record record_low record_high simulated low high distance unexplained"
    return table(by_class(log.classes), log.compared, row, columns).clip(lower=0)


def compared_in_second_half(log: Log, wait: np.ndarray) -> pd.DataFrame:
    """Table of recorded and simulated mean waits in a log's second half, by class and time limit.

    It ends with all jobs, and is empty if the half records no wait above 0.
    """
    shared = ~log.early & log.recorded & np.isfinite(wait)
    if not log.wait[shared].sum() > 0:
        return pd.DataFrame()
    *groups, everyone = by_class(log.classes)
    if len(groups) < 2:
        groups = []
    groups += [(f"time limit {name}", group) for name, group in by_limit(log.estimate).items()]

    def row(group: np.ndarray) -> tuple:
        """Number of a group's jobs, recorded and simulated mean wait, and their distance."""
        record = log.wait[group]
        simulated = float(wait[group].mean())
        return len(record), float(record.mean()), simulated, distance_of_mean(simulated, record)

    halves = table([*groups, everyone], shared, row, "jobs record simulated distance")
    halves.loc[ALL, "distance"] = distance(log, wait, shared)
    return halves
