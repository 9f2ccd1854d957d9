"""Counting requests in flight, limits of growth, and forecasts from the load's own past."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.autoscaling import HPA, Concurrency, Growth, Predictive, simulate_autoscaler
from physics.forecasting import holt_winters, moving_average, seasonal_naive


def wanted(load, rule, **options):
    return simulate_autoscaler(load, rule, **options)["wanted"].tolist()


@given(st.integers(1, 40), st.floats(0.3, 1))
def test_a_steady_load_gets_load_over_target_replicas_at_the_first_look(load, target):
    assert wanted([load] * 3, Concurrency(target=target), start=1, cold_start=0)[0] == min(
        100, math.ceil(load / target * (1 - 1e-12))
    )


def test_panic_never_scales_down_until_a_stable_window_without_it():
    # 20 in the first step on 2 replicas: panic at 15 s; 1 from then on. Until 75 s nothing is taken away.
    run = simulate_autoscaler([20] + [1] * 9, Concurrency(target=0.5), start=2, cold_start=0)
    assert run["wanted"].tolist()[:5] == [40] * 5
    assert run["wanted"].tolist()[5:] == [2] * 5


def test_without_panic_the_stable_window_decides():
    # from 4 to 6 is no doubling of 8 ready: means over 60 s are 4.5, 5, 5.5 and 6, twice as many replicas
    run = simulate_autoscaler([4] * 4 + [6] * 4, Concurrency(target=0.5), start=8, cold_start=0)
    assert run["wanted"].tolist() == [8, 8, 8, 8, 9, 10, 11, 12]


def test_work_that_waits_counts_as_requests_in_flight():
    # 3 on 2 replicas: 15 s of work wait at the end of a step, 7.5 on average, 15 requests of half a second
    kept = wanted([3], Concurrency(target=1), start=2, cold_start=0, backlog="kept", service_time=0.5)
    assert kept == [2 + 15]
    assert wanted([3], Concurrency(target=1), start=2, cold_start=0) == [3]


@pytest.mark.parametrize(
    ("growth", "steps"),
    [(Growth(2, 0, 300), [4, 8, 16, 32, 64, 100]), (Growth(1, 10, 300), [12, 22, 32, 42, 52, 62, 72, 82, 92, 100])],
)
def test_from_2_to_100_replicas_in_30_minutes_by_doubling_and_50_by_ten_every_five(growth, steps):
    run = simulate_autoscaler([70] * 400, Concurrency(), start=2, cold_start=0, growth=growth)
    changes = run[run["wanted"] != run["requested"]]
    assert changes["wanted"].tolist() == steps
    assert np.diff(changes["time"]).tolist() == [300] * (len(steps) - 1)


@given(st.lists(st.floats(0, 80), min_size=1, max_size=40), st.booleans())
def test_kubernetes_own_limit_is_a_growth_like_any_other(load, naive):
    rule = {"target": 0.3, "multiply": "requested" if naive else "ready"}
    own = simulate_autoscaler(load, HPA(**rule, limited=True))
    assert own.equals(simulate_autoscaler(load, HPA(**rule), growth=Growth(2, 4, 15)))


@given(st.lists(st.floats(0, 80), min_size=1, max_size=40), st.sampled_from([Growth(1.5, 1, 60), Growth(1, 2, 45)]))
def test_no_request_grows_faster_than_its_limit(load, growth):
    requested = simulate_autoscaler(load, Concurrency(), cold_start=0, growth=growth)["requested"].tolist()
    back = round(growth.period / 15)
    for k in range(1, len(requested)):
        before = requested[max(0, k - back)]
        assert requested[k] <= max(requested[k - 1], math.floor(before * growth.factor), before + growth.added)


DAY = [2 + 3 * math.sin(k * math.pi / 4) ** 2 + (k % 8) / 10 for k in range(8)]
AHEAD = {
    "holt_winters": lambda known: holt_winters(known, 8, 0.1, 0.0, 0.3, 3).max(),
    "seasonal_naive": lambda known: seasonal_naive(known, 8, 3).max(),
    "moving_average": lambda known: moving_average(known, 4, 3).max(),
}


@pytest.mark.parametrize("kind", AHEAD)
def test_replicas_are_ordered_for_the_forecast_from_the_past_alone(kind):
    past, load = DAY * 3, [value * 1.3 for value in DAY * 2]
    rule = Predictive(target=0.5, horizon=30, refresh=15, forecast=kind, season=120, average=60)
    found = wanted(load, rule, cold_start=0, past=past)
    expected = [math.ceil(max(0, AHEAD[kind](past + load[: k + 1])) / 0.5 * (1 - 1e-12)) for k in range(len(load))]
    assert found == expected


@pytest.mark.parametrize("kind", AHEAD)
def test_without_enough_past_the_last_load_is_taken_to_stay(kind):
    rule = Predictive(target=1, horizon=0, refresh=15, forecast=kind, season=1e6, average=1e6)
    assert wanted([3, 7, 5], rule, cold_start=0) == [3, 7, 5]
