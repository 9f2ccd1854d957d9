"""Confidence ranges of means over a log, from its weeks.

Jobs of one week have much in common, and so have weeks that follow each other: a log is worth fewer
weeks than it has.
"""

import math
from collections.abc import Callable

import numpy as np

from physics.arguments import Finites, InnerShare, NonNegatives, within_range
from physics.numerics import student_quantile

WEEK = 604_800.0  #: [s]
#: Fewest weeks for which a range is computed.
LEAST_WEEKS = 13
CONFIDENCE = 0.95
#: Bounds of the correlation of neighboring weeks (at most) and of effective weeks (at least).
MOST_CORRELATION = 0.97
LEAST_EFFECTIVE = 2.0
#: Weeks that a prior correlation of neighboring weeks counts for, and the correlation: a
#: calibration of this app's own, on queues from idle to nearly full.
PRIOR_WEEKS = 16
PRIOR = 0.8
#: Skewness that counts as none.
NO_SKEW = 1e-9
#: Spreads below this share of the values are rounding errors.
ROUNDING = 1e-14


def week_of(submit: np.ndarray, begin: float) -> np.ndarray:
    """Week number of each submission, counted from `begin`, which precedes all of them."""
    return np.floor(np.maximum(submit - begin, 0.0) / WEEK).astype(np.int64)


@within_range
def mean_over_weeks(
    total: Finites, number: NonNegatives, confidence: InnerShare = CONFIDENCE
) -> tuple[float, float, float]:
    """Mean over jobs from weekly sums, and the confidence range of the long-run mean [any unit].

    Args:
        total: Sum of the values of each week's jobs, any unit; weeks follow each other.
        number: Jobs of each week [1].
        confidence: Nominal chance that the range holds the long-run mean, above 0 and below 1.

    Returns: Mean, lower and upper end. The ends are NaN below 13 weeks; all three are NaN where no
    week has a job.

    Raises ValueError if total and number are not equally long, are empty or hold anything but
    finite numbers; for a number below 0, or a confidence that is not above 0 and below 1.

    mean = Σ total ÷ Σ number. What week w adds to it is z_w = (total_w − mean × number_w) ÷ (Σ
    number ÷ m), with m weeks. Neighboring weeks are correlated by r₁ = Σ z_w z_{w+1} ÷ Σ z_w²,
    which short logs make too small: it is corrected by (1 + 3 max(r₁, 0)) ÷ m, to 0 to 0.97. Queues
    have correlations that a few weeks do not show: r = max(r₁, (m r₁ + 12.8) ÷ (m + 16)), as if 16
    weeks with a correlation of 0.8 had been seen before. That prior is a calibration of this app's
    own. As in an autoregressive process of first order, m such weeks are worth e = m (1 − r) ÷ (1 +
    r) independent ones, at least 2.

    Weekly waits are skewed. With s² = mean of z², g = mean of z³ ÷ s³, y = t ÷ √(e − 1), where t
    is the quantile of Student's distribution with e − 1 degrees of freedom, and Hall's G(x) = 3 ((1
    + g (x − g ÷ 6 e))^⅓ − 1) ÷ g, the range is from mean − s G(y) to mean − s G(−y), each end at
    least on its side of the mean. Without spread it has no width.

    Counted on simulated logs with steady demand (3,000 for each of 76 kinds), nominal 95% ranges
    of 13, 26 and 52 weeks hold the long-run mean in at least 95, 93 and 93% on Gaussian weeks, 96,
    93 and 94% on M/M/c queues that are 80 to 95% busy, and 87, 88 and 92% with log-normal lengths
    (SCV 10); where they miss, the truth is almost always farther from 0. Where demand itself swings
    by 20% from week to week, no formula of the weeks holds (49 to 85%).

    Source: Hall, "On the removal of skewness by transformation", Journal of the Royal Statistical
    Society B 54, 1992; Tafazzoli, Steiger, and Wilson, "N-Skart: a nonsequential skewness- and
    autoregression-adjusted batch-means procedure for simulation analysis", IEEE Transactions on
    Automatic Control 56, 2011; Bayley and Hammersley, "The effective number of independent
    observations in an autocorrelated time series", Supplement to the Journal of the Royal
    Statistical Society 8, 1946 (effective weeks); Marriott and Pope, "Bias in the estimation of
    autocorrelations", Biometrika 41, 1954 (its correction); Cochran, *Sampling Techniques*, 3rd
    edition, 1977, section 6.3 (a ratio of sums).

    >>> mean, low, high = mean_over_weeks([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9], [1] * 13)
    >>> round(mean, 2), round(low, 2), round(high, 2)
    (4.69, 0.31, 11.3)
    """
    if len(total) != len(number) or not len(total):
        raise ValueError(
            f"total and number must have one value a week each, got {len(total)} and {len(number)}"
        )
    sums = np.array(total)
    jobs = np.array(number)
    if not jobs.sum() > 0:
        return math.nan, math.nan, math.nan
    mean = float(sums.sum() / jobs.sum())
    below, above = distances(_parts(sums, jobs), confidence)
    return mean, mean - below, mean + above


