"""Intervals by weeks: the formula, term by term, and how often they hold the mean."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from recorded import CASES, needs_cases

from physics.cluster import mean_over_weeks
from physics.cluster.weeks import WEEK, distances, effective_weeks, of_weeks, over_weeks, week_of
from physics.numerics import student_quantile


def by_hand(total, number, confidence=0.95):
    """The formula of `mean_over_weeks` with plain sums."""
    m = len(total)
    mean = sum(total) / sum(number)
    z = [(t - mean * n) / (sum(number) / m) for t, n in zip(total, number, strict=True)]
    squares = sum(one * one for one in z)
    r1 = sum(one * other for one, other in pairwise(z)) / squares
    r1 = min(max(r1 + (1 + 3 * max(r1, 0)) / m, 0), 0.97)
    r = max(r1, (m * r1 + 12.8) / (m + 16))
    e = max(m * (1 - r) / (1 + r), 2)
    s = math.sqrt(squares / m)
    g = sum(one**3 for one in z) / m / s**3
    y = student_quantile((1 + confidence) / 2, e - 1) / math.sqrt(e - 1)

    def transformed(x):
        return 3 * (np.cbrt(1 + g * (x - g / (6 * e))) - 1) / g

    low = mean - s * transformed(y)
    high = mean - s * transformed(-y)
    return mean, min(low, mean), max(high, mean)


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
@pytest.mark.parametrize("count", [13, 26, 52])
def test_the_interval_is_the_formulas(count, correlation):
    rng = np.random.default_rng(count)
    number = rng.integers(0, 90, count).astype(float)
    total = (np.array(weeks_of(rng, count, correlation)) + 3) * number
    for confidence in (0.5, 0.95, 0.99):
        assert mean_over_weeks(total, number, confidence) == pytest.approx(
            by_hand(total, number, confidence)
        )


def test_below_13_weeks_there_is_no_range():
    mean, low, high = mean_over_weeks([2, 4] * 6, [1] * 12)
    assert mean == pytest.approx(3) and math.isnan(low) and math.isnan(high)
    assert all(map(math.isnan, mean_over_weeks([0] * 9, [0] * 9)))


@pytest.mark.parametrize("value", [0.0, 0.1, -1e9, 1e200])
def test_without_spread_there_is_no_width(value):
    number = np.arange(1, 15)
    mean, low, high = mean_over_weeks(value * number, number)
    assert low == mean == high == pytest.approx(value)


def test_an_interval_has_the_unit_of_its_values_however_large():
    one, other = (mean_over_weeks(scale * np.arange(20.0), [3] * 20) for scale in (1.0, 1e200))
    assert other == pytest.approx([1e200 * end for end in one])


@needs_cases
def test_ranges_are_those_of_an_independent_computation():
    cases = json.loads((CASES / "interval.json").read_text(encoding="utf-8"))["cases"]
    for case in cases:
        found = mean_over_weeks(case["total"], case["number"], case["confidence"])
        assert found == pytest.approx([case[name] for name in ("mean", "low", "high")], rel=1e-6)
        weeks = effective_weeks(np.array(case["total"]), np.array(case["number"]))
        assert weeks == pytest.approx(case["effective_weeks"], rel=1e-6)


@pytest.mark.parametrize("correlation", [0, 0.5, 0.85])
def test_ranges_hold_the_mean_of_gaussian_weeks_at_least_as_often_as_they_say(correlation):
    # 250 logs: 0.95 less three standard errors
    assert coverage(13, correlation, 250) > 0.95 - 3 * math.sqrt(0.95 * 0.05 / 250)
    assert coverage(52, correlation, 100) > 0.93 - 3 * math.sqrt(0.93 * 0.07 / 100)


def test_a_range_of_skewed_weeks_reaches_farther_up_than_down():
    weeks = np.array([0.0] * 20 + [30.0, 1, 0, 2, 0, 1])
    mean, low, high = mean_over_weeks(weeks, np.ones(26))
    assert high - mean > 3 * (mean - low) > 0


def test_weeks_that_are_alike_are_worth_fewer():
    rng = np.random.default_rng(4)
    independent = effective_weeks(rng.normal(size=500), np.ones(500))
    assert 2 <= effective_weeks(np.array(weeks_of(rng, 500, 0.9)), np.ones(500)) < independent / 4
    assert effective_weeks(5 * np.ones(30), np.ones(30)) == 30
    assert effective_weeks(np.zeros(9), np.zeros(9)) == 0


def test_jobs_without_a_value_are_left_out():
    values = np.array([1.0, np.nan, 3.0, math.inf])
    assert over_weeks(values, np.arange(4))[0] == 2


def test_what_is_computed_without_each_week_in_turn_has_the_range_of_its_mean():
    columns = np.random.default_rng(5).normal(10, 1, (30, 2))
    low, high = of_weeks(columns, lambda total, _: total / 30)
    mean = columns[:, 0].mean()
    below, above = distances((columns[:, 0] - mean) * 29 / 30)
    assert (low, high) == pytest.approx((mean - below, mean + above))
    assert all(map(math.isnan, of_weeks(columns, lambda total, _: math.inf)))
    assert all(map(math.isnan, of_weeks(columns[:12], lambda total, _: total)))


def test_weeks_are_counted_from_the_first_submission_or_from_the_beginning():
    assert week_of(np.array([5.0, 5 + WEEK - 1, 5 + WEEK]), 5.0).tolist() == [0, 0, 1]
    assert week_of(np.array([0.0, WEEK, 3 * WEEK]), begin=WEEK).tolist() == [0, 0, 2]
