"""Claims about prefetching: the timeline's recursion, the simulated buffer against theory, the
rule's error.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.dataloading import input_pipeline, prefetch_depth_for
from physics.dataloading.prefetching import (
    jittered_utilization,
    shallowest,
    simulate_depths,
    timeline,
)


def pipeline(io_time, compute_time, depth, decode_share=0.0):
    return input_pipeline(
        batch_size=1,
        sample_size=1.0,
        compute_time=compute_time,
        accelerators=1,
        workers=1,
        fetch_latency=io_time * (1 - decode_share),
        stream_bandwidth=1e18,
        decode_time=io_time * decode_share,
        prefetch_depth=depth,
        node_bandwidth=1e18,
        storage_bandwidth=1e18,
    )


# --- timeline ---
@pytest.mark.parametrize(
    ("run", "fetches", "computes", "idle"),
    [
        # With prefetch a slow reader never pauses, and the accelerator waits each step.
        (
            pipeline(3, 2, 2, 1 / 3),
            [(0, 2), (3, 5), (6, 8)],
            [(3, 5), (6, 8), (9, 11)],
            [(0, 3), (5, 6), (8, 9)],
        ),
        # A fast reader pauses until a slot frees at the start of a step.
        (
            pipeline(1, 4, 2),
            [(0, 1), (1, 2), (2, 3), (5, 6)],
            [(1, 5), (5, 9), (9, 13), (13, 17)],
            [(0, 1)],
        ),
    ],
)
def test_timelines_by_hand(run, fetches, computes, idle):
    rows = timeline(run, steps=len(fetches))
    spans = {
        name: rows[rows["activity"] == name][["start", "end"]].to_numpy()
        for name in ("fetch", "compute", "idle")
    }
    assert spans["fetch"] == pytest.approx(np.array(fetches)) and spans["compute"] == pytest.approx(
        np.array(computes)
    )
    assert spans["idle"] == pytest.approx(np.array(idle))


@given(st.floats(0.01, 10), st.floats(0.01, 10), st.integers(0, 4), st.floats(0, 0.9))
def test_the_timelines_rhythm_is_the_models_step(io_time, compute_time, depth, decode_share):
    model = pipeline(io_time, compute_time, depth, decode_share)
    frame = timeline(model, steps=12)
    starts = frame[frame["activity"] == "compute"]["start"].to_numpy()
    assert np.diff(starts)[-3:] == pytest.approx([model.step_time] * 3, rel=1e-6)
    for _, rows in frame.groupby("resource"):
        assert (rows["start"].to_numpy()[1:] >= rows["end"].to_numpy()[:-1] - 1e-9).all()


# --- simulation against theory ---
def test_constant_times_give_max_with_prefetch_and_sum_without():
    for busy in (0.4, 1.0, 2.5):
        few = dict(steps=50, warmup=20, replications=2, rng=np.random.default_rng(1))
        for run in simulate_depths([0, 1, 3], busy, 0, **few):
            if run.depth:
                step = max(1, busy)
            else:
                step = 1 + busy
            assert run.accelerator_utilization == pytest.approx(1 / step, rel=1e-9)
            assert run.stalled == (1.0 if run.depth == 0 or busy > 1 else 0.0)


def exponential_chain(depth, busy):
    """Stalled share and utilization of the buffer with exponential times: a birth-death chain,
    solved by hand.

    The state is the number of slots that hold no finished batch, 0 to D, or D + 1 when the
    accelerator has run dry as well. Batches are finished at rate 1/ρ while it is above 0, steps end
    at rate 1 while it is at most D: a queue M/M/1 with room for D + 1. A step waits if all D slots
    are unfinished when the one before it ends.
    """
    weights = np.array([busy**n for n in range(depth + 2)])
    shares = weights / weights.sum()
    step_ends = shares[: depth + 1] / shares[: depth + 1].sum()
    return step_ends[depth], 1 - shares[depth + 1]


def measured(depth, *times, **sizes):
    """Stalled share and utilization over six independent runs, and five standard errors of each."""
    rngs = map(np.random.default_rng, range(6))
    runs = [simulate_depths([depth], *times, replications=60, rng=rng, **sizes)[0] for rng in rngs]
    found = np.array([(run.stalled, run.accelerator_utilization) for run in runs])
    return found.mean(axis=0), 5 * found.std(axis=0, ddof=1) / math.sqrt(len(runs))


@pytest.mark.parametrize(("depth", "busy"), [(1, 0.5), (5, 0.7), (3, 1.0), (4, 1.6)])
def test_exponential_times_stall_as_the_birth_death_chain_says(depth, busy):
    found, margin = measured(depth, busy, 1.0, 1.0, steps=1000, warmup=300)
    assert (np.abs(found - exponential_chain(depth, busy)) <= margin).all()


def test_one_slot_with_exponential_reading_and_constant_steps_is_solved_by_hand():
    # The next batch is begun when a step begins, so it is late if it takes longer than the step:
    # exp(−1/ρ). And a step takes max(1, T) on average: 1 + ρ exp(−1/ρ).
    found, margin = measured(1, 0.5, 1.0, 0.0, steps=1000, warmup=10)
    assert (np.abs(found - [math.exp(-2), 1 / (1 + 0.5 * math.exp(-2))]) <= margin).all()


@pytest.mark.slow
@pytest.mark.parametrize("compute_jitter", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_the_depth_rule_is_half_to_three_and_a_half_times_the_simulated_need(compute_jitter):
    ratios = []
    for busy in (0.5, 0.7, 0.9):
        for scv in (0.1, 1.0, 4.0):
            if compute_jitter:
                compute_scv = scv
            else:
                compute_scv = 0.0
            rule = prefetch_depth_for(busy, scv, compute_scv)
            depths = range(rule // 4, 2 * rule + 2)
            sizes = dict(steps=1500, warmup=1500, replications=min(200, 8000 // len(depths)))
            runs = simulate_depths(
                depths, busy, scv, compute_scv, **sizes, rng=np.random.default_rng(5)
            )
            need = shallowest(runs)
            assert need > depths[0], "the smallest depth tried would already do"
            ratios.append(rule / need)
    assert 0.45 <= min(ratios) < 1
    assert 1 < max(ratios) <= 3.6


def test_depths_simulated_together_are_the_runs_simulated_alone():
    def simulated(depths):
        few = dict(steps=40, warmup=10, replications=5)
        return simulate_depths(depths, 0.8, 1.0, 0.5, **few, rng=np.random.default_rng(4))

    assert simulated([0, 1, 3, 200]) == [simulated([depth])[0] for depth in (0, 1, 3, 200)]


def test_no_depth_is_enough_for_readers_that_are_too_slow():
    few = dict(steps=200, warmup=50, replications=20)
    for busy, scv in ((1.0, 1.0), (8.4, 0.0)):
        assert (
            shallowest(simulate_depths(range(30), busy, scv, **few, rng=np.random.default_rng(2)))
            == math.inf
        )


# --- the kept curve ---
@pytest.mark.parametrize("depth", [1, 5, 16])
@pytest.mark.parametrize("busy", [0.3, 0.7, 1.05, 1.6])
def test_the_kept_utilization_is_the_birth_death_chains_to_within_a_point(depth, busy):
    assert jittered_utilization(depth, busy, 1.0, 1.0) == pytest.approx(
        exponential_chain(depth, busy)[1], abs=0.01
    )


@pytest.mark.parametrize(
    ("io_scv", "compute_scv"), [(0.1, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
)
@pytest.mark.parametrize(("depth", "busy"), [(1, 0.8), (2, 1.05), (64, 0.95)])
def test_the_kept_utilization_is_that_of_long_runs_to_within_a_point(
    depth, busy, io_scv, compute_scv
):
    (_, found), (_, margin) = measured(
        depth, busy, io_scv, compute_scv, steps=600, warmup=300 + 10 * depth
    )
    assert abs(jittered_utilization(depth, busy, io_scv, compute_scv) - found) <= 0.01 + margin / 2


@given(st.integers(0, 64), st.floats(1e-3, 1e3), st.sampled_from([0.0, 1.0]))
def test_jitter_never_helps_and_never_costs_more_than_the_overlap(depth, busy, scv):
    kept = jittered_utilization(depth, busy, scv)
    assert 1 / (1 + busy) * (1 - 1e-9) <= kept <= 1 / max(1.0, busy)
    if depth == 0:
        assert kept == pytest.approx(1 / (1 + busy))
    elif scv == 0:
        assert kept == 1 / max(1.0, busy)
