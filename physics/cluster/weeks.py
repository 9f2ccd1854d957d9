"""Intervals of means over a log: a moving-block bootstrap over its weeks.

Jobs of one week have much in common, and so have weeks that follow each other; whole blocks of weeks are drawn again,
so that both stay as they are. A mean over jobs is a ratio of two weekly sums, and is computed anew for each draw.
"""

import math

import numpy as np

from physics.numerics import checks

WEEK = 604_800.0  #: [s]
#: Draws behind an interval, and weeks below which none is given.
DRAWS, LEAST_WEEKS = 1_000, 4
CONFIDENCE = 0.95


def week_of(submit: np.ndarray, begin: float | None = None) -> np.ndarray:
    """Number of the week of each submission, counted from the first one (or from `begin`)."""
    submit = np.asarray(submit, float)
    if not len(submit):
        return np.zeros(0, np.int64)
    return np.floor((submit - (submit.min() if begin is None else begin)) / WEEK).astype(np.int64)


def drawn_weeks(weeks: int, seed: int = 1) -> np.ndarray:
    """Draw blocks of following weeks until there are as many as the log has; how often each came.

    Parameters
    ----------
    weeks : int
        m, weeks of the log.
    seed : int
        Of the draws; the same for what is to be compared.

    Returns
    -------
    numpy.ndarray
        Of shape (1000, m): one row a draw, whose entries add up to m. No row for fewer than four weeks.

    Raises
    ------
    ValueError
        If weeks is not a whole number of at least 1, or seed is none.

    Notes
    -----
    Blocks have a length of m^(1/3) weeks, rounded.

    References
    ----------
    Künsch, "The jackknife and the bootstrap for general stationary observations", Annals of Statistics 17, 1989 (moving
    blocks); Hall, Horowitz and Jing, "On blocking rules for the bootstrap with dependent data", Biometrika 82, 1995
    (their length).

    Examples
    --------
    >>> drawn_weeks(10).sum(axis=1)[:3].tolist(), drawn_weeks(3).shape
    ([10, 10, 10], (0, 3))
    """
    weeks, seed = checks.count("weeks", weeks, most=100_000), checks.count("seed", seed, least=0, most=checks.MANY)
    if weeks < LEAST_WEEKS:
        return np.zeros((0, weeks), np.int64)
    rng = np.random.default_rng(seed)
    length = max(1, round(weeks ** (1 / 3)))
    first = rng.integers(weeks - length + 1, size=(DRAWS, math.ceil(weeks / length)))
    drawn = (first[:, :, None] + np.arange(length)).reshape(DRAWS, -1)[:, :weeks]
    flat = (drawn + weeks * np.arange(DRAWS)[:, None]).ravel()
    return np.bincount(flat, minlength=DRAWS * weeks).reshape(DRAWS, weeks)


def mean_interval(values: np.ndarray, week: np.ndarray, draws: np.ndarray) -> tuple[float, float, float]:
    """Mean of jobs' values and its 95 % interval.

    Parameters
    ----------
    values : array of float
        One a job, any unit; NaN ones are left out.
    week : array of int
        Week of each job.
    draws : array of shape (draws, weeks)
        From `drawn_weeks`.

    Returns
    -------
    tuple of float
        Mean, lower and upper end; NaN for no value, and for the ends if there are too few weeks.

    Examples
    --------
    >>> mean_interval(np.ones(20), np.arange(20) // 2, drawn_weeks(10))
    (1.0, 1.0, 1.0)
    """
    values = np.asarray(values, float)
    known = np.isfinite(values)
    if not known.any():
        return math.nan, math.nan, math.nan
    mean = float(values[known].mean())
    total = np.bincount(week[known], values[known], draws.shape[1])
    number = np.bincount(week[known], minlength=draws.shape[1])
    return mean, *ends(_ratio(draws @ total, draws @ number))


def ends(values: np.ndarray) -> tuple[float, float]:
    """Ends of the interval that holds the middle 95 % of drawn values; infinite ones count, NaN ones do not."""
    values = values[~np.isnan(values)]
    if not len(values):
        return math.nan, math.nan
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(values, [tail, 1 - tail], method="inverted_cdf")
    return float(low), float(high)


def _ratio(total: np.ndarray, number: np.ndarray) -> np.ndarray:
    return np.divide(total, number, out=np.full(len(total), np.nan), where=number > 0)
