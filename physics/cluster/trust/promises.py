"""When will my job start? Starts that a scheduler could promise a log's jobs, and actual ones."""

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from physics import constants as c
from physics import pace
from physics.cluster.calibration import Calibration
from physics.cluster.jobs import ALL, Log, by_need, table, tested
from physics.cluster.say import say, written
from physics.scheduling import Policy
from physics.scheduling.reservations.profile import PooledProfile

#: A start counts as later, or as much later, if it is so long after the promise [s].
LATER = 60.0
MUCH_LATER = c.HOUR
#: Share of the first half's promised waits that are kept when they are multiplied by the factor.
KEPT = 0.9
#: Most jobs ahead of a job that is promised a start, and most steps of all plans together.
MOST_AHEAD = 500
MOST_STEPS = 20_000_000
#: Fewest promises of a group in the table.
LEAST = 20


@dataclass(frozen=True, eq=False)
class Promises:
    """Promised and actual starts of jobs with a promised wait; times in seconds."""

    baseline: str  #: name of the policy under which starts are promised
    #: of simulated starts, by time limit and width: see `when_do_jobs_start`
    simulated: pd.DataFrame = field(repr=False)
    #: of recorded starts, likewise; empty without recorded waits
    record: pd.DataFrame = field(repr=False)

    @property
    def judge(self) -> pd.DataFrame:
        """Table of promised and recorded starts, or simulated ones if none is recorded."""
        if self.record.empty:
            return self.simulated
        return self.record

    @property
    def sentence(self) -> str:
        """Sentence on the reliability of the promised starts."""
        if self.judge.empty:
            return say("promises_few")
        row = self.judge.loc[ALL]
        where = "As simulated"
        beside = ""
        if not self.record.empty:
            where = "In the record"
            if not self.simulated.empty:
                beside = say("promises_beside", row=self.simulated.loc[ALL], baseline=self.baseline)
        conditions = {
            "promises": True,
            "promises_alone": math.isnan(row["kept"]),
            "promises_kept": row["kept"] >= 0 and row["factor"] == 1.0,
            "promises_factor": row["kept"] >= 0 and row["factor"] != 1.0,
        }
        factor = max(row["factor"], 0.0)
        return "".join(written(conditions, row=row, where=where, beside=beside, factor=factor))


def when_do_jobs_start(jobs: pd.DataFrame, found: Calibration) -> Promises:
    """Promise each job of a log a start at its submission, and compare it with the actual start.

    Args:
        jobs: A log, such as `physics.cluster.read_log` returns.
        found: Calibration with the same jobs; starts are promised by its baseline's order and
            emptied hours.

    Returns: Two tables, of the baseline's simulation and of the record; each is based on the jobs
    that run and wait there at a submission. They have a row for each group with at least twenty
    promises (time limits, widths, and all): jobs that are promised a wait [1], promised (their mean
    promised wait [s]), later and much_later (shares that start more than a minute or an hour after
    the promise [1]), factor (by which promised waits must be multiplied so that nine of ten jobs of
    the first half, by submission, start in time) and kept (share of the second half that does [1]).

    Raises ValueError as `physics.cluster.what_happened`.

    In the plan at a submission, running jobs end at their time limits, and waiting jobs get the
    earliest starts in the order of the queue (by fair share: of arrival), and so does the job
    itself, last in its class. The plan ignores later arrivals, reserved GPUs, quotas and
    preemption. A job with more than 500 others ahead is promised nothing. If all plans would take
    too long, only every second, third, … job is promised a start.
    """
    log = tested(jobs)
    policy = found.policy
    schedule = found.schedule
    if schedule is None:
        raise ValueError("calibration must still have its schedule, got one without")
    starts = schedule.jobs["start"].to_numpy(float), np.where(log.recorded, log.start, np.nan)
    tables = [_table(log, start, _promised(log, start, found.gpus, policy)) for start in starts]
    return Promises(found.baseline, *tables)


