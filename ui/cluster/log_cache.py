"""Cache of logs in use, one per session; when memory is short, the largest are removed.

What goes are a log's jobs and what was simulated of them; both are made again from the file when
they are asked for. So no visitor is refused because of what others look at.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any
from weakref import WeakValueDictionary

import pandas as pd

from physics.cluster import Difference, Kept, Needed
from physics.sealed import Sealed
from ui.base import format as f
from ui.base import worker_pool
from ui.base.background import Progress
from ui.cluster import work
from ui.cluster.work import Log, Question, Study
from ui.server import insides, memory

#: Jobs of all visitors' logs together; one takes about 250 bytes with what is simulated of it.
MOST_JOBS = 1_500_000
#: What was found of synthetic logs, for all visitors, and how many at most.
STUDIED: dict[tuple[str, Question], Study] = {}
MOST_STUDIED = 8
#: How often it is looked whether a session has ended whose log is held [s].
GLANCE = 10.0
#: Streamlit keeps a session that has ended for so long, and the file that was sent with it [s].
KEPT = 150.0


class Holder:
    """Cache of logs with their jobs, one per session, in order of use."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        # what a visitor forgets is forgotten here
        self.logs: WeakValueDictionary[str, Log] = WeakValueDictionary()
        self.watching = False

    def hold(self, log: Log) -> None:
        """Cache a log in place of the session's previous one.

        When memory is short, remove the largest.
        """
        with self.guard:
            before = self.logs.pop(log.session, log)
            if before is not log:
                before.drop()
            others = list(self.logs.values())
            while others and sum(map(len, others)) + len(log) > MOST_JOBS:
                # Of equal ones, the one that was not used for the longest time.
                largest = max(others, key=len)
                others.remove(largest)
                self._drop(largest)
            self.logs[log.session] = log
            if insides.has_server() and not self.watching:
                self.watching = True
                threading.Thread(target=self._watch, name="logs held", daemon=True).start()

    def sweep(self) -> bool:
        """Remove the logs of sessions that have ended, and return whether there were any."""
        with self.guard:
            gone = [log for log in self.logs.values() if not _is_there(log.session)]
            for log in gone:
                self._drop(log)
        return bool(gone)

    def _drop(self, log: Log) -> None:
        log.drop()
        self.logs.pop(log.session, None)

    def _watch(self) -> None:
        """While logs are held, drop what was left behind; its memory is given back now and once its
        file goes.
        """
        again = 0.0
        while True:
            time.sleep(GLANCE)
            due = 0.0 < again < time.monotonic()
            if self.sweep():
                again = time.monotonic() + KEPT
                memory.give_back()
            elif due:
                again = 0.0
                memory.give_back()
            with self.guard:
                if not self.logs and not again:
                    self.watching = False
                    return


def _is_there(session: str) -> bool:
    return not session or insides.is_open(session)


HOLDER = Holder()


def read(data: bytes, name: str, *how: Any, session: str = "") -> Log | work.Table:
    """Read a log, and cache it for its session; return a table if its columns need names.

    ValueError explains in one sentence why it is rejected.

    Args:
        data, how: As `ui.cluster.work.read` takes them.
    """
    outcome = worker_pool.compute(work.read, data, *how)
    if isinstance(outcome, work.Table):
        return outcome
    if outcome.count > MOST_JOBS:
        raise ValueError(
            f"this log has {f.significant(outcome.count)} jobs, more than the "
            f"{f.significant(MOST_JOBS)} that this server holds: use the command line"
        )
    log = replace(outcome, name=name, how=how, data=data, session=session)
    HOLDER.hold(log)
    return log


def _jobs(log: Log) -> Sealed[pd.DataFrame]:
    """Return a log's jobs, read again if they had to go."""
    if log.jobs is None:
        log.jobs = worker_pool.compute(work.read, log.data, *log.how).jobs
        HOLDER.hold(log)
    return log.jobs


@lru_cache(maxsize=2)
def synthetic(kind: str = "synthetic") -> Log:
    """Synthetic log for visitors without a log: a year of the scheduling lesson's mix, or "kth",
    similar to KTH's.
    """
    return replace(worker_pool.compute(work.synthetic, kind), name=kind)


def study(log: Log, question: Question, progress: Progress) -> Study:
    """Analyze a log; the results of synthetic logs are cached for all visitors."""
    if log.data:
        log.study = _study(log, question, progress)
        HOLDER.hold(log)  # it may have had to go meanwhile
        return log.study
    what = log.name, question
    outcome = STUDIED[what] = STUDIED.get(what) or _study(log, question, progress)
    for old in list(STUDIED)[:-MOST_STUDIED]:
        STUDIED.pop(old, None)
    return outcome


def _study(log: Log, question: Question, progress: Progress) -> Study:
    return worker_pool.compute(work.study, _jobs(log), question, progress=progress)


def answer(
    log: Log, study: Study, progress: Progress, work: Callable, *target: Any
) -> Difference | Needed | Kept:
    """Run `ui.cluster.work.difference` or `needed` on a log beside the server."""
    jobs = _jobs(log)
    if study.whole is None:
        study.whole = _study(log, study.question, progress).whole
        log.study = study
        HOLDER.hold(log)
    return worker_pool.compute(work, jobs, study.whole, *target, progress=progress)
