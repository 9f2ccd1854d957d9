"""The expected time of a checkpointed run: formula, parts, limits."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.checkpointing import expected_breakdown, expected_runtime, expected_runtime_short_tail

HOURS = {"work": 100.0, "dump": 0.05, "restart": 0.1, "mtbf": 5.0}
times = st.floats(min_value=1e-2, max_value=1e3)
short = st.floats(min_value=0, max_value=1e2)


def formula(work, interval, dump, restart, mtbf):
    """The published formula as it stands, to be compared where it neither overflows nor cancels."""
    return mtbf * math.exp(restart / mtbf) * (math.exp((interval + dump) / mtbf) - 1) * work / interval


@given(times, times, short, short, times)
def test_it_is_the_published_formula(work, interval, dump, restart, mtbf):
    if max(interval + dump, restart) / mtbf < 300 and (interval + dump) / mtbf > 1e-4:
        expected = formula(work, interval, dump, restart, mtbf)
        assert expected_runtime(work, interval, dump, restart, mtbf) == pytest.approx(expected, rel=1e-9)


@given(times, times, short, short, times, short)
def test_the_parts_add_up_and_interruptions_come_at_their_rate(work, interval, dump, restart, mtbf, notice):
    where = expected_breakdown(work, interval, dump, restart, mtbf, notice)
    total = expected_runtime(work, interval, dump, restart, mtbf, notice)
    assert min(where.work, where.dumps, where.lost, where.restarts, where.interruptions) >= 0
    assert where.runtime == pytest.approx(total, rel=1e-9)
    assert float(where) == where.runtime
    if not 0 < dump <= notice:  # else emergency dumps are time in which nothing is interrupted
        assert where.interruptions * mtbf == pytest.approx(total, rel=1e-9)


def test_without_interruptions_only_work_and_dumps_are_left():
    assert expected_runtime(100, 1, 0.1, 3, 1e15) == pytest.approx(110, rel=1e-12)
    assert expected_breakdown(100, 1, 0.1, 3, 1e300).lost == pytest.approx(0, abs=1e-200)


def test_the_lost_time_keeps_its_digits_when_interruptions_are_rare():
    where = expected_breakdown(100, 1, 0, 0, 1e12)  # each interruption loses half an interval: T/M · τ/2
    assert where.lost == pytest.approx(100 / 1e12 / 2, rel=1e-9)


@pytest.mark.parametrize("mtbf", [1e-3, 1e-300, 5e-324])
@pytest.mark.parametrize("restart", [0, 0.1])
def test_a_tiny_mtbf_makes_the_run_infinite_and_raises_nothing(mtbf, restart):
    assert expected_runtime(100, 16, 0.05, restart, mtbf) == math.inf
    assert expected_breakdown(100, 16, 0.05, restart, mtbf).lost == math.inf
    assert expected_breakdown(100, 16, 0.05, restart, mtbf).restarts == (math.inf if restart else 0)
    assert expected_runtime_short_tail(100, 16, 0.05, restart, mtbf) == math.inf


def test_a_run_with_a_short_last_segment_equals_the_formula_when_segments_are_whole():
    for interval in (2 / 3, 0.1, 1, 4, 100):
        exact = expected_runtime(interval=interval, **HOURS)
        assert expected_runtime_short_tail(interval=interval, **HOURS) == pytest.approx(exact, rel=1e-9)


@given(times, times, short, short, times)
def test_cutting_the_last_segment_short_changes_the_formula_by_less_than_one_segment(
    work, interval, dump, restart, mtbf
):
    if (interval + dump + restart) / mtbf < 300:
        one = expected_runtime(interval, interval, dump, restart, mtbf)
        short_tail = expected_runtime_short_tail(work, interval, dump, restart, mtbf)
        assert abs(short_tail - expected_runtime(work, interval, dump, restart, mtbf)) <= one * (1 + 1e-6)


def test_a_notice_shorter_than_the_dump_changes_nothing():
    for notice in (0, 0.01, 0.0499):
        assert expected_runtime(interval=1, notice=notice, **HOURS) == expected_runtime(interval=1, **HOURS)


def test_a_notice_that_suffices_costs_a_dump_and_a_restart_an_interruption():
    where = expected_breakdown(interval=1, notice=0.05, **HOURS)
    track = 100 * 1.05  # work and periodic dumps, all of it interrupted at rate 1/5
    assert where.lost == 0
    assert where.dumps == pytest.approx(100 * 0.05 + track / 5 * 0.05)
    assert where.restarts == pytest.approx(track * math.expm1(0.1 / 5))
    assert where.runtime == pytest.approx(track * (math.exp(0.1 / 5) + 0.05 / 5))


@given(times, times, short, short, times)
def test_with_a_notice_that_suffices_a_longer_interval_is_never_worse(work, interval, dump, restart, mtbf):
    now, longer = (expected_runtime(work, tau, dump, restart, mtbf, notice=100) for tau in (interval, 2 * interval))
    assert longer <= now * (1 + 1e-12)
