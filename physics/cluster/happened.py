"""History of a cluster: facts from its log, without any model."""

import math
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from physics import constants as c
from physics.arguments import LimitedCount, NonNegative, within_range
from physics.cluster.jobs import (
    Log,
    by_class,
    checked,
    frame_of,
    powers_of_two,
    ratios,
    table,
    used_share,
)
from physics.cluster.machine.size import Size, settle
from physics.cluster.machine.steps import DAY, HOUR, Steps, edges_between, in_service
from physics.cluster.machine.usage import usage_of

#: Windows in which arrivals are counted for their index of dispersion.
WINDOWS = {"hour": HOUR, "day": DAY, "week": 7 * DAY}
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
#: Users that the table lists at most, those with the most GPU time.
MAX_USERS = 20
#: Attrs of a log that are copied as its notes: see `physics.jobs.selection.notes`.
NOTES = "suspended off_by_an_hour before_eligible gave_up throttled cut het sliced sharded shards"
#: Share of the jobs that count as the tail, the longest ones.
TAIL = 0.01


@dataclass(frozen=True, eq=False)
class Happened:
    """Facts from a log; tables are frames, times are in seconds, NaN means not recorded."""

    jobs: int  #: jobs of the log, including those that still run or wait
    recorded: int  #: jobs with a recorded wait; statistics of waits are about these
    begin: float  #: first end of a job [s]
    #: last end, or when the log was written [s]; averages over time are from begin to end
    end: float
    gpus: int  #: size of the cluster [1]
    #: "given", "nodes", "MaxProcs of the header" or MaxNodes, "widest job, above MaxProcs of the
    #: header", or "largest use that lasts [if no job had waited]"
    size_source: str
    largest: int  #: most GPUs in use at once [1]
    utilization: float  #: GPU time in use ÷ GPU time in service, from begin to end [1]
    #: GPU time of the jobs submitted from begin to the last submission that started ÷ GPU time in
    #: service [1]
    load: float
    arrival_rate: float  #: λ in this time, with jobs that still wait [1/s]
    arrival_scv: float  #: SCV of the times between submissions [1]
    mean_width: float  #: GPUs, mean over jobs [1]
    #: GPUs, mean over jobs weighted by runtime: width of a typical running job [1]
    running_width: float
    wasted: float  #: GPU time idle while jobs waited [GPU·s]
    target: float  #: wait that should not be exceeded [s]
    #: begin [s], length [s], utilization [1], waiting (mean jobs), wasted [GPU·s], arrivals
    over_time: pd.DataFrame
    #: weekday × hour of day (UTC): jobs an hour [1/h]; NaN for an hour never seen
    arrivals: pd.DataFrame
    waits: pd.DataFrame  #: class (and "all"): jobs, mean, median, p95 [s], within_target [1]
    widths: pd.DataFrame  #: least, most [GPUs], jobs, share of jobs, share of GPU time [1]
    #: class (and "all"): jobs, mean, median, p99 [s], scv, tail (share of work of longest 1%)
    lengths: pd.DataFrame
    #: window: length [s], windows, mean, index (variance ÷ mean of counts; Poisson: 1)
    dispersion: pd.DataFrame
    #: waiting, in the system: measured L, rate × mean λW, edge: L = λW − edge [1]
    little: pd.DataFrame
    users: pd.DataFrame  #: user: jobs, gpu_time [GPU·s], share [1], mean_wait [s]; at most 20
    left_out: dict[str, int]  #: records by reason, such as "no recorded wait"
    unit: str  #: what a size counts: "GPU", "CPU" or "node"
    running: int  #: jobs that still run at the end
    running_share: float  #: share of the GPU time in use that these jobs have [1]
    waiting: pd.DataFrame  #: class (and "all"): jobs that still wait, mean, longest, at_least [s]
    over: float  #: time in which recorded times put more GPUs in use than there are [s]
    down: float  #: GPU time out of service [GPU·s]
    part: str  #: part of the log that its jobs are, such as "partition gpu"; "" for all of it
    nodes: str  #: SHA-256 of the lists of nodes; "" without them
    remarks: tuple[str, ...]  #: sentences on the source of the size
    size: Size | None = None  #: the size with its source
    #: run time ÷ requested time of the jobs that ended [1]; NaN where none is requested
    used_share: float = math.nan
    #: facts about the log other than its jobs: see `physics.jobs.selection.notes`
    notes: dict = field(default_factory=dict)

    @property
    def mean_at_least(self) -> float:
        """Lower bound of the mean wait, with the waits so far of waiting and canceled jobs [s]."""
        gave_up = self.notes.get("gave_up", {"jobs": 0, "time": 0.0})
        jobs = gave_up["jobs"]
        total = gave_up["time"]
        for waits in (self.waits, self.waiting):
            if not waits.empty:
                row = waits.loc["all"]
                jobs += int(row["jobs"])
                total += float(row["jobs"] * row["mean"])
        if jobs:
            return total / jobs
        return math.nan

    @property
    def span(self) -> float:
        """Length of the time span that the records cover [s]."""
        return self.end - self.begin

    @property
    def has_unstarted(self) -> bool:
        """Whether jobs gave up or still wait, which proves that the log has submission times."""
        return "gave_up" in self.notes or self.still_waiting > 0

    @property
    def knows_waits(self) -> bool:
        """Whether any job waited; if none did, the log may lack the submission times."""
        if not self.recorded:
            return False
        return self.has_unstarted or bool(self.waits.loc["all", "mean"] > 0)

    @property
    def still_waiting(self) -> int:
        """Jobs that still wait at the end [1]."""
        if self.waiting.empty:
            return 0
        return int(self.waiting.loc["all", "jobs"])


