"""The table of simulators: every row counts all of its jobs."""

import pytest
from counting import calls

from benchmarks import queueing


@pytest.mark.parametrize("name", queueing.RUNNERS)
def test_each_simulator_keeps_one_record_a_job(name):
    assert queueing.RUNNERS[name](4, 300, 1) == 300


@pytest.mark.slow
@pytest.mark.parametrize("servers", queueing.SERVERS)
def test_a_job_takes_the_simulator_fewer_calls_than_ciw_or_simpy(servers):
    each = {name: calls(lambda run=run: run(servers, 1000, 1))[0] / 1000 for name, run in queueing.RUNNERS.items()}
    assert 3 * each["fleet what-if"] < min(each["simpy"], each["ciw"])
