"""Explain why a job is still waiting: what is ahead of it, what it needs, and when it may start."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physics.arguments import LimitedCount, within_range
from physics.cluster.calibration import Calibration, policy_of
from physics.cluster.jobs import Log, checked, texts_of, unfinished, used_share
from physics.cluster.machine.size import names_of
from physics.cluster.machine.steps import DIGITS
from physics.cluster.say import time, written
from physics.cluster.trust.promises import ranks
from physics.scheduling import Policy
from physics.scheduling.reservations.profile import PooledProfile

#: Most jobs ahead that are planned one by one.
MOST_AHEAD = 2_000
#: Shortest time from now to the planned end of a running job [s].
SOON = 60.0


@dataclass(frozen=True)
class Waiting:
    """Job that waits at the end of a log; times in seconds, as in the log."""

    job: str  #: its name
    gpus: float  #: GPUs that it requests [1]
    submit: float  #: time of submission [s]
    waited: float  #: wait so far [s]
    ahead: int  #: jobs ahead of it [1]
    ahead_gpus: float  #: GPUs that these jobs request together [1]
    free: float  #: GPUs that are free now [1]
    size: int  #: of the cluster [1]
    #: start if no job ahead starts and running jobs end as usual [s]; infinite: never
    earliest: float
    likely: float  #: start if the jobs ahead go first and jobs run as long as usual [s]
    by_limits: float  #: start if all jobs use up their time limits [s]
    now: float  #: end of the log [s]
    throttled: bool  #: whether it may wait because of a limit of its user's array of jobs
    unit: str  #: what a size counts: "GPU", "CPU" or "node"

    @property
    def missing(self) -> float:
        """GPUs that the job lacks now [1]."""
        return max(0.0, round(self.gpus - self.free, DIGITS))

    @property
    def sentence(self) -> str:
        """Sentence that says why the job waits, and when it may start."""
        fits = self.gpus <= self.size
        conditions = {
            "job_waits": True,
            "job_waits_never": not fits,
            "job_waits_free": fits and self.missing == 0,
            "job_waits_missing": fits and self.missing > 0,
            "job_waits_ahead": fits and self.ahead,
            "job_waits_first": fits and not self.ahead,
            "job_waits_starts": fits,
            "job_waits_throttled": fits and self.throttled,
        }
        together = " together" * (self.ahead > 1)
        starts = {
            name: _in(getattr(self, name) - self.now)
            for name in ("earliest", "likely", "by_limits")
        }
        return "".join(written(conditions, job=self, together=together, times=starts))


def _in(seconds: float) -> str:
    """Time from the end of the log on, in words."""
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
        baseline: Policy of the cluster, or a calibration; its order says which jobs are ahead.

    Returns: Explanation with three starts. The earliest one ignores the jobs ahead, and the likely
    one lets them go first; in both, jobs run for the share of their time limits that the log's jobs
    use on average. For the third, all jobs use up their time limits. Later arrivals, holds and
    dependencies are not known.

    Raises ValueError as `physics.cluster.what_happened`; for a job that is not in the log, or does
    not wait.
    """
    log = checked(jobs)
    queue = _queue(jobs, log, policy_of(baseline))
    position = _position(jobs, queue, str(job))
    ahead = queue.iloc[:position]
    target = queue.iloc[position]
    submit = float(target["submit"])
    share = used_share(log)
    return Waiting(
        job=str(target["name"]),
        gpus=float(target["gpus"]),
        submit=submit,
        waited=log.end - submit,
        ahead=len(ahead),
        ahead_gpus=float(ahead["gpus"].sum()),
        free=max(0.0, gpus - float(log.gpus[log.running].sum())),
        size=gpus,
        earliest=_start(log, ahead.iloc[:0], target, gpus, share),
        likely=_start(log, ahead, target, gpus, share),
        by_limits=_start(log, ahead, target, gpus, 1.0),
        now=log.end,
        throttled="throttled" in jobs.attrs,
        unit=log.unit,
    )


def waiting_jobs(jobs: pd.DataFrame) -> tuple[str, ...]:
    """Names of the jobs of a log that still wait at its end.

    >>> waiting_jobs(pd.DataFrame({"runtime": [60.0], "state": ["COMPLETED"]}))
    ()
    """
    names = names_of(jobs)
    if names is None:
        return ()
    return tuple(names[unfinished(jobs)[1]].tolist())


def _queue(jobs: pd.DataFrame, log: Log, policy: Policy) -> pd.DataFrame:
    """Jobs that wait at a log's end, in the order in which they may start."""
    waits = unfinished(jobs)[1]
    names = names_of(jobs)
    queue = jobs[waits].reindex(columns=["submit", "gpus", "requested"])
    queue["job_class"] = texts_of(jobs, "job_class")[waits]
    queue["name"] = "" if names is None else names[waits]
    # a job without a limit may run as long as the longest of the log
    queue["limit"] = queue["requested"].fillna(float(log.estimate.max()))
    queue["rank"] = ranks(policy, queue["job_class"].to_numpy(), queue["limit"].to_numpy())
    return queue.sort_values(["rank", "submit"], kind="stable")


def _position(jobs: pd.DataFrame, queue: pd.DataFrame, job: str) -> int:
    """Position of a job in the queue, by its name."""
    matches = (queue["name"] == job) | queue["name"].str.startswith(f"{job}_")
    if matches.any():
        return int(matches.argmax())
    names = names_of(jobs)
    if names is not None and (names == job).any():
        raise ValueError(f"job must be one that still waits at the log's end, got {job!r}")
    waiting = ", ".join(queue["name"].head(5)) or "none"
    raise ValueError(f"job must be one of the log that waits, such as {waiting}, got {job!r}")


def _start(log: Log, ahead: pd.DataFrame, target: pd.Series, gpus: int, share: float) -> float:
    """Start of a job in a plan in which all jobs run for a share of their time limits [s]."""
    now = log.end
    parts = log.parts
    size = gpus * parts
    width = round(float(target["gpus"]) * parts)
    if width > size:
        return math.inf
    running = log.running
    left = np.maximum(SOON, share * ((log.start + log.estimate)[running] - now))
    widths = np.round(log.gpus[running] * parts).astype(np.int64)
    if len(ahead) > MOST_AHEAD:
        ahead = ahead[ahead["gpus"] <= gpus]
        work = float((ahead["gpus"] * ahead["limit"]).sum() * share)
        work += float((log.gpus[running] * left).sum())
        return now + work / gpus
    plan = PooledProfile(now, max(0, size - int(widths.sum())))
    for row in np.argsort(left, kind="stable").tolist():
        plan.times.append(now + float(left[row]))
        plan.free.append(min(size, plan.free[-1] + int(widths[row])))
    for gpus_ahead, limit in zip(ahead["gpus"].tolist(), ahead["limit"].tolist(), strict=True):
        wide = round(gpus_ahead * parts)
        if wide <= size:
            start = plan.earliest(0, wide, share * limit, now)
            plan.lay(start, start + share * limit, 0, wide)
    return float(plan.earliest(0, width, share * float(target["limit"]), now))
