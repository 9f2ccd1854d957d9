"""Common table for the runs of all formats."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from physics import pace

#: Columns of text; all others hold numbers.
TEXTS = ("job", "kind", "state", "user", "account", "queue")
TYPES = (float, object)
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
#: How `sacct` calls the state of a run of each kind, where its own state does not say it.
STATES = {
    "ended": "COMPLETED",
    "put back": "REQUEUED",
    "never started": "CANCELLED",
    "running": "RUNNING",
    "waiting": "PENDING",
}
OWN_STATES = set(STATES.values())
HEADER = (
    b"JobID|User|Account|Partition|Submit|Eligible|Start|End|ElapsedRaw|State|TimelimitRaw|"
    b"AllocTRES"
)
#: Runs that are written at a time.
BLOCK = 10_000
#: Parts of a GPU in which a share of one is written.
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
            columns[name] = np.array(values, TYPES[name in TEXTS])
        frame = pd.DataFrame(columns)
        wait = frame["start"] - frame["submit"]
        frame["wait"] = wait.where(wait >= 0)
        return frame.sort_values("submit", kind="stable", ignore_index=True)


def as_sacct(frame: pd.DataFrame) -> tuple[bytes, int]:
    """Write the runs in the format of `sacct --parsable2`, and return the parts of a GPU that they
    count.

    >>> records = Records()
    >>> fields = {"start": [5.0], "end": [9.0], "gpus": [2.0], "user": ["ann"]}
    >>> records.extend(1, {"job": ["7"], "kind": ["ended"], "submit": [0.0]} | fields)
    >>> print(as_sacct(records.frame())[0].decode().splitlines()[1])
    7|ann|||0|None|5|9|4|COMPLETED|UNLIMITED|gres/gpu=2
    """
    parts = SHARDS * int((frame["gpus"] % 1 > 0).any())
    pieces = [HEADER]
    for first in range(0, len(frame), BLOCK):
        pace.step()
        pieces.append(_lines(frame.iloc[first : first + BLOCK]))
    return b"\n".join(pieces), parts


def _lines(frame: pd.DataFrame) -> bytes:
    """Runs as lines between bars."""
    lines = []
    resources: dict[tuple[float, ...], str] = {}
    sizes = [frame[name].fillna(0.0).tolist() for name in ("gpus", "cpus", "nodes")]
    elapsed = frame["elapsed"].fillna(frame["end"] - frame["start"])
    times = [_texts(frame[name]) for name in ("submit", "eligible", "start", "end")]
    names = [_plain(frame[name]) for name in ("job", "user", "account", "queue", "state")]
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
            time_limit = f"{limit / 60:.0f}"
        fields = (job, user, account, queue, *moments, state, time_limit, resources[size])
        lines.append("|".join(fields))
    return "\n".join(lines).encode()


def _resources(gpu: float, cpu: float, node: float) -> str:
    """Trackable resources of a run; a part of a GPU counts in shards.

    >>> _resources(0.5, 8.0, 0.0), _resources(4.0, 0.0, 2.0)
    ('cpu=8,gres/shard=500', 'gres/gpu=4,node=2')
    """
    parts = []
    if cpu > 0:
        parts.append(f"cpu={cpu:.0f}")
    if gpu > 0 and gpu % 1:
        parts.append(f"gres/shard={gpu * SHARDS:.0f}")
    elif gpu > 0:
        parts.append(f"gres/gpu={gpu:.0f}")
    if node > 0:
        parts.append(f"node={node:.0f}")
    return ",".join(parts)


def _texts(times: pd.Series) -> list[str]:
    """Times in seconds, None for one that is not known."""
    values = times.to_numpy(float)
    is_finite = np.isfinite(values)
    seconds = np.where(is_finite, values, 0.0)
    if (seconds % 1 == 0).all():
        texts = list(map(str, seconds.astype(np.int64).tolist()))
    else:
        texts = [f"{time:.15g}" for time in values.tolist()]
    for index in np.flatnonzero(~is_finite).tolist():
        texts[index] = "None"
    return texts


def _plain(names: pd.Series) -> list[str]:
    """Names that end neither their field nor their line, and are no step's."""
    texts: dict[str, str] = {}
    for name in names.unique().tolist():
        text = " ".join(str(name).replace("|", " ").split())
        texts[name] = text.replace(".", "_") if names.name == "job" else text
    return [texts[name] for name in names.tolist()]