@within_range
def what_happened(
    jobs: pd.DataFrame, gpus: LimitedCount | None = None, target: NonNegative = c.INTERACTIVE_TARGET
) -> Happened:
    """Compute the history of a cluster from its log.

    Args:
        jobs: Frame with submit [s], runtime [s] and gpus [1], and optionally recorded_wait [s],
            job_class, user and state. Jobs that still run or wait (`read_log` with `unfinished`)
            count up to the end of the log.
        gpus: Size of the cluster, by default from `physics.cluster.settle`, which may be too small
            if the machine was never full. Wider jobs are left out and counted. GPUs that are down
            count as idle unless `jobs.attrs["down"]` lists the outages (`physics.jobs.nodes`).
        target: Wait that should not be exceeded [s].

    Returns: Averages over time begin at the first end of a job, since `sacct` lists only jobs that
    end or run in a window, and earlier use is not known. They end at the last end of a job, or when
    the log was written; jobs that still run are busy until then. `waiting` has a row per class and
    one for all: jobs that still wait, mean and longest of their waits so far [s], and at_least, the
    mean wait of all jobs of the class if the waiting ones started now, a lower bound [s]. If no
    wait is recorded, results about waits are NaN or empty tables, and the size, if it is not known,
    is the largest use if no job had waited.

    Raises ValueError for a frame that `physics.scheduling.simulate` would refuse, jobs that are all
    submitted at one time or span more than a hundred years, a size that is no whole number above
    zero, or a target below zero.

    Little's law on a finite record: from begin to end, ∫ N dt is Σ W minus the part of the waits
    that lies outside, so L = λ W − edge, with edge = that part ÷ (end − begin). N is counted from
    starts and ends, W is the mean over the jobs, and λ is their number ÷ (end − begin).

    Source: J. Little, "Little's law as viewed on its 50th anniversary", Operations Research 59,
    2011 (the law on a finite record); D. Cox and P. Lewis, *The Statistical Analysis of Series of
    Events*, 1966, section 4.5 (index of dispersion).

    >>> jobs = pd.DataFrame({"submit": [0, 0, 10, 60], "runtime": [5, 35, 30, 20]})
    >>> happened = what_happened(jobs.assign(gpus=[2, 2, 4, 4], recorded_wait=[0, 0, 25, 5]))
    >>> happened.begin, happened.end  # the first and the last end
    (5.0, 85.0)
    >>> happened.gpus, happened.utilization, happened.wasted  # 2 GPUs idle for 25 s, 1 job waits
    (4, 0.8125, 50.0)
    """
    jobs = settle(jobs, gpus)
    size = jobs.attrs["settled"]
    log = checked(jobs)
    usage = usage_of(log, size.gpus)
    work = log.gpus * log.runtime
    submit = log.submit[log.within]
    # Jobs that wait since before that time are no arrivals within it.
    waiting = log.waiting[log.waiting >= min(log.begin, submit[0])]
    submit = np.sort(np.append(submit, waiting))
    period = float(submit[-1] - submit[0])
    return Happened(
        jobs=len(jobs),
        recorded=int(log.recorded.sum()),
        begin=log.begin,
        end=log.end,
        gpus=size.gpus,
        size_source=size.source,
        largest=usage.largest,
        utilization=usage.utilization,
        load=float(work[log.within].sum()) / (in_service(log, size.gpus) * period),
        arrival_rate=(len(submit) - 1) / period,
        arrival_scv=_scv(np.diff(submit)),
        mean_width=float(log.gpus.mean()),
        running_width=float(work.sum() / log.runtime.sum()),
        wasted=usage.wasted,
        target=target,
        over_time=usage.over_time,
        arrivals=_arrivals(submit),
        waits=_waits(log, target),
        widths=_widths(log),
        lengths=_lengths(log),
        dispersion=_dispersion(submit),
        little=_little(log),
        users=_users(log),
        left_out=_left_out(jobs, log),
        unit=log.unit,
        running=int(log.running.sum()),
        running_share=usage.running_share,
        waiting=_still_waiting(log),
        over=usage.over,
        down=usage.down,
        part=jobs.attrs.get("part", ""),
        nodes=jobs.attrs.get("nodes", ""),
        remarks=tuple(jobs.attrs.get("remarks", ())),
        size=size,
        used_share=used_share(log) if np.isfinite(log.requested[~log.running]).any() else math.nan,
        notes={name: jobs.attrs[name] for name in NOTES.split() if jobs.attrs.get(name)},
    )


