"""Lambert's W₀ solves w·eʷ = z, also where checkpoint intervals need it: beside the branch point."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.numerics.lambert import lambert_w0, one_plus_w0


@given(st.floats(min_value=-0.36, max_value=1e300))
def test_it_is_the_inverse_of_w_times_e_to_the_w(z):
    w = lambert_w0(z)
    assert w >= -1
    assert w * math.exp(w) == pytest.approx(z, rel=1e-12, abs=1e-300)


@given(st.floats(min_value=-320, max_value=-3).map(lambda power: 10.0**power))
def test_beside_the_branch_point_the_series_holds_to_full_precision(x):
    p = math.sqrt(-2 * math.expm1(-x))  # Corless et al. (1996), eq. 4.22: W = −1 + p − p²/3 + 11 p³/72 − …
    series = p - p**2 / 3 + 11 * p**3 / 72 - 43 * p**4 / 540
    assert one_plus_w0(x) == pytest.approx(series, rel=p**4 / 10 + 1e-14)


@given(st.floats(min_value=0, max_value=1e308))
def test_it_solves_its_equation_and_stays_within_zero_and_one(x):
    w = one_plus_w0(x)
    assert 0 <= w <= 1
    assert (1 - w) * math.exp(w) == pytest.approx(math.exp(-x), rel=1e-14, abs=4e-16)
