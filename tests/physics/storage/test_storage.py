"""Storage: metadata follows the data rate, requests follow Little's law, and of a design one limit
binds.
"""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.storage import (
    EGRESS_TIERS,
    checkpoint_write,
    egress_cost,
    metadata_capacity,
    move_or_not,
    object_store_plan,
)
from physics.storage.designs import (
    StorageLoads,
    checkpoint_burst,
    local_copy,
    local_loads,
    storage_loads,
)

FLEET = st.integers(1, 100_000)
RATE = st.floats(1e3, 1e10)


# --- metadata ---
def test_extra_metadata_servers_help_only_as_far_as_directories_are_spread():
    assert [metadata_capacity(n, 0.0) for n in (1, 2, 64)] == [50_000] * 3
    assert metadata_capacity(8, 1.0) == pytest.approx(400_000)
    assert metadata_capacity(8, 0.8) == pytest.approx(50_000 / 0.3)
    assert metadata_capacity(10**9, 0.8) == pytest.approx(50_000 / 0.2)


# --- object store ---
@given(FLEET, RATE, st.floats(1e3, 1e10), st.floats(0, 1), st.floats(1e6, 1e9))
def test_requests_in_flight_obey_littles_law_and_never_fall_below_demand_over_connection_rate(
    fleet, demand, size, latency, connection
):
    plan = object_store_plan(
        fleet, demand, size, first_byte=latency, connection_bandwidth=connection
    )
    rate_each = plan.requests_per_second / fleet
    assert plan.connections_per_accelerator == pytest.approx(
        rate_each * plan.request_time, rel=1e-9
    )
    assert plan.connections_per_accelerator >= demand / connection * (1 - 1e-9)
    assert (plan.prefixes - 1) * 5_500 <= plan.requests_per_second * (1 + 1e-9)
    assert plan.requests_per_second <= plan.prefixes * 5_500 * (1 + 1e-9)
    assert plan.cost_per_hour == pytest.approx(
        plan.requests_per_second * 3600 * 0.0004 / 1000, rel=1e-9
    )


# --- checkpoints ---
def test_bloom_measured_within_a_tenth_of_14_bytes_a_parameter():
    """BigScience, BLOOM model card, 2022: a full checkpoint of the 176-billion-parameter model is
    2.3 TB.
    """
    assert checkpoint_write(176e9, 1.0) == pytest.approx(2.3e12, rel=0.10)


# --- distance ---
def test_moving_the_data_never_pays_at_equal_prices_and_a_free_move_to_a_cheaper_place_at_once():
    choice = move_or_not(
        100e12, 12.5e9, 0.09e-9, price_far=3.5, price_near=3.5, accelerators=512, hours=24
    )
    assert choice.break_even_hours == math.inf and choice.cost_moving_data > choice.cost_moving_job
    assert move_or_not(1e12, 1e9, 0, 1.0, 2.0, 8, 1).break_even_hours == 0


@given(st.floats(1e9, 1e16), st.floats(0, 1e-9), st.floats(0, 10), st.floats(0.01, 10), FLEET)
def test_at_the_break_even_both_ways_cost_the_same(size, egress, far, saved, fleet):
    near = far + saved
    hours = move_or_not(size, 1e9, egress, far, near, fleet, 1.0).break_even_hours
    if not 1e-6 < hours < 1e9:
        return
    at = move_or_not(size, 1e9, egress, far, near, fleet, hours)
    assert at.cost_moving_data == pytest.approx(at.cost_moving_job, rel=1e-6)
    longer, shorter = (
        move_or_not(size, 1e9, egress, far, near, fleet, hours * part) for part in (1.01, 0.99)
    )
    assert (
        longer.cost_moving_data < longer.cost_moving_job
        and shorter.cost_moving_data >= shorter.cost_moving_job
    )


@given(st.floats(1e9, 1e15), st.floats(1e9, 1e15))
def test_egress_tiers_never_charge_less_for_more_and_never_more_than_the_first_price(one, other):
    small, large = sorted((one, other))
    assert egress_cost(small) <= egress_cost(large)
    assert egress_cost(large) <= egress_cost(large, 0.09e-9) * (1 + 1e-12)
    assert egress_cost(large) - egress_cost(small) >= (large - small) * 0.05e-9 * (1 - 1e-6) - 1e-6


def test_tiers_that_end_go_on_at_their_last_price():
    assert egress_cost(30.0, [(10.0, 3.0), (10.0, 2.0)]) == 30 + 20 + 20
    assert egress_cost(5.0, EGRESS_TIERS) == pytest.approx(5 * 0.09e-9)


# --- designs: which limit binds ---
LOADS = st.floats(0, 50)
NAMES = ("bandwidth", "metadata", "requests", "connections")


def test_objects_use_prefixes_and_connections_only():
    loads = storage_loads(4096, 80e6, 62.5e3, "objects", prefixes=954, connections=16)
    assert (loads.bandwidth, loads.metadata) == (0, 0)
    assert loads.requests == pytest.approx(5_242_880 / (954 * 5_500))
    assert loads.connections == pytest.approx(192.9 / 16, rel=1e-3)
    assert loads.binding == "connections"


@given(LOADS, LOADS, LOADS, LOADS)
def test_achieved_is_the_smallest_share_and_easing_what_does_not_bind_changes_nothing(
    one, two, three, four
):
    loads = StorageLoads(one, two, three, four)
    assert loads.achieved == pytest.approx(
        min([1.0] + [1 / load for load in (one, two, three, four) if load > 0])
    )
    eased = {name: 0.0 for name in NAMES if getattr(loads, name) < loads.highest}
    assert replace(loads, **eased).achieved == loads.achieved


# --- checkpoints ---
def test_a_checkpoint_longer_than_its_interval_never_ends():
    burst = checkpoint_burst(1e12, 60, 327.68e9, 28e9)
    assert burst.duty == pytest.approx(1000 / 60)
    assert not burst.finishes
    assert burst.mean_read_share == burst.read_share == pytest.approx(14 / 327.68)


@given(
    st.floats(1e9, 1e13),
    st.floats(60, 1e5),
    st.floats(1e9, 1e12),
    st.floats(1e9, 1e13),
    st.floats(0.01, 1),
)
def test_a_burst_moves_no_more_than_the_bandwidth_and_writes_the_whole_checkpoint(
    size, interval, reads, total, share
):
    burst = checkpoint_burst(size, interval, reads, total, share)
    assert burst.read_share * reads + share * total <= total * (1 + 1e-9)
    assert burst.duration * share * total == pytest.approx(14 * size, rel=1e-9)
    assert burst.read_share - 1e-12 <= burst.mean_read_share <= 1 + 1e-12


# --- drives inside the compute nodes ---
PATHS = {
    "metadata_capacity": 5e4,
    "store_bandwidth": 1344e9,
    "node_link": 25e9,
    "drive_bandwidth": 16e9,
}


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
