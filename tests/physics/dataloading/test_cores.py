"""CPU cores limit what loader workers do while these move and decode, and not while they wait."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.dataloading import WORKERS, input_pipeline
from physics.dataloading.cores import core_limit

JOB = {
    "batch_size": 64,
    "sample_size": 62.5e3,
    "compute_time": 0.050,
    "accelerators": 128,
    "fetch_latency": 2.5e-3,
    "stream_bandwidth": 1e9,
    "decode_time": 4e-3,
    "prefetch_depth": 2,
    "node_bandwidth": 25e9,
    "storage_bandwidth": 672e9,
}


def test_four_cores_for_each_gpu_feed_it_to_76_9_percent_with_any_number_of_workers():
    assert core_limit(32, 4.0625e-3) == pytest.approx(4 / 4.0625e-3)
    for workers in (7, 16, 1000):
        held_up = input_pipeline(**JOB, workers=workers, cores_per_node=32)
        assert held_up.accelerator_utilization == pytest.approx(0.7692, abs=5e-5)
        assert held_up.bottleneck == WORKERS


def test_a_sample_that_needs_no_core_has_no_limit():
    assert core_limit(32, 0.0) == math.inf


@given(workers=st.integers(1, 64), cores=st.floats(1, 512))
def test_cores_never_help_and_more_of_them_never_hurt(workers, cores):
    free = input_pipeline(**JOB, workers=workers)
    shared = input_pipeline(**JOB, workers=workers, cores_per_node=cores)
    more = input_pipeline(**JOB, workers=workers, cores_per_node=2 * cores)
    assert shared.throughput <= more.throughput <= free.throughput * (1 + 1e-12)


def test_fewer_accelerators_on_a_node_leave_each_more_cores():
    alone = JOB | {"accelerators": 2}
    assert input_pipeline(**alone, workers=16, cores_per_node=32).accelerator_utilization == 1
