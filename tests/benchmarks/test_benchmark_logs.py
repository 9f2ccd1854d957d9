"""The table of what a log costs has every step."""

import pytest

from benchmarks import logs


@pytest.mark.slow
def test_every_step_of_a_log_is_measured():
    rows = list(logs.measure(read=500, computed=500, rounds=1))
    assert [jobs for _, jobs, _ in rows] == [500] * 4 and all(seconds >= 0 for *_, seconds in rows)
    words = " ".join(what for what, *_ in rows)
    assert all(step in words for step in ("reading", "what happened", "calibration", "what-if"))


@pytest.mark.slow
def test_the_log_is_as_long_as_it_is_asked_to_be_and_in_order():
    jobs = logs.jobs_of(30_000)
    assert len(jobs) == 30_000 and jobs["submit"].is_monotonic_increasing
