"""Scoreboard: one row per class, from one schedule or averaged over replications."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physics import constants as c
from physics import metrics
from physics.arguments import InnerShare, NonNegative, several, within_range
from physics.scheduling.schedule import Schedule
from physics.scheduling.workload import classes_of

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
#: Columns that are means over the jobs that started, and over all jobs. An average of replications
#: weights them by these numbers of jobs.
OF_STARTED = ("mean_wait", "mean_slowdown")
OF_ALL = ("share_within_target", "share_above_limit")
#: What `whole_of` measures.
WHOLE = ("lost", "utilization", "throughput", "jain", "balance")


@within_range
def class_table(
    schedule: Schedule,
    target: NonNegative = c.INTERACTIVE_TARGET,
    limit: NonNegative = c.TRAINING_LIMIT,
) -> pd.DataFrame:
    """Summarize the waits of each class.

    Args:
        target, limit: A wait that should not be exceeded, and one that is too long [s].

    Returns: One row a class, in the policy's order of classes, others after them by name. count:
    jobs [1]; never_started: those that can never start [1]; mean_wait, median_wait, p95_wait [s]
    and mean_slowdown [1] over the jobs that started, NaN if none did; share_within_target: wait ≤
    target [1]; share_above_limit: wait > limit [1]; lost and executed [GPU·s]. Jobs that never
    start count as missed in both shares and are left out of the means.

    >>> from physics.scheduling import simulate
    >>> jobs = pd.DataFrame({"submit": [0, 0, 0], "runtime": [60, 60, 60], "gpus": [4, 4, 8]})
    >>> table = class_table(simulate(jobs, 4), target=30)
    >>> table[["count", "never_started", "mean_wait", "share_within_target"]]
         count  never_started  mean_wait  share_within_target
    job      3              1       30.0             0.333333
    """
    jobs = schedule.jobs
    wait = jobs["wait"].to_numpy()
    slowdown = jobs["slowdown"].to_numpy()
    can_start = jobs["can_start"].to_numpy()
    lost = jobs["lost"].to_numpy()
    work = (
        np.where(can_start, jobs["gpus"].to_numpy(float) * jobs["runtime"].to_numpy(float), 0.0)
        + lost
    )
    rows = {}
    codes, present = pd.factorize(classes_of(jobs), use_na_sentinel=False)
    code_of = {name: code for code, name in enumerate(present)}
    listed = [name for name in schedule.policy.classes if name in code_of]
    others = sorted([name for name in present if name not in listed], key=str)
    for name in [*listed, *others]:
        in_class = codes == code_of[name]
        started = in_class & can_start
        if not started.any():
            started = in_class  # Their waits are NaN, and so are the means and quantiles.
        waits = wait[started]
        count = int(in_class.sum())
        rows[name] = {
            "count": count,
            "never_started": count - int(can_start[in_class].sum()),
            "mean_wait": waits.mean(),
            "median_wait": np.median(waits),
            "p95_wait": np.quantile(waits, 0.95),
            "mean_slowdown": slowdown[started].mean(),
            "share_within_target": (waits <= target).sum() / count,
            "share_above_limit": 1 - (waits <= limit).sum() / count,
            "lost": lost[in_class].sum(),
            "executed": work[in_class].sum(),
        }
    return pd.DataFrame.from_dict(rows, orient="index", columns=COLUMNS)


def average_tables(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Average the tables of independent replications, with the standard error of each mean.

    Mean waits, mean slowdowns and shares are those over all jobs of all replications: X = Σ nᵢ xᵢ /
    Σ nᵢ, with nᵢ the jobs of replication i that started (for shares: all of them). All other
    columns are plain means over replications, quantiles too: the mean of quantiles is no quantile
    of all jobs, which `pooled_quantile` gives. The standard error is that of a ratio, √(Σ nᵢ² (xᵢ −
    X)² / (k (k − 1))) / n̄ with k replications; with equal nᵢ it is deviation ÷ √k. Under overload
    the long replications are also the slow ones, and the two means differ.

    Args:
        tables: Results of `class_table`, at least one.

    Returns: The same rows; every column, over the replications that have a value, and as
    `<column>_se` its standard error, NaN for a single one.

    Source: Cochran, W. G., *Sampling Techniques*, 3rd ed., 1977, eq. 2.46 (standard error of a
    ratio).

    >>> tables = [pd.DataFrame({"mean_wait": [wait]}, index=["training"]) for wait in (10.0, 14.0)]
    >>> average_tables(tables)
              mean_wait  mean_wait_se
    training       12.0           2.0
    """
    tables = several("tables", tables)
    if not tables:
        raise ValueError("tables must hold at least one replication, got none")
    index = list(dict.fromkeys(name for table in tables for name in table.index))
    aligned = [table.reindex(index) for table in tables]
    columns = {}
    for name in tables[0].columns:
        values = np.array([table[name].to_numpy(float) for table in aligned])
        weights = np.array([_weights(table, name) for table in aligned])
        columns[name], columns[f"{name}_se"] = mean_and_error(values, weights)
    return pd.DataFrame(columns, index=index)


