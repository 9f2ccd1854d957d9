"""How many workers: each objective against trying every number, a band in which nothing is done,
and Amdahl's law.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.checkpointing import (
    all_reduce_time,
    elastic_run,
    marginal_speedup,
    speedup,
    workers_for,
    workers_worth,
)

MOST = 400
networks = st.fixed_dictionaries(
    {
        "serial": st.floats(min_value=0.005, max_value=1),
        "gradient_size": st.floats(min_value=1e6, max_value=1e11),
        "bandwidth": st.floats(min_value=1e9, max_value=1e12),
        "latency": st.floats(min_value=1e-5, max_value=1e-2),
        "step_time": st.floats(min_value=0.1, max_value=10),
    }
)


@given(networks, st.floats(min_value=1, max_value=120))
def test_a_deadline_takes_the_fewest_workers_that_meet_it(network, deadline):
    meets = [n for n in range(1, MOST + 1) if 100 / speedup(n, **network) <= deadline]
    found = workers_for("deadline", work=100, deadline=deadline, **network)
    if meets:
        assert found == meets[0]
    else:
        assert found is None or (
            found > MOST and 100 / speedup(found, **network) <= deadline * (1 + 1e-9)
        )


@given(networks, st.floats(min_value=50, max_value=400))
def test_a_budget_takes_the_fastest_gang_it_can_pay(network, budget):
    times = {n: 100 / speedup(n, **network) for n in range(1, MOST + 1)}
    payable = [n for n, time in times.items() if n * time * 1.0 <= budget]
    found = workers_for("budget", work=100, budget=budget, price=1.0, **network)
    if not payable:
        assert found is None
    elif found <= MOST:
        assert found in payable
        assert times[found] <= min(times[n] for n in payable) * (1 + 1e-9)


@given(
    networks,
    st.floats(min_value=0.05, max_value=1),
    st.sampled_from(["knee", "efficiency knee", "efficiency"]),
)
def test_the_knee_is_the_last_gang_of_that_efficiency(network, efficiency, name):
    found = workers_for(name, efficiency=efficiency, **network)
    assert speedup(found, **network) / found >= efficiency * (1 - 1e-9)
    assert speedup(found + 1, **network) / (found + 1) < efficiency


def test_goals_out_of_reach_and_goals_that_every_larger_gang_meets_are_answers():
    alone = {"serial": 0.05, "work": 100}
    assert workers_for("deadline", deadline=4, **alone) is None  # 5 h are serial
    assert workers_for("budget", budget=99, price=1, **alone) is None
    assert workers_for("deadline", deadline=100, **alone) == 1
    assert workers_for("knee", serial=0) == math.inf
    assert workers_for("budget", serial=0, work=100, budget=100, price=1) == math.inf


def test_the_fastest_gang_bounds_what_a_rich_budget_buys():
    network = {"serial": 0.0, "gradient_size": 1.0, "bandwidth": 1e9, "latency": 0.005}
    # a step takes 1/n + 2 (n − 1) · 5 ms: least at n = √(1/0.01) = 10
    assert workers_for("budget", work=1, budget=1e9, price=1, **network) == 10
    assert workers_for("deadline", work=1, deadline=0.19 + 1e-6, **network) == 10
    assert workers_for("deadline", work=1, deadline=0.189, **network) is None
    slow = {"serial": 0.0, "gradient_size": 1e9, "bandwidth": 1e9}  # 2 s of talking for 1 s of work
    assert workers_for("budget", work=1, budget=1e9, price=1, **slow) == 1


STORY = {
    "serial": 0.02,
    "gradient_size": 2e9,
    "bandwidth": 50e9,
    "latency": 10e-6,
    "step_time": 2.0,
}


def swings(seed, swing=0.3, ticks=200):
    return 0.5 * np.exp(swing * np.random.default_rng(seed).standard_normal(ticks))


@given(st.floats(0.05, 1.5), st.floats(0.05, 0.5), st.floats(0, 20e9), st.floats(0, 1e-3))
def test_scaling_while_one_more_is_worth_its_price_finds_the_greatest_gain(
    price, serial, gradient, latency
):
    network = STORY | {"serial": serial, "gradient_size": gradient, "latency": latency}
    gains = [0.0] + [speedup(n, **network) - price * n for n in range(1, 300)]
    assert gains[workers_worth(price, **network)] == pytest.approx(max(gains), abs=1e-9)


def test_the_marginal_curve_by_hand():
    # 2% serial: 2 workers take 0.02 + 0.49 of the time of one, so the second adds 1/0.51 - 1.
    assert (
        marginal_speedup(2, 0.02) == pytest.approx(1 / 0.51 - 1) and marginal_speedup(1, 0.02) == 1
    )
    margins = [marginal_speedup(n, **STORY) for n in range(1, 400)]
    fastest = workers_for("deadline", work=1.0, deadline=1 / max(np.cumsum(margins)), **STORY)
    assert (np.diff(margins[:fastest]) < 0).all() and max(margins[fastest:]) <= 0
    assert [workers_worth(price, **STORY) for price in (1.0, 0.9, 0.2, 0.0)] == [0, 1, 20, fastest]
    assert workers_worth(0.999, serial=0.0) == math.inf and workers_worth(1.0, serial=0.0) == 0


def test_without_a_band_the_job_follows_every_price_and_with_one_it_stays_within_the_thresholds():
    prices = swings(1)
    follows = elastic_run(prices, **STORY)
    assert follows.workers.tolist() == [workers_worth(price, **STORY) for price in prices]
    for n, price in zip(elastic_run(prices, **STORY, band=0.3).workers, prices, strict=True):
        assert marginal_speedup(n + 1, **STORY) <= 1.3 * price + 1e-9
        assert n == 0 or marginal_speedup(n, **STORY) >= 0.7 * price - 1e-9


@given(st.integers(0, 10**6), st.floats(0, 0.9), st.floats(0, 0.9))
def test_a_wider_band_never_moves_the_job_further_and_gains_no_more_while_a_resize_costs_nothing(
    seed, one, other
):
    narrow, wide = (elastic_run(swings(seed), **STORY, band=band) for band in sorted((one, other)))
    assert np.abs(np.diff(wide.workers)).sum() <= np.abs(np.diff(narrow.workers)).sum()
    assert wide.gain <= elastic_run(swings(seed), **STORY).gain


def test_work_and_cost_of_a_path_by_hand():
    # Amdahl, 2% serial: at a price of 0.955 two workers pay (the second brings 0.961), at 0.99 one.
    run = elastic_run([0.955, 0.99, 0.99, 0.955], serial=0.02, restart=1.5, tick=1.0)
    assert run.workers.tolist() == [2, 1, 1, 2] and run.resizes == 2
    assert run.work == pytest.approx(
        1 / 0.51 + 0 + 0.5 + 0
    )  # a restart of 1.5 ticks after each resize
    assert run.cost == pytest.approx(2 * 0.955 + 2 * 0.99 + 2 * 0.955)
    assert run.gain == run.work - run.cost


shares = st.floats(min_value=0, max_value=1)
workers = st.integers(min_value=1, max_value=100_000)
links = st.fixed_dictionaries(
    {
        "gradient_size": st.floats(min_value=0, max_value=1e11),
        "bandwidth": st.floats(min_value=1e8, max_value=1e12),
        "latency": st.floats(min_value=0, max_value=1e-2),
        "step_time": st.floats(min_value=1e-3, max_value=1e2),
    }
)


@given(workers, shares, st.floats(min_value=1, max_value=1e12), st.floats(min_value=0, max_value=1))
def test_without_a_gradient_it_is_amdahls_law(n, serial, bandwidth, latency):
    assert speedup(n, serial, 0, bandwidth, latency) == pytest.approx(
        1 / (serial + (1 - serial) / n), rel=1e-12
    )


def test_hand_calculation_of_the_ring():
    # 4 workers, 2 GB, 50 GB/s, 1 ms: 6 messages of 0.5 GB take 6 · (1 ms + 10 ms)
    assert all_reduce_time(4, 2e9, 50e9, 1e-3) == pytest.approx(0.066)
    assert speedup(4, 0.1, 2e9, 50e9, 1e-3, step_time=2) == pytest.approx(
        2 / (0.2 + 1.8 / 4 + 0.066)
    )


@given(workers, shares, links)
def test_no_number_of_workers_beats_its_number_or_amdahl_and_one_is_the_best_per_dollar(
    n, serial, network
):
    gain = speedup(n, serial, **network)
    assert 0 < gain <= min(n, speedup(n, serial)) * (1 + 1e-12)
    assert speedup(n + 1, serial, **network) / (n + 1) <= gain / n * (1 + 1e-12)
