"""Intervals by weeks: the formula, term by term, and how often they hold the mean."""

import math
from itertools import pairwise

import numpy as np
import pytest

from physics.cluster import mean_over_weeks
from physics.cluster.weeks import WEEK, effective_weeks, half_width, of_weeks, over_weeks, week_of
from physics.numerics import student_quantile


def by_hand(total, number, confidence=0.95):
    """The formula of `mean_over_weeks` with plain sums."""
    m = len(total)
    mean = sum(total) / sum(number)
    z = [(t - mean * n) / (sum(number) / m) for t, n in zip(total, number, strict=True)]
    squares = sum(one * one for one in z)
    r1 = sum(one * other for one, other in pairwise(z)) / squares
    r = min(max(r1 + (1 + 3 * max(r1, 0)) / m, 0), 0.97)
    e = max(m * (1 - r) / (1 + r), 2)
    half = student_quantile((1 + confidence) / 2, e - 1) * math.sqrt(squares / (m * (e - 1)))
    return mean, mean - half, mean + half


def weeks_of(rng, count, correlation):
    """Gaussian weeks with mean 0, each correlated with the one before."""
    values = [rng.normal()]
    while len(values) < count:
        values.append(correlation * values[-1] + math.sqrt(1 - correlation**2) * rng.normal())
    return values


def coverage(count, correlation, trials, seed=1):
    rng = np.random.default_rng(seed)
    inside = 0
    for _ in range(trials):
        _, low, high = mean_over_weeks(weeks_of(rng, count, correlation), np.ones(count))
        inside += low <= 0 <= high
    return inside / trials


@pytest.mark.parametrize("correlation", [0, 0.6, 0.99])
@pytest.mark.parametrize("count", [8, 13, 52])
def test_the_interval_is_the_formulas(count, correlation):
    rng = np.random.default_rng(count)
    number = rng.integers(0, 90, count).astype(float)
    total = (np.array(weeks_of(rng, count, correlation)) + 3) * number
    for confidence in (0.5, 0.95, 0.99):
        assert mean_over_weeks(total, number, confidence) == pytest.approx(
            by_hand(total, number, confidence)
        )


def test_below_eight_weeks_there_is_no_interval():
    mean, low, high = mean_over_weeks([2, 4] * 3 + [2], [1] * 7)
    assert mean == pytest.approx(20 / 7) and math.isnan(low) and math.isnan(high)
    assert all(map(math.isnan, mean_over_weeks([0] * 9, [0] * 9)))


@pytest.mark.parametrize("value", [0.0, 0.1, -1e9, 1e200])
def test_without_spread_there_is_no_width(value):
    number = np.arange(1, 13)
    mean, low, high = mean_over_weeks(value * number, number)
    assert low == mean == high == pytest.approx(value)


def test_an_interval_has_the_unit_of_its_values_however_large():
    one, other = (mean_over_weeks(scale * np.arange(20.0), [3] * 20) for scale in (1.0, 1e200))
    assert other == pytest.approx([1e200 * end for end in one])


@pytest.mark.parametrize("correlation", [0, 0.5, 0.85])
def test_intervals_hold_the_mean_about_as_often_as_they_say(correlation):
    # A bootstrap of blocks of weeks held it in 83% of independent and 38% of strongly correlated
    # logs of 8 weeks.
    assert coverage(8, correlation, 250) > {0: 0.92, 0.5: 0.84, 0.85: 0.74}[correlation]
    assert coverage(52, correlation, 100) > {0: 0.88, 0.5: 0.86, 0.85: 0.84}[correlation]


def test_weeks_that_are_alike_are_worth_fewer():
    rng = np.random.default_rng(4)
    assert effective_weeks(rng.normal(size=100), np.ones(100)) > 60
    assert 2 <= effective_weeks(np.array(weeks_of(rng, 100, 0.9)), np.ones(100)) < 20
    assert (
        effective_weeks(5 * np.ones(30), np.ones(30)) == 30
        and effective_weeks(np.zeros(9), np.zeros(9)) == 0
    )


def test_jobs_without_a_value_are_left_out():
    values = np.array([1.0, np.nan, 3.0, math.inf])
    assert over_weeks(values, np.arange(4))[0] == 2


def test_what_is_computed_without_each_week_in_turn_has_the_interval_of_its_mean():
    columns = np.random.default_rng(5).normal(10, 1, (30, 2))
    low, high = of_weeks(columns, lambda total, _: total / 30)
    assert (low + high) / 2 == pytest.approx(columns[:, 0].mean())
    part = columns[:, 0] - columns[:, 0].mean()
    assert (high - low) / 2 == pytest.approx(half_width(part) * 29 / 30)
    assert all(map(math.isnan, of_weeks(columns, lambda total, _: math.inf)))
    assert all(map(math.isnan, of_weeks(columns[:7], lambda total, _: total)))


def test_weeks_are_counted_from_the_first_submission_or_from_the_beginning():
    assert week_of(np.array([5.0, 5 + WEEK - 1, 5 + WEEK]), 5.0).tolist() == [0, 0, 1]
    assert week_of(np.array([0.0, WEEK, 3 * WEEK]), begin=WEEK).tolist() == [0, 0, 2]
