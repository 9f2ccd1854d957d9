"""Explain why a job is still waiting. What is ahead of it, what it needs, and when it may start."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physics.arguments import LimitedCount, within_range
from physics.cluster.calibration import Calibration
from physics.cluster.jobs import Log, checked, used_share
from physics.cluster.machine.size import names_of
from physics.cluster.say import say, time
from physics.jobs.sacct import UNENDED
from physics.scheduling import Policy
from physics.scheduling.reservations.profile import PooledProfile

#: Jobs ahead up to which a plan is made job by job.
MOST_AHEAD = 2_000
#: A job that ran to its limit ends so much later at least [s].
SOON = 60.0


@dataclass(frozen=True)
class Waiting:
    """Job that waits at the end of a log; times in seconds, as in the log."""

    job: str  #: its name
    gpus: float  #: what it asks for [1]
    submit: float  #: [s]
    waited: float  #: so far [s]
    ahead: int  #: jobs ahead of it [1]
    ahead_gpus: float  #: what these ask for together [1]
    free: float  #: GPUs that are free now [1]
    size: int  #: of the cluster [1]
    #: start if nobody ahead took anything, and what runs ended as usual [s]; infinite: never
    earliest: float
    likely: float  #: start if those ahead go first and jobs run as long as usual [s]
    by_limits: float  #: start if all of them use up their time limits [s]
    now: float  #: end of the log [s]
    throttled: bool  #: whether it may wait for a limit of its own user's array
    unit: str  #: what a size counts: "GPU", "CPU" or "node"

    @property
    def missing(self) -> float:
        """GPUs that the job lacks now [1]."""
        return max(0.0, self.gpus - self.free)

    @property
    def sentence(self) -> str:
        """Sentence with the answer."""
        told = say("job_waits", found=self)
        if self.gpus > self.size:
            return told + say("job_waits_never", found=self)
        told += say("job_waits_free" if self.missing == 0 else "job_waits_missing", found=self)
        together = " together" if self.ahead > 1 else ""
        told += say(
            "job_waits_ahead" if self.ahead else "job_waits_first", found=self, together=together
        )
        times = {
            name: _in(getattr(self, name) - self.now)
            for name in ("earliest", "likely", "by_limits")
        }
        told += say("job_waits_starts", times=times)
        if self.throttled:
            told += say("job_waits_throttled")
        return told


def _in(seconds: float) -> str:
    """When something is, from the end of the log on."""
    if seconds < 1.0:
        return "now"
    return f"in {time(seconds)}"


@within_range
def why_waiting(
    jobs: pd.DataFrame, job: str, gpus: LimitedCount, baseline: Policy | Calibration
) -> Waiting:
    """Explain why one job still waits at the end of a log, and when it may start.

    Args:
        jobs: A log that `physics.cluster.read_log` has read with its unfinished jobs.
        job: JobID of a job that waits; of an array, its first task that waits.
        gpus: Size of the cluster [1].
        baseline: What the cluster has; its order says who is ahead.

    Returns: Three starts. The earliest is when enough is free if nobody ahead takes it; the likely
    one lets those ahead go first; in both, jobs run for the share of their limits that this log's
    jobs use. By limits all jobs use up their time limits. Later arrivals, holds and dependencies
    are not known.

    Raises ValueError as `physics.cluster.what_happened`; for a job that is not in the log, or does
    not wait.
    """
    log = checked(jobs)
    if isinstance(baseline, Calibration):
        policy = baseline.policy
    else:
        policy = baseline
    queue = _queue(jobs, log, policy)
    row = _row(jobs, queue, str(job))
    now = log.end
    place = int(np.flatnonzero(queue["row"] == row)[0])
    ahead = queue.iloc[:place]
    mine = queue.iloc[place]
    share = used_share(log)
    running = log.running
    free = gpus - float(log.gpus[running].sum())
    plans = {
        "earliest": _start(log, ahead.iloc[:0], mine, gpus, share),
        "likely": _start(log, ahead, mine, gpus, share),
        "by_limits": _start(log, ahead, mine, gpus, 1.0),
    }
    return Waiting(
        job=str(mine["name"]),
        gpus=float(mine["gpus"]),
        submit=float(mine["submit"]),
        waited=now - float(mine["submit"]),
        ahead=len(ahead),
        ahead_gpus=float(ahead["gpus"].sum()),
        free=max(0.0, free),
        size=gpus,
        now=now,
        throttled="throttled" in jobs.attrs,
        unit=log.unit,
        **plans,
    )


def waiting_jobs(jobs: pd.DataFrame) -> tuple[str, ...]:
    """Names of the jobs of a log that still wait at its end.

    >>> waiting_jobs(pd.DataFrame({"runtime": [60.0], "state": ["COMPLETED"]}))
    ()
    """
    names = names_of(jobs)
    if names is None:
        return ()
    return tuple(names[_waits(jobs)].tolist())


def _waits(jobs: pd.DataFrame) -> np.ndarray:
    """Which rows are jobs that wait at a log's end."""
    if "state" not in jobs:
        return np.zeros(len(jobs), bool)
    pending = jobs["state"].map(UNENDED) == UNENDED["PENDING"]
    return (jobs["runtime"].isna() & pending).to_numpy()


