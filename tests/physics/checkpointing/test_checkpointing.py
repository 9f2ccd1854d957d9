"""Intervals, a run's expected time, where spot breaks even, spares, and gangs: published formulas,
laws, limits.
"""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.checkpointing import (
    break_even_intervals,
    daly,
    expected_breakdown,
    expected_runtime,
    expected_runtime_short_tail,
    optimal_interval,
    replicas_for,
    spot_cost,
    young,
)
from physics.checkpointing.spares import binomial_tail, gang_start_probability

HOURS = {"work": 100.0, "dump": 0.05, "restart": 0.1, "mtbf": 5.0}
lengths = st.floats(min_value=1e-3, max_value=1e6)
times = st.floats(min_value=1e-2, max_value=1e3)
short = st.floats(min_value=0, max_value=1e2)


# --- intervals ---
@given(lengths, lengths)
def test_no_other_interval_is_better_than_the_exact_one(dump, mtbf):
    best = optimal_interval(dump, mtbf)
    least = expected_runtime(1000.0, best, dump, 0, mtbf)
    for other in (best * 0.9, best * 1.1, young(dump, mtbf), daly(dump, mtbf)):
        assert least <= expected_runtime(1000.0, other, dump, 0, mtbf) * (1 + 1e-12)


@pytest.mark.parametrize("ratio", [0, 1e-18, 1e-12, 1e-6])
def test_for_very_short_dumps_all_three_meet(ratio):
    mtbf = 1e6
    first = young(ratio * mtbf, mtbf)
    assert optimal_interval(ratio * mtbf, mtbf) == pytest.approx(first, rel=math.sqrt(ratio))
    assert daly(ratio * mtbf, mtbf) == pytest.approx(first, rel=math.sqrt(ratio))


def test_dalys_estimate_is_near_while_dumps_are_short_and_the_mtbf_from_twice_the_mtbf_on():
    for ratio in (0.01, 0.1, 0.3, 0.49):
        assert daly(ratio, 1) == pytest.approx(optimal_interval(ratio, 1), rel=0.01)
    assert daly(20, 10) == daly(1e9, 10) == 10
    assert daly(math.nextafter(20, 0), 10) == pytest.approx(
        10 * 8 / 9
    )  # 2 M · (1 + 1/3 + 1/9) − 2 M


def test_dumps_much_longer_than_the_mtbf_leave_the_mtbf_as_the_interval():
    assert optimal_interval(1000, 1) == 1
    assert optimal_interval(1e300, 1e-300) == 1e-300
    assert optimal_interval(3, 1) == pytest.approx(1 - math.exp(-4), rel=1e-3)


# --- the expected time ---
@given(times, times, short, short, times)
def test_it_is_the_published_formula(work, interval, dump, restart, mtbf):
    # To be compared where the formula as it stands neither overflows nor cancels.
    if max(interval + dump, restart) / mtbf < 300 and (interval + dump) / mtbf > 1e-4:
        expected = (
            mtbf
            * math.exp(restart / mtbf)
            * (math.exp((interval + dump) / mtbf) - 1)
            * work
            / interval
        )
        assert expected_runtime(work, interval, dump, restart, mtbf) == pytest.approx(
            expected, rel=1e-9
        )


@given(times, times, short, short, times, short)
def test_interruptions_come_at_their_rate(work, interval, dump, restart, mtbf, notice):
    where = expected_breakdown(work, interval, dump, restart, mtbf, notice)
    assert min(where.work, where.dumps, where.lost, where.restarts, where.interruptions) >= 0
    if not 0 < dump <= notice:  # else emergency dumps are time in which nothing is interrupted
        assert where.interruptions * mtbf == pytest.approx(float(where), rel=1e-9)


def test_the_lost_time_keeps_its_digits_when_interruptions_are_rare():
    assert expected_runtime(100, 1, 0.1, 3, 1e15) == pytest.approx(110, rel=1e-12)
    where = expected_breakdown(
        100, 1, 0, 0, 1e12
    )  # each interruption loses half an interval: T/M · τ/2
    assert where.lost == pytest.approx(100 / 1e12 / 2, rel=1e-9)


@given(times, times, short, short, times)
def test_cutting_the_last_segment_short_changes_the_formula_by_less_than_one_segment(
    work, interval, dump, restart, mtbf
):
    if (interval + dump + restart) / mtbf < 300:
        run = dump, restart, mtbf
        apart = expected_runtime_short_tail(work, interval, *run) - expected_runtime(
            work, interval, *run
        )
        assert abs(apart) <= expected_runtime(interval, interval, *run) * (1 + 1e-6)
        whole = expected_runtime(3 * interval, interval, *run)
        assert expected_runtime_short_tail(3 * interval, interval, *run) == pytest.approx(
            whole, rel=1e-9
        )


