"""The marginal worker against its price, and a band in which nothing is done."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.checkpointing import elastic_run, marginal_speedup, speedup, workers_for, workers_worth

STORY = {"serial": 0.02, "gradient_size": 2e9, "bandwidth": 50e9, "latency": 10e-6, "step_time": 2.0}


def swings(seed, swing=0.3, ticks=200):
    return 0.5 * np.exp(swing * np.random.default_rng(seed).standard_normal(ticks))


@given(st.floats(0.05, 1.5), st.floats(0.05, 0.5), st.floats(0, 20e9), st.floats(0, 1e-3))
def test_scaling_while_one_more_is_worth_its_price_finds_the_greatest_gain(price, serial, gradient, latency):
    network = STORY | {"serial": serial, "gradient_size": gradient, "latency": latency}
    gains = [0.0] + [speedup(n, **network) - price * n for n in range(1, 300)]
    assert gains[workers_worth(price, **network)] == pytest.approx(max(gains), abs=1e-9)


def test_the_marginal_curve_by_hand():
    # 2% serial: 2 workers take 0.02 + 0.49 of the time of one, so the second adds 1/0.51 - 1.
    assert marginal_speedup(2, 0.02) == pytest.approx(1 / 0.51 - 1) and marginal_speedup(1, 0.02) == 1
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
def test_a_wider_band_never_moves_the_job_further_and_gains_no_more_while_a_resize_costs_nothing(seed, one, other):
    narrow, wide = (elastic_run(swings(seed), **STORY, band=band) for band in sorted((one, other)))
    assert np.abs(np.diff(wide.workers)).sum() <= np.abs(np.diff(narrow.workers)).sum()
    assert wide.gain <= elastic_run(swings(seed), **STORY).gain


def test_work_and_cost_of_a_path_by_hand():
    # Amdahl, 2% serial: at a price of 0.955 two workers pay (the second brings 0.961), at 0.99 one.
    run = elastic_run([0.955, 0.99, 0.99, 0.955], serial=0.02, restart=1.5, tick=1.0)
    assert run.workers.tolist() == [2, 1, 1, 2] and run.resizes == 2
    assert run.work == pytest.approx(1 / 0.51 + 0 + 0.5 + 0)  # a restart of 1.5 ticks after each resize
    assert run.cost == pytest.approx(2 * 0.955 + 2 * 0.99 + 2 * 0.955)
    assert run.gain == run.work - run.cost
