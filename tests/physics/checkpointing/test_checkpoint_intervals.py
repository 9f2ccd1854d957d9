"""Young's, Daly's and the exact interval between checkpoints."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.checkpointing import daly, expected_runtime, optimal_interval, young

MINUTE = 60.0
#: M → Young, Daly, exact; all in minutes, for dumps of 5 minutes.
PUBLISHED = {24 * 60: (120, 116.69, 116.69), 6 * 60: (60, 56.71, 56.71), 15: (12.25, 9.14, 9.167)}
lengths = st.floats(min_value=1e-3, max_value=1e6)


@pytest.mark.parametrize(("mtbf", "intervals"), PUBLISHED.items())
def test_the_three_intervals_at_the_settings_of_dalys_figures(mtbf, intervals):
    first, higher, exact = intervals
    dump, mtbf = 5 * MINUTE, mtbf * MINUTE
    assert young(dump, mtbf) / MINUTE == pytest.approx(first, abs=0.005)
    assert daly(dump, mtbf) / MINUTE == pytest.approx(higher, abs=0.005)
    assert optimal_interval(dump, mtbf) / MINUTE == pytest.approx(exact, abs=0.005)


@given(lengths, lengths)
def test_no_other_interval_is_better_than_the_exact_one(dump, mtbf):
    best = optimal_interval(dump, mtbf)
    least = expected_runtime(1000.0, best, dump, 0, mtbf)
    for other in (best * 0.9, best * 1.1, young(dump, mtbf), daly(dump, mtbf)):
        assert least <= expected_runtime(1000.0, other, dump, 0, mtbf) * (1 + 1e-12)


@given(lengths, lengths, lengths)
def test_all_three_scale_with_the_unit_of_time(dump, mtbf, unit):
    for interval in (young, optimal_interval):
        assert interval(dump * unit, mtbf * unit) == pytest.approx(unit * interval(dump, mtbf), rel=1e-9)
    if not 1.999 < dump / mtbf < 2.001:
        assert daly(dump * unit, mtbf * unit) == pytest.approx(unit * daly(dump, mtbf), rel=1e-9)


@pytest.mark.parametrize("ratio", [1e-18, 1e-12, 1e-6])
def test_for_very_short_dumps_all_three_meet(ratio):
    mtbf = 1e6
    first = young(ratio * mtbf, mtbf)
    assert optimal_interval(ratio * mtbf, mtbf) == pytest.approx(first, rel=math.sqrt(ratio))
    assert daly(ratio * mtbf, mtbf) == pytest.approx(first, rel=math.sqrt(ratio))


def test_dalys_estimate_is_within_one_percent_while_dumps_are_shorter_than_half_the_mtbf():
    for ratio in (0.01, 0.1, 0.3, 0.49):
        assert daly(ratio, 1) == pytest.approx(optimal_interval(ratio, 1), rel=0.01)


def test_dalys_second_case_starts_at_twice_the_mtbf_and_is_the_mtbf():
    assert daly(20, 10) == 10
    assert daly(1e9, 10) == 10
    assert daly(math.nextafter(20, 0), 10) == pytest.approx(10 * 8 / 9)  # 2 M · (1 + 1/3 + 1/9) − 2 M


def test_dumps_much_longer_than_the_mtbf_leave_the_mtbf_as_the_interval():
    assert optimal_interval(1000, 1) == 1
    assert optimal_interval(1e300, 1e-300) == 1e-300
    assert optimal_interval(3, 1) == pytest.approx(1 - math.exp(-4), rel=1e-3)


def test_dumps_that_take_no_time_are_written_all_the_time():
    assert young(0, 100) == daly(0, 100) == optimal_interval(0, 100) == 0
