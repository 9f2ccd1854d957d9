"""Think time: what three figures force upon every law, and the assumed mixture that has them."""

import itertools
import math

import numpy as np
import pytest

from physics.notebooks import ThinkTime, greatest_median, least_idle_share

MEAN, DEVIATION, MAXIMUM, HOUR = 15.0, 696.0, 40_000.0, 3600.0
SQUARE = MEAN**2 + DEVIATION**2


def laws_on_three_points(points):
    """Every distribution on three of these points with the published mean and mean square: points and chances.

    A linear objective under three equalities is least and greatest on such laws, so among all distributions on these
    points (the theorem of linear programming on basic solutions).
    """
    triples = np.array(list(itertools.combinations(sorted(set(points)), 3)))
    chances = np.empty_like(triples)
    for i in range(3):
        x, y, z = triples[:, i], triples[:, (i + 1) % 3], triples[:, (i + 2) % 3]
        chances[:, i] = (SQUARE - (y + z) * MEAN + y * z) / ((x - y) * (x - z))
    possible = (chances >= 0).all(axis=1)
    return triples[possible], chances[possible]


def test_no_law_with_the_three_figures_has_a_median_above_5_8_seconds():
    bound = greatest_median(MEAN, DEVIATION, MAXIMUM)
    assert bound == pytest.approx(5.7722, abs=1e-4) and greatest_median(10, 0, 1000) == 10
    grid = np.concatenate([[0], np.geomspace(0.01, MAXIMUM, 70)])
    for median in (bound, bound * 1.001, 5.8, 15, 720, 3600):
        points, chances = laws_on_three_points([*grid, median])
        greatest = (chances * (points >= median)).sum(axis=1).max()
        if median == bound:
            assert greatest == pytest.approx(0.5, abs=1e-9)  # taken on: no lower bound is true
        else:
            assert greatest < 0.5


def test_every_law_with_the_three_figures_has_at_least_78_9_percent_of_its_idle_time_in_gaps_over_an_hour():
    bound = least_idle_share(HOUR, MEAN, DEVIATION, MAXIMUM)
    assert bound == pytest.approx(0.78872, abs=1e-5) and least_idle_share(MAXIMUM) == 0
    points, chances = laws_on_three_points([0, HOUR, *np.geomspace(0.01, MAXIMUM, 70)])
    least = (points * chances * (points > HOUR)).sum(axis=1).min() / MEAN
    assert least == pytest.approx(bound, abs=1e-9)


def test_the_assumed_mixture_has_the_three_figures_and_a_median_below_a_second():
    law = ThinkTime(mean=MEAN, deviation=DEVIATION, maximum=MAXIMUM)
    short = law.short_median * math.exp(law.short_sigma**2 / 2)
    short_square = law.short_median**2 * math.exp(2 * law.short_sigma**2)
    gap = (law.gap_least + MAXIMUM) / 2
    gap_square = (MAXIMUM**3 - law.gap_least**3) / (3 * (MAXIMUM - law.gap_least))
    assert (1 - law.gap_share) * short + law.gap_share * gap == pytest.approx(MEAN)
    assert (1 - law.gap_share) * short_square + law.gap_share * gap_square == pytest.approx(SQUARE)
    assert law == ThinkTime()
    assert law.median == pytest.approx(0.5, abs=0.001)
    assert least_idle_share(HOUR) < law.idle_share(HOUR) < 1 and law.idle_share(0) == pytest.approx(1)
    assert 8 * HOUR < law.gap_least < 9 * HOUR  # a night


def test_samples_have_the_moments_of_the_mixture():
    law, n = ThinkTime(), 200_000
    draws = law.sample(n, np.random.default_rng(7))
    assert draws.min() > 0 and draws.max() <= MAXIMUM
    # 3.29 standard errors hold 99.9% of all runs; the fourth moment is at most M² E X².
    assert draws.mean() == pytest.approx(MEAN, abs=3.29 * DEVIATION / math.sqrt(n))
    assert (draws**2).mean() == pytest.approx(SQUARE, abs=3.29 * MAXIMUM * math.sqrt(SQUARE / n))
    gaps = draws > HOUR
    expected = law.gap_share * n
    assert gaps.sum() == pytest.approx(expected, abs=3.29 * math.sqrt(expected))
    below = (draws <= law.median).mean()
    assert below == pytest.approx(0.5, abs=3.29 * 0.5 / math.sqrt(n))
    for threshold in (1, 5, HOUR, 35_000):
        share = draws[draws > threshold].sum() / n / MEAN
        assert share == pytest.approx(law.idle_share(threshold), abs=3.29 * DEVIATION / math.sqrt(n) / MEAN)
        longer = law.pause_share(threshold)
        assert (draws > threshold).mean() == pytest.approx(longer, abs=3.29 * math.sqrt(longer / n))
        beyond = np.maximum(draws - threshold, 0).sum() / n / MEAN
        assert beyond == pytest.approx(law.recovered(threshold), abs=3.29 * DEVIATION / math.sqrt(n) / MEAN)


def test_a_short_pause_beyond_the_maximum_is_drawn_again():
    law = ThinkTime(mean=1.158, deviation=1.825, maximum=10, short_median=0.5, short_sigma=1)  # 1 in 741 beyond
    draws = law.sample(50_000, np.random.default_rng(5))
    assert draws.min() > 0 and draws.max() <= 10
