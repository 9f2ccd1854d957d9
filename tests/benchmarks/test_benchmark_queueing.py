"""The table of simulators: every row counts all of its jobs, and an absent simulator is said to be absent."""

import pytest
from counting import calls

from benchmarks import queueing

FEW = {"fleet what-if": 300, "ciw": 300, "simpy": 300}


@pytest.mark.parametrize("name", ["fleet what-if", "simpy"])
def test_each_simulator_keeps_one_record_a_job(name):
    assert queueing.RUNNERS[name](4, 300, 1) == 300


def test_an_absent_simulator_is_named(monkeypatch):
    monkeypatch.setattr(queueing, "installed", lambda name: name == "fleet what-if")
    text = "\n".join(queueing.table(queueing.measure(128, 1, FEW)))
    assert text.count("not installed") == 2 and text.count("M/M/128") == 3


@pytest.mark.slow
@pytest.mark.parametrize("servers", queueing.SERVERS)
def test_a_job_takes_the_simulator_fewer_calls_than_ciw_or_simpy(servers):
    each = {name: calls(lambda run=run: run(servers, 1000, 1))[0] / 1000 for name, run in queueing.RUNNERS.items()}
    assert 3 * each["fleet what-if"] < min(each["simpy"], each["ciw"])
