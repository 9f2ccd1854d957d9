"""Amdahl's law and the ring all-reduce."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.checkpointing import all_reduce_time, speedup

shares = st.floats(min_value=0, max_value=1)
workers = st.integers(min_value=1, max_value=100_000)
networks = st.fixed_dictionaries(
    {
        "gradient_size": st.floats(min_value=0, max_value=1e11),
        "bandwidth": st.floats(min_value=1e8, max_value=1e12),
        "latency": st.floats(min_value=0, max_value=1e-2),
        "step_time": st.floats(min_value=1e-3, max_value=1e2),
    }
)


@given(workers, shares, st.floats(min_value=1, max_value=1e12), st.floats(min_value=0, max_value=1))
def test_without_a_gradient_it_is_amdahls_law(n, serial, bandwidth, latency):
    assert speedup(n, serial, 0, bandwidth, latency) == pytest.approx(1 / (serial + (1 - serial) / n), rel=1e-12)


def test_hand_calculation_of_the_ring():
    # 4 workers, 2 GB, 50 GB/s, 1 ms: 6 messages of 0.5 GB take 6 · (1 ms + 10 ms)
    assert all_reduce_time(4, 2e9, 50e9, 1e-3) == pytest.approx(0.066)
    assert speedup(4, 0.1, 2e9, 50e9, 1e-3, step_time=2) == pytest.approx(2 / (0.2 + 1.8 / 4 + 0.066))


@given(workers, shares, networks)
def test_no_number_of_workers_beats_its_number_or_amdahl_and_one_is_the_best_per_dollar(n, serial, network):
    gain = speedup(n, serial, **network)
    assert 0 < gain <= min(n, speedup(n, serial)) * (1 + 1e-12)
    assert speedup(n + 1, serial, **network) / (n + 1) <= gain / n * (1 + 1e-12)
