"""Sharing a GPU: the roofline's demands, max-min fair speeds, taking turns, and pairs by
enumeration.
"""

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.gpu_sharing import Demand, Pairing, corun, fits, pairings, roofline_demand, time_slice

H100 = 989e12, 3.35e12
shares = st.one_of(st.just(0.0), st.floats(0.01, 1))
demands = st.builds(Demand, shares, shares)


@given(st.floats(1e-3, 1e6), st.floats(1e9, 1e16), st.floats(1e9, 1e14))
def test_a_kernel_fills_one_of_the_two_and_moves_intensity_bytes(intensity, peak, bandwidth):
    demand = roofline_demand(intensity, peak, bandwidth)
    assert max(demand) == 1
    assert demand.compute * peak == pytest.approx(intensity * demand.memory * bandwidth)


def test_the_ridge_of_an_h100_is_295_operations_a_byte():
    assert roofline_demand(H100[0] / H100[1], *H100) == Demand(1, 1)
    assert H100[0] / H100[1] == pytest.approx(295, abs=0.5)


def test_a_job_that_uses_no_full_resource_goes_on_by_hand():
    # memory is full at 1 ÷ 1.6; the job that does not touch it goes on until compute is full: (1 −
    # 0.5 ÷ 1.6) ÷ 0.7
    assert corun([(0.5, 0.8), (0.0, 0.8), (0.7, 0.0)]) == pytest.approx(
        [0.625, 0.625, 0.6875 / 0.7]
    )


@given(st.lists(demands, max_size=6))
def test_nothing_is_overfull_and_whoever_is_slowed_shares_a_full_resource_with_no_faster_one(
    jobs,
):
    speeds = corun(jobs)
    loads = [sum(job[r] * speed for job, speed in zip(jobs, speeds, strict=True)) for r in range(2)]
    assert all(load <= 1 + 1e-9 for load in loads)
    for job, speed in zip(jobs, speeds, strict=True):
        assert 0 < speed <= 1
        users = [
            [other for one, other in zip(jobs, speeds, strict=True) if one[r]] for r in range(2)
        ]
        bottleneck = [
            loads[r] > 1 - 1e-9 and speed >= max(users[r]) - 1e-9 for r in range(2) if job[r]
        ]
        assert speed == 1 or any(bottleneck)


@given(st.floats(1e-4, 1), st.floats(0, 1), st.integers(2, 20))
def test_a_round_is_every_turn_and_every_switch(quantum, switch, jobs):
    share, wait = time_slice(quantum, switch, jobs)
    assert (wait + quantum) * share == pytest.approx(jobs * quantum)
    assert time_slice(quantum, switch, 1) == (1, 0)


def by_permutations(jobs):
    """Throughput of every order of the jobs, neighbors sharing a GPU: each way to pair appears
    equally often.
    """
    totals = [
        sum(sum(corun(order[k : k + 2])) for k in range(0, len(order), 2))
        for order in permutations(jobs, len(jobs))
    ]
    return max(totals), min(totals), math.fsum(totals) / len(totals)


@given(st.sampled_from([2, 4, 6]).flatmap(lambda n: st.lists(demands, min_size=n, max_size=n)))
def test_pairings_are_those_of_all_permutations(jobs):
    assert pairings(jobs, len(jobs) // 2) == pytest.approx(by_permutations(jobs))
    assert pairings([Demand(1, 1)] * 12, 6) == pytest.approx(Pairing(6, 6, 6))


@given(st.lists(st.floats(0, 100), max_size=8), st.floats(1, 300), st.data())
def test_what_runs_fits_and_what_fails_would_not(needs, capacity, data):
    limits = [data.draw(st.one_of(st.none(), st.floats(0, 100))) for _ in needs]
    run = fits(needs, capacity, limits)
    for i, (need, limit, ran) in enumerate(zip(needs, limits, run, strict=True)):
        before = sum(need for need, ran in zip(needs[:i], run[:i], strict=True) if ran)
        assert not ran or before + need <= capacity * (1 + 1e-9)
        assert ran or before + need > capacity * (1 - 1e-9) or need > limit
