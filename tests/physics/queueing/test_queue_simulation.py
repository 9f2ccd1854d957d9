"""The simulated queue against closed forms, its own rules, and Little's law."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.jobs import Hyperexponential, Lognormal
from physics.queueing import mgc, replicate_queue, simulate_queue
from physics.queueing import simulation as queue_simulation


def last_of(utilization, servers, scv, jobs, seed, runs=10):
    rng = np.random.default_rng(seed)
    *_, last = replicate_queue(
        utilization * servers, 1.0, servers, scv, jobs, rng, runs=runs, confidence=0.999
    )
    return last


@pytest.mark.parametrize(
    ("utilization", "servers", "scv", "jobs"),
    [(0.5, 1, 1.0, 40_000), (0.8, 4, 1.0, 60_000), (0.9, 16, 1.0, 80_000), (0.8, 1, 0.0, 60_000)],
)
def test_the_simulated_wait_covers_the_exact_one(utilization, servers, scv, jobs):
    last = last_of(utilization, servers, scv, jobs, seed=11)
    assert last.runs == 10
    assert last.wait_low < mgc(utilization * servers, 1.0, servers, scv).mean_wait < last.wait_high
    assert last.wait_high - last.wait_low < 0.5 * last.mean_wait  # an interval that says something


@pytest.mark.slow
@pytest.mark.parametrize(
    ("servers", "lengths", "claimed", "runs"),
    [
        (4, None, 0.02, 10),
        (128, None, 0.08, 10),
        (128, Hyperexponential, 0.21, 10),
        (128, Lognormal, 0.32, 20),
    ],
)
def test_allen_cunneen_is_high_at_scv_4_by_what_its_docstring_says(
    servers, lengths, claimed, runs, monkeypatch
):
    if lengths:
        monkeypatch.setattr(
            queue_simulation,
            "_service_times",
            lambda mean, scv, jobs, rng: lengths(mean, scv).sample(rng, jobs),
        )
    formula = mgc(0.95 * servers, 1.0, servers, 4.0).mean_wait
    last = last_of(0.95, servers, 4.0, 500_000, 13, runs=runs)
    assert formula / last.wait_high < 1 + claimed < formula / last.wait_low
    if lengths is Lognormal:
        assert formula > last.wait_high  # the largest error is no chance


def test_littles_law_holds_on_what_is_measured():
    for utilization, servers, scv in ((0.7, 4, 1.0), (0.9, 1, 4.0), (0.5, 16, 0.0)):
        last = last_of(utilization, servers, scv, 50_000, seed=14)
        assert last.mean_in_system == pytest.approx(
            last.arrival_rate * last.mean_response, rel=0.02
        )
        assert last.arrival_rate == pytest.approx(utilization * servers, rel=0.02)


@pytest.mark.parametrize("scv", [0.0, 0.3, 1.0, 9.0])
def test_service_times_have_the_mean_and_scv_asked_for(scv):
    records = simulate_queue(1.0, 5.0, 20, scv, 400_000, np.random.default_rng(15))
    service = records["end"] - records["start"]
    assert service.mean() == pytest.approx(5.0, rel=0.03)
    assert service.var() / 25 == pytest.approx(scv, rel=0.08, abs=1e-9)
    gaps = np.diff(records["arrival"])
    assert [gaps.mean(), gaps.var()] == pytest.approx([1.0, 1.0], rel=0.03)


@given(
    st.floats(0.1, 3),
    st.integers(1, 12),
    st.floats(0, 8),
    st.integers(1, 300),
    st.integers(0, 2**32),
)
def test_jobs_are_served_in_order_and_never_more_at_once_than_servers(
    utilization, servers, scv, jobs, seed
):
    records = simulate_queue(
        utilization * servers, 1.0, servers, scv, jobs, np.random.default_rng(seed)
    )
    arrival, start, end = (records[name].to_numpy() for name in ("arrival", "start", "end"))
    assert len(records) == jobs
    assert (np.diff(arrival) >= 0).all() and (np.diff(start) >= 0).all()
    assert (start >= arrival).all() and (end >= start).all()
    for k in range(jobs):
        rounding = 1e-12 * start[k]
        assert np.count_nonzero(end[:k] > start[k] + rounding) < servers
        if start[k] > arrival[k]:  # nobody waits beside a free server
            assert np.count_nonzero(end[:k] >= start[k] - rounding) >= servers


@pytest.mark.parametrize(("utilization", "scv"), [(0.3, 0.0), (0.95, 1.0), (1.1, 16.0)])
def test_one_server_starts_its_jobs_when_the_recursion_says(utilization, scv):
    records = simulate_queue(utilization, 1.0, 1, scv, 120_000, np.random.default_rng(18))
    arrival = records["arrival"].to_numpy()
    start = records["start"].to_numpy()
    service = records["end"].to_numpy() - start
    free = 0.0
    expected = np.empty(len(arrival))
    for job, (come, length) in enumerate(zip(arrival, service, strict=True)):
        expected[job] = max(come, free)
        free = expected[job] + length
    np.testing.assert_allclose(start, expected, rtol=1e-12)
    assert (
        (start > arrival) == (expected > arrival)
    ).mean() > 1 - 1e-4  # a tie may fall on either side


def test_records_are_columns_by_name_with_the_closed_forms_statistics():
    records = simulate_queue(3.2, 1.0, 4, 1.0, 200_000, np.random.default_rng(16))
    assert isinstance(records, pd.DataFrame) and list(records.columns) == [
        "arrival",
        "start",
        "end",
    ]
    assert (records.start == records["start"]).all()
    assert records.mean_response - records.mean_wait == pytest.approx(
        (records.end - records.start).mean()
    )
    theory = mgc(3.2, 1.0, 4)
    for name in ("prob_wait", "mean_wait", "mean_response"):
        assert getattr(records, name) == pytest.approx(getattr(theory, name), rel=0.1)
    assert records.wait_percentile(0.9) == pytest.approx(theory.wait_percentile(0.9), rel=0.1)
    assert records.response_percentile() == pytest.approx(theory.response_percentile(), rel=0.1)


def test_progress_comes_run_by_run_and_the_first_run_has_no_interval():
    steps = list(replicate_queue(0.5, 1.0, 1, 1.0, 100, np.random.default_rng(1), runs=3))
    assert [step.runs for step in steps] == [1, 2, 3]
    assert (steps[0].wait_low, steps[0].wait_high) == (-math.inf, math.inf)
    assert steps[2].wait_low < steps[2].mean_wait < steps[2].wait_high < math.inf
