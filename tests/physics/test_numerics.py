"""Student's t against its printed table, the interval of a mean, and Lambert's W₀ beside the branch
point, too.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.numerics import lambert_w0, mean_interval, one_plus_w0, rising_root, student_quantile

# Percentage points of the t-distribution: Abramowitz and Stegun, Handbook of Mathematical
# Functions, 1964, table 26.10.
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


def integrated(t, freedom):
    """Student's distribution function by Gauss–Legendre quadrature of its density, in the angle of
    t ÷ √ν.
    """
    nodes, weights = np.polynomial.legendre.leggauss(200)
    angle = math.atan2(t, math.sqrt(freedom))
    area = (np.cos((nodes + 1) * angle / 2) ** (freedom - 1) * weights).sum() * angle / 2
    half = (
        math.sqrt(math.pi) / 2 * math.exp(math.lgamma(freedom / 2) - math.lgamma((freedom + 1) / 2))
    )
    return 0.5 + area / half / 2


@pytest.mark.parametrize("freedom", [1, 1.5, 2.7, 6.04, 9, 19.9, 51.2])
def test_quantiles_undo_the_distribution_on_both_sides_and_at_broken_degrees_of_freedom(freedom):
    for probability in (0.001, 0.2, 0.5, 0.8, 0.975, 0.9995):
        assert integrated(student_quantile(probability, freedom), freedom) == pytest.approx(
            probability, abs=1e-12
        )


def test_many_degrees_of_freedom_are_nearly_normal():
    assert student_quantile(0.975, 100_000) == pytest.approx(1.959964, abs=1e-4)


def test_the_interval_of_a_mean_is_students():
    mean, half = mean_interval([2.0, 4.0, 6.0, 8.0], 0.95)
    assert mean == 5.0
    assert half == pytest.approx(3.182 * math.sqrt(20 / 3) / 2, rel=2e-4)
    assert mean_interval([3.0]) == (3.0, math.inf)


def test_a_root_is_found_where_the_function_is_flat_steep_or_kinked():
    assert rising_root(lambda x: x**9, -1.0, 2.0) == pytest.approx(0.0, abs=1e-4)
    assert rising_root(lambda x: math.expm1(50 * (x - 0.3)), 0.0, 10.0) == pytest.approx(
        0.3, rel=1e-14
    )
    assert rising_root(lambda x: -745.0 if x < 3 else x - 3.5, 0.0, 700.0) == pytest.approx(
        3.5, rel=1e-14
    )


@given(st.floats(min_value=-0.36, max_value=1e300))
def test_it_is_the_inverse_of_w_times_e_to_the_w(z):
    w = lambert_w0(z)
    assert w >= -1
    assert w * math.exp(w) == pytest.approx(z, rel=1e-12, abs=1e-300)


@given(st.floats(min_value=-320, max_value=-3).map(lambda power: 10.0**power))
def test_beside_the_branch_point_the_series_holds_to_full_precision(x):
    p = math.sqrt(
        -2 * math.expm1(-x)
    )  # Corless et al. (1996), eq. 4.22: W = −1 + p − p²/3 + 11 p³/72 − …
    series = p - p**2 / 3 + 11 * p**3 / 72 - 43 * p**4 / 540
    assert one_plus_w0(x) == pytest.approx(series, rel=p**4 / 10 + 1e-14)


@given(st.floats(min_value=0, max_value=1e308))
def test_it_solves_its_equation_and_stays_within_zero_and_one(x):
    w = one_plus_w0(x)
    assert 0 <= w <= 1
    assert (1 - w) * math.exp(w) == pytest.approx(math.exp(-x), rel=1e-14, abs=4e-16)
