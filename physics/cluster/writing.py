"""Writers of a cluster's log: the Standard Workload Format, and the format of `sacct`."""

import re

import numpy as np
import pandas as pd

from physics.cluster.jobs import texts_of
from physics.cluster.log import UNITS, unit_of
from physics.scheduling.workload import check

#: Most characters of a queue's name with which the header's line Queues is read back.
LONGEST_QUEUE = 100


def to_swf(jobs: pd.DataFrame) -> str:
    """Write jobs in the Standard Workload Format, with times in whole seconds.

    Classes become queues, numbered from 1 and named in the header's line Queues; users that are no
    numbers are numbered. Accounts, qos and states have no place.

    Raises ValueError for a frame that `physics.scheduling.simulate` would refuse, or without jobs.

    >>> text = to_swf(pd.DataFrame({"submit": [60], "runtime": [5], "gpus": [2]}))
    >>> text.splitlines()[-1]
    '1 0 -1 5 2 -1 -1 2 -1 -1 1 -1 -1 -1 1 -1 -1 -1'
    """
    rows = _rows(jobs)
    begin = int(rows["submit"].min())
    codes, classes = pd.factorize(rows["job_class"])
    numbers = {
        text: int(text) for text in set(rows["user"]) if re.fullmatch(r"0|[1-9][0-9]{0,8}", text)
    }
    for text in dict.fromkeys(rows["user"]):
        numbers.setdefault(text, max(numbers.values(), default=0) + 1 if text else -1)
    queues = []
    for number, name in enumerate(classes, 1):
        text = _plain(name).replace(",", " ").strip()[:LONGEST_QUEUE]
        if text:
            queues.append(f"{number} {text}")
    names = ", ".join(queues)
    lines = ["; Version: 2.2", f"; UnixStartTime: {begin}", f"; Queues: {names}"]
    fields = dict.fromkeys(range(18), -1) | {
        0: range(1, len(rows) + 1),
        1: rows["submit"] - begin,
        2: rows["wait"],
        3: rows["runtime"],
        4: rows["gpus"],
        7: rows["gpus"],
        8: rows["requested"],
        10: 1,
        11: rows["user"].map(numbers),
        14: codes + 1,
    }
    jobs = pd.DataFrame(fields).to_csv(sep=" ", header=False, index=False, lineterminator="\n")
    return "\n".join([*lines, jobs])


def to_sacct(jobs: pd.DataFrame) -> str:
    """Write jobs in the format of `sacct --parsable2`, with times in whole seconds and UTC.

    Classes become partitions. A job without a recorded wait starts when it is submitted: the format
    knows no unknown start of a job that ran.

    Raises ValueError for a frame that `physics.scheduling.simulate` would refuse, or without jobs.

    >>> print(to_sacct(pd.DataFrame({"submit": [60], "runtime": [5], "gpus": [2]})).splitlines()[1])
    1|||job||1970-01-01T00:01:00|1970-01-01T00:01:00|1970-01-01T00:01:05|COMPLETED|gres/gpu=2|UNLIMITED
    """
    rows = _rows(jobs)
    submit = rows["submit"]
    start = submit + rows["wait"].clip(lower=0)
    times = [
        np.datetime_as_string(moments.to_numpy("datetime64[s]"))
        for moments in (submit, start, start + rows["runtime"])
    ]
    texts = [rows[name].map(_plain) for name in ("user", "account", "job_class", "qos")]
    states = rows["state"].map(_plain).replace("", "COMPLETED")
    sizes = f"{UNITS[unit_of(jobs)]}=" + rows["gpus"].astype(str)
    limits = rows["requested"].map(_clock)
    lines = ["JobID|User|Account|Partition|QOS|Submit|Start|End|State|AllocTRES|Timelimit"]
    for number, fields in enumerate(zip(*texts, *times, states, sizes, limits, strict=True), 1):
        lines.append(f"{number}|{'|'.join(fields)}")
    return "\n".join(lines) + "\n"


def _rows(jobs: pd.DataFrame) -> pd.DataFrame:
    """Jobs with whole numbers and texts, and missing values filled in."""
    submit, runtime, _, gpus = check(jobs)
    if not len(submit):
        raise ValueError("jobs must hold at least one job, got none")
    if np.abs(submit).max() > 1e11 or runtime.max() > 1e11:
        raise ValueError("jobs must have times of at most 1e11 s to be written")
    rows = {
        "submit": np.floor(submit).astype(np.int64),
        "runtime": np.maximum(np.round(runtime), 1).astype(np.int64),
        "gpus": gpus,
        "wait": _whole(jobs, "recorded_wait"),
        "requested": _whole(jobs, "requested"),
    }
    for name in ("user", "account", "qos", "state", "job_class"):
        rows[name] = texts_of(jobs, name)
    return pd.DataFrame(rows)


def _whole(jobs: pd.DataFrame, name: str) -> np.ndarray:
    """Column in whole seconds; −1 where a value is missing or too large."""
    if name not in jobs:
        return np.full(len(jobs), -1)
    values = jobs[name].to_numpy(float)
    values = np.where(np.abs(values) < 1e11, values, -1)
    return np.round(values).astype(np.int64)


def _plain(text: str) -> str:
    """Text without characters that would end its field or its line."""
    return re.sub(r"[|\s]+", " ", text).strip()


def _clock(seconds: int) -> str:
    """Time limit as [days-]hours:minutes:seconds."""
    if seconds <= 0:
        return "UNLIMITED"
    days, time = divmod(seconds, 86400)
    clock = f"{time // 3600:02}:{time // 60 % 60:02}:{time % 60:02}"
    if days:
        return f"{days}-{clock}"
    return clock
