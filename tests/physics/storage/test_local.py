"""Drives inside the compute nodes: loads by hand, laws, and the copy as a bound."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.storage.local import local_copy, local_loads

PATHS = {"metadata_capacity": 5e4, "store_bandwidth": 1344e9, "node_link": 25e9, "drive_bandwidth": 16e9}


@given(st.integers(1, 4000), st.floats(1e6, 1e9), st.floats(1e12, 1e16), st.booleans())
def test_more_nodes_never_load_the_drives_of_a_full_node_more_and_halve_the_space_of_shares_only(
    n, demand, size, whole
):
    one, two = (local_loads(8 * nodes, demand, size, 1e6, whole=whole) for nodes in (n, 2 * n))
    assert two.drives == one.drives
    assert two.space == pytest.approx(one.space if whole else one.space / 2)


@given(st.floats(1e12, 1e15), st.integers(1, 2000), st.floats(1e4, 1e9), st.booleans())
def test_a_copy_takes_as_long_as_its_slowest_resource_is_busy(size, nodes, file_size, whole):
    copy = local_copy(size, nodes, file_size, whole=whole, **PATHS)
    total = size * (nodes if whole else 1)
    busy = (total / file_size * 3 / 5e4, total / 1344e9, total / nodes / 25e9, total / nodes / 16e9)
    assert copy.time == pytest.approx(max(busy)) and copy.opening == pytest.approx(busy[0])
    assert copy.part == pytest.approx(total / nodes)
