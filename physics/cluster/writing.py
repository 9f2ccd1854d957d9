"""Writing the log of a cluster."""

import re

import numpy as np
import pandas as pd

from physics.cluster.log import UNITS, unit_of
from physics.scheduling.workload import ONE_CLASS, check

__all__ = ["to_sacct", "to_swf"]


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
    names = ", ".join(
        f"{number} {_plain(name).replace(',', ' ')}" for number, name in enumerate(classes, 1)
    )
    lines = ["; Version: 2.2", f"; UnixStartTime: {begin}", f"; Queues: {names}"]
    columns = [
        range(1, len(rows) + 1),
        rows["submit"] - begin,
        rows["wait"],
        rows["runtime"],
        rows["gpus"],
        -1,
        -1,
    ]
    columns += [
        rows["gpus"],
        rows["requested"],
        -1,
        1,
        rows["user"].map(numbers),
        -1,
        -1,
        codes + 1,
        -1,
        -1,
        -1,
    ]
    jobs = pd.DataFrame(dict(enumerate(columns))).to_csv(
        sep=" ", header=False, index=False, lineterminator="\n"
    )
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
    size = UNITS[unit_of(jobs)]
    submit = rows["submit"]
    start = rows["submit"] + rows["wait"].clip(lower=0)
    times = [
        np.datetime_as_string(column.to_numpy("datetime64[s]"))
        for column in (submit, start, start + rows["runtime"])
    ]
    limits = [_clock(limit) if limit > 0 else "UNLIMITED" for limit in rows["requested"].tolist()]
    texts = [
        [_plain(text) for text in rows[name]] for name in ("user", "account", "job_class", "qos")
    ]
    states = [_plain(state) or "COMPLETED" for state in rows["state"]]
    lines = ["JobID|User|Account|Partition|QOS|Submit|Start|End|State|AllocTRES|Timelimit"]
    sizes = [f"{size}={gpus}" for gpus in rows["gpus"].tolist()]
    for number, fields in enumerate(zip(*texts, *times, states, sizes, limits, strict=True), 1):
        lines.append(f"{number}|{'|'.join(fields)}")
    return "\n".join(lines) + "\n"


def _rows(jobs: pd.DataFrame) -> pd.DataFrame:
    """Whole numbers and texts of a log, what is missing filled in."""
    submit, runtime, _, gpus = check(jobs)
    if not len(submit):
        raise ValueError("jobs must hold at least one job, got none")
    if np.abs(submit).max() > 1e11 or runtime.max() > 1e11:
        raise ValueError("jobs must have times of at most 1e11 s to be written")

    def whole(name: str) -> np.ndarray:
        if name in jobs:
            values = jobs[name].to_numpy(float)
        else:
            values = np.full(len(jobs), np.nan)
        return np.where(np.isfinite(values) & (np.abs(values) < 1e11), np.round(values), -1).astype(
            np.int64
        )

    rows = {
        "submit": np.floor(submit).astype(np.int64),
        "runtime": np.maximum(np.round(runtime), 1).astype(np.int64),
    }
    rows |= {"gpus": gpus, "wait": whole("recorded_wait"), "requested": whole("requested")}
    for name in ("user", "account", "qos", "state", "job_class"):
        if name == "job_class":
            default = ONE_CLASS
        else:
            default = ""
        if name in jobs:
            rows[name] = [str(text) for text in jobs[name]]
        else:
            rows[name] = [default] * len(jobs)
    return pd.DataFrame(rows)


def _plain(text: str) -> str:
    """A text that ends neither its field nor its line."""
    return re.sub(r"[|\s]+", " ", text).strip()


def _clock(seconds: int) -> str:
    """[days-]hours:minutes:seconds."""
    days, rest = divmod(seconds, 86400)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    if days:
        return f"{days}-{clock}"
    return clock
