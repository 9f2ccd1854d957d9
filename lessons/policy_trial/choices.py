"""Policy trial: how often a trial picks the worse policy, and statistics of weeks."""

import math
from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from lessons.policy_trial.weeks import FLEET, POLICIES, table
from physics import constants as k
from physics.experiments import weeks_needed, wrong_choice
from physics.jobs import offered_load, platform_mix
from physics.numerics import mean_interval
from ui.base.format import Mean

#: Ids of the policies on trial, the better one last.
WORSE, BETTER = PAIR = tuple(POLICIES)
#: Groups of runs that the jackknife leaves out one at a time.
GROUPS = 12
RUNS = int(k.TRIAL_RUNS)
LOAD = offered_load(platform_mix(), FLEET)


class Habit(NamedTuple):
    """Statistics of weekly means under one policy, over all runs."""

    mean: Mean  #: in the long run [s]
    turned: Mean  #: where another policy runs every other week [s]
    deviation: Mean  #: standard deviation of one week [s]
    r: Mean  #: correlation of one week with the next [1]


class Alternated(NamedTuple):
    """Mean waits measured by a trial that alternates the policies on one fleet."""

    strict: Mean  #: in the weeks that count [s]
    easy: Mean  #: in the weeks that count [s]
    apart: Mean  #: the difference [s]
    counted: float  #: share of the weeks that count [1]


def estimate(statistic: Callable[..., float], *tables: np.ndarray) -> Mean:
    """Return a statistic of tables with a row per run, and its 95% interval by the jackknife.

    The interval is that of Efron and Stein: one group of runs is left out at a time.
    """
    value = float(statistic(*tables))
    values = []
    for group in range(GROUPS):
        remaining = [np.delete(rows, slice(group, None, GROUPS), axis=0) for rows in tables]
        values.append(GROUPS * value - (GROUPS - 1) * float(statistic(*remaining)))
    return Mean(value, mean_interval(values)[1])


def gap(strict: np.ndarray, easy: np.ndarray) -> float:
    """Mean wait under strict priority minus that under EASY, from two tables [s]."""
    return strict.mean() - easy.mean()


def tables(way: str) -> list[np.ndarray]:
    """Weekly means of both policies in this kind of trial, one row per run [s]."""
    if way == "turns":
        weeks = table()["turns1"]
        return [weeks[:, ::2], weeks[:, 1::2]]
    return [table()[name] for name in PAIR]


@lru_cache(maxsize=128)
def windows(way: str, weeks: int) -> list[np.ndarray]:
    """Return each policy's weekly mean waits [s] in windows of consecutive weeks.

    The arrays are by run, window, and week.
    """
    arrays = []
    for rows in tables(way):
        length = rows.shape[1] // weeks * weeks
        arrays.append(rows[:, :length].reshape(len(rows), -1, weeks))
    return arrays


def means(way: str, weeks: int) -> list[np.ndarray]:
    """Return each policy's mean wait [s] per window of weeks: arrays by run and window."""
    return [waits.mean(axis=2) for waits in windows(way, weeks)]


@lru_cache(maxsize=512)
def missed(way: str, weeks: int) -> float:
    """Share of trials in which the worse policy has the shorter mean; ties count half [1]."""
    return wrong_choice(*means(way, weeks), 1, way != "after")


@lru_cache(maxsize=512)
def wrong(way: str, weeks: int) -> Mean:
    """Share of trials that pick the worse policy, with its interval [1]."""
    statistic = partial(wrong_choice, weeks=1, paired=way != "after")
    return estimate(statistic, *means(way, weeks))


@lru_cache(maxsize=8)
def shuffled(weeks: int) -> float:
    """Share of wrong sequential trials if weeks were independent, from shuffled weeks [1]."""
    rng = np.random.default_rng(int(k.TRIAL_SEED))
    mixed = [rng.permutation(rows.ravel()).reshape(rows.shape) for rows in tables("after")]
    return wrong_choice(*mixed, weeks)


def correlation(values: np.ndarray) -> float:
    """Correlation of each week with the next [1]."""
    return np.corrcoef(values[:, :-1].ravel(), values[:, 1:].ravel())[0, 1]


@lru_cache(maxsize=4)
def habit(name: str) -> Habit:
    """Return the statistics of weeks under a policy."""
    values = table()[name]
    turned = tables("turns")[PAIR.index(name)]
    return Habit(
        estimate(np.mean, values),
        estimate(np.mean, turned),
        estimate(np.std, values),
        estimate(correlation, values),
    )


def deviation(strict: np.ndarray, easy: np.ndarray) -> float:
    """Standard deviation of one week, from the average of both policies' variances [s]."""
    return float(np.sqrt((strict.var() + easy.var()) / 2))


def mean_correlation(strict: np.ndarray, easy: np.ndarray) -> float:
    """Correlation of one week with the next, averaged over both policies [1]."""
    return (correlation(strict) + correlation(easy)) / 2


@lru_cache(maxsize=4)
def of_pair(statistic: Callable[..., float]) -> Mean:
    """Estimate `gap`, `deviation`, or `mean_correlation` from the weeks of both policies."""
    return estimate(statistic, *tables("after"))


def _weeks_needed(
    strict: np.ndarray, easy: np.ndarray, difference: float, confidence: float
) -> float:
    """Weeks per policy until a difference [s] is significant, if the tables are exact."""
    variance = deviation(strict, easy) ** 2
    r = mean_correlation(strict, easy)
    return math.ceil(max(1.0, weeks_needed(variance, r, difference, confidence)))


@lru_cache(maxsize=64)
def needed(difference: float, confidence: float) -> Mean:
    """Weeks per policy until the difference [s] equals the half-width of its interval."""
    statistic = partial(_weeks_needed, difference=difference, confidence=confidence)
    return estimate(statistic, *tables("after"))


@lru_cache(maxsize=8)
def blocks(length: int) -> list[np.ndarray]:
    """Waits of both policies in alternating blocks of weeks: arrays by run, block, and week [s].

    Both orders count, so every week of a run is met by both policies.
    """
    turns, swapped = (
        table()[f"{order}{length}"].reshape(RUNS, -1, 2, length) for order in ("turns", "swapped")
    )
    both_orders = np.concatenate((turns, swapped[:, :, ::-1]), axis=1)
    return [both_orders[:, :, 0], both_orders[:, :, 1]]


@lru_cache(maxsize=64)
def alternated(length: int, skipped: int) -> Alternated:
    """Return the means of a trial that alternates and discards the first weeks of each block."""
    first = min(skipped, length - 1)
    counted = [waits[:, :, first:] for waits in blocks(length)]
    strict, easy = (estimate(np.mean, waits) for waits in counted)
    return Alternated(strict, easy, estimate(gap, *counted), (length - first) / length)
