"""Logs while they are looked at: each in its visitor's session alone, and no more of them than the server can hold."""

import threading
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakSet

import pandas as pd

from physics.cluster import (
    Calibration,
    Difference,
    Happened,
    calibrate,
    candidates,
    parse_change,
    read_log,
    synthetic_log,
    what_happened,
    what_if,
)
from ui.base import format as f
from ui.base.background import Progress

#: Jobs of all visitors' logs together; one takes 125 to 400 bytes, and as much again while it is computed with.
MOST_JOBS = 1_500_000
#: Classes that are told apart in a log; the jobs of those with the fewest become one class, "others".
MOST_CLASSES = 40


@dataclass(eq=False)
class Log:
    """A log that was read: its jobs, and the name that it came under."""

    name: str
    jobs: pd.DataFrame
    how: tuple = ()  #: how it was read: the same file read otherwise has other sizes, classes or names

    @property
    def key(self) -> tuple:
        """What results of this log are kept under."""
        return self.digest, *self.how

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return self.jobs.attrs["digest"]

    @property
    def classes(self) -> list[str]:
        """The classes of its jobs, those with the most jobs first."""
        return self.jobs["job_class"].value_counts().index.tolist()


@dataclass(frozen=True)
class Question:
    """What is asked of a log; part of what a result belongs to."""

    gpus: int | None = None  #: size of the cluster; None: the largest use at once
    target: float = 300.0  #: wait that should not be exceeded [s]
    baseline: str | None = None  #: name of the policy that changes are set against; None: the closest


@dataclass(frozen=True, eq=False)
class Study:
    """What a log says, and theory and simulation beside it."""

    happened: Happened
    calibration: Calibration


_ALL: WeakSet[Log] = WeakSet()
#: Logs are read in threads, and a set must not grow while it is counted.
_COUNTING = threading.Lock()


def check_room() -> None:
    """Refuse another log, in a ValueError, where the server holds as many jobs as it can."""
    with _COUNTING:
        _check()


def _check() -> None:
    held = sum(len(log.jobs) for log in _ALL)
    if held > MOST_JOBS:
        raise ValueError(
            f"This server is looking at logs of {f.significant(held)} jobs already, which is all that it holds: "
            "try again in some minutes, or use the command line"
        )


def read(data: bytes, name: str, resource: str, job_class: str, submit: str, names: bool) -> Log:
    """Read a file; a ValueError says in one sentence why it is not taken."""
    check_room()
    how = (resource, job_class, submit, names)
    log = Log(name, read_log(data, *how), how)
    if len(log.classes) > MOST_CLASSES:
        few = log.classes[: MOST_CLASSES - 1]
        log.jobs["job_class"] = log.jobs["job_class"].where(log.jobs["job_class"].isin(few), "others")
    with _COUNTING:
        _check()  # others may have come while this one was read
        _ALL.add(log)
    return log


@lru_cache(maxsize=1)
def synthetic() -> Log:
    """A year of the scheduling lesson's mix, with the waits that EASY gave it: made here, for who has no log."""
    return Log("a synthetic log", synthetic_log())


def study(log: Log, question: Question, progress: Progress) -> Study:
    """Compute what a log says; of the synthetic one it is kept for all visitors."""
    return _studied(question) if log is synthetic() else _study(log, question, progress)


@lru_cache(maxsize=8)
def _studied(question: Question) -> Study:
    return _study(synthetic(), question, lambda share, step: None)


def _study(log: Log, question: Question, progress: Progress) -> Study:
    progress(0.0, "what happened")
    happened = what_happened(log.jobs, question.gpus, question.target)
    policies = candidates(log.jobs, happened.gpus)
    baseline = question.baseline if question.baseline in policies else None
    found = calibrate(log.jobs, happened.gpus, policies, progress=progress, baseline=baseline)
    return Study(happened, found)


def difference(log: Log, study: Study, change: str, price: float, progress: Progress) -> Difference:
    """Compute what a change, written as on the command line, would have done."""
    gpus, found = study.happened.gpus, study.calibration
    return what_if(log.jobs, gpus, found, parse_change(change, found.policy, gpus), price=price, progress=progress)
