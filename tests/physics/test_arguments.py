"""Closed forms take arrays, and answer for each element as they do for it alone."""

import numpy as np
import pandas as pd
import pytest

from physics.checkpointing import expected_runtime, young
from physics.dataloading import input_pipeline
from physics.fair_queueing import catch_up_time
from physics.queueing import erlang_c, highest_utilization, mgc, mmc
from physics.speedup import speedup
from physics.storage import metadata_rate

MODELS = {
    "erlang_c": lambda x: erlang_c(8, x * 7),
    "highest_utilization": lambda x: highest_utilization(x * 1800, 3600.0, 4),
    "young": lambda x: young(60.0, x * 1e5),
    "expected_runtime": lambda x: expected_runtime(1e5, x * 3600, 60.0, 0.0, 1e5),
    "catch_up_time": lambda x: catch_up_time(1e5, x * 1e5),
    "metadata_rate": lambda x: metadata_rate(128, x * 1e8, 4e6, 3),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_of_an_array_is_the_model_of_each_element(name):
    at = np.array([[0.2, 0.5], [0.7, 0.9]])
    found = MODELS[name](at)
    assert found.shape == at.shape and found.tolist() == [
        [MODELS[name](x) for x in row] for row in at.tolist()
    ]


def test_a_sweep_of_a_queue_has_arrays_in_its_fields_and_percentiles():
    rates = np.linspace(0.5, 4.5, 9)
    swept = mmc(rates, 1.0, 4)
    single = [mmc(rate, 1.0, 4) for rate in rates.tolist()]
    assert (
        swept.mean_wait.tolist() == [one.mean_wait for one in single]
        and swept.method == "M/M/c exact"
    )
    assert swept.stable.tolist() == [rate < 4 for rate in rates.tolist()]
    assert swept.wait_percentile(0.9).tolist() == [one.wait_percentile(0.9) for one in single]
    assert swept.response_percentile(0.9).tolist() == [
        one.response_percentile(0.9) for one in single
    ]


def test_arrays_are_broadcast_and_methods_may_differ():
    found = mgc(np.array([[1.0], [3.0]]), 1.0, 4, np.array([0.0, 1.0, 4.0]))
    assert found.mean_wait.shape == (2, 3) and found.exact.tolist() == [[False, True, False]] * 2
    assert found.mean_wait[1, 2] == mgc(3.0, 1.0, 4, 4.0).mean_wait
    series = speedup(pd.Series([1, 2, 4]), 0.0, 0.0, 1e9, 0.0, 1.0)
    assert series.tolist() == [1.0, 2.0, 4.0]


def test_a_record_with_parts_of_its_own_is_gathered_too():
    given = {
        "batch_size": 64,
        "sample_size": 62.5e3,
        "compute_time": 0.05,
        "accelerators": 8,
        "fetch_latency": 6e-3,
    }
    given |= {
        "stream_bandwidth": 1e9,
        "decode_time": 1e-3,
        "prefetch_depth": 2,
        "node_bandwidth": 25e9,
    }
    found = input_pipeline(workers=np.array([1, 64]), storage_bandwidth=1e11, **given)
    one = input_pipeline(workers=64, storage_bandwidth=1e11, **given)
    assert (
        found.throughput[1] == one.throughput
        and found.rates[1] == one.rates
        and found.bottleneck[1] == one.bottleneck
    )
