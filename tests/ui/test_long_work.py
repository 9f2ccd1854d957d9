"""Long work is read, replayed and simulated once, within a bound of processor time, and says so
when it is given up.
"""

import numpy as np
import pandas as pd
import pytest
from counting import calls
from driving import unlocked, visit

from physics import pace
from physics.jobs import read_swf
from physics.scheduling import Policy, simulate
from ui.base import time_slices
from ui.cluster import replay, work

PAGE = "scheduling_policy"
LINE = "{} {} 10 {} {} -1 -1 {} {} -1 1 7 1 -1 {} -1 -1 -1\n"


def overloaded(count: int, queues: int = 1) -> bytes:
    """Jobs that come faster than 64 processors serve them, as an SWF file."""
    rng = np.random.default_rng(1)
    width = rng.integers(1, 33, count)
    runtime = rng.integers(60, 7200, count)
    return "".join(
        LINE.format(i, 60 * i, runtime[i], width[i], width[i], 3 * runtime[i], i % queues)
        for i in range(count)
    ).encode()


def frame(count: int) -> pd.DataFrame:
    return read_swf(overloaded(count))


def send(app, data: bytes, **knobs: str):
    app.file_uploader(key="policy_trace").upload("a.swf", data, "text/plain")
    for name, value in knobs.items():
        app.session_state[f"policy_trace_{name}"] = value
    return app.run(timeout=60)


def counted(monkeypatch, module, name: str) -> list[int]:
    """Count the calls of a function."""
    calls = []
    function = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *args: calls.append(1) or function(*args))
    return calls


@pytest.mark.parametrize("data", [b"hello", overloaded(50)])
def test_a_file_is_read_once_whether_it_is_taken_or_refused(monkeypatch, data):
    reads = counted(monkeypatch, replay, "read_trace")
    app = visit("your_cluster")
    send(app, data)
    said = [error.value for error in app.error]
    app.run()
    app.run()
    assert (
        len(reads) == 1
        and [error.value for error in app.error] == said
        and bool(said) is (data == b"hello")
    )
    send(app, data + b"\n")
    assert len(reads) == 2


def test_a_replay_that_takes_too_long_ends_in_one_sentence_and_is_not_tried_again(monkeypatch):
    monkeypatch.setattr(time_slices, "LONGEST", 0.3)
    replays = counted(monkeypatch, replay, "replay")
    app = visit("your_cluster")
    send(app, overloaded(10_000), policy="conservative")
    app.run()
    said = [warning.value for warning in app.warning]
    assert (
        len(said) == 1
        and said[0].startswith("No result. This took longer than 300 ms")
        and not app.exception
    )
    assert said[0].endswith("Choose EASY.") and len(replays) == 1


def test_a_policy_that_takes_too_long_ends_in_one_sentence_and_without_numbers(monkeypatch):
    monkeypatch.setattr(time_slices, "LONGEST", 0.05)
    asked = {"order": "priority", "backfill": "easy", "preemption": "true", "training_rate": 12}
    app = unlocked(PAGE, **{f"policy_{name}": str(value) for name, value in asked.items()})
    said = [warning.value for warning in app.warning]
    assert len(said) == 1 and said[0].startswith("This took longer than 50 ms")
    assert not app.exception and not app.metric


def test_the_work_of_a_replay_does_not_grow_with_the_number_of_queues():
    few, many = (work.read_trace(overloaded(500, queues), 500).jobs for queues in (2, 500))
    (least, _), (most, table) = (
        calls(lambda jobs=jobs: work.replay(jobs, 64, Policy())) for jobs in (few, many)
    )
    assert most < 3 * least
    assert len(table) == 1 + work.MOST_QUEUES and table.loc["all jobs", "count"] == 500


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        Policy(backfill="easy"),
        Policy(order="fair_share", backfill="easy"),
        Policy(backfill="conservative"),
        Policy(backfill="conservative", reserved={"queue 0": 8}),
        Policy(order="priority", backfill="conservative"),
    ],
)
def test_every_simulator_can_be_ended_between_two_events_and_listening_changes_nothing(policy):
    jobs = frame(60)
    asked = []
    plain = simulate(jobs, 64, policy).jobs
    with pace.paced(lambda: asked.append(1)):
        pd.testing.assert_frame_equal(simulate(jobs, 64, policy).jobs, plain)
    assert len(asked) >= 60

    def stop():
        raise time_slices.TooLong

    with pytest.raises(time_slices.TooLong), pace.paced(stop):
        simulate(jobs, 64, policy)
