"""Long work beside the server: it is answered, refused, bounded and ended there, and the server
outlives it.
"""

import os
import pickle
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest
from long_work import (
    PATIENCE,
    asks_for_ever,
    asks_nobody,
    eventually,
    is_killed,
    sealed_again,
    sum_of,
    tells,
    threads_of_the_parent,
)

from physics.sealed import Sealed
from ui.base import time_slices, worker_pool
from ui.base.worker_pool import Places

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere the work is done in the server, in turns"
)


@pytest.fixture(autouse=True, scope="module")
def _children_find_this_file():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
        patch.setattr(worker_pool, "FORK_SERVER", worker_pool.ForkServer())
        yield
        worker_pool.FORK_SERVER.end()


def beside(function, *args, heed=lambda: None, longest=PATIENCE, **more):
    """Compute as for a visitor with a browser."""
    with worker_pool.waited_for(heed, longest, beside=True):
        return worker_pool.compute(function, *args, **more)


def gone(process: int) -> bool:
    """Whether a process has ended, or does soon."""
    return eventually(lambda: not psutil.pid_exists(process))


def test_work_is_done_in_another_process_of_less_priority_and_each_in_its_own():
    first = beside(os.getpid)
    second = beside(os.getpid)
    assert len({first, second, os.getpid()}) == 3
    assert beside(os.getpriority, os.PRIO_PROCESS, 0) > os.getpriority(os.PRIO_PROCESS, 0)
    assert gone(first)


def test_sealed_things_cross_without_a_copy_and_are_the_same_there_and_back():
    sealed = Sealed.of(np.arange(1_000_000.0))
    back = beside(sealed_again, sealed)
    assert not isinstance(back.data, bytes | bytearray) and np.array_equal(
        back.open(), sealed.open()
    )
    assert beside(sum_of, back) == sealed.open().sum()
    for protocol in (2, pickle.HIGHEST_PROTOCOL):
        assert np.array_equal(pickle.loads(pickle.dumps(back, protocol)).open(), sealed.open())


def test_what_is_refused_there_is_refused_here_in_the_same_words():
    with pytest.raises(ValueError, match=r"^invalid literal for int\(\) with base 10: 'x'$"):
        beside(int, "x")


def test_a_fault_is_an_error_here_and_its_traceback_in_the_log(caplog):
    with pytest.raises(RuntimeError):
        beside(divmod, 1, 0)
    assert "ZeroDivisionError" in caplog.text


def test_progress_comes_while_the_work_is_done():
    told = []
    assert beside(tells, progress=lambda share, step: told.append((share, step))) != os.getpid()
    assert told == [(part / 4, f"part {part}") for part in range(4)]


def test_work_ends_with_its_processor_time():
    with pytest.raises(time_slices.TooLong):
        beside(asks_for_ever, longest=0.1)


@pytest.mark.parametrize("work", [asks_for_ever, asks_nobody])
def test_work_that_is_not_wanted_any_more_ends_whatever_it_does(work):
    asked = []

    def leave():
        if asked:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        beside(work, heed=leave, progress=lambda share, process: asked.append(process))
    assert gone(asked[0])


def test_a_child_that_the_system_ends_costs_its_own_visitor_only():
    with pytest.raises(MemoryError):
        beside(is_killed)
    assert beside(abs, -1) == 1


def test_the_process_beside_is_started_anew_if_it_has_ended():
    beside(abs, -1)
    before = worker_pool.FORK_SERVER.process
    before.kill()
    before.wait(PATIENCE)
    assert beside(abs, -2) == 2 and worker_pool.FORK_SERVER.process.pid != before.pid


def test_without_a_process_beside_it_the_server_works_itself(monkeypatch):
    def refuse(*args, **options):
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(worker_pool, "FORK_SERVER", worker_pool.ForkServer())
    monkeypatch.setattr(worker_pool.subprocess, "Popen", refuse)
    assert beside(os.getpid) == os.getpid()


def test_work_waits_for_a_place_by_who_asks_and_what_it_is_given(monkeypatch):
    asked = []
    places = Places(2)
    place = places.hold_place
    monkeypatch.setattr(places, "hold_place", lambda *args: asked.append(args[:2]) or place(*args))
    monkeypatch.setattr(worker_pool, "PLACES", places)
    with worker_pool.waited_for(lambda: None, PATIENCE, beside=True, who="192.0.2.1"):
        assert (
            worker_pool.compute(sum_of, Sealed.of(np.arange(1000.0)))
            and worker_pool.compute(len, b"abc") == 3
        )
    (who, size), last = asked
    assert who == "192.0.2.1" and 8_000 < size < 9_000 and last == ("192.0.2.1", 3)
    assert not places.taken


def test_no_thread_runs_in_the_process_that_forks():
    assert beside(threads_of_the_parent) == 1
