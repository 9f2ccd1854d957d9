"""Logs while they are looked at: each in its visitor's session alone, and no more of them than the server can hold."""

import threading
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakSet

from physics.cluster import Difference
from ui.base import aside
from ui.base import format as f
from ui.base.background import Progress
from ui.cluster import work
from ui.cluster.work import Question, Read, Study

#: Jobs of all visitors' logs together; one takes 60 to 400 bytes.
MOST_JOBS = 1_500_000


@dataclass(eq=False)
class Log:
    """A log that was read, and the name that it came under."""

    name: str
    read: Read
    how: tuple = ()  #: how it was read: the same file read otherwise has other sizes, classes or names

    @property
    def key(self) -> tuple:
        """What results of this log are kept under."""
        return self.digest, *self.how

    @property
    def attrs(self) -> dict:
        """What `physics.cluster.read_log` says beside the jobs."""
        return self.read.attrs

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return self.attrs["digest"]

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of its jobs, those with the most jobs first."""
        return self.read.classes

    def __len__(self) -> int:
        """Jobs."""
        return self.read.count


_ALL: WeakSet[Log] = WeakSet()
#: Logs are read in threads, and a set must not grow while it is counted.
_COUNTING = threading.Lock()


def check_room() -> None:
    """Refuse another log, in a ValueError, where the server holds as many jobs as it can."""
    with _COUNTING:
        _check()


def _check() -> None:
    held = sum(len(log) for log in _ALL)
    if held > MOST_JOBS:
        raise ValueError(
            f"This server is looking at logs of {f.significant(held)} jobs already, which is all that it holds: "
            "try again in some minutes, or use the command line"
        )


def read(data: bytes, name: str, resource: str, job_class: str, submit: str, names: bool) -> Log:
    """Read a file; a ValueError says in one sentence why it is not taken."""
    check_room()
    how = (resource, job_class, submit, names)
    log = Log(name, aside.compute(work.read, data, *how), how)
    with _COUNTING:
        _check()  # others may have come while this one was read
        _ALL.add(log)
    return log


@lru_cache(maxsize=1)
def synthetic() -> Log:
    """A year of the scheduling lesson's mix, with the waits that EASY gave it: made here, for who has no log."""
    return Log("a synthetic log", aside.compute(work.synthetic))


def study(log: Log, question: Question, progress: Progress) -> Study:
    """Compute what a log says; of the synthetic one it is kept for all visitors."""
    return _studied(question) if log is synthetic() else _study(log, question, progress)


@lru_cache(maxsize=8)
def _studied(question: Question) -> Study:
    return _study(synthetic(), question, lambda share, step: None)


def _study(log: Log, question: Question, progress: Progress) -> Study:
    return aside.compute(work.study, log.read.jobs, question, progress=progress)


def difference(log: Log, study: Study, change: str, price: float, progress: Progress) -> Difference:
    """Compute what a change, written as on the command line, would have done."""
    return aside.compute(work.difference, log.read.jobs, study.whole, change, price, progress=progress)
