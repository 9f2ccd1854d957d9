"""Size of a cluster: from the user, its nodes, a log's header, or the jobs that ran."""

import math
from bisect import bisect_left
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import pandas as pd

from physics import pace
from physics.arguments import MANY, LimitedCount, count, within_range
from physics.cluster.jobs import Log, checked
from physics.cluster.machine.steps import Steps, use_of
from physics.jobs.selection import Names
from physics.scheduling.workload import require

#: A stretch with more GPUs in use than there are is due to rounded times up to this length [s].
BRIEF = 60.0
#: Widest job ÷ size in the header, up to which the job gives the size.
QUARTER = 1.25
#: Source of a size, and the reason for which wider jobs are left out.
LARGEST = "largest use that lasts"
WIDER = "wider than the cluster"
#: Most comparisons of jobs with steps of use in the search for a runaway.
MOST_COMPARED = 20_000_000


@dataclass(frozen=True)
class Runaway:
    """Job whose record may be wrong: without it, the largest use that lasts would be lower."""

    job: str  #: its name in the log; "" without one
    user: str
    gpus: float  #: its width [1]
    start: float  #: time of its start [s]
    runtime: float  #: recorded run time [s]
    limit: float  #: time limit [s]; NaN without one

    @property
    def name(self) -> str:
        """Name of the job in sentences."""
        if self.job:
            return f"Job {self.job}"
        return "A job" + f" of {self.user}" * bool(self.user)

    @property
    def times_its_limit(self) -> float:
        """Run time ÷ time limit of the job [1]; NaN without a limit."""
        return self.runtime / self.limit


@dataclass(frozen=True)
class Size:
    """Size of a cluster and its source."""

    gpus: int  #: GPUs of the whole cluster [1]
    source: str  #: as `physics.cluster.Happened.size_source`
    header: int | None = None  #: what the header says [1]
    runaway: Runaway | None = None  #: a job that leaves the size open


@within_range
def settle(jobs: pd.DataFrame, gpus: LimitedCount | None = None) -> pd.DataFrame:
    """Set the size of a log's machine, and drop the jobs that are larger than it.

    Args:
        jobs: A log, such as `physics.cluster.read_log` returns.
        gpus: Size of the cluster, if the user gives it [1].

    Returns: The jobs that fit; attrs has settled (a `Size`) and, in left_out, how many are wider.

    Raises ValueError as `physics.cluster.what_happened`; for a size that no job fits.

    The size is, in this order: what the user says; what the nodes say; what the header says, or the
    widest job where that is at most a quarter larger; and else the largest use that lasts. That is
    the smallest size N, at least the widest job, such that every stretch with more than N in use
    lasts for at most 60 s, or ends when one and the same job is left out of all of them. This job
    is named as a runaway, and the size stays open. Where several jobs would do, only one that ran
    past its time limit is.

    >>> jobs = pd.DataFrame({"submit": [0, 3599], "runtime": [3600, 3600], "gpus": [4, 4]})
    >>> settle(jobs.assign(recorded_wait=0)).attrs["settled"].gpus  # they overlap for 1 s
    4
    """
    require("jobs", jobs, "submit", "runtime", "gpus")
    settled = jobs.attrs.get("settled")
    if settled is not None and gpus in (None, settled.gpus):
        return jobs
    log = checked(jobs)
    size = _size(jobs, log, gpus)
    if not (log.gpus <= size.gpus).any():
        raise ValueError(
            f"gpus must be at least the width of some job, {log.gpus.min():g}, got {size.gpus}"
        )
    # The size may come from the jobs that ran: then jobs that wait may be wider.
    fits = (jobs["gpus"] <= size.gpus) | size.source.startswith(LARGEST)
    names = names_of(jobs)
    left_out = dict(jobs.attrs.get("left_out", {}))
    frame = jobs.copy(deep=False)
    if not fits.all():
        frame = jobs[fits].reset_index(drop=True)
        left_out[WIDER] = left_out.get(WIDER, 0) + len(jobs) - len(frame)
    frame.attrs = jobs.attrs | {"settled": size, "left_out": left_out}
    if names is not None:
        frame.attrs["names"] = Names(names[fits.to_numpy()])
    return frame


def names_of(jobs: pd.DataFrame) -> np.ndarray | None:
    """Names of a log's jobs, row by row; None if it has none."""
    names = jobs.attrs.get("names", ())
    if len(names) != len(jobs) or not len(names):
        return None
    return np.array(names, dtype=object)


