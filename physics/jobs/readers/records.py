"""Common table for the runs of all formats."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from physics import pace

#: Columns of text; all others hold numbers.
TEXTS = ("job", "kind", "state", "user", "account", "queue")
#: Columns of the table; times in seconds since 1970 in UTC, lengths in seconds.
RECORDS = (
    "job",
    "submit",
    "eligible",
    "start",
    "end",
    "elapsed",
    "kind",
    "state",
    "gpus",
    "cpus",
    "nodes",
    "user",
    "account",
    "queue",
    "limit",
    "wait",
)
#: State of a run of each kind in `sacct`, for runs whose log does not have one.
STATES = {
    "ended": "COMPLETED",
    "put back": "REQUEUED",
    "never started": "CANCELLED",
    "running": "RUNNING",
    "waiting": "PENDING",
}
#: States of other kinds in `sacct`, which a run that has ended cannot keep.
OWN_STATES = {*STATES.values(), "SUSPENDED"}
HEADER = (
    b"JobID|User|Account|Partition|Submit|Eligible|Start|End|ElapsedRaw|State|Timelimit|AllocTRES"
)
#: Runs that are converted to text at a time.
BLOCK = 10_000
#: Shards that stand for one GPU where a job has a fraction of one.
SHARDS = 1_000


class Records:
    """Table columns to which runs are added one at a time."""

    def __init__(self) -> None:
        self.columns: dict[str, list] = {name: [] for name in RECORDS[:-1]}

    def __len__(self) -> int:
        return len(self.columns["job"])

    def add(self, *run: Any) -> None:
        """Add a run by its fields in the order of `RECORDS`, all but the wait."""
        for values, field in zip(self.columns.values(), run, strict=True):
            values.append(field)

    def extend(self, number: int, columns: Mapping[str, Sequence]) -> None:
        """Add several runs by their columns; missing columns are unknown."""
        for name, values in self.columns.items():
            if name in columns:
                values.extend(np.asarray(columns[name], object))
            elif name in TEXTS:
                values.extend([""] * number)
            else:
                values.extend([math.nan] * number)

    def frame(self) -> pd.DataFrame:
        """Frame of all runs in order of submission, with their waits."""
        columns = {}
        for name, values in self.columns.items():
            columns[name] = np.array(values, object if name in TEXTS else float)
        frame = pd.DataFrame(columns)
        wait = frame["start"] - frame["submit"]
        frame["wait"] = wait.where(wait >= 0)
        return frame.sort_values("submit", kind="stable", ignore_index=True)


def as_sacct(frame: pd.DataFrame) -> tuple[bytes, int]:
    """Write runs in the format of `sacct --parsable2`; return the text, and the shards of a GPU.

    The shards are 0 if no run has a fraction of a GPU.

    >>> records = Records()
    >>> fields = {"start": [5.0], "end": [9.0], "gpus": [2.0], "user": ["ann"]}
    >>> records.extend(1, {"job": ["7"], "kind": ["ended"], "submit": [0.0]} | fields)
    >>> print(as_sacct(records.frame())[0].decode().splitlines()[1])
    7|ann|||0|None|5|9|4|COMPLETED|UNLIMITED|gres/gpu=2
    """
    shards = SHARDS * int((frame["gpus"] % 1 > 0).any())
    blocks = [HEADER]
    for first in range(0, len(frame), BLOCK):
        pace.step()
        blocks.append(_lines(frame.iloc[first : first + BLOCK]))
    return b"\n".join(blocks), shards


def _lines(frame: pd.DataFrame) -> bytes:
    """Runs as lines of fields with bars between them."""
    lines = []
    resources: dict[tuple[float, ...], str] = {}
    sizes = [frame[name].fillna(0.0).tolist() for name in ("gpus", "cpus", "nodes")]
    elapsed = frame["elapsed"].fillna(frame["end"] - frame["start"])
    times = [_texts(frame[name]) for name in ("submit", "eligible", "start", "end")]
    names = [_clean(frame[name]) for name in ("job", "user", "account", "queue", "state")]
    limits = frame["limit"].tolist()
    rows = zip(*names, *times, _texts(elapsed), frame["kind"], limits, *sizes, strict=True)
    for job, user, account, queue, state, *moments, kind, limit, gpus, cpus, nodes in rows:
        if kind != "ended" or not state or state in OWN_STATES:
            state = STATES[kind]
        size = (gpus, cpus, nodes)
        if size not in resources:
            resources[size] = _resources(*size)
        time_limit = "UNLIMITED"
        if limit > 0:
            time_limit = f"0:0:{limit:.0f}"
        fields = (job, user, account, queue, *moments, state, time_limit, resources[size])
        lines.append("|".join(fields))
    return "\n".join(lines).encode()


def _resources(gpu: float, cpu: float, node: float) -> str:
    """Trackable resources of a run, with a fraction of a GPU in shards.

    >>> _resources(0.5, 8.0, 0.0), _resources(4.0, 0.0, 2.0)
    ('cpu=8,gres/shard=500', 'gres/gpu=4,node=2')
    """
    amounts = {"cpu": cpu, "gres/gpu": gpu, "node": node}
    if gpu > 0 and gpu % 1:
        amounts = {"cpu": cpu, "gres/shard": gpu * SHARDS, "node": node}
    return ",".join(f"{name}={amount:.0f}" for name, amount in amounts.items() if amount > 0)


def _texts(times: pd.Series) -> list[str]:
    """Times as texts in seconds, "None" for a missing one."""
    values = times.to_numpy(float)
    is_finite = np.isfinite(values)
    seconds = np.where(is_finite, values, 0.0)
    if (seconds % 1 == 0).all():
        texts = list(map(str, seconds.astype(np.int64).tolist()))
    else:
        texts = [f"{time:.9f}" for time in values.tolist()]
    for index in np.flatnonzero(~is_finite).tolist():
        texts[index] = "None"
    return texts


def _clean(names: pd.Series) -> list[str]:
    """Names without bars and line breaks, and names of jobs without the dot of a job step."""
    texts: dict[str, str] = {}
    for name in names.unique().tolist():
        text = " ".join(str(name).replace("|", " ").split())
        texts[name] = text.replace(".", "_") if names.name == "job" else text
    return [texts[name] for name in names.tolist()]
