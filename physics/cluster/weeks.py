"""Intervals of means over a log, by its weeks.

Jobs of one week have much in common, and so have weeks that follow each other: a log is worth fewer
weeks than it has.
"""

import math
from collections.abc import Callable

import numpy as np

from physics.arguments import Finites, InnerShare, NonNegatives, within_range
from physics.numerics import student_quantile

WEEK = 604_800.0  #: [s]
#: Weeks below which there is no interval.
LEAST_WEEKS = 8
CONFIDENCE = 0.95
#: Correlation of neighboring weeks that is counted at most, and effective weeks that are counted at
#: least.
MOST_CORRELATION = 0.97
LEAST_EFFECTIVE = 2.0
#: A spread below this share of the values is rounding.
ROUNDING = 1e-14


def week_of(submit: np.ndarray, begin: float) -> np.ndarray:
    """Number of the week of each submission, counted from `begin`; none is before it."""
    return np.floor(np.maximum(submit - begin, 0.0) / WEEK).astype(np.int64)


@within_range
def mean_over_weeks(
    total: Finites, number: NonNegatives, confidence: InnerShare = CONFIDENCE
) -> tuple[float, float, float]:
    """Mean of jobs' values from weekly sums, and the ends of its confidence interval, in the unit
    of the values.

    Args:
        total: Sum of the values of each week's jobs, any unit; weeks follow each other.
        number: Jobs of each week [1].
        confidence: Chance that the interval is to hold the mean, above 0 and below 1.

    Returns: Mean, lower and upper end. The ends are NaN below eight weeks; all three are NaN where
    no week has a job.

    Raises ValueError if total and number are not equally long, are empty or hold anything but
    finite numbers; for a number below 0, or a confidence that is not above 0 and below 1.

    mean = Σ total ÷ Σ number. What week w adds to it is z_w = (total_w − mean × number_w) ÷ (Σ
    number ÷ m), with m weeks. Neighboring weeks are correlated by r₁ = Σ z_w z_{w+1} ÷ Σ z_w²,
    which short logs make too small: r = r₁ + (1 + 3 max(r₁, 0)) ÷ m, from 0 to 0.97. As in an
    autoregressive process of first order, m such weeks are worth e = m (1 − r) ÷ (1 + r)
    independent ones, at least 2. Half of the width is t √(Σ z² ÷ (m (e − 1))), where t is the
    quantile of Student's distribution with e − 1 degrees of freedom. Without spread there is no
    width.

    Counted on Gaussian weeks, 95% intervals of 8 to 52 weeks hold the mean in 96 to 97% of all logs
    if weeks are independent, in 90 to 94% at a correlation of 0.5 and in 81 to 93% at 0.85. Weekly
    waits are skewed: of simulated queues, 9 to 26 weeks long and 80% busy, they hold the mean wait
    in 87 to 92%.

    Source: Bayley and Hammersley, "The effective number of independent observations in an
    autocorrelated time series", Supplement to the Journal of the Royal Statistical Society 8, 1946
    (effective weeks); Marriott and Pope, "Bias in the estimation of autocorrelations", Biometrika
    41, 1954 (its correction); Cochran, *Sampling Techniques*, 3rd edition, 1977, section 6.3 (a
    ratio of sums).

    >>> mean, low, high = mean_over_weeks([8, 12, 9, 11, 10, 13, 7, 10], [1] * 8)
    >>> mean, round(low, 2), round(high, 2)
    (10.0, 8.33, 11.67)
    """
    if len(total) != len(number) or not len(total):
        raise ValueError(
            f"total and number must have one value a week each, got {len(total)} and {len(number)}"
        )
    total = np.array(total)
    number = np.array(number)
    if not number.sum() > 0:
        return math.nan, math.nan, math.nan
    mean = float(total.sum() / number.sum())
    half = half_width(_parts(total, number), confidence)
    return mean, mean - half, mean + half


def effective_weeks(total: np.ndarray, number: np.ndarray) -> float:
    """Independent weeks that a log is worth for a mean, e of `mean_over_weeks` [1]; all of them
    without any spread.

    >>> week, ones = np.arange(20), np.ones(20)
    >>> effective_weeks(week % 2, ones), round(effective_weeks(week // 10, ones), 1)
    (20.0, 2.0)
    """
    if number.sum() > 0:
        return _effective(_parts(total, number))
    return 0.0


def half_width(parts: np.ndarray, confidence: float = CONFIDENCE) -> float:
    """Half-width of a mean's confidence interval, given what each week adds to the mean; NaN below
    eight weeks.
    """
    weeks = len(parts)
    scale = float(np.abs(parts).max(initial=0.0))
    if weeks < LEAST_WEEKS:
        return math.nan
    if scale == 0:
        return 0.0
    freedom = _effective(parts) - 1
    spread = math.sqrt(float(((parts / scale) ** 2).sum()) / (weeks * freedom))
    return student_quantile((1 + confidence) / 2, freedom) * scale * spread


def over_weeks(values: np.ndarray, week: np.ndarray) -> tuple[float, float, float]:
    """Mean of jobs' values and its 95% interval (`mean_over_weeks`); jobs whose value is not finite
    are left out.
    """
    return mean_over_weeks(*weekly_sums(values, week))


def weekly_sums(values: np.ndarray, week: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sum and number of the finite values of each week."""
    known = np.isfinite(values)
    weeks = int(week[-1]) + 1
    return np.bincount(week[known], values[known], weeks), np.bincount(week[known], minlength=weeks)


def of_weeks(columns: np.ndarray, value: Callable[..., float]) -> tuple[float, float]:
    """Ends of the 95% interval of what is computed from sums over weeks, each week left out in turn
    (a jackknife).

    NaN below eight weeks, and where it is not finite with all of them or without one.
    """
    weeks = len(columns)
    sums = columns.sum(axis=0)
    whole = value(*sums.tolist())
    if weeks < LEAST_WEEKS or not math.isfinite(whole):
        return math.nan, math.nan
    without = np.array([value(*(sums - column).tolist()) for column in columns])
    if not np.isfinite(without).all():
        return math.nan, math.nan
    half = half_width((weeks - 1) * (without.mean() - without))
    return whole - half, whole + half


def _parts(total: np.ndarray, number: np.ndarray) -> np.ndarray:
    """What each week adds to the mean, z."""
    mean = total.sum() / number.sum()
    size = number.sum() / len(number)
    expected = mean * number
    parts = (total - expected) / size
    rounding = ROUNDING * float(np.maximum(np.abs(total), np.abs(expected)).max()) / size
    if np.abs(parts).max() > rounding:
        return parts
    return np.zeros(len(parts))


def _effective(parts: np.ndarray) -> float:
    """Independent weeks that as many correlated ones are worth."""
    weeks = len(parts)
    scale = float(np.abs(parts).max())
    if scale == 0:
        return float(weeks)
    z = parts / scale
    first = float((z[:-1] * z[1:]).sum() / (z**2).sum())
    r = min(max(first + (1 + 3 * max(first, 0.0)) / weeks, 0.0), MOST_CORRELATION)
    return max(weeks * (1 - r) / (1 + r), LEAST_EFFECTIVE)
