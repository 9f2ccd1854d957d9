"""A film shows what its rows say of each moment, and refuses rows that cannot be shown."""

import numpy as np
from filmed import seen_at, values
from hypothesis import given
from hypothesis import strategies as st

from physics.films import film, in_lanes

ROWS = st.lists(st.tuples(st.floats(-5, 15), st.floats(0.1, 8), st.integers(0, 3)), max_size=12)


@given(rows=ROWS, moment=st.floats(0, 9.9))
def test_what_is_there_at_a_moment_is_what_the_rows_say(rows, moment):
    waiting = [(size + 1, begin, begin + length, "job") for begin, length, size in rows]
    shown = film(4, 0, 10, [], waiting)
    expected = sum(begin <= moment < begin + length for begin, length, _ in rows)
    assert len(seen_at(shown, moment)[1]) == expected


@given(st.lists(st.tuples(st.floats(0, 50), st.floats(0.5, 9)), min_size=1, max_size=30))
def test_jobs_that_found_room_never_share_a_place(jobs):
    start, length = np.array(jobs).T
    lanes = in_lanes(start, start + length, 6, 40.0)
    rows = zip(lanes, start, start + length, strict=True)
    placed = [(place, place, begin, until, "job", "") for place, begin, until in rows if place >= 0]
    assert len(film(6, 0.0, 100.0, placed).boxes) == len(placed)
    assert np.all(lanes < 6) and np.all(lanes[start >= 40] < 0)


def test_a_curve_holds_each_value_until_the_next_and_keeps_what_it_was_at_the_begin():
    load = [
        (time, value, "load")
        for time, value in ((0, 1.0), (5, 2.0), (12, 2.0), (15, 3.0), (30, 9.0))
    ]
    shown = film(1, 10, 20, [], curves=[*load, (0, 4, "ready")])
    assert shown.curves["time"].tolist() == [
        10,
        15,
        10,
    ]  # what does not change it, or comes after the end, is left out
    assert [values(shown, time) for time in (10, 14.9, 15)] == [
        {"load": 2.0, "ready": 4.0},
        {"load": 2.0, "ready": 4.0},
        {"load": 3.0, "ready": 4.0},
    ]