def _size(jobs: pd.DataFrame, log: Log, gpus: int | None) -> Size:
    """Size of a cluster from its first source, see `settle`."""
    if gpus is not None:
        return Size(gpus, "given")
    size = jobs.attrs.get("size")
    name = jobs.attrs.get("size_name", "MaxProcs")
    if isinstance(size, int) and not isinstance(size, bool):
        if name == "nodes":
            return Size(count("gpus", size, most=MANY), name)
        near = log.gpus[log.gpus <= QUARTER * size]
        if size <= MANY and len(near):
            widest = math.ceil(near.max())
            if widest > size:
                return Size(widest, f"widest job, above {name} of the header", size)
            return Size(size, f"{name} of the header", size)
    if not log.recorded.any():
        return Size(_lasting(use_of(log)[0], log), f"{LARGEST} if no job had waited")
    size, runaway = _with_runaway(jobs, log)
    return Size(size, LARGEST, runaway=runaway)


def _lasting(busy: Steps, log: Log) -> int:
    """Largest use that lasts: smallest size, at least the widest job, without any `_stretches`."""

    def lasts(size: int) -> bool:
        """Whether no stretch exceeds a size."""
        return not len(_stretches(busy.time, busy.height, size))

    low = math.ceil(log.gpus.max())
    return low + bisect_left(range(low, math.ceil(busy.height.max())), True, key=lasts)


def _stretches(time: np.ndarray, height: np.ndarray, size: float) -> np.ndarray:
    """First and last step of each stretch of more than 60 s with more than a size in use."""
    above = np.concatenate(([False], height[:-1] > size, [False]))
    first = np.flatnonzero(above[1:] & ~above[:-1])
    last = np.flatnonzero(above[:-1] & ~above[1:])
    return np.column_stack((first, last))[time[last] - time[first] > BRIEF]


def _with_runaway(jobs: pd.DataFrame, log: Log) -> tuple[int, Runaway | None]:
    """Largest use that lasts without one job, and this runaway; None if no job is one."""
    busy, _ = use_of(log)

    def has_runaway(size: int) -> bool:
        """Whether the use exceeds a size only because of one job."""
        return bool(_without_which(log, busy, size))

    size = _lasting(busy, log)
    low = math.ceil(log.gpus.max())
    smaller = low + bisect_left(range(low, size), True, key=has_runaway)
    if smaller == size:
        return size, None
    runaways = [_named(jobs, log, row) for row in _without_which(log, busy, smaller)]
    if len(runaways) > 1:
        # If several jobs would do, only one that ran past its limit can be named.
        runaways = [job for job in runaways if job.times_its_limit > 1]
    if not runaways:
        return size, None
    return smaller, max(runaways, key=attrgetter("times_its_limit"))


def _without_which(log: Log, busy: Steps, size: int) -> list[int]:
    """Rows of the jobs each of which alone explains all stretches with more than a size in use.

    At least two jobs must remain without it.
    """
    pace.step()
    stretches = _stretches(busy.time, busy.height, size)
    start = log.start
    end = start + log.runtime
    within = log.recorded & ~log.running & (start < busy.time[stretches[0, 1]])
    rows = np.flatnonzero(within & (end > busy.time[stretches[-1, 0]])).tolist()
    steps = int((stretches[:, 1] - stretches[:, 0]).sum())
    if len(rows) * steps > MOST_COMPARED or log.recorded.sum() < 3:
        return []
    return [
        row for row in rows if _ends(busy, stretches, size, start[row], end[row], log.gpus[row])
    ]


def _ends(
    busy: Steps, stretches: np.ndarray, size: int, start: float, end: float, gpus: float
) -> bool:
    """Whether no stretch with more than a size in use lasts without a job."""
    for first, last in stretches.tolist():
        time = busy.time[first : last + 1]
        height = busy.height[first : last + 1] - gpus * ((time >= start) & (time < end))
        if len(_stretches(time, height, size)):
            return False
    return True


def _named(jobs: pd.DataFrame, log: Log, row: int) -> Runaway:
    """Record of the job in a row of the checked log."""
    record = jobs.iloc[log.row[row]]
    names = names_of(jobs)
    return Runaway(
        job="" if names is None else names[log.row[row]],
        user=str(record.get("user", "")),
        gpus=float(log.gpus[row]),
        start=float(log.start[row]),
        runtime=float(log.runtime[row]),
        limit=float(log.requested[row]),
    )


def time_over(busy: Steps, size: int) -> float:
    """Total time during which more than `size` GPUs are in use [s]."""
    return float(np.diff(busy.time)[busy.height[:-1] > size].sum())
