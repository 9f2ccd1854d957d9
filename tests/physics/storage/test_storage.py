"""Storage: metadata follows the data rate, requests follow Little's law, and distance is a difference of prices."""

import math

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
    plan = object_store_plan(fleet, demand, size, first_byte=latency, connection_bandwidth=connection)
    rate_each = plan.requests_per_second / fleet
    assert plan.connections_per_accelerator == pytest.approx(rate_each * plan.request_time, rel=1e-9)
    assert plan.connections_per_accelerator >= demand / connection * (1 - 1e-9)
    assert (plan.prefixes - 1) * 5_500 <= plan.requests_per_second * (1 + 1e-9)
    assert plan.requests_per_second <= plan.prefixes * 5_500 * (1 + 1e-9)
    assert plan.cost_per_hour == pytest.approx(plan.requests_per_second * 3600 * 0.0004 / 1000, rel=1e-9)


# --- checkpoints ---
def test_bloom_measured_within_a_tenth_of_14_bytes_a_parameter():
    """BigScience, BLOOM model card, 2022: a full checkpoint of the 176-billion-parameter model is 2.3 TB."""
    assert checkpoint_write(176e9, 1.0) == pytest.approx(2.3e12, rel=0.10)


# --- distance ---
def test_moving_the_data_never_pays_at_equal_prices_and_a_free_move_to_a_cheaper_place_at_once():
    choice = move_or_not(100e12, 12.5e9, 0.09e-9, price_far=3.5, price_near=3.5, accelerators=512, hours=24)
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
    longer, shorter = (move_or_not(size, 1e9, egress, far, near, fleet, hours * part) for part in (1.01, 0.99))
    assert longer.cost_moving_data < longer.cost_moving_job and shorter.cost_moving_data >= shorter.cost_moving_job


@given(st.floats(1e9, 1e15), st.floats(1e9, 1e15))
def test_egress_tiers_never_charge_less_for_more_and_never_more_than_the_first_price(one, other):
    small, large = sorted((one, other))
    assert egress_cost(small) <= egress_cost(large)
    assert egress_cost(large) <= egress_cost(large, 0.09e-9) * (1 + 1e-12)
    assert egress_cost(large) - egress_cost(small) >= (large - small) * 0.05e-9 * (1 - 1e-6) - 1e-6


def test_tiers_that_end_go_on_at_their_last_price():
    assert egress_cost(30.0, [(10.0, 3.0), (10.0, 2.0)]) == 30 + 20 + 20
    assert egress_cost(5.0, EGRESS_TIERS) == pytest.approx(5 * 0.09e-9)