def _queue(jobs: pd.DataFrame, log: Log, policy: Policy) -> pd.DataFrame:
    """Jobs that wait at a log's end, in the order in which they may start."""
    rows = np.flatnonzero(_waits(jobs))
    queue = jobs.iloc[rows][["submit", "gpus", "requested", "job_class"]].assign(row=rows)
    names = names_of(jobs)
    queue["name"] = "" if names is None else names[rows]
    # a job without a limit may run as long as the longest of the log
    queue["limit"] = queue["requested"].fillna(float(log.estimate.max()))
    ranks = {name: rank for rank, name in enumerate(policy.classes)}
    queue["rank"] = 0.0
    if policy.order == "priority":
        queue["rank"] = queue["job_class"].map(ranks).fillna(len(ranks))
    elif policy.order == "shortest":
        queue["rank"] = queue["limit"]
    return queue.sort_values(["rank", "submit"], kind="stable")


def _row(jobs: pd.DataFrame, queue: pd.DataFrame, job: str) -> int:
    """Row of a job that waits, by its name."""
    mine = queue[(queue["name"] == job) | queue["name"].str.startswith(f"{job}_")]
    if len(mine):
        return int(mine["row"].iloc[0])
    names = names_of(jobs)
    if names is not None and (names == job).any():
        raise ValueError(f"job must be one that still waits at the log's end, got {job!r}")
    waiting = ", ".join(queue["name"].head(5)) or "none"
    raise ValueError(f"job must be one of the log that waits, such as {waiting}, got {job!r}")


def _start(log: Log, ahead: pd.DataFrame, mine: pd.Series, gpus: int, share: float) -> float:
    """Start of a job in a plan in which jobs run for a share of their limits [s]."""
    now = log.end
    parts = log.parts
    size = gpus * parts
    width = round(float(mine["gpus"]) * parts)
    if width > size:
        return math.inf
    running = log.running
    left = (log.start + log.estimate)[running] - now
    ends = now + np.maximum(SOON, share * left)
    widths = np.round(log.gpus[running] * parts).astype(np.int64)
    if len(ahead) > MOST_AHEAD:
        work = float((ahead["gpus"] * ahead["limit"]).sum() * share)
        work += float((log.gpus[running] * (ends - now)).sum())
        return now + work / gpus
    plan = PooledProfile(now, max(0, size - int(widths.sum())))
    for place in np.argsort(ends, kind="stable").tolist():
        plan.times.append(float(ends[place]))
        plan.free.append(min(size, plan.free[-1] + int(widths[place])))
    for _, other in ahead.iterrows():
        wide = round(float(other["gpus"]) * parts)
        if wide <= size:
            length = share * float(other["limit"])
            at = plan.earliest(0, wide, length, now)
            plan.lay(at, at + length, 0, wide)
    return float(plan.earliest(0, width, share * float(mine["limit"]), now))
