"""Logs that are looked at: nobody is refused because of others, and what is left behind is given
back.
"""

import gc
from types import SimpleNamespace

import pytest
from long_work import eventually

from physics.cluster import read_log, synthetic_log, to_swf
from ui.cluster import log_cache, work
from ui.cluster.log_cache import Holder, Question

MONTH = synthetic_log(seed=3, days=20)
FILE = to_swf(MONTH).encode()
HOW = ("auto", "partition", "Submit", False)


@pytest.fixture
def holder(monkeypatch):
    """Logs of nobody else, and a runtime in which the sessions in `there` are open."""
    monkeypatch.setattr(log_cache, "HOLDER", Holder())
    there = {"professor", "student", "one", "two", "three"}
    monkeypatch.setattr(log_cache, "_is_there", there.__contains__)
    log_cache.HOLDER.there = there
    return log_cache.HOLDER


def log(session: str, jobs: int = 1) -> log_cache.Log:
    """A log of so many jobs; its content does not matter."""
    found = log_cache.Log(work.Sealed.of(jobs), jobs, {}, (), name="a log", session=session)
    log_cache.HOLDER.hold(found)
    return found


def test_whoever_comes_last_is_never_refused_and_the_largest_goes(holder, monkeypatch):
    monkeypatch.setattr(log_cache, "MOST_JOBS", 1_500)
    heavy = [log(name, 300) for name in ("one", "two", "three", "four", "five")]
    small = log("student", 3)
    assert small.jobs is not None and [one.jobs is None for one in heavy] == [True, *[False] * 4]
    more = log("six", 300)
    assert more.jobs and small.jobs and sum(len(one) for one in holder.logs.values()) <= 1_500
    assert len(holder.logs) == 5, "the oldest of the largest went, and no small one"


def test_one_session_holds_one_log(holder):
    first = log("one", 300)
    second = log("one", 200)
    assert first.jobs is None and second.jobs and list(holder.logs.values()) == [second]


def test_what_a_session_held_goes_with_it(holder):
    stays = log("professor", 5)
    goes = log("student", 5)
    assert not holder.sweep() and goes.jobs
    holder.there.remove("student")
    assert holder.sweep() and goes.jobs is None and stays.jobs
    assert list(holder.logs) == ["professor"] and not holder.sweep()


def test_what_a_visitor_forgets_is_not_held(holder):
    forgotten = log("student")
    assert list(holder.logs) == ["student"]
    del forgotten
    gc.collect()
    assert not list(holder.logs)


def test_a_log_that_had_to_go_is_read_again_and_says_the_same(holder):
    kept, lost = (log_cache.read(FILE, "a.swf", *HOW, session=one) for one in ("one", "two"))
    told = []
    studies = [
        log_cache.study(one, Question(), lambda *step: told.append(step)) for one in (kept, lost)
    ]
    lost.drop()
    assert lost.jobs is None and studies[1].whole is None
    one, other = (
        log_cache.answer(log, study, lambda *step: None, work.difference, "gpus=+64", 1.0)
        for log, study in zip((kept, lost), studies, strict=True)
    )
    assert one.classes.equals(other.classes) and lost.jobs.open().equals(read_log(FILE))
    assert lost.attrs == kept.attrs and len(lost) == len(kept)


def test_a_log_that_no_room_would_hold_is_refused_in_one_sentence(holder, monkeypatch):
    monkeypatch.setattr(log_cache, "MOST_JOBS", 10)
    with pytest.raises(
        ValueError, match="more than the 10 that this server holds: use the command line"
    ):
        log_cache.read(FILE, "a.swf", *HOW)


def test_what_was_left_behind_is_looked_for_while_anything_is_held(holder, monkeypatch):
    given_back = []
    monkeypatch.setattr(log_cache.memory, "give_back", lambda: given_back.append(1))
    monkeypatch.setattr(log_cache.insides, "has_server", lambda: True)
    monkeypatch.setattr(log_cache, "GLANCE", 0.01)
    monkeypatch.setattr(log_cache, "KEPT", 0.05)
    left = log("student", 5)
    assert holder.watching
    holder.there.remove("student")
    assert eventually(lambda: not holder.watching)
    assert left.jobs is None and len(given_back) == 2


def test_a_table_that_is_not_recognized_comes_back_with_a_guess_and_three_rows_as_read():
    rows = "\n".join(f"{row},u,{60 * row},{60 * row + 30},{60 * row + 90},2" for row in range(9))
    data = f"id,who,queued_at,started,finished,num_gpus\n{rows}\n".encode()
    table = work.read(data, "auto", "partition", "Submit", False)
    assert isinstance(table, work.Table)
    assert table.guess["submit"] == "queued_at" and len(table.rows) == 3
    assert table.rows[1] == ("1", "second 60", "30 s", "60 s", "2", "ended")
    columns = tuple(table.guess.items())
    log = work.read(data, "auto", "partition", "Submit", False, columns=columns)
    assert len(log) == 9 and log.attrs["as_read"] == table.rows


def test_a_log_that_goes_while_it_is_in_use_is_still_worked_on(holder, monkeypatch):
    outcomes = {work.read: SimpleNamespace(jobs="jobs"), work.study: SimpleNamespace(whole="whole")}

    def compute(function, *arguments, progress=None):
        return outcomes.get(function, arguments)

    monkeypatch.setattr(log_cache.worker_pool, "compute", compute)
    monkeypatch.setattr(log_cache.HOLDER, "hold", log_cache.Log.drop)
    lost = log_cache.Log(None, 1, {}, (), data=b"a log")
    study = log_cache.Study(Question(), None, None, None, (), None)
    assert log_cache.answer(lost, study, None, work.why, "7") == ("jobs", "whole", "7")
    assert lost.jobs is None and study.whole is None, "it went"


def test_a_study_is_of_its_question_also_if_another_one_ends_at_the_same_time(holder, monkeypatch):
    own = log_cache.Log(None, 1, {}, (), data=b"a log")
    monkeypatch.setattr(log_cache, "_study", lambda log, question, progress: question)
    monkeypatch.setattr(log_cache.HOLDER, "hold", lambda log: setattr(log, "study", "another"))
    assert log_cache.study(own, Question(gpus=7), lambda *step: None) == Question(gpus=7)
