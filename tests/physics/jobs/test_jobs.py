"""Random workloads: the mix that was asked for, reproducible, and refused when it is nonsense."""

import math

import numpy as np
import pytest

from physics.jobs import (
    Choice,
    Exponential,
    Fixed,
    Hyperexponential,
    JobClass,
    Lognormal,
    Uniform,
    offered_load,
    platform_mix,
    sample_jobs,
)
from physics.numerics import mean_interval

DAY = 86_400


@pytest.mark.parametrize(
    ("distribution", "mean", "deviation"),
    [
        (Fixed(8), 8, 0),
        (Exponential(1800), 1800, 1800),
        (Uniform(12, 24), 18, 12 / math.sqrt(12)),
        (Lognormal(3600, scv=4), 3600, 7200),
        (Hyperexponential(10, scv=4), 10, 20),
        (Choice((64, 128, 192, 256)), 160, 64 * math.sqrt(1.25)),
        (Choice((1, 3), weights=(3, 1)), 1.5, math.sqrt(0.75)),
    ],
)
def test_samples_have_the_mean_and_deviation_of_their_distribution(distribution, mean, deviation):
    values = distribution.sample(np.random.default_rng(5), 200_000)
    middle, half = mean_interval(values.reshape(100, -1).mean(axis=1), 0.999)
    assert distribution.mean == pytest.approx(mean) and abs(middle - mean) <= half + 1e-9
    assert values.std() == pytest.approx(deviation, rel=0.05)
    assert (values > 0).all()


def test_the_mix_of_the_lesson_offers_779_percent_and_ten_trainings_a_day_offer_215():
    assert offered_load(platform_mix(), 1024) == pytest.approx(0.779, abs=0.0005)
    assert offered_load(platform_mix(training_rate=3 / DAY), 1024) == pytest.approx(
        0.674, abs=0.0005
    )
    ten = offered_load(platform_mix(training_rate=10 / DAY), 1024)
    assert ten == pytest.approx(2.15, abs=0.0005)
    assert ten * 24_576 == pytest.approx(52_840) and (ten - 1) * 24_576 == pytest.approx(
        28_264
    )  # GPU-hours a day


def test_a_workload_is_reproducible_and_in_order():
    first, again = (
        sample_jobs(platform_mix(), 20 * DAY, np.random.default_rng(3)) for _ in range(2)
    )
    assert first.equals(again)
    assert list(first.columns) == ["submit", "runtime", "gpus", "estimate", "job_class", "user"]
    assert first["submit"].is_monotonic_increasing and first["submit"].between(0, 20 * DAY).all()
    assert first["gpus"].dtype == np.int64 and (first["estimate"] == first["runtime"]).all()
    assert not sample_jobs(platform_mix(), 20 * DAY, np.random.default_rng(4)).equals(first)


def test_changing_one_class_leaves_the_jobs_of_the_others():
    few, many = (
        sample_jobs(platform_mix(training_rate=rate), 20 * DAY, np.random.default_rng(3))
        for rate in (2 / DAY, 9 / DAY)
    )
    for name in ("interactive", "search"):
        mine = [
            jobs[jobs["job_class"] == name].drop(columns="user").reset_index(drop=True)
            for jobs in (few, many)
        ]
        assert mine[0].equals(mine[1])


def test_arrivals_are_poisson_and_sizes_those_of_the_message():
    counts = []
    for seed in range(200):
        jobs = sample_jobs(platform_mix(), 10 * DAY, np.random.default_rng(seed))
        counts.append(jobs["job_class"].value_counts()[["interactive", "search", "training"]])
    counts = np.array(counts)
    for column, expected in zip(counts.T, (500, 200, 35), strict=True):
        mean, half = mean_interval(column, 0.9999)
        assert abs(mean - expected) < half
        assert column.var() / expected == pytest.approx(
            1, abs=0.45
        )  # Poisson: variance is the mean; 4.5 sigma
    assert set(jobs.loc[jobs["job_class"] == "search", "gpus"]) == {8, 16, 24, 32}
    training = jobs[jobs["job_class"] == "training"]
    assert set(training["gpus"]) <= set(range(64, 513, 64))
    assert training["runtime"].between(12 * 3600, 24 * 3600).all()


def test_an_overestimate_lengthens_the_estimates_alone():
    exact, long = (
        sample_jobs(platform_mix(overestimate=f), 5 * DAY, np.random.default_rng(3))
        for f in (1, 10)
    )
    assert long.drop(columns="estimate").equals(exact.drop(columns="estimate"))
    np.testing.assert_allclose(long["estimate"], 10 * exact["runtime"])
    spread = JobClass("x", 1, 10, 1, overestimate=Uniform(1, 3), users=4)
    jobs = sample_jobs([spread], 1000, np.random.default_rng(1))
    assert (jobs["estimate"] >= jobs["runtime"]).all() and set(jobs["user"]) == {0, 1, 2, 3}


def test_a_class_may_be_switched_off():
    jobs = sample_jobs(platform_mix(training_rate=0), DAY, np.random.default_rng(1))
    assert "training" not in set(jobs["job_class"]) and len(jobs) > 0
    nothing = sample_jobs([JobClass("x", 1, 1, 0)], DAY, np.random.default_rng(1))
    assert len(nothing) == 0 and list(nothing.columns) == list(jobs.columns)


@pytest.mark.parametrize("weights", [None, (0.1, 0.2, 0.3, 0.1, 0.2, 0.3)])
def test_equal_values_have_that_mean_whatever_their_weights(weights):
    exact = Choice((1.0,) * 6, weights=weights)
    assert exact.mean == 1.0
    assert JobClass("x", 1, 10, 1, overestimate=exact).overestimate == exact