def test_a_notice_saves_all_work_if_it_suffices_and_nothing_if_it_is_shorter_than_the_dump():
    assert expected_runtime(interval=1, notice=0.0499, **HOURS) == expected_runtime(
        interval=1, **HOURS
    )
    where = expected_breakdown(interval=1, notice=0.05, **HOURS)
    track = 100 * 1.05  # work and periodic dumps, all of it interrupted at rate 1/5
    assert where.lost == 0
    assert where.dumps == pytest.approx(100 * 0.05 + track / 5 * 0.05)
    assert where.restarts == pytest.approx(track * math.expm1(0.1 / 5))


@given(times, times, short, short, times)
def test_with_a_notice_that_suffices_a_longer_interval_is_never_worse(
    work, interval, dump, restart, mtbf
):
    now, longer = (
        expected_runtime(work, tau, dump, restart, mtbf, notice=100)
        for tau in (interval, 2 * interval)
    )
    assert longer <= now * (1 + 1e-12)


# --- what it costs ---
def test_a_price_of_nothing_costs_nothing_even_for_a_run_that_never_ends():
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


def test_the_ends_of_break_even_with_a_notice_without_dumps_and_where_spot_is_dearer():
    shortest, longest = break_even_intervals(0.02, 0.1, 5, 1, 3, notice=1 / 30)
    assert longest == math.inf
    assert expected_runtime(1, shortest, 0.02, 0.1, 5, notice=1 / 30) == pytest.approx(3, rel=1e-9)
    shortest, longest = break_even_intervals(0, 0.1, 5, 1, 3)
    assert shortest == 0 and expected_runtime(1, longest, 0, 0.1, 5) == pytest.approx(3, rel=1e-9)
    assert break_even_intervals(0.01, 0.1, 5, 3, 3, notice=1) is None
    assert break_even_intervals(0.05, 0.1, 1e-300, 1, 3) is None


def exact(successes: int, trials: int, p: Fraction) -> Fraction:
    chances = (
        math.comb(trials, i) * p**i * (1 - p) ** (trials - i) for i in range(successes, trials + 1)
    )
    return sum(chances, Fraction(0))


@given(st.integers(1, 12), st.integers(30, 99), st.integers(1, 9999), st.integers(1, 5))
def test_replicas_are_the_fewest_by_exact_fractions(needed, percent, target, block):
    up = Fraction(percent, 100)
    aim = Fraction(target, 10_000)
    blocks = 0
    while exact(-(-needed // block), blocks, up) < aim:
        blocks += 1
    assert replicas_for(needed, percent / 100, target / 10_000, block) == blocks * block


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 100))
def test_the_tail_is_that_of_exact_fractions(successes, trials, percent):
    tail = exact(successes, trials, Fraction(percent, 100))
    assert binomial_tail(successes, trials, percent / 100) == pytest.approx(
        float(tail), rel=1e-11, abs=1e-300
    )


@pytest.mark.parametrize("needed", [1, 180, 200, 201, 400, 1000])
def test_large_clusters_keep_their_relative_accuracy(needed):
    tail = exact(needed, 1000, Fraction(1, 5))
    assert gang_start_probability(0.2, 1000, needed) == pytest.approx(float(tail), rel=1e-10)


def by_blocks(free: float, nodes: int, needed: int, block: int) -> float:
    """Every pattern of free and busy blocks, one by one."""
    sizes = [block] * (nodes // block) + ([nodes % block] if nodes % block else [])
    return sum(
        math.prod(free if state else 1 - free for state in states)
        for states in product((0, 1), repeat=len(sizes))
        if sum(size for size, state in zip(sizes, states, strict=True) if state) >= needed
    )


@given(st.integers(0, 100), st.integers(1, 30), st.integers(0, 32), st.integers(3, 12))
def test_blocks_agree_with_every_pattern_of_free_blocks(percent, nodes, needed, block):
    found = gang_start_probability(percent / 100, nodes, needed, block)
    assert found == pytest.approx(by_blocks(percent / 100, nodes, needed, block), abs=1e-12)


@pytest.mark.parametrize("nines", [1, 2, 5, 12])
def test_a_chance_equal_to_the_target_but_for_rounding_meets_it(nines):
    assert replicas_for(1, 0.9, 1 - 10.0**-nines) == nines
    assert replicas_for(7, 1, 1, 4) == 8
