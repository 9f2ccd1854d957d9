"""The table of the cluster simulator's speed: every workload is there, and work does not grow with the queue."""

import numpy as np
import pytest
from counting import calls

from benchmarks import queueing, scheduling


def test_without_a_trace_the_overload_is_that_of_the_lessons_mix(monkeypatch):
    monkeypatch.setattr(queueing, "JOBS", dict.fromkeys(queueing.RUNNERS, 300))
    monkeypatch.setattr(scheduling, "LOADS", (1,))
    monkeypatch.setattr(scheduling, "ORDERS", ("arrival",))
    monkeypatch.setattr(scheduling, "LESSON", dict(list(scheduling.LESSON.items())[:1]))
    text = "\n".join(scheduling.table(scheduling.rows(None, 1)))
    assert all(name in text for name in queueing.RUNNERS)
    assert "lesson, load × 1" in text and "arrival, conservative" in text and "lesson, 60 days" in text


@pytest.mark.slow
def test_the_calls_of_a_run_grow_less_than_its_load(monkeypatch):
    """Four times the load makes queues up to twenty times as long; a loop that looks at all of them would show."""
    monkeypatch.setattr(scheduling, "best", lambda run, rounds: calls(run))
    monkeypatch.setattr(scheduling, "LOADS", (1, 4))
    mix = scheduling.sample_jobs(scheduling.platform_mix(), 20 * scheduling.c.DAY, np.random.default_rng(1))
    monkeypatch.setattr(scheduling, "ORDERS", ("arrival", "priority"))
    rows = list(scheduling.overload("lesson", mix, 1024, 1))
    for (*_, short, fewer), (*_, long, more) in zip(rows[::2], rows[1::2], strict=True):
        assert long > short and more < 3 * fewer
