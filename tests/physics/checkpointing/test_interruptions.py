"""Chance beside the formula: simulated runs against the expected time, and against runs played event by event."""

import math

import numpy as np
import pytest

from physics.checkpointing import (
    expected_breakdown,
    expected_runtime,
    optimal_interval,
    play_run,
    simulate_runs,
    simulate_runtimes,
)

Z = 3.9  # two-sided normal quantile of 99.99%


def halfwidth(sample):
    return Z * np.std(sample, ddof=1) / math.sqrt(len(sample))


@pytest.mark.parametrize(
    "changes",
    [
        # Daly's figures, in minutes.
        *(
            {"work": 30_000.0, "interval": optimal_interval(5.0, mtbf), "dump": 5.0, "restart": 10.0, "mtbf": mtbf}
            for mtbf in (24 * 60.0, 6 * 60.0, 15.0)
        ),
        {"mtbf": 20.0},  # 14.3 segments: the last is charged in proportion
        {"interval": 160.0, "mtbf": 60.0},  # less than one segment
        {"interval": 100.0, "restart": 30.0, "mtbf": 4.0},  # overload: an attempt in 7e10 succeeds
        {"interval": 3.0, "restart": 0.0, "mtbf": 5.0},  # restarts that take no time
        {"mtbf": 3.0, "notice": 0.5},
        {"mtbf": 30.0, "notice": 0.5},
    ],
    ids=str,
)
def test_simulated_runs_take_the_expected_time_and_spend_it_alike(changes):
    settings = {"work": 100.0, "interval": 7.0, "dump": 0.5, "restart": 1.0} | changes
    runs = simulate_runs(**settings, rng=np.random.default_rng(5), runs=4000)
    expected = expected_breakdown(**settings)
    for part in ("runtime", "dumps", "lost", "restarts", "interruptions"):
        assert abs(runs[part].mean() - getattr(expected, part)) <= halfwidth(runs[part]) + 1e-9 * float(expected)


@pytest.mark.slow
@pytest.mark.parametrize("mtbf", [4.0, 40.0])
def test_drawn_at_once_or_played_event_by_event_runs_have_the_same_distribution(mtbf):
    settings = {"work": 60.0, "interval": 5.0, "dump": 0.5, "restart": 1.0, "mtbf": mtbf}
    rng = np.random.default_rng(21)
    played = np.array([play_run(**settings, rng=rng).end for _ in range(2000)])
    drawn = simulate_runtimes(**settings, rng=rng, runs=2000)
    grid = np.sort(np.concatenate([played, drawn]))
    below = [np.searchsorted(np.sort(sample), grid, side="right") / 2000 for sample in (played, drawn)]
    # Kolmogorov-Smirnov at 0.01%: √(ln(2/α)/2) · √(2/n), where runs that met no interruption make it only safer
    assert np.abs(below[0] - below[1]).max() < math.sqrt(math.log(2 / 1e-4) / 2) * math.sqrt(2 / 2000)


@pytest.mark.slow
def test_the_normal_law_for_many_failed_attempts_keeps_mean_and_spread(monkeypatch):
    settings = {"work": 400.0, "interval": 4.0, "dump": 1.0, "restart": 2.0, "mtbf": 2.0}
    one_by_one = simulate_runtimes(**settings, rng=np.random.default_rng(31), runs=6000)
    monkeypatch.setattr("physics.checkpointing.interruptions.DRAWN_ONE_BY_ONE", 0)
    by_normal_law = simulate_runtimes(**settings, rng=np.random.default_rng(32), runs=6000)
    assert abs(one_by_one.mean() - by_normal_law.mean()) < math.hypot(halfwidth(one_by_one), halfwidth(by_normal_law))
    spread = Z / math.sqrt(6000) * 2  # of the ratio of two standard deviations, generous for a kurtosis of up to 5
    assert one_by_one.std() / by_normal_law.std() == pytest.approx(1, abs=spread)


def test_every_record_adds_up_and_an_interruption_costs_at_most_a_segment_and_a_restart():
    runs = simulate_runs(100, 7, 0.5, 1, 20, np.random.default_rng(1), runs=500)
    assert (runs.work == 100).all() and (runs >= 0).all(axis=None)
    total = runs.work + runs.dumps + runs.lost + runs.restarts
    assert runs.runtime.to_numpy() == pytest.approx(total.to_numpy())
    assert (runs.lost <= runs.interruptions * 7.5).all() and (runs.restarts <= runs.interruptions * 1).all()


@pytest.mark.parametrize("notice", [0, 10])
@pytest.mark.parametrize("restart", [0, 0.1])
@pytest.mark.parametrize("mtbf", [5e-324, 1e-3])
def test_a_run_that_cannot_end_is_infinite_and_raises_nothing(mtbf, restart, notice):
    runs = simulate_runs(100, 16, 0.05, restart, mtbf, np.random.default_rng(7), runs=3, notice=notice)
    expected = expected_runtime(100, 16, 0.05, restart, mtbf, notice)
    assert not runs.isna().any(axis=None)
    if math.isinf(expected):
        assert (runs.runtime > 1e300).all()
    else:
        assert runs.runtime.mean() == pytest.approx(expected, rel=0.01)
