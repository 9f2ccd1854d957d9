"""Claims about the input pipeline: hand calculations, published figures, laws and limits; shuffle
buffer and cache.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.dataloading import STAGES, demand, input_pipeline, lru_hit_share, prefetch_depth_for
from physics.dataloading.pipeline import RESULTS, WORKLOADS, shuffle_randomness

MESSAGE = dict(
    batch_size=64,
    sample_size=62.5e3,
    compute_time=0.050,
    accelerators=128,
    workers=1,
    fetch_latency=6.0e-3,
    stream_bandwidth=1e9,
    decode_time=0.5e-3,
    prefetch_depth=2,
    node_bandwidth=25e9,
    storage_bandwidth=24 * 28e9,
)


def run(**changes):
    return input_pipeline(**{**MESSAGE, **changes})


# --- hand calculations ---
def test_every_stage_rate_is_the_hand_calculation():
    rates = run(storage_iops=50_000, samples_per_request=4).rates
    assert list(rates) == list(STAGES) == ["workers", "node link", "storage", "IOPS", "compute"]
    assert rates["workers"] == pytest.approx(128 / (1.5e-3 + 0.0625e-3 + 0.5e-3), rel=1e-12)
    assert rates["node link"] == pytest.approx(16 * 25e9 / 62.5e3, rel=1e-12)
    assert rates["storage"] == pytest.approx(672e9 / 62.5e3, rel=1e-12)
    assert rates["IOPS"] == 200_000
    assert rates["compute"] == pytest.approx(128 * 64 / 0.050, rel=1e-12)


def test_a_tie_between_compute_and_reading_is_no_starvation():
    tie = run(batch_size=1, fetch_latency=0, decode_time=0, sample_size=50e6, accelerators=1)
    assert tie.io_time == pytest.approx(tie.compute_time, rel=1e-12)
    assert tie.bottleneck == "compute"
    assert tie.accelerator_utilization == pytest.approx(1, rel=1e-12)


def test_the_fullest_node_holds_back_a_job_that_steps_together():
    narrow = dict(workers=16, samples_per_request=64, node_bandwidth=0.2e9)
    whole = run(accelerators=8, **narrow)
    partial = run(accelerators=12, **narrow)
    assert whole.bottleneck == partial.bottleneck == "node link"
    assert partial.step_time == pytest.approx(whole.step_time, rel=1e-12)
    assert partial.rates["node link"] == pytest.approx(1.5 * whole.rates["node link"], rel=1e-12)
    assert run(accelerators=2).rates["node link"] == pytest.approx(25e9 / 62.5e3, rel=1e-12)


def test_limits_that_do_not_exist_are_infinite_and_carry_no_load():
    free = run(node_bandwidth=None)
    assert free.rates["node link"] == free.rates["IOPS"] == math.inf
    assert free.loads["node link"] == free.loads["IOPS"] == 0


def test_fetching_and_decoding_are_the_workers_time_and_a_full_store_stretches_the_fetching():
    alone = run()
    assert alone.io_time == pytest.approx(64 * 6.5625e-3, rel=1e-12)
    assert alone.decode_time == pytest.approx(64 * 0.5e-3, rel=1e-12)
    assert run(workers=4).decode_time == pytest.approx(alone.decode_time / 4, rel=1e-12)
    crowded = run(storage_bandwidth=0.5e9)
    assert crowded.decode_time == alone.decode_time
    assert crowded.io_time == pytest.approx(64 * 62.5e3 * 128 / 0.5e9, rel=1e-12)


# --- published figures ---
def test_the_mlperf_table_is_retyped_as_published():
    rows = [
        (w.name, w.sample_size, w.batch_size, w.compute_time, w.demand / 1e9) for w in WORKLOADS
    ]
    assert [(*row[:4], float(f"{row[4]:.3g}")) for row in rows] == [
        ("UNet3D on H100", 146_600_628, 7, 0.323, 3.18),
        ("UNet3D on A100", 146_600_628, 7, 0.636, 1.61),
        ("ResNet-50 on H100", 114_660, 400, 0.224, 0.205),
        ("ResNet-50 on A100", 114_660, 400, 0.435, 0.105),
        ("CosmoFlow on H100", 2_828_486, 1, 0.0035, 0.808),
        ("CosmoFlow on A100", 2_828_486, 1, 0.00551, 0.513),
    ]


def test_measured_mlperf_runs_fall_up_to_3_percent_short_of_the_models_samples_per_second():
    # MLPerf Storage v1.0 results, DDN AI400X2T, H100: utilization and samples/s of the first run of
    # each workload.
    assert [round(100 * result.miss, 1) for result in RESULTS] == [3.0, 0.3, 2.3]


# --- laws ---
PIPELINES = st.fixed_dictionaries(
    dict(
        batch_size=st.integers(1, 1024),
        sample_size=st.floats(1e3, 2e8),
        compute_time=st.floats(1e-3, 2),
        accelerators=st.integers(1, 5000),
        workers=st.integers(1, 64),
        fetch_latency=st.floats(0, 0.2),
        stream_bandwidth=st.floats(1e7, 1e10),
        decode_time=st.floats(0, 0.1),
        prefetch_depth=st.integers(0, 8),
        samples_per_request=st.integers(1, 10_000),
        accelerators_per_node=st.integers(1, 16),
        node_bandwidth=st.floats(1e8, 1e11),
        storage_bandwidth=st.floats(1e8, 1e13),
        storage_iops=st.none() | st.floats(1e2, 1e8),
    )
)


@given(PIPELINES)
def test_no_stage_carries_more_than_it_can_and_a_step_is_a_max_or_a_sum(knobs):
    pipeline = input_pipeline(**knobs)
    slowest_io = min(rate for stage, rate in pipeline.rates.items() if stage != "compute")
    io_time = knobs["accelerators"] * knobs["batch_size"] / slowest_io
    overlap = knobs["prefetch_depth"] > 0
    if overlap:
        step = max(knobs["compute_time"], io_time)
    else:
        step = knobs["compute_time"] + io_time
    assert pipeline.io_time == pytest.approx(io_time, rel=1e-9)
    assert pipeline.step_time == pytest.approx(step, rel=1e-9)
    assert 0 < pipeline.accelerator_utilization <= 1
    assert all(0 <= load <= 1 for load in pipeline.loads.values())
    assert pipeline.accelerator_utilization == pytest.approx(pipeline.loads["compute"], rel=1e-9)
    assert pipeline.rates[pipeline.bottleneck] <= min(pipeline.rates.values()) * (1 + 1e-8)
    consumed = knobs["accelerators"] * knobs["batch_size"] / step
    assert pipeline.achieved_bandwidth == pytest.approx(consumed * knobs["sample_size"], rel=1e-9)
    needed = knobs["accelerators"] * demand(
        knobs["batch_size"], knobs["sample_size"], knobs["compute_time"]
    )
    assert pipeline.needed_bandwidth == pytest.approx(needed, rel=1e-9)
    if overlap:
        assert max(pipeline.loads.values()) == pytest.approx(1, rel=1e-9)
        assert pipeline.accelerator_utilization == pytest.approx(
            1 / max(pipeline.needs.values()), rel=1e-9
        )


# --- prefetch rule ---
def test_jitter_of_computing_counts_in_proportion_to_the_readers_load():
    assert prefetch_depth_for(0.5, 1.0, 1.0) == math.ceil(1.5 * math.log(100) / 1.0)
    assert prefetch_depth_for(0.5, 0.0, 2.0, stall=0.05) == math.ceil(1.0 * math.log(20) / 1.0)


def test_no_jitter_needs_no_buffer_and_no_buffer_mends_a_reader_that_is_too_slow():
    assert prefetch_depth_for(0.9, 0.0) == 0
    assert prefetch_depth_for(0.0, 1.0) == math.ceil(math.log(100) / 2)
    assert prefetch_depth_for(1.0, 1.0) == prefetch_depth_for(8.4, 1.0) == math.inf


def orders(buffer: int, samples: int) -> dict[tuple[int, ...], Fraction]:
    """Every order that can leave the buffer, with its chance: the rule itself, branch by branch."""
    found = {((), tuple(range(buffer)), buffer): Fraction(1)}
    for _ in range(samples):
        after: dict = {}
        for (used, held, read), chance in found.items():
            for one in held:
                rest = tuple(other for other in held if other != one)
                state = (
                    (*used, one),
                    (*rest, read) if read < samples else rest,
                    min(read + 1, samples),
                )
                after[state] = after.get(state, 0) + chance / len(held)
        found = after
    return {used: chance for (used, _, _), chance in found.items()}


@pytest.mark.parametrize(
    ("buffer", "samples"), [(b, n) for n in (2, 3, 5, 6) for b in range(1, n + 1)]
)
def test_the_formula_is_the_mean_over_all_orders_that_can_leave_the_buffer(buffer, samples):
    apart = sum(
        chance * sum((place - one) ** 2 for place, one in enumerate(order))
        for order, chance in orders(buffer, samples).items()
    )
    assert shuffle_randomness(buffer, samples) == pytest.approx(
        float(6 * apart / (samples * (samples**2 - 1)))
    )


def test_the_stored_order_is_not_random_and_a_buffer_for_all_is_a_full_shuffle():
    for samples in (2, 100, 10**6):
        assert shuffle_randomness(1, samples) == 0
        assert shuffle_randomness(samples, samples) == pytest.approx(1)
        assert shuffle_randomness(2 * samples, samples) == shuffle_randomness(samples, samples)


@given(st.integers(1, 999))
def test_both_forms_of_the_lru_share_agree_with_exact_terms(mill):
    if mill < 800:  # beyond, 200 terms are too few
        terms = sum(Fraction(mill, 1000) ** k / (k * (k - 1)) for k in range(2, 200))
        assert lru_hit_share(mill / 1000) == pytest.approx(float(terms), rel=1e-13)
    assert lru_hit_share(mill / 1000) == pytest.approx(
        mill / 1000 + (1 - mill / 1000) * math.log(1 - mill / 1000)
    )
    assert (lru_hit_share(0), lru_hit_share(1)) == (0, 1)
    assert lru_hit_share(1e-10) == pytest.approx(5e-21, rel=1e-9)


@pytest.mark.parametrize("cached", [0.2, 0.65, 0.9])
def test_an_lru_cache_that_is_played_hits_as_often(cached):
    rng = np.random.default_rng(2)
    size = 2000
    room = int(cached * size)
    hits = 0
    store = {}
    for epoch in range(6):
        for sample in rng.permutation(size).tolist():
            hits += epoch > 0 and sample in store
            store.pop(sample, None)
            store[sample] = None
            if len(store) > room:
                del store[next(iter(store))]
    assert hits / (5 * size) == pytest.approx(lru_hit_share(cached), abs=0.015)
