"""The table of simulators: each keeps a record a job, every workload is there, and work grows less
than the load.
"""

import numpy as np
import pytest
from counting import calls

from benchmarks import scheduling


@pytest.mark.parametrize("name", scheduling.RUNNERS)
def test_each_simulator_keeps_one_record_a_job(name):
    assert len(scheduling.RUNNERS[name](4, 300)) == 300


@pytest.mark.slow
@pytest.mark.parametrize("servers", scheduling.SERVERS)
def test_a_job_takes_the_simulator_fewer_calls_than_ciw_or_simpy(servers):
    each = {
        name: calls(lambda run=run: run(servers, 1000))[0]
        for name, run in scheduling.RUNNERS.items()
    }
    assert 3 * each["fleet what-if"] < min(each["simpy"], each["ciw"])


def test_without_a_trace_the_overload_is_that_of_the_lessons_mix(monkeypatch):
    monkeypatch.setattr(scheduling, "JOBS", dict.fromkeys(scheduling.RUNNERS, 300))
    monkeypatch.setattr(scheduling, "ROUNDS", 1)
    monkeypatch.setattr(scheduling, "LOADS", (1,))
    monkeypatch.setattr(scheduling, "ORDERS", ("arrival",))
    found = {(workload, name) for workload, name, *_ in scheduling.rows(None)}
    assert {("M/M/128, ρ = 0.95", name) for name in scheduling.RUNNERS} < found
    assert {
        ("lesson, load × 1", "arrival, conservative"),
        ("lesson, 60 days", "arrival, none"),
    } < found


@pytest.mark.slow
def test_the_calls_of_a_run_grow_less_than_its_load(monkeypatch):
    """Four times the load makes queues up to twenty times as long; a loop that looks at all of them
    would show.
    """
    monkeypatch.setattr(scheduling, "best", calls)
    monkeypatch.setattr(scheduling, "LOADS", (1, 4))
    mix = scheduling.sample_jobs(
        scheduling.platform_mix(), 20 * scheduling.c.DAY, np.random.default_rng(1)
    )
    monkeypatch.setattr(scheduling, "ORDERS", ("arrival", "priority"))
    rows = list(scheduling.overload("lesson", mix, 1024))
    for (*_, short, fewer), (*_, long, more) in zip(rows[::2], rows[1::2], strict=True):
        assert long > short and more < 3 * fewer