def effective_weeks(total: np.ndarray, number: np.ndarray) -> float:
    """Number of independent weeks that a log is worth for a mean, e of `mean_over_weeks` [1].

    All weeks without any spread.

    >>> week, ones = np.arange(20), np.ones(20)
    >>> round(effective_weeks(week % 2, ones), 1), round(effective_weeks(week // 10, ones), 1)
    (9.5, 2.0)
    """
    if number.sum() > 0:
        return _effective(_parts(total, number))
    return 0.0


def distances(parts: np.ndarray, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Distances from a mean to both ends of its range, from what each week adds to the mean.

    The result is NaN below 13 weeks.
    """
    if len(parts) < LEAST_WEEKS:
        return math.nan, math.nan
    scale = float(np.abs(parts).max())
    if scale == 0:
        return 0.0, 0.0
    z = parts / scale
    weeks = _effective(parts)
    spread = math.sqrt(float((z**2).mean()))
    skew = float((z**3).mean()) / spread**3
    y = student_quantile((1 + confidence) / 2, weeks - 1) / math.sqrt(weeks - 1)
    below, above = (scale * spread * _without_skew(x, skew, weeks) for x in (y, -y))
    return max(below, 0.0), max(-above, 0.0)


def _without_skew(x: float, skew: float, weeks: float) -> float:
    """Hall's transformation G, which takes a quantile without skewness to one with it."""
    if abs(skew) < NO_SKEW:
        return x
    return 3 * (float(np.cbrt(1 + skew * (x - skew / (6 * weeks)))) - 1) / skew


def over_weeks(values: np.ndarray, week: np.ndarray) -> tuple[float, float, float]:
    """Mean of jobs' finite values and its range (`mean_over_weeks`)."""
    total, number = weekly_sums(values, week)
    return mean_over_weeks(total.tolist(), number.tolist())


def weekly_sums(values: np.ndarray, week: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sum and number of the finite values of each week."""
    finite = np.isfinite(values)
    weeks = int(week[-1]) + 1
    number = np.bincount(week[finite], minlength=weeks)
    return np.bincount(week[finite], values[finite], weeks), number


def of_weeks(columns: np.ndarray, value: Callable[..., float]) -> tuple[float, float]:
    """Lower and upper end of a statistic's range, by leaving out each week once (jackknife).

    `columns` holds a row of sums per week. The ends are NaN below 13 weeks, or if the statistic is
    not finite with all weeks or without one of them.
    """
    weeks = len(columns)
    sums = columns.sum(axis=0)
    whole = value(*sums.tolist())
    if weeks < LEAST_WEEKS or not math.isfinite(whole):
        return math.nan, math.nan
    without = np.array([value(*(sums - column).tolist()) for column in columns])
    if not np.isfinite(without).all():
        return math.nan, math.nan
    below, above = distances((weeks - 1) * (without.mean() - without))
    return whole - below, whole + above


def _parts(total: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Contribution of each week to the mean, z of `mean_over_weeks`, in units of the values."""
    mean = total.sum() / number.sum()
    size = number.sum() / len(number)
    expected = mean * number
    parts = (total - expected) / size
    rounding = ROUNDING * float(np.maximum(np.abs(total), np.abs(expected)).max()) / size
    if np.abs(parts).max() > rounding:
        return parts
    return np.zeros(len(parts))


def _effective(parts: np.ndarray) -> float:
    """Number of independent weeks that correlated weeks are worth, from their contributions."""
    weeks = len(parts)
    scale = float(np.abs(parts).max())
    if scale == 0:
        return float(weeks)
    z = parts / scale
    first = float((z[:-1] * z[1:]).sum() / (z**2).sum())
    corrected = min(max(first + (1 + 3 * max(first, 0.0)) / weeks, 0.0), MOST_CORRELATION)
    with_prior = (weeks * corrected + PRIOR_WEEKS * PRIOR) / (weeks + PRIOR_WEEKS)
    r = max(corrected, with_prior)
    return max(weeks * (1 - r) / (1 + r), LEAST_EFFECTIVE)
