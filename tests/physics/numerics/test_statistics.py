"""Student's t against its printed table, and the interval of a mean."""

import math

import numpy as np
import pytest

from physics.numerics.roots import rising_root
from physics.numerics.statistics import mean_interval, student_cdf, student_quantile

# Percentage points of the t-distribution: Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, table 26.10.
TABLE = {
    1: (6.314, 12.706, 63.657),
    2: (2.920, 4.303, 9.925),
    3: (2.353, 3.182, 5.841),
    4: (2.132, 2.776, 4.604),
    9: (1.833, 2.262, 3.250),
    10: (1.812, 2.228, 3.169),
    19: (1.729, 2.093, 2.861),
    30: (1.697, 2.042, 2.750),
    120: (1.658, 1.980, 2.617),
}


@pytest.mark.parametrize("freedom", TABLE)
def test_quantiles_agree_with_the_printed_table(freedom):
    ours = [student_quantile(probability, freedom) for probability in (0.95, 0.975, 0.995)]
    assert [round(t, 3) for t in ours] == list(TABLE[freedom])


@pytest.mark.parametrize("freedom", [1, 2, 5, 9, 40])
def test_quantiles_undo_the_distribution_on_both_sides(freedom):
    for probability in (0.001, 0.2, 0.5, 0.8, 0.9995):
        assert student_cdf(student_quantile(probability, freedom), freedom) == pytest.approx(probability, abs=1e-12)


def integrated(t, freedom):
    """Student's distribution function by Gauss–Legendre quadrature of its density, in the angle of t ÷ √ν."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    angle = math.atan2(t, math.sqrt(freedom))
    area = (np.cos((nodes + 1) * angle / 2) ** (freedom - 1) * weights).sum() * angle / 2
    half = math.sqrt(math.pi) / 2 * math.exp(math.lgamma(freedom / 2) - math.lgamma((freedom + 1) / 2))
    return 0.5 + area / half / 2


@pytest.mark.parametrize("freedom", [1, 1.5, 2.7, 6.04, 19.9, 51.2])
def test_degrees_of_freedom_need_not_be_whole(freedom):
    for t in (0.1, 1.0, 2.2, 9.0):
        assert student_cdf(t, freedom) == pytest.approx(integrated(t, freedom), abs=1e-12)
        assert student_cdf(-t, freedom) == pytest.approx(1 - integrated(t, freedom), abs=1e-12)
    assert integrated(student_quantile(0.975, freedom), freedom) == pytest.approx(0.975, abs=1e-12)


def test_many_degrees_of_freedom_are_nearly_normal():
    assert student_quantile(0.975, 100_000) == pytest.approx(1.959964, abs=1e-4)


def test_the_interval_of_a_mean_is_students():
    mean, half = mean_interval([2.0, 4.0, 6.0, 8.0], 0.95)
    assert mean == 5.0
    assert half == pytest.approx(3.182 * math.sqrt(20 / 3) / 2, rel=2e-4)
    assert mean_interval([3.0]) == (3.0, math.inf)


def test_a_root_is_found_where_the_function_is_flat_steep_or_kinked():
    assert rising_root(lambda x: x**9, -1.0, 2.0) == pytest.approx(0.0, abs=1e-4)
    assert rising_root(lambda x: math.expm1(50 * (x - 0.3)), 0.0, 10.0) == pytest.approx(0.3, rel=1e-14)
    assert rising_root(lambda x: -745.0 if x < 3 else x - 3.5, 0.0, 700.0) == pytest.approx(3.5, rel=1e-14)