def _left_out(jobs: pd.DataFrame, log: Log) -> dict[str, int]:
    """Number of records that are left out of the log or of its waits, by reason."""
    left_out = dict(jobs.attrs.get("left_out", {}))
    unknown = len(jobs) - int(log.recorded.sum()) - len(log.waiting)
    if unknown:
        left_out["no recorded wait"] = unknown
    return left_out


def _arrivals(submit: np.ndarray) -> pd.DataFrame:
    """Table of arrivals per hour [1/h], by weekday and hour of day."""
    edges = edges_between(submit[0], submit[-1], HOUR)
    hours = np.bincount(_hour_of_week(edges[:-1]), np.diff(edges) / HOUR, 168)
    arrivals = np.bincount(_hour_of_week(submit), minlength=168)
    by_hour = ratios(arrivals, hours).reshape(7, 24)
    return pd.DataFrame(by_hour, index=pd.Index(WEEKDAYS, name="weekday"))


def _hour_of_week(times: np.ndarray) -> np.ndarray:
    """Hour of the week of each time, from 0 on Monday; 1 January 1970 was a Thursday."""
    return (np.floor(times / HOUR).astype(np.int64) + 3 * 24) % 168


def _waits(log: Log, target: float) -> pd.DataFrame:
    """Table of recorded waits by class."""

    def row(group: np.ndarray) -> tuple:
        """Number, mean, median and P95 of a group's waits, and the share within the target."""
        wait = log.wait[group]
        return len(wait), wait.mean(), *np.quantile(wait, (0.5, 0.95)), (wait <= target).mean()

    return table(by_class(log.classes), log.recorded, row, "jobs mean median p95 within_target")


