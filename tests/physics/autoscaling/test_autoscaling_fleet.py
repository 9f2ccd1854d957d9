"""The cheapest fleet, latency and forecasts, against brute force, the queueing model, and a literal
implementation.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.autoscaling import HPA, reserve, simulate_autoscaler
from physics.autoscaling.fleet import cheapest_fleet, latencies, least_replicas, summarize_run
from physics.forecasting import holt_winters, mape, rmse, seasonal_naive
from physics.queueing import mgc


def brute_force(needed: list[int], cold_steps: int) -> int:
    """Least replica-steps over every way to run each replica: in a step it is off, starting or
    ready.
    """
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
    assert least_replicas([0.0, 1.0], latency_target=0.4, service_time=0.4).tolist() == [
        0,
        math.inf,
    ]
    run = simulate_autoscaler([1.0] * 4, "hpa", service_time=0.4, latency_target=0.3)
    summary = summarize_run(run)
    assert (
        summary.cheapest_cost == math.inf
        and math.isnan(summary.cost_ratio)
        and summary.slo_share == 0
    )


def test_a_summary_adds_up_by_hand():
    run = simulate_autoscaler(
        [1, 1, 3, 3, 1, 1, 1, 1], HPA(), start=2, floor=2, ceiling=2, price=3.6
    )
    summary = summarize_run(run)
    assert summary.cost == pytest.approx(2 * 8 * 15 * 0.001)
    assert summary.slo_share == 6 / 8
    assert summary.lost_share == pytest.approx(2 / 12)
    assert summary.changes == 0 and summary.most_requested == 2
    assert summary.cost_ratio == pytest.approx(summary.cost / run["cheapest_cost"].sum())


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
    st.lists(
        st.tuples(st.floats(0, 40) | st.integers(0, 12), st.integers(1, 45)),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from([0.0, 1.0, 4.0]),
)
def test_latencies_of_many_loads_are_those_of_one_after_the_other(pairs, scv):
    loads, replicas = zip(*pairs, strict=True)
    alone = [
        mgc(a / 0.2, 0.2, c, scv).mean_response if a > 0 else 0.2
        for a, c in pairs
        if a == 0 or a > 1e-9
    ]
    found = [
        w
        for w, (a, _) in zip(latencies(loads, replicas, 0.2, scv), pairs, strict=True)
        if a == 0 or a > 1e-9
    ]
    assert found == alone


values = st.floats(-1e3, 1e3)
weights = st.floats(0, 1)


def literal(y, m, alpha, beta, gamma, horizon):
    """The recurrences with all values kept in arrays indexed by time, as in the book."""
    level = {-1: sum(y[:m]) / m}
    trend = {-1: sum((y[m + i] - y[i]) / m for i in range(m)) / m}
    season = {}
    for i in range(m):
        season[i - m] = y[i] - level[-1]
    for t, value in enumerate(y):
        level[t] = alpha * (value - season[t - m]) + (1 - alpha) * (level[t - 1] + trend[t - 1])
        trend[t] = beta * (level[t] - level[t - 1]) + (1 - beta) * trend[t - 1]
        season[t] = gamma * (value - level[t - 1] - trend[t - 1]) + (1 - gamma) * season[t - m]
    last = len(y) - 1
    return [
        level[last] + h * trend[last] + season[last - m + 1 + (h - 1) % m]
        for h in range(1, horizon + 1)
    ]


@given(st.data(), st.integers(1, 5), weights, weights, weights, st.integers(1, 12))
def test_holt_winters_is_its_literal_twin(data, season, alpha, beta, gamma, horizon):
    history = data.draw(st.lists(values, min_size=2 * season, max_size=4 * season + 3))
    expected = literal(history, season, alpha, beta, gamma, horizon)
    assert holt_winters(history, season, alpha, beta, gamma, horizon) == pytest.approx(
        expected, rel=1e-9, abs=1e-7
    )


@given(
    values, st.lists(values, min_size=1, max_size=6), st.integers(2, 4), weights, weights, weights
)
def test_a_season_without_a_trend_is_forecast_without_error_at_any_weights(
    level, season, times, alpha, beta, gamma
):
    history = [level + one for one in season] * times
    ahead = holt_winters(history, len(season), alpha, beta, gamma, 2 * len(season))
    assert ahead == pytest.approx(history[: len(season)] * 2, abs=1e-6)
    assert (
        seasonal_naive(history, len(season), 2 * len(season)).tolist() == history[: len(season)] * 2
    )


@given(st.lists(st.tuples(st.floats(1, 1e3), st.floats(1, 1e3)), min_size=1))
def test_errors_are_those_of_numpy(pairs):
    actual, forecast = np.array(pairs).T
    assert mape(actual, forecast) == pytest.approx(np.mean(np.abs(actual - forecast) / actual))
    assert rmse(actual, forecast) == pytest.approx(math.sqrt(np.mean((actual - forecast) ** 2)))
    assert mape(actual, actual) == rmse(actual, actual) == 0