def ranks(policy: Policy, classes: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Sort key of each job under a policy, before order of arrival: time limit or priority rank."""
    if policy.order == "shortest":
        return limits
    positions = {}
    if policy.order == "priority":
        positions = {name: position for position, name in enumerate(policy.classes)}
    return np.array([positions.get(name, len(positions)) for name in classes], float)


def _stride(log: Log, start: np.ndarray) -> int:
    """Step between the submissions at which a start is promised; 1: at every one."""
    starts = np.isfinite(start)
    ahead = np.arange(len(start)) - np.searchsorted(np.sort(start[starts]), log.submit, "right")
    running = float(log.runtime[starts].sum() / max(log.end - log.begin, 1.0))
    ahead = np.clip(ahead, 0, MOST_AHEAD)
    return max(1, math.ceil(float((ahead * (ahead + running)).sum()) / MOST_STEPS))


def _promised(log: Log, start: np.ndarray, gpus: int, policy: Policy) -> np.ndarray:
    """Promised starts [s]; NaN for a job that is promised none."""
    rank = ranks(policy, log.classes, log.estimate)
    width = np.round(log.gpus * log.parts).astype(np.int64).tolist()
    gpus = gpus * log.parts
    limit = log.estimate.tolist()
    promised = np.full(len(start), np.nan)
    stride = _stride(log, start)
    for job, running, waiting in _moments(log, start):
        if job % stride or width[job] > gpus:
            continue
        ahead = [other for other in waiting if rank[other] <= rank[job]]
        if len(ahead) > MOST_AHEAD:
            continue
        ahead.sort(key=rank.__getitem__)
        # Of jobs that are submitted together and start immediately, later ones are not there yet.
        runs = [(end, width[other]) for end, other in running if other < job]
        pace.step()
        now = float(log.submit[job])
        plan = PooledProfile(now, gpus - sum(size for _, size in runs))
        for end, size in runs:
            plan.times.append(end)
            plan.free.append(plan.free[-1] + size)
        for other in (*ahead, job):
            if width[other] <= gpus:
                begin = _earliest(plan, policy, width[other], limit[other], now)
                if other == job or begin == math.inf:
                    promised[job] = begin
                else:
                    plan.lay(begin, begin + limit[other], 0, width[other])
    return np.where(np.isfinite(promised), promised, np.nan)


def _earliest(plan: PooledProfile, policy: Policy, width: int, limit: float, now: float) -> float:
    """Earliest start in a plan that the policy's emptied hours allow [s]."""
    while True:
        start = plan.earliest(0, width, limit, now)
        if policy.emptied is None:
            return start
        now = policy.emptied.opening(start, limit)
        if now in (start, math.inf):
            return now


def _moments(
    log: Log, start: np.ndarray
) -> Iterator[tuple[int, list[tuple[float, int]], dict[int, None]]]:
    """Yield each submission's job, the running jobs with their planned ends, and the waiting ones.

    The running jobs are in the order of their planned ends, the waiting ones in that of submission.
    """
    started = np.flatnonzero(np.isfinite(start))
    moments = np.append(start[started], (start + log.runtime)[started])
    planned = (start + log.estimate).tolist()
    order = np.argsort(-moments, kind="stable")
    changes = zip(moments[order].tolist(), np.tile(started, 2)[order].tolist(), strict=True)
    left = list(changes)  # starts and ends still to come, the next one last
    running: list[tuple[float, int]] = []
    waiting: dict[int, None] = {}
    for job, now in enumerate(log.submit.tolist()):
        while left and left[-1][0] <= now:
            _, other = left.pop()
            waiting.pop(other, None)
            run = (planned[other], other)
            position = bisect_left(running, run)
            if running[position : position + 1] == [run]:
                del running[position]
            else:
                running.insert(position, run)
        yield job, running, waiting
        if start[job] > now:
            waiting[job] = None


def _table(log: Log, start: np.ndarray, promised: np.ndarray) -> pd.DataFrame:
    """Table of promised and actual starts by group, see `when_do_jobs_start`."""
    wait = promised - log.submit
    actual = start - log.submit
    judged = np.isfinite(start) & (wait > LATER)

    def row(group: np.ndarray) -> tuple:
        """Number and mean of a group's promised waits, shares later, factor, and share kept."""
        delay = (start - promised)[group]
        ratio = (actual / np.where(wait > 0, wait, np.nan))[group]
        first_half = ratio[log.early[group]]
        second_half = ratio[~log.early[group]]
        factor = math.nan
        kept = math.nan
        if min(len(first_half), len(second_half)) >= LEAST:
            factor = float(np.quantile(first_half, KEPT, method="inverted_cdf"))
            kept = float((second_half <= factor).mean())
        shares = (float((delay > least).mean()) for least in (LATER, MUCH_LATER))
        return int(group.sum()), float(wait[group].mean()), *shares, factor, kept

    columns = "jobs promised later much_later factor kept"
    return table(by_need(log, limit=""), judged, row, columns, LEAST)
