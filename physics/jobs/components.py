"""Heterogeneous jobs of Slurm: components such as 700+0 and 700+1, which start together.

Reference: SchedMD, "Heterogeneous Job Support".
"""

import math
import re
from collections.abc import Iterator

import numpy as np

#: Name of a component: its job's number and its place in the job.
COMPONENT = re.compile(r"([0-9]+)\+[0-9]+")
#: Components whose ends are at most this far apart end together [s].
TOGETHER = 60.0

Columns = dict[str, np.ndarray]


def join_components(jobs: Columns, keep: np.ndarray) -> dict[str, dict[str, int]]:
    """Merge the components of each heterogeneous job into one job of their total size.

    Args:
        jobs: Columns of a log; the row of a job's first component takes what the others have.
        keep: Which rows count; rows that are joined to another no longer do.

    Returns: het, where there are any: how many components there are (jobs), of how many jobs (of),
    and how many of these end at other times than the rest of their job and so stay jobs of their
    own (apart).
    """
    counts = {"jobs": 0, "of": 0, "apart": 0}
    for rows in _groups(jobs, keep):
        counts["jobs"] += len(rows)
        counts["of"] += 1
        runtime = jobs["runtime"][rows]
        if np.isnan(runtime).all() or np.ptp(runtime) <= TOGETHER:
            jobs["size"][rows[0]] = jobs["size"][rows].sum()
            jobs["runtime"][rows[0]] = runtime.max()
            keep[rows[1:]] = False
        else:
            counts["apart"] += len(rows)
    return {"het": counts} if counts["jobs"] else {}


def _groups(jobs: Columns, keep: np.ndarray) -> Iterator[list[int]]:
    """Yield the rows of the components of each heterogeneous job."""
    groups: dict[tuple[str, float, float], list[int]] = {}
    names = jobs["job"]
    for row in np.flatnonzero(keep).tolist():
        component = COMPONENT.fullmatch(names[row])
        if component is None:
            continue
        start = float(jobs["start"][row])
        if math.isnan(start):
            start = -math.inf
        key = (component[1], float(jobs["submit"][row]), start)
        groups.setdefault(key, []).append(row)
    yield from groups.values()
