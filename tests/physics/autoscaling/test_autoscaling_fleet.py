"""The cheapest fleet, latency and the summary, against brute force and the queueing model."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.autoscaling import HPA, reserve, simulate_autoscaler
from physics.autoscaling.fleet import cheapest_fleet, latencies, least_replicas, summarize_run
from physics.queueing import mgc


def brute_force(needed: list[int], cold_steps: int) -> int:
    """Least replica-steps over every way to run each replica: in a step it is off, starting or ready."""
    total = 0
    for level in range(1, max(needed) + 1):
        wanted = [n >= level for n in needed]
        best = math.inf
        for paid in itertools.product([False, True], repeat=len(needed)):
            ready = [
                all(paid[max(0, k - cold_steps) : k + 1]) for k in range(len(needed))
            ]  # paid for all of its cold start; before the first step it was up already
            if all(up or not want for up, want in zip(ready, wanted, strict=True)):
                best = min(best, sum(paid))
        total += best
    return total


@given(st.lists(st.integers(0, 3), min_size=1, max_size=9), st.integers(0, 4))
def test_the_cheapest_fleet_is_the_cheapest_of_all(needed, cold_steps):
    assert cheapest_fleet(needed, cold_steps).sum() == brute_force(needed, cold_steps)


@given(st.lists(st.floats(0, 20), min_size=1, max_size=30), st.floats(0.41, 4))
def test_the_least_replicas_meet_the_target_and_one_fewer_does_not(load, target):
    least = least_replicas(load, target, service_time=0.4)
    assert (latencies(load, least, 0.4) <= target).all()
    for a, n in zip(load, least, strict=True):
        assert (n == 0) == (a == 0)
        assert n == 0 or latencies([a], [n - 1], 0.4)[0] > target


def test_no_fleet_answers_faster_than_a_request_takes():
    assert least_replicas([0.0, 1.0], latency_target=0.4, service_time=0.4).tolist() == [0, math.inf]
    run = simulate_autoscaler([1.0] * 4, "hpa", service_time=0.4, latency_target=0.3)
    summary = summarize_run(run)
    assert summary.cheapest_cost == math.inf and math.isnan(summary.cost_ratio) and summary.slo_share == 0


def test_a_summary_adds_up_by_hand():
    run = simulate_autoscaler([1, 1, 3, 3, 1, 1, 1, 1], HPA(), start=2, floor=2, ceiling=2, price=3.6)
    summary = summarize_run(run)
    assert summary.cost == pytest.approx(2 * 8 * 15 * 0.001)
    assert summary.slo_share == 6 / 8
    assert summary.lost_share == pytest.approx(2 / 12)
    assert summary.changes == 0 and summary.most_requested == 2
    assert summary.cost_ratio == pytest.approx(summary.cost / run["cheapest_cost"].sum())


def test_a_fleet_without_load_costs_the_cheapest_nothing():
    summary = summarize_run(simulate_autoscaler([0.0] * 3))
    assert summary.cheapest_cost == summary.lost_share == 0 and math.isnan(summary.cost_ratio)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=30), st.integers(0, 20))
def test_the_reserve_is_the_cheapest_of_all_levels_and_the_quantile(loads, percent):
    ratio = percent * 5 / 100
    found = reserve(loads, ratio)

    def cost(level):  # in twentieths of a replica, so that nothing rounds
        return percent * level * len(loads) + 20 * sum(max(load - level, 0) for load in loads)

    assert found == min(loads, key=lambda level: (cost(level), level))
    if 0 < percent < 20 and (20 - percent) * len(loads) % 20:
        assert found == np.quantile(loads, 1 - ratio, method="inverted_cdf")


@given(
    st.lists(st.tuples(st.floats(0, 40) | st.integers(0, 12), st.integers(1, 45)), min_size=1, max_size=12),
    st.sampled_from([0.0, 1.0, 4.0]),
)
def test_latencies_of_many_loads_are_those_of_one_after_the_other(pairs, scv):
    loads, replicas = zip(*pairs, strict=True)
    alone = [mgc(a / 0.2, 0.2, c, scv).mean_response if a > 0 else 0.2 for a, c in pairs if a == 0 or a > 1e-9]
    found = [w for w, (a, _) in zip(latencies(loads, replicas, 0.2, scv), pairs, strict=True) if a == 0 or a > 1e-9]
    assert found == alone
