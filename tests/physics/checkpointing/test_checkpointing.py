"""What spot machines cost: the hundred-hour run, the price on demand, break-even, gangs."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.checkpointing import break_even_intervals, expected_runtime, optimal_interval, spot_cost

HOURS = {"work": 100, "dump": 0.05, "restart": 0.1, "mtbf": 5}
SECONDS = {"work": 360_000, "dump": 180, "restart": 360, "mtbf": 18_000}


def test_cost_is_price_times_expected_time():
    assert spot_cost(interval=2, price=3, **HOURS) == 3 * expected_runtime(interval=2, **HOURS)
    assert spot_cost(interval=2, price=0, **(HOURS | {"mtbf": 1e-9})) == 0


@given(
    dump=st.floats(min_value=1e-6, max_value=10),
    restart=st.floats(min_value=0, max_value=10),
    mtbf=st.floats(min_value=0.1, max_value=1e4),
    ratio=st.floats(min_value=0.5, max_value=100),
)
def test_at_both_break_even_intervals_spot_costs_what_on_demand_does(dump, restart, mtbf, ratio):
    ends = break_even_intervals(dump, restart, mtbf, 1, ratio)
    least = expected_runtime(1, optimal_interval(dump, mtbf), dump, restart, mtbf)
    if ends is None:
        assert least > ratio
    else:
        assert ends[0] <= optimal_interval(dump, mtbf) <= ends[1]
        for end in ends:
            assert expected_runtime(1, end, dump, restart, mtbf) == pytest.approx(ratio, rel=1e-6)


def test_with_a_notice_that_suffices_no_interval_is_too_long():
    shortest, longest = break_even_intervals(0.02, 0.1, 5, 1, 3, notice=1 / 30)
    assert longest == math.inf
    assert expected_runtime(1, shortest, 0.02, 0.1, 5, notice=1 / 30) == pytest.approx(3, rel=1e-9)


def test_spot_that_is_dearer_at_every_interval_has_no_break_even():
    assert break_even_intervals(0.05, 0.1, 0.1, 1, 3) is None
    assert break_even_intervals(0.05, 0.1, 5, 3, 3) is None
    assert break_even_intervals(0.01, 0.1, 5, 3, 3, notice=1) is None
    assert break_even_intervals(0.05, 0.1, 1e-300, 1, 3) is None


def test_dumps_that_take_no_time_break_even_from_zero_on():
    shortest, longest = break_even_intervals(0, 0.1, 5, 1, 3)
    assert shortest == 0
    assert expected_runtime(1, longest, 0, 0.1, 5) == pytest.approx(3, rel=1e-9)
