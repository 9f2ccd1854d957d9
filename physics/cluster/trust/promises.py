"""Promised starts: when will my job start? What a scheduler could have promised at each submission,
and what became of it.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from physics import constants as c
from physics import pace
from physics.cluster.calibration import Calibration
from physics.cluster.jobs import ALL, Log, by_limit, by_width, table, tested
from physics.cluster.say import say
from physics.scheduling import Policy
from physics.scheduling.reservations.profile import PooledProfile

#: A start after the promise by more than this is later [s], and much later by more than that.
LATER = 60.0
MUCH_LATER = float(c.HOUR)
#: Of the jobs that are promised a wait so many keep their factor in the first half of a log.
KEPT = 0.9
#: Jobs ahead of one that is promised nothing; and steps of all plans together beyond which only
#: some jobs are asked.
MOST_AHEAD = 500
MOST_STEPS = 20_000_000
#: Fewest promises of a group that are told.
LEAST = 20


@dataclass(frozen=True, eq=False)
class Promises:
    """Promised and actual starts of jobs with a promised wait; times in seconds."""

    baseline: str  #: policy by which is promised
    simulated: pd.DataFrame = field(
        repr=False
    )  #: by time limit and width, see `when_do_jobs_start`
    record: pd.DataFrame = field(
        repr=False
    )  #: the same of recorded starts; empty without recorded waits

    @property
    def judge(self) -> pd.DataFrame:
        """Table used for the judgment: that of the record, if there is one."""
        if self.record.empty:
            return self.simulated
        return self.record

    @property
    def sentence(self) -> str:
        """Sentence on the reliability of the promised starts."""
        if self.judge.empty:
            return say("promises_few")
        row = self.judge.loc[ALL]
        if self.record.empty:
            where = "As simulated"
        else:
            where = "In the record"
        beside = ""
        if not self.record.empty and not self.simulated.empty:
            beside = say("promises_beside", row=self.simulated.loc[ALL], baseline=self.baseline)
        told = say("promises", row=row, where=where, beside=beside)
        if math.isnan(row["kept"]):
            return f"{told}."
        name = "promises_factor"
        if row["factor"] == 1.0:
            name = "promises_kept"
        return say(name, told=told, factor=max(row["factor"], 0.0), kept=row["kept"])


def when_do_jobs_start(jobs: pd.DataFrame, found: Calibration) -> Promises:
    """Promise each job of a log a start at its submission, and compare it with the actual start.

    Args:
        jobs: A log, such as `physics.cluster.read_log` returns.
        found: Of the same jobs; what is promised follows its baseline's order and emptied hours.

    Returns: Two tables, of the baseline's simulation and of the record, each with what runs and
    waits there at the moment of a submission. A row a group with at least twenty promises (time
    limits, widths, and all): jobs that are promised a wait [1], promised (their mean promised wait
    [s]), later and much_later (shares that start more than a minute or an hour after the promise
    [1]), factor (by which nine of ten promised waits of the first half, by submission, must be
    multiplied to be kept) and kept (share of the second half that keeps it [1]).

    Raises ValueError as `physics.cluster.what_happened`.

    The plan at a submission: what runs ends by its time limit, what waits gets the earliest start
    in the order of the queue (by fair share: of arrival), and so does the job itself, last in its
    class. Whoever comes later is not known, nor are reserved GPUs, quotas and preemption. A job
    with more than 500 others ahead is promised nothing; where all plans would take too long, every
    second, third, … submission is asked.
    """
    log = tested(jobs)
    policy = found.policy
    schedule = found.schedule
    if schedule is None:
        raise ValueError("calibration must still have its schedule, got one without")
    tables = []
    for start in (
        schedule.jobs["start"].to_numpy(float),
        np.where(log.recorded, log.start, np.nan),
    ):
        tables.append(_table(log, start, _promised(log, start, found.gpus, policy)))
    return Promises(found.baseline, *tables)


def _ranks(log: Log, policy: Policy) -> np.ndarray:
    """What the queue is sorted by before the order of arrival."""
    if policy.order == "shortest":
        return log.estimate
    if policy.order == "priority":
        places = {name: place for place, name in enumerate(policy.classes)}
    else:
        places = {}
    return np.array([places.get(name, len(places)) for name in log.classes], float)


def _asked(log: Log, start: np.ndarray) -> int:
    """Every how many submissions a start is promised."""
    known = np.isfinite(start)
    ahead = np.arange(len(start)) - np.searchsorted(np.sort(start[known]), log.submit, "right")
    running = float((log.runtime[known]).sum() / max(log.end - log.begin, 1.0))
    ahead = np.clip(ahead, 0, MOST_AHEAD)
    return max(1, math.ceil(float((ahead * (ahead + running)).sum()) / MOST_STEPS))


def _promised(log: Log, start: np.ndarray, gpus: int, policy: Policy) -> np.ndarray:
    """Promised starts [s]; NaN for whom nothing is promised."""
    rank = _ranks(log, policy)
    width = np.round(log.gpus * log.parts).astype(np.int64).tolist()
    gpus = gpus * log.parts
    limit = log.estimate.tolist()
    promised = np.full(len(start), np.nan)
    every = _asked(log, start)
    for job, running, waiting in _moments(log, start):
        if job % every or width[job] > gpus:
            continue
        ahead = [one for one in waiting if rank[one] <= rank[job]]
        if len(ahead) > MOST_AHEAD:
            continue
        ahead.sort(key=rank.__getitem__)
        # Of jobs that are submitted together, and start at once, later ones are not there yet.
        runs = [one for one in running if one[1] < job]
        pace.step()
        now = float(log.submit[job])
        plan = PooledProfile(now, gpus - sum(width[one] for _, one in runs))
        for end, one in runs:
            plan.times.append(end)
            plan.free.append(plan.free[-1] + width[one])
        for one in (*ahead, job):
            if width[one] <= gpus:
                at = _earliest(plan, policy, width[one], limit[one], now)
                if one == job or at == math.inf:
                    promised[job] = at
                else:
                    plan.lay(at, at + limit[one], 0, width[one])
    return np.where(np.isfinite(promised), promised, np.nan)


def _earliest(plan: PooledProfile, policy: Policy, width: int, limit: float, now: float) -> float:
    """First start in a plan, and between emptied hours."""
    while True:
        at = plan.earliest(0, width, limit, now)
        if policy.emptied is None:
            now = at
        else:
            now = policy.emptied.opening(at, limit)
        if now in (at, math.inf):
            return now


def _moments(
    log: Log, start: np.ndarray
) -> Iterator[tuple[int, list[tuple[float, int]], dict[int, None]]]:
    """Each submission: its job, the jobs that run then with their planned ends, and those that
    wait, both sorted.
    """
    known = np.flatnonzero(np.isfinite(start))
    moments = np.concatenate((start[known], (start + log.runtime)[known]))
    planned = (start + log.estimate).tolist()
    order = np.argsort(-moments, kind="stable")
    left = list(
        zip(moments[order].tolist(), np.tile(known, 2)[order].tolist(), strict=True)
    )  # the next one is last
    running: list[tuple[float, int]] = []
    waiting: dict[int, None] = {}
    for job, now in enumerate(log.submit.tolist()):
        while left and left[-1][0] <= now:
            _, one = left.pop()
            waiting.pop(one, None)
            place = bisect_left(running, (planned[one], one))
            if running[place : place + 1] == [(planned[one], one)]:
                del running[place]
            else:
                running.insert(place, (planned[one], one))
        yield job, running, waiting
        if start[job] > now:
            waiting[job] = None


def _groups(log: Log) -> dict[str, np.ndarray]:
    """Jobs by time limit and by width."""
    groups = by_limit(log.estimate) | by_width(log.gpus, log.unit)
    return groups | {ALL: np.ones(len(log.submit), bool)}


def _table(log: Log, start: np.ndarray, promised: np.ndarray) -> pd.DataFrame:
    """What became of the promises, by group."""
    wait = promised - log.submit
    actual = start - log.submit
    told = np.isfinite(start) & (wait > LATER)

    def row(mine: np.ndarray) -> tuple:
        late = (start - promised)[mine]
        ratio = (actual / np.where(wait > 0, wait, np.nan))[mine]
        learned = ratio[log.early[mine]]
        judged = ratio[~log.early[mine]]
        factor = math.nan
        kept = math.nan
        if min(len(learned), len(judged)) >= LEAST:
            factor = float(np.quantile(learned, KEPT, method="inverted_cdf"))
            kept = float((judged <= factor).mean())
        shares = (float((late > least).mean()) for least in (LATER, MUCH_LATER))
        return int(mine.sum()), float(wait[mine].mean()), *shares, factor, kept

    return table(
        _groups(log).items(), told, row, "jobs promised later much_later factor kept", LEAST
    )