def _weights(table: pd.DataFrame, name: str) -> np.ndarray:
    """Weights of a column's values in an average: the jobs of each mean; 1 for other columns."""
    if "count" not in table or name not in (*OF_STARTED, *OF_ALL):
        return np.ones(len(table))
    jobs = table["count"]
    if name in OF_STARTED:
        jobs = jobs - table["never_started"]
    return jobs.to_numpy(float)


def mean_and_error(
    values: np.ndarray, weights: np.ndarray | float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean over the first axis and its standard error, without missing values.

    >>> [pair.tolist() for pair in mean_and_error(np.array([[10.0], [14.0]]))]
    [[12.0], [2.0]]
    """
    present = ~np.isnan(values)
    weights = np.where(present, weights, 0.0)
    number = present.sum(axis=0)
    total = weights.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nansum(weights * values, axis=0) / total
        squares = np.nansum((weights * (values - mean)) ** 2, axis=0)
        error = np.sqrt(squares * number / (number - 1)) / total
    return mean, np.where(number > 1, error, np.nan)


def whole_of(schedule: Schedule) -> tuple[float, ...]:
    """Return the measures in `WHOLE` of a schedule: share of lost work [1], then `physics.metrics`.

    Throughput is in jobs per second. For Jain's index and the balance a class gets the part of its
    time in the system in which it runs, all [1]. Jobs that can never start are left out.

    >>> from physics.scheduling import simulate
    >>> jobs = pd.DataFrame({"submit": [0, 0], "runtime": [30, 30], "gpus": [4, 4]})
    >>> jobs["job_class"] = ["a", "b"]
    >>> [round(value, 3) for value in whole_of(simulate(jobs, 4))]
    [0.0, 1.0, 0.033, 0.9, 0.5]
    """
    jobs = schedule.jobs[schedule.jobs["can_start"]]
    sums = jobs[["runtime", "submit", "end"]].groupby(classes_of(jobs)).sum()
    gets = (sums["runtime"] / (sums["end"] - sums["submit"])).tolist()
    measured = (
        metrics.utilization(schedule),
        metrics.throughput(schedule),
        metrics.jain(gets),
        metrics.balance(gets),
    )
    return float(schedule.jobs["lost"].sum()) / schedule.executed, *measured


@dataclass(frozen=True, eq=False)
class Board:
    """Averages of independent replications of one scenario."""

    table: dict[str, dict[str, float]]  #: each column of `average_tables`, by class
    whole: dict[str, tuple[float, float]]  #: means of WHOLE and their standard errors

    @classmethod
    def of(cls, outcomes: Iterable[tuple[pd.DataFrame, tuple[float, ...]]]) -> "Board":
        """Average the results of `class_table` and `whole_of` over replications, at least one."""
        outcomes = list(outcomes)
        table = average_tables(table for table, _ in outcomes)
        means, errors = mean_and_error(np.array([measures for _, measures in outcomes]))
        pairs = zip(means.tolist(), errors.tolist(), strict=True)
        return cls(table.astype(float).to_dict(), dict(zip(WHOLE, pairs, strict=True)))

    def mean(self, job_class: str, column: str) -> float:
        """Mean over the replications, or for a column …_se its standard error, in its unit."""
        return self.table[column][job_class]


@within_range
def pooled_quantile(replications: Iterable[np.ndarray], share: InnerShare) -> tuple[float, float]:
    """Quantile of the pooled values of independent replications, with its interval's half-width.

    The quantile Q is the smallest value that at least the given share of all values does not
    exceed. The share of values that do not exceed Q is a ratio of sums over replications, whose
    standard error s is that of `average_tables`; the interval reaches from the quantile at share −
    s to that at share + s (Woodruff's method). Half of it plays the part of a standard error, and
    is 0 where so many values are equal that both ends are the same.

    Args:
        replications: Values of each replication, any unit; some may be empty. Values of one may
            depend on each other.
        share: Between 0 and 1, both excluded: 0.5 for the median [1].

    Returns: Quantile and half width, in the values' unit. NaN for no value, and the second for
    fewer than two replications that have any.

    Source: R. S. Woodruff, "Confidence intervals for medians and other position measures", Journal
    of the American Statistical Association 47, 1952.

    The median of all is 0, though the mean of the medians is 2.

    >>> pooled_quantile([[0, 0, 0, 0], [0, 4, 4]], 0.5)[0]
    0.0
    """
    samples = [np.sort(np.asarray(values, float)) for values in replications]
    samples = [values for values in samples if len(values)]
    if not samples:
        return np.nan, np.nan
    pooled = np.sort(np.concatenate(samples))
    value = _order_statistic(pooled, share)
    if len(samples) < 2:
        return value, np.nan
    counts = np.array([len(values) for values in samples])
    within = np.array([np.searchsorted(values, value, side="right") for values in samples])
    error = float(mean_and_error(within / counts, counts)[1])
    width = _order_statistic(pooled, share + error) - _order_statistic(pooled, share - error)
    return value, width / 2


def _order_statistic(values: np.ndarray, share: float) -> float:
    """Smallest of the sorted values that at least this share of them does not exceed."""
    # Of 20 values 95% are 19, whatever 0.95 × 20 is to the last bit.
    index = int(np.ceil(share * len(values) * (1 - 1e-12))) - 1
    return float(values[min(max(index, 0), len(values) - 1)])
