"""The autoscaler's rules and its simulation: hand calculations, Kubernetes' own examples, laws,
forecasts.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.autoscaling import (
    HPA,
    Concurrency,
    Growth,
    Predictive,
    Threshold,
    desired_replicas,
    flapping_loads,
    simulate_autoscaler,
)
from physics.forecasting import holt_winters, moving_average, seasonal_naive
from physics.queueing import mmc

loads = st.lists(st.floats(0, 12), min_size=5, max_size=60)
controllers = st.one_of(
    st.builds(Threshold, upper=st.floats(0.5, 1), lower=st.floats(0, 0.5)),
    st.builds(HPA, target=st.floats(0.3, 0.95), window=st.sampled_from([0.0, 60.0, 300.0])),
    st.builds(HPA, target=st.floats(0.3, 0.95), multiply=st.just("requested")),
    st.builds(
        Predictive, target=st.floats(0.3, 0.95), horizon=st.floats(0, 300), error=st.floats(0, 0.5)
    ),
)


def distinct(values) -> list[int]:
    """The values in order, repetitions in a row left out."""
    values = list(values)
    return [int(v) for k, v in enumerate(values) if k == 0 or v != values[k - 1]]


# --- Kubernetes' rule ---
def test_desired_replicas_agree_with_published_examples_and_next_to_nothing_is_still_something():
    # Kubernetes documentation: 200m against 100m doubles the replicas, 50m against 100m halves
    # them; Kubernetes blog on v1.33, configurable tolerance: 50 × 90 ÷ 75.
    assert [desired_replicas(*given) for given in ((1, 200, 100), (2, 50, 100), (50, 90, 75))] == [
        2,
        1,
        60,
    ]
    assert [desired_replicas(0, 0.0, 0.6), desired_replicas(1, 1e-12, 0.6)] == [0, 1]


@given(st.integers(0, 500), st.integers(0, 400), st.integers(1, 200), st.integers(0, 50))
def test_desired_replicas_are_those_of_exact_decimal_arithmetic(ready, metric, target, tolerance):
    ratio = Fraction(metric, target)
    if abs(ratio - 1) <= Fraction(tolerance, 100):
        exact = ready
    else:
        exact = math.ceil(ready * ratio)
    assert desired_replicas(ready, metric / 100, target / 100, tolerance / 100) == exact


# --- flapping ---
@given(st.floats(0.2, 0.999), st.floats(0.05, 1), st.integers(1, 12), st.floats(0.01, 0.99))
def test_every_load_inside_the_flapping_interval_swings_for_ever(upper, lower, n, where):
    ends = flapping_loads(upper, lower, n)
    if ends is None or ends[1] - ends[0] < 1e-6:
        return
    load = ends[0] + where * (ends[1] - ends[0])
    run = simulate_autoscaler([load] * 30, Threshold(upper, lower), start=n, cold_start=0)
    assert run["ready"].tolist() == [n, n + 1] * 15


def test_an_upper_threshold_of_100_percent_never_adds_a_replica():
    run = simulate_autoscaler([50.0] * 40, Threshold(upper=1.0), start=2)
    assert set(run["ready"]) == {2} and flapping_loads(1.0, 0.9, 1) is None


# --- cold start overshoot ---
@pytest.mark.parametrize("cold_start", [60, 240])
def test_multiplying_ready_replicas_runs_4_and_once_they_are_up_7(cold_start):
    run = simulate_autoscaler([2] * 4 + [4] * 60, HPA(target=0.6), start=2, cold_start=cold_start)
    assert distinct(run["requested"]) == [2, 4, 7] and set(
        run["utilization"][run["requested"] == 2]
    ) == {1.0}
    seven = run[run["wanted"] == 7].iloc[0]
    assert seven["ready"] == 4 and seven["starting"] == 0  # not before the four are up


def test_multiplying_requested_replicas_or_keeping_a_backlog_runs_away_before_anything_new_serves():
    naive = simulate_autoscaler(
        [4] * 60, HPA(target=0.6, multiply="requested"), start=2, cold_start=60
    )
    assert distinct(naive["requested"])[:5] == [2, 4, 7, 12, 20]
    assert naive["time"][naive["requested"] == 12].iloc[0] < 60 + 15
    kept = simulate_autoscaler([4] * 60, HPA(target=0.6), start=2, cold_start=60, backlog="kept")
    assert distinct(kept["requested"])[:4] == [2, 4, 7, 12]


def test_kubernetes_waits_for_starting_replicas_instead_of_ordering_twice():
    hpa = HPA(target=0.6)
    assert (
        hpa.recommend(ready=10, requested=11, usage=0.7, forecast=0) == 11
    )  # 12 ÷ 11 is within the tolerance
    assert hpa.recommend(ready=10, requested=11, usage=0.9, forecast=0) == 15
    assert hpa.recommend(ready=5, requested=6, usage=0.6, forecast=0) == 6


# --- the HPA's window, cool-downs, bounds ---
@given(loads, st.floats(0.3, 0.95), st.sampled_from([0, 30, 300]))
def test_scaling_down_goes_to_the_highest_recommendation_of_the_window(load, target, window):
    run = simulate_autoscaler(load, HPA(target=target, window=window), start=3, cold_start=0)
    advice = [3] + [
        desired_replicas(int(n), u, target)
        for n, u in zip(run["ready"], run["utilization"], strict=True)
    ]
    for k in range(len(run)):
        recent = advice[max(0, k + 1 - int(window // 15)) : k + 2]
        now = run["ready"][k]
        wanted = run["wanted"][k]
        if advice[k + 1] >= now:
            expected = advice[k + 1]
        else:
            expected = min(now, max(recent))
        assert wanted == min(max(expected, 1), 100)


@pytest.mark.slow
@given(loads, controllers, st.integers(1, 4), st.integers(0, 6), st.sampled_from([0, 20, 60]))
def test_a_fleet_stays_within_its_bounds_and_every_ready_replica_has_had_its_cold_start(
    load, controller, floor, more, cold_start
):
    run = simulate_autoscaler(
        load, controller, floor=floor, ceiling=floor + more, cold_start=cold_start
    )
    assert run["wanted"].between(floor, floor + more).all()
    assert (run["requested"] == run["ready"] + run["starting"]).all()
    assert (run["requested"].shift(-1).dropna() == run["wanted"][:-1]).all()
    steps = math.ceil(cold_start / 15)
    for k in range(1, len(run)):
        grown = run["ready"][k] - run["ready"][k - 1]
        if grown > 0:
            assert run["wanted"][max(0, k - 1 - steps)] >= run["ready"][k] if k > steps else False


@pytest.mark.slow
@given(loads, controllers, st.sampled_from([0, 45, 150]), st.sampled_from([0, 45, 150]))
def test_cool_downs_keep_changes_apart(load, controller, up, down):
    run = simulate_autoscaler(load, controller, cool_down_up=up, cool_down_down=down)
    changed = run[run["wanted"] != run["requested"]]
    gaps = changed["time"].diff().dropna()
    for gap, (_, row) in zip(gaps, changed.iloc[1:].iterrows(), strict=True):
        assert gap >= (up if row["wanted"] > row["requested"] else down)


# --- work, latency, cost ---
@pytest.mark.slow
@given(loads, controllers, st.sampled_from(["lost", "kept"]))
def test_work_offered_is_served_lost_or_waiting(load, controller, backlog):
    run = simulate_autoscaler(load, controller, ceiling=8, backlog=backlog)
    served = (run["utilization"] * run["ready"] * 15).sum()
    assert sum(load) * 15 == pytest.approx(
        served + run["lost"].sum() + run["backlog"].iloc[-1], abs=1e-6
    )
    assert run["utilization"].between(0, 1).all()
    assert (run["lost"] if backlog == "kept" else run["backlog"]).eq(0).all()


@given(loads, controllers)
def test_latency_is_that_of_the_queueing_model_and_infinite_at_capacity(load, controller):
    run = simulate_autoscaler(load, controller, ceiling=8, service_time=0.4, latency_target=0.6)
    for row in run.itertuples():
        if row.load >= row.ready:
            assert row.latency == math.inf and not row.slo_met
        elif row.load / 0.4 > 0:
            assert row.latency == mmc(row.load / 0.4, 0.4, row.ready).mean_response
            assert row.slo_met == (row.latency <= 0.6)
        else:
            assert row.latency == 0.4


def test_a_backlog_is_waited_for_until_it_is_gone():
    run = simulate_autoscaler(
        [3] * 4 + [1] * 20, HPA(), start=2, floor=2, ceiling=2, backlog="kept", service_time=0.4
    )
    assert run["backlog"][3] == pytest.approx(60)  # one replica's worth too much for 60 s
    assert run["latency"][4] == pytest.approx(60 / 2 + mmc(1 / 0.4, 0.4, 2).mean_response)
    assert run["backlog"][7] == pytest.approx(0) and run["utilization"][6] == 1
    assert run["utilization"][10] == 0.5


@pytest.mark.slow
@given(loads, controllers, st.sampled_from([0, 30, 75]))
def test_no_controller_that_always_meets_the_target_is_cheaper_than_the_cheapest_fleet(
    load, controller, cold_start
):
    run = simulate_autoscaler(load, controller, start=8, floor=1, cold_start=cold_start)
    if run["slo_met"].all():
        assert run["cost"].sum() >= run["cheapest_cost"].sum() - 1e-9


# --- prediction ---
@pytest.mark.parametrize("cold_start", [0, 120])
def test_a_forecast_as_long_as_the_cold_start_has_the_replicas_up_in_time(cold_start):
    load = [2] * 40 + [6] * 40 + [2] * 40
    run = simulate_autoscaler(
        load, Predictive(0.75, horizon=cold_start), start=3, cold_start=cold_start
    )
    assert (run["ready"] * 0.75 >= run["load"]).all()


@pytest.mark.parametrize(("horizon", "late"), [(0, 120), (105, 15)])
def test_a_forecast_shorter_than_the_cold_start_is_late_by_the_difference(horizon, late):
    load = [2] * 40 + [6] * 40
    run = simulate_autoscaler(load, Predictive(0.75, horizon=horizon), start=3, cold_start=120)
    assert (run["latency"] == math.inf).sum() * 15 == late


def test_forecast_errors_have_mean_one_and_the_deviation_asked_for():
    rule = Predictive(1.0, error=0.2, refresh=15)
    run = simulate_autoscaler([1000.0] * 4000, rule, ceiling=10**6, start=1000, cold_start=0)
    ratio = run["wanted"] / 1000
    assert (
        abs(ratio.mean() - 1) < 4 * 0.2 / math.sqrt(4000) + 0.001
    )  # rounding up adds at most a thousandth
    assert ratio.std() == pytest.approx(0.2, rel=0.1)


def wanted(load, rule, **options):
    return simulate_autoscaler(load, rule, **options)["wanted"].tolist()


@given(st.integers(1, 40), st.floats(0.3, 1))
def test_a_steady_load_gets_load_over_target_replicas_at_the_first_look(load, target):
    assert wanted([load] * 3, Concurrency(target=target), start=1, cold_start=0)[0] == min(
        100, math.ceil(load / target * (1 - 1e-12))
    )


def test_panic_never_scales_down_until_a_stable_window_without_it():
    # 20 in the first step on 2 replicas: panic at 15 s; 1 from then on. Until 75 s nothing is taken
    # away.
    run = simulate_autoscaler([20] + [1] * 9, Concurrency(target=0.5), start=2, cold_start=0)
    assert run["wanted"].tolist()[:5] == [40] * 5
    assert run["wanted"].tolist()[5:] == [2] * 5


def test_without_panic_the_stable_window_decides():
    # from 4 to 6 is no doubling of 8 ready: means over 60 s are 4.5, 5, 5.5 and 6, twice as many
    # replicas
    run = simulate_autoscaler([4] * 4 + [6] * 4, Concurrency(target=0.5), start=8, cold_start=0)
    assert run["wanted"].tolist() == [8, 8, 8, 8, 9, 10, 11, 12]


def test_work_that_waits_counts_as_requests_in_flight():
    # 3 on 2 replicas: 15 s of work wait at the end of a step, 7.5 on average, 15 requests of half a
    # second
    kept = wanted(
        [3], Concurrency(target=1), start=2, cold_start=0, backlog="kept", service_time=0.5
    )
    assert kept == [2 + 15]
    assert wanted([3], Concurrency(target=1), start=2, cold_start=0) == [3]


@pytest.mark.parametrize(
    ("growth", "steps"),
    [
        (Growth(2, 0, 300), [4, 8, 16, 32, 64, 100]),
        (Growth(1, 10, 300), [12, 22, 32, 42, 52, 62, 72, 82, 92, 100]),
    ],
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


DAY = [2 + 3 * math.sin(k * math.pi / 4) ** 2 + (k % 8) / 10 for k in range(8)]
AHEAD = {
    "holt_winters": lambda known: holt_winters(known, 8, 0.1, 0.0, 0.3, 3).max(),
    "seasonal_naive": lambda known: seasonal_naive(known, 8, 3).max(),
    "moving_average": lambda known: moving_average(known, 4, 3).max(),
}


@pytest.mark.parametrize("kind", AHEAD)
def test_replicas_are_ordered_for_the_forecast_from_the_past_alone(kind):
    past = DAY * 3
    load = [value * 1.3 for value in DAY * 2]
    rule = Predictive(target=0.5, horizon=30, refresh=15, forecast=kind, season=120, average=60)
    found = wanted(load, rule, cold_start=0, past=past)
    expected = [
        math.ceil(max(0, AHEAD[kind](past + load[: k + 1])) / 0.5 * (1 - 1e-12))
        for k in range(len(load))
    ]
    assert found == expected


@pytest.mark.parametrize("kind", AHEAD)
def test_without_enough_past_the_last_load_is_taken_to_stay(kind):
    rule = Predictive(target=1, horizon=0, refresh=15, forecast=kind, season=1e6, average=1e6)
    assert wanted([3, 7, 5], rule, cold_start=0) == [3, 7, 5]
