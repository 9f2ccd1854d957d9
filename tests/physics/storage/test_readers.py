"""Readers in front of metadata servers: a closed queue, by hand and against published limits."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.storage.readers import reader_queue


def test_one_reader_never_waits():
    alone = reader_queue(1, 0.05, 0.01)
    assert alone.waiting == 0 and alone.pace == pytest.approx(0.05 / 0.06)


def test_two_readers_at_one_server_by_hand():
    """With Z = S the chances of 0, 1, 2 at the server are 1 : 2 : 2."""
    pair = reader_queue(2, 1.0, 1.0)
    assert pair.busy == pytest.approx(4 / 5) and pair.waiting == pytest.approx(2 / 5)
    assert pair.wait == pytest.approx(0.5) and pair.pace == pytest.approx(2 / 5)


def test_far_beyond_saturation_the_pace_is_that_of_the_servers():
    full = reader_queue(4096, 0.050, 60e-6, 4)
    assert full.pace == pytest.approx(4 * 0.050 / (4096 * 60e-6)) and full.busy == pytest.approx(1)
    assert full.waiting == pytest.approx(4096 - 4 * (1 + 0.050 / 60e-6), abs=0.01)


def test_five_servers_that_are_98_percent_asked_cost_the_readers_under_one_percent():
    five = reader_queue(4096, 0.050, 60e-6, 5)
    assert pytest.approx(0.983, abs=5e-4) == 4096 * 60e-6 / 0.050 / 5
    assert 1 - five.pace < 0.01 and 0.3e-3 < five.wait < 0.5e-3


@given(
    readers=st.integers(1, 2000),
    read_time=st.floats(1e-4, 10),
    open_time=st.floats(1e-6, 1),
    servers=st.integers(1, 300),
)
def test_littles_law_and_the_bounds_hold(readers, read_time, open_time, servers):
    found = reader_queue(readers, read_time, open_time, servers)
    done = found.pace * readers / read_time  # reads per second
    assert readers == pytest.approx(done * (read_time + found.wait + open_time), rel=1e-6)
    most = min(read_time / (read_time + open_time), servers * read_time / (readers * open_time))
    assert found.pace <= most * (1 + 1e-9)
    assert 0 <= found.busy <= 1 + 1e-9 and math.isfinite(found.wait)


def test_more_readers_than_the_table_holds_are_refused():
    with pytest.raises(ValueError, match="readers must be at most 100000, got 100001"):
        reader_queue(100_001, 1.0, 1.0)
