"""The size of a cluster: what the user, the nodes, a header or the record itself say, in this
order.
"""

import math

import pandas as pd
import pytest

from physics.cluster import happened_sentences, report, settle, what_happened
from physics.cluster.calibration import calibrate

HOUR = 3600.0


def log(rows, **attrs):
    """Jobs by start, length [h], GPUs and maybe a limit [h]; none waits."""
    rows = [(*row, float("nan"))[:4] for row in rows]
    frame = pd.DataFrame(rows, columns=["submit", "runtime", "gpus", "requested"])
    frame = frame.assign(recorded_wait=0.0, user="ann")
    frame[["submit", "runtime", "requested"]] *= HOUR
    frame.attrs = attrs
    return frame


BACK_TO_BACK = [(hour, 1, 4, 10) for hour in range(20)]
SECOND = 1 / HOUR


@pytest.mark.parametrize(("too_long", "size"), [(1, 4), (60, 4), (61, 8)])
def test_an_overlap_counts_from_more_than_a_minute_on(too_long, size):
    rows = [*BACK_TO_BACK, (5 - too_long * SECOND, too_long * SECOND, 4, 10)]
    found = what_happened(log(rows))
    assert (found.gpus, found.size_source) == (size, "largest use that lasts")
    assert found.over == pytest.approx(too_long if size == 4 else 0)


def test_a_job_without_which_every_stretch_ends_is_named_and_the_size_stays_open():
    found = what_happened(log([*BACK_TO_BACK, (3, 17, 4, 1)]))
    runaway = found.size.runaway
    assert found.gpus == 4 and runaway.times_its_limit == pytest.approx(17)
    calibration = calibrate(log(BACK_TO_BACK), 4)
    first = report(found, calibration)["sections"][0]["sentences"][0]
    assert first.startswith("This log cannot be trusted as it is: A job of ann ran 17 times")


def test_jobs_that_together_use_the_most_are_no_runaways():
    found = what_happened(log([(0, 9, 1), (1, 8, 1), (2, 7, 1), (3, 6, 1)]))
    assert found.gpus == 4 and found.size.runaway is None


@pytest.mark.parametrize(
    ("header", "size", "wider"), [(100, 110, 1), (109, 110, 1), (110, 110, 1), (111, 111, 1)]
)
def test_a_header_gives_way_to_the_widest_job_up_to_a_quarter_more(header, size, wider):
    rows = [(0, 1, 100), (2, 1, 110), (4, 1, 150), (6, 1, 100)]
    found = what_happened(log(rows, size=header, size_name="MaxProcs"))
    assert (found.gpus, found.left_out) == (size, {"wider than the cluster": wider})
    assert found.jobs == 3
    lines = happened_sentences(found)
    assert lines[0].startswith(f"The cluster has {size} GPUs, ")
    assert ("slightly fewer" in lines[0]) == (size > header)


def test_jobs_wider_than_the_users_size_or_the_nodes_are_left_out_and_counted():
    rows = [(0, 1, 4), (2, 1, 8), (4, 1, 4)]
    for attrs, gpus in (({}, 6), ({"size": 6, "size_name": "nodes"}, None)):
        jobs = settle(log(rows, **attrs), gpus)
        assert len(jobs) == 2 and jobs.attrs["left_out"] == {"wider than the cluster": 1}
        assert what_happened(jobs).gpus == 6 and settle(jobs) is jobs
    with pytest.raises(ValueError, match="at least the width of some job, 4, got 3"):
        settle(log(rows), 3)


def test_the_user_comes_before_the_nodes_and_the_header():
    assert what_happened(log(BACK_TO_BACK, size=6, size_name="nodes"), 5).gpus == 5
    assert what_happened(log(BACK_TO_BACK, size=6, size_name="nodes")).gpus == 6


def test_a_runaway_with_a_limit_of_zero_has_no_limit():
    rows = [*BACK_TO_BACK, (5, 10, 4, 0)]
    runaway = settle(log(rows)).attrs["settled"].runaway
    assert math.isnan(runaway.limit) and math.isnan(runaway.times_its_limit)
