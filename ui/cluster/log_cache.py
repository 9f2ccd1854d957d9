"""Cache of logs in use, one per session; when memory is short, the largest are removed.

Only a log's jobs and their simulations are removed. Both are made again from the file when they are
needed, so no visitor is refused because of other visitors' logs.
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

#: Maximum number of jobs in all logs together; a job and its simulations take about 250 bytes.
MOST_JOBS = 1_500_000
#: Analyses of synthetic logs for all visitors, and the maximum number of them.
STUDIED: dict[tuple[str, Question], Study] = {}
MOST_STUDIED = 8
#: Time between searches for logs whose sessions have ended [s].
GLANCE = 10.0
#: Time for which Streamlit keeps an ended session and its uploaded file [s].
KEPT = 150.0


class Holder:
    """Cache of logs with their jobs, one per session, in order of use."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        # With weak references, a log is removed once its session no longer uses it.
        self.logs: WeakValueDictionary[str, Log] = WeakValueDictionary()
        self.watching = False

    def hold(self, log: Log) -> None:
        """Cache a session's log in place of its last one; if memory is short, drop large logs."""
        with self.guard:
            last_log = self.logs.pop(log.session, log)
            if last_log is not log:
                last_log.drop()
            others = list(self.logs.values())
            while others and sum(map(len, others)) + len(log) > MOST_JOBS:
                # Of logs of equal size, this is the one that has not been used for longest.
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
            abandoned = [log for log in self.logs.values() if not _is_there(log.session)]
            for log in abandoned:
                self._drop(log)
        return bool(abandoned)

    def _drop(self, log: Log) -> None:
        """Remove a log and the data that can be computed again."""
        log.drop()
        self.logs.pop(log.session, None)

    def _watch(self) -> None:
        """Remove logs of ended sessions from time to time, as long as there are logs.

        Memory is returned to the system after each removal, and again after Streamlit has dropped
        the uploaded file.
        """
        next_return = 0.0
        while True:
            time.sleep(GLANCE)
            is_due = 0.0 < next_return < time.monotonic()
            if self.sweep():
                next_return = time.monotonic() + KEPT
                memory.give_back()
            elif is_due:
                next_return = 0.0
                memory.give_back()
            with self.guard:
                if not self.logs and not next_return:
                    self.watching = False
                    return


def _is_there(session: str) -> bool:
    """Return whether a session is open; a script, which has none, counts as open."""
    return not session or insides.is_open(session)


HOLDER = Holder()


def read(data: bytes, name: str, *how: Any, session: str = "") -> Log | work.Table:
    """Read a log, and cache it for its session; return a table if its columns need names.

    `data` and `how` are the arguments of `ui.cluster.work.read`.

    Raises
    ------
    ValueError
        If the log is rejected, in one sentence.
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
    """Return a log's jobs; if they were removed, read the log again."""
    jobs = log.jobs  # another thread may remove them at any time
    if jobs is None:
        jobs = worker_pool.compute(work.read, log.data, *log.how).jobs
        log.jobs = jobs
        HOLDER.hold(log)
    return jobs


@lru_cache(maxsize=2)
def synthetic(kind: str = "synthetic") -> Log:
    """Return a synthetic log for visitors without a log, see `ui.cluster.work.synthetic`."""
    return replace(worker_pool.compute(work.synthetic, kind), name=kind)


def study(log: Log, question: Question, progress: Progress) -> Study:
    """Analyze a log; the results of synthetic logs are cached for all visitors."""
    if log.data:
        outcome = _study(log, question, progress)
        log.study = outcome  # another thread may replace it by that of another question
        HOLDER.hold(log)  # it may have been removed meanwhile
        return outcome
    key = log.name, question
    outcome = STUDIED[key] = STUDIED.get(key) or _study(log, question, progress)
    for old in list(STUDIED)[:-MOST_STUDIED]:
        STUDIED.pop(old, None)
    return outcome


def _study(log: Log, question: Question, progress: Progress) -> Study:
    """Analyze a log in a worker process."""
    return worker_pool.compute(work.study, _jobs(log), question, progress=progress)


def answer(
    log: Log, study: Study, progress: Progress, work: Callable, *target: Any
) -> Difference | Needed | Kept:
    """Run `difference`, `needed`, or `why` of `ui.cluster.work` on a log in a worker process."""
    jobs = _jobs(log)
    whole = study.whole  # as for the jobs
    if whole is None:
        whole = _study(log, study.question, progress).whole
        study.whole = whole
        log.study = study
        HOLDER.hold(log)
    return worker_pool.compute(work, jobs, whole, *target, progress=progress)
