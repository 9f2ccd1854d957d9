"""Storage designs: which limit binds, and what a checkpoint does to reads."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.storage.designs import StorageLoads, checkpoint_burst, storage_loads

LOADS = st.floats(0, 50)
NAMES = ("bandwidth", "metadata", "requests", "connections")


def test_objects_use_prefixes_and_connections_only():
    loads = storage_loads(4096, 80e6, 62.5e3, "objects", prefixes=954, connections=16)
    assert (loads.bandwidth, loads.metadata) == (0, 0)
    assert loads.requests == pytest.approx(5_242_880 / (954 * 5_500))
    assert loads.connections == pytest.approx(192.9 / 16, rel=1e-3)
    assert loads.binding == "connections"


@given(LOADS, LOADS, LOADS, LOADS)
def test_achieved_is_the_smallest_share_and_easing_what_does_not_bind_changes_nothing(one, two, three, four):
    loads = StorageLoads(one, two, three, four)
    assert loads.achieved == pytest.approx(min([1.0] + [1 / load for load in (one, two, three, four) if load > 0]))
    eased = {name: 0.0 for name in NAMES if getattr(loads, name) < loads.highest}
    assert replace(loads, **eased).achieved == loads.achieved


# --- checkpoints ---
def test_a_checkpoint_longer_than_its_interval_never_ends():
    burst = checkpoint_burst(1e12, 60, 327.68e9, 28e9)
    assert burst.duty == pytest.approx(1000 / 60)
    assert not burst.finishes
    assert burst.mean_read_share == burst.read_share == pytest.approx(14 / 327.68)


@given(st.floats(1e9, 1e13), st.floats(60, 1e5), st.floats(1e9, 1e12), st.floats(1e9, 1e13), st.floats(0.01, 1))
def test_a_burst_moves_no_more_than_the_bandwidth_and_writes_the_whole_checkpoint(size, interval, reads, total, share):
    burst = checkpoint_burst(size, interval, reads, total, share)
    assert burst.read_share * reads + share * total <= total * (1 + 1e-9)
    assert burst.duration * share * total == pytest.approx(14 * size, rel=1e-9)
    assert burst.read_share - 1e-12 <= burst.mean_read_share <= 1 + 1e-12