def _still_waiting(log: Log) -> pd.DataFrame:
    """Table of the jobs that still wait, by class, with lower bounds of their waits."""
    started = by_class(log.classes[log.recorded])
    started_waits = {name: log.wait[log.recorded][group] for name, group in started}
    so_far = log.end - log.waiting.to_numpy()
    rows = {}
    for name, group in by_class(log.waiting.index.to_numpy(object)):
        times = so_far[group]
        if len(times):
            at_least = np.append(started_waits.get(name, []), times).mean()
            rows[name] = (len(times), times.mean(), times.max(), at_least)
    return frame_of(rows, "jobs mean longest at_least")


def _widths(log: Log) -> pd.DataFrame:
    """Table of jobs and GPU time by width, in powers of two."""
    most, group = np.unique(powers_of_two(log.gpus), return_inverse=True)
    jobs = np.bincount(group)
    work = np.bincount(group, log.gpus * log.runtime)
    return pd.DataFrame(
        {
            "least": most // 2 + 1,
            "most": most,
            "jobs": jobs,
            "job_share": jobs / jobs.sum(),
            "work_share": work / work.sum(),
        }
    )


def _lengths(log: Log) -> pd.DataFrame:
    """Table of run times by class, of the jobs that ended."""

    def row(group: np.ndarray) -> tuple:
        """Number, mean, median and P99 of a group's run times, their SCV and the tail's share."""
        length = np.sort(log.runtime[group])
        longest = length[-max(1, round(TAIL * len(length))) :].sum()
        percentiles = np.quantile(length, (0.5, 0.99))
        return len(length), length.mean(), *percentiles, _scv(length), longest / length.sum()

    return table(by_class(log.classes), ~log.running, row, "jobs mean median p99 scv tail")


def _scv(values: np.ndarray) -> float:
    """Squared coefficient of variation (SCV); NaN if the mean is not above 0."""
    mean = values.mean()
    if mean > 0:
        return float(values.var() / mean**2)
    return math.nan


def _dispersion(submit: np.ndarray) -> pd.DataFrame:
    """Table of variance ÷ mean of the jobs per window, in whole windows from the first one."""
    rows = {}
    for name, length in WINDOWS.items():
        window = ((submit - submit[0]) // length).astype(np.int64)
        windows = int(window[-1])
        if windows >= 2:
            counts = np.bincount(window[window < windows], minlength=windows)
            rows[name] = (length, windows, counts.mean(), counts.var(ddof=1) / counts.mean())
    return frame_of(rows, "length windows mean index")


def _little(log: Log) -> pd.DataFrame:
    """Table of the jobs waiting and in the system: L as counted, λ W as averaged, and the edge."""
    recorded = log.recorded
    rows: dict[str, list[float]] = {}
    if not recorded.any():
        return frame_of(rows, "measured rate_times_mean edge")
    begin = log.begin
    end = log.end
    submit = np.append(log.submit[recorded], log.waiting)
    for name, times in (("waiting", log.start), ("in the system", log.start + log.runtime)):
        left = np.append(times[recorded], np.full(len(log.waiting), end))
        after = np.maximum(left - np.maximum(submit, end), 0.0)
        outside = after + np.maximum(np.minimum(left, begin) - submit, 0.0)
        counted = Steps.of(submit, left, np.ones(len(submit))).between(begin, end)
        areas = (counted, float((left - submit).sum()), float(outside.sum()))
        rows[name] = [area / (end - begin) for area in areas]
    return frame_of(rows, "measured rate_times_mean edge")


def _users(log: Log) -> pd.DataFrame:
    """Table of the users with the most GPU time."""
    jobs = pd.DataFrame({"gpu_time": log.gpus * log.runtime, "wait": log.wait})
    users = jobs.groupby(pd.Series(log.user, name="user"), sort=False).agg(
        jobs=("gpu_time", "size"),
        gpu_time=("gpu_time", "sum"),
        share=("gpu_time", "sum"),
        mean_wait=("wait", "mean"),
    )
    users["share"] /= jobs["gpu_time"].sum()
    users = users.drop(index="", errors="ignore")
    return users.sort_values("gpu_time", ascending=False, kind="stable").head(MAX_USERS)
