"""The scoreboard: one row a class, from one schedule or as an average over replications with standard errors."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from physics import checks
from physics import constants as c
from physics.schedule import Schedule
from physics.workload import ONE_CLASS

#: Columns of a table per class.
COLUMNS = [
    "count",
    "never_started",
    "mean_wait",
    "median_wait",
    "p95_wait",
    "mean_slowdown",
    "share_within_target",
    "share_above_limit",
    "lost",
    "executed",
]


def class_table(
    schedule: Schedule, target: float = c.INTERACTIVE_TARGET, limit: float = c.TRAINING_LIMIT
) -> pd.DataFrame:
    """Summarize the waits of each class.

    Parameters
    ----------
    schedule : Schedule
        One simulation.
    target, limit : float
        A wait that should not be exceeded, and one that is too long [s].

    Returns
    -------
    pandas.DataFrame
        One row a class, in the policy's order of classes, others after them by name. count: jobs [1]; never_started:
        those that can never start [1]; mean_wait, median_wait, p95_wait [s] and mean_slowdown [1] over the jobs that
        started, NaN if none did; share_within_target: wait ≤ target [1]; share_above_limit: wait > limit [1]; lost and
        executed [GPU·s]. Jobs that never start count as missed in both shares and are left out of the means.

    Raises
    ------
    ValueError
        For a target or limit below zero, or something that is no Schedule.

    Examples
    --------
    >>> from physics.scheduling import simulate
    >>> jobs = pd.DataFrame({"submit": [0, 0, 0], "runtime": [60, 60, 60], "gpus": [4, 4, 8]})
    >>> class_table(simulate(jobs, 4), target=30)[["count", "never_started", "mean_wait", "share_within_target"]]
         count  never_started  mean_wait  share_within_target
    job      3              1       30.0             0.333333
    """
    if not isinstance(schedule, Schedule):
        raise ValueError(f"schedule must be a Schedule, got {type(schedule).__name__}")
    checks.non_negative("target", target), checks.non_negative("limit", limit)
    jobs = schedule.jobs
    names = jobs["job_class"].to_numpy(object) if "job_class" in jobs else np.full(len(jobs), ONE_CLASS, dtype=object)
    wait, slowdown, can = (jobs[name].to_numpy() for name in ("wait", "slowdown", "can_start"))
    lost = jobs["lost"].to_numpy()
    work = np.where(can, jobs["gpus"].to_numpy(float) * jobs["runtime"].to_numpy(float), 0.0) + lost
    rows = {}
    codes, present = pd.factorize(names, use_na_sentinel=False)
    listed = {name: place for place, name in enumerate(schedule.policy.classes)}
    for code in sorted(
        range(len(present)), key=lambda code: (listed.get(present[code], len(listed)), str(present[code]))
    ):
        mine = codes == code
        started = wait[mine & can]
        count = int(mine.sum())
        rows[present[code]] = {
            "count": count,
            "never_started": count - len(started),
            "mean_wait": started.mean() if len(started) else np.nan,
            "median_wait": np.median(started) if len(started) else np.nan,
            "p95_wait": np.quantile(started, 0.95) if len(started) else np.nan,
            "mean_slowdown": slowdown[mine & can].mean() if len(started) else np.nan,
            "share_within_target": (started <= target).sum() / count,
            "share_above_limit": 1 - (started <= limit).sum() / count,
            "lost": lost[mine].sum(),
            "executed": work[mine].sum(),
        }
    return pd.DataFrame.from_dict(rows, orient="index", columns=COLUMNS)


#: What a column is a mean over: those of jobs are weighted by their numbers when replications are averaged.
OF_STARTED, OF_ALL = ("mean_wait", "mean_slowdown"), ("share_within_target", "share_above_limit")


def average_tables(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Average the tables of independent replications, with the standard error of each mean.

    Mean waits, mean slowdowns and shares are those over all jobs of all replications: X = Σ nᵢ xᵢ / Σ nᵢ, with nᵢ the
    jobs of replication i that started (for shares: all of them). All other columns are plain means over replications.
    The standard error is that of a ratio, √(Σ nᵢ² (xᵢ − X)² / (k (k − 1))) / n̄ with k replications; with equal nᵢ it is
    deviation ÷ √k. Under overload the long replications are also the slow ones, and the two means differ.

    Parameters
    ----------
    tables : iterable of pandas.DataFrame
        Results of `class_table`, at least one.

    Returns
    -------
    pandas.DataFrame
        The same rows; every column, over the replications that have a value, and as `<column>_se` its standard error,
        NaN for a single one.

    Raises
    ------
    ValueError
        If there is no table.

    References
    ----------
    Cochran, W. G., *Sampling Techniques*, 3rd ed., 1977, eq. 2.46 (standard error of a ratio).

    Examples
    --------
    >>> tables = [pd.DataFrame({"mean_wait": [wait]}, index=["training"]) for wait in (10.0, 14.0)]
    >>> average_tables(tables)
              mean_wait  mean_wait_se
    training       12.0           2.0
    """
    tables = checks.several("tables", tables)
    if not tables:
        raise ValueError("tables must hold at least one replication, got none")
    index = list(dict.fromkeys(name for table in tables for name in table.index))
    aligned = [table.reindex(index) for table in tables]
    columns = {}
    for name in tables[0].columns:
        values = np.array([table[name].to_numpy(float) for table in aligned])
        weights = np.array([_weights(table, name) for table in aligned])
        columns[name], columns[f"{name}_se"] = _weighted_mean(values, weights)
    return pd.DataFrame(columns, index=index)


def _weights(table: pd.DataFrame, name: str) -> np.ndarray:
    """Number of jobs that each mean of a column is over; 1 for what is no mean over jobs."""
    if "count" not in table or name not in (*OF_STARTED, *OF_ALL):
        return np.ones(len(table))
    return (table["count"] - (table["never_started"] if name in OF_STARTED else 0)).to_numpy(float)


def _weighted_mean(values: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean over the first axis and its standard error, both without missing values."""
    present = ~np.isnan(values)
    weights = np.where(present, weights, 0.0)
    number, total = present.sum(axis=0), weights.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nansum(weights * values, axis=0) / total
        squares = np.nansum((weights * (values - mean)) ** 2, axis=0)
        error = np.sqrt(squares * number / (number - 1)) / total
    return mean, np.where(number > 1, error, np.nan)
