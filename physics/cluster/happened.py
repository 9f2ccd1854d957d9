"""What happened: what a log says about a cluster, without any model."""

import heapq
import math
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from physics import constants as c
from physics import pace
from physics.cluster.log import MOST_DAYS
from physics.numerics import checks
from physics.scheduling.workload import ONE_CLASS, check

HOUR, DAY = float(c.HOUR), float(c.DAY)
#: A span up to which time is shown by the hour, and by the day beyond it.
HOURLY = 14 * DAY
#: Windows in which arrivals are counted for their index of dispersion.
WINDOWS = {"hour": HOUR, "day": DAY, "week": 7 * DAY}
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
#: Users that are listed, those with most GPU-hours.
USERS = 20
#: A tail: share of the jobs that are the longest.
TAIL = 0.01
ALL = "all"


@dataclass(frozen=True, eq=False)
class Happened:
    """What a log records; tables are frames, times in seconds, and NaN where nothing is recorded."""

    jobs: int  #: jobs of the log
    recorded: int  #: those with a recorded wait; what follows from waits is of these
    begin: float  #: first submission [s]
    end: float  #: last submission [s]; averages over time are from begin to end
    gpus: int  #: size of the cluster [1]
    size_source: str  #: "given", "largest use at once" or "largest use at once if no job had waited"
    largest: int  #: most GPUs in use at once [1]
    utilization: float  #: GPU time in use ÷ GPU time, from begin to end [1]
    load: float  #: GPU time asked for ÷ GPU time, from begin to end [1]
    arrival_rate: float  #: λ [1/s]
    arrival_scv: float  #: SCV of the times between submissions [1]
    mean_width: float  #: GPUs, mean over jobs [1]
    running_width: float  #: GPUs, mean over jobs weighted by runtime: of a job that is seen running [1]
    wasted: float  #: GPU time idle while something waited [GPU·s]
    usable: float  #: the part of it in which the narrowest that waited would have fitted [GPU·s]
    target: float  #: wait that should not be exceeded [s]
    over_time: pd.DataFrame  #: begin [s], length [s], utilization [1], waiting (mean jobs), wasted [GPU·s], arrivals
    arrivals: pd.DataFrame  #: weekday × hour of day (UTC): jobs an hour [1/h]; NaN for an hour never seen
    waits: pd.DataFrame  #: class (and "all"): jobs, mean, median, p95 [s], within_target [1]
    widths: pd.DataFrame  #: least, most [GPUs], jobs, share of jobs, share of GPU time [1]
    lengths: pd.DataFrame  #: class (and "all"): jobs, mean, median, p99 [s], scv, tail (share of work of longest 1 %)
    dispersion: pd.DataFrame  #: window: length [s], windows, mean, index (variance ÷ mean of counts; Poisson: 1)
    little: pd.DataFrame  #: waiting, in the system: measured L, rate × mean λW, edge: L = λW − edge [1]
    users: pd.DataFrame  #: user: jobs, gpu_time [GPU·s], share [1], mean_wait [s]; at most 20
    left_out: dict[str, int] = field(default_factory=dict)  #: records by reason, "no recorded wait" among them

    @property
    def span(self) -> float:
        """From the first to the last submission [s]."""
        return self.end - self.begin


@dataclass(frozen=True, eq=False)
class Log:
    """Checked columns of a log as arrays, by submission."""

    submit: np.ndarray
    runtime: np.ndarray
    estimate: np.ndarray
    gpus: np.ndarray
    wait: np.ndarray  #: NaN where none is recorded
    classes: np.ndarray
    user: np.ndarray
    order: np.ndarray  #: row of each job in the frame

    @property
    def recorded(self) -> np.ndarray:
        return np.isfinite(self.wait)


def checked(jobs: pd.DataFrame) -> Log:
    """Return a log's columns by submission, or raise ValueError in one sentence."""
    submit, runtime, estimate, gpus = check(jobs)
    if len(submit) < 2 or submit.max() <= submit.min():
        raise ValueError(f"jobs must be submitted at two times at least, got {len(submit)} in one instant")
    if submit.max() - submit.min() > MOST_DAYS * DAY or runtime.max() > MOST_DAYS * DAY:
        raise ValueError(f"jobs must span at most {MOST_DAYS:,} days, and run no longer")
    wait = np.full(len(jobs), np.nan)
    if "recorded_wait" in jobs:
        wait = pd.to_numeric(jobs["recorded_wait"], errors="coerce").to_numpy(float)
        wait = np.where((wait >= 0) & (wait <= MOST_DAYS * DAY), wait, np.nan)
    order = np.argsort(submit, kind="stable")

    def texts(name: str, default: str) -> np.ndarray:
        column = jobs[name].to_numpy(object) if name in jobs else np.full(len(jobs), default, dtype=object)
        return column[order]

    numbers = (values[order] for values in (submit, runtime, estimate, gpus, wait))
    return Log(*numbers, texts("job_class", ONE_CLASS), texts("user", ""), order)


@checks.within_range
def what_happened(jobs: pd.DataFrame, gpus: int | None = None, target: float = c.INTERACTIVE_TARGET) -> Happened:
    """Measure a log.

    Parameters
    ----------
    jobs : pandas.DataFrame
        submit [s], runtime [s], gpus [1]; recorded_wait [s], job_class and user if there are.
    gpus : int, optional
        Size of the cluster. By default the most GPUs that were in use at once: a machine that was never full is taken
        for a smaller one, and times at which a part of it was down for idle ones.
    target : float
        Wait that should not be exceeded [s].

    Returns
    -------
    Happened
        Averages over time are from the first to the last submission. Where no wait is recorded, what follows from waits
        is NaN or an empty table, and the size, if it is not given, is what would be in use had no job waited.

    Raises
    ------
    ValueError
        For a frame that `physics.scheduling.simulate` would refuse, jobs that are all submitted at one time or span
        more than a hundred years, a size that is no whole number above zero, or a target below zero.

    Notes
    -----
    Little's law on a finite record: from begin to end ∫ N dt = Σ W − what of the W lies after the end, so that
    L = λ W − edge with edge = that rest ÷ (end − begin). N is counted from the starts and ends, W over the jobs.

    References
    ----------
    J. Little, "Little's law as viewed on its 50th anniversary", Operations Research 59, 2011 (the law on a finite
    record); D. Cox and P. Lewis, *The Statistical Analysis of Series of Events*, 1966, section 4.5 (index of
    dispersion).

    Examples
    --------
    >>> jobs = pd.DataFrame({"submit": [0, 0, 60], "runtime": [30, 30, 30], "gpus": [2, 2, 4]})
    >>> happened = what_happened(jobs.assign(recorded_wait=[0, 30, 0]))
    >>> happened.gpus, happened.utilization, happened.wasted  # 2 of 4 idle for 30 s beside a job that waits
    (4, 0.5, 60.0)
    """
    log, target = checked(jobs), checks.non_negative("target", target)
    known = log.recorded
    start = log.submit + np.where(known, log.wait, 0.0)
    counted = known if known.any() else np.ones(len(start), bool)
    busy = _Steps.of(start[counted], start[counted] + log.runtime[counted], log.gpus[counted])
    largest = int(busy.height.max())
    if gpus is None:
        size = largest
        source = "largest use at once" if known.any() else "largest use at once if no job had waited"
    else:
        size, source = checks.count("gpus", gpus, most=checks.MANY), "given"
    begin, end = float(log.submit[0]), float(log.submit[-1])
    span = end - begin
    gaps, work = np.diff(log.submit), log.gpus * log.runtime
    pace.step()
    queue = _Steps.of(log.submit[known], start[known], np.ones(int(known.sum()), np.int64))
    wasted = _wasted(busy, queue, size) if known.any() else None
    idle = math.nan if wasted is None else float(wasted.integral(end) - wasted.integral(begin))
    left_out = dict(jobs.attrs.get("left_out", {}))
    if missing := int((~known).sum()):
        left_out["no recorded wait"] = missing
    pace.step()
    return Happened(
        jobs=len(start),
        recorded=int(known.sum()),
        begin=begin,
        end=end,
        gpus=size,
        size_source=source,
        largest=largest,
        utilization=float(busy.integral(end) - busy.integral(begin)) / (size * span) if known.any() else math.nan,
        load=float(work.sum()) / (size * span),
        arrival_rate=(len(start) - 1) / span,
        arrival_scv=_scv(gaps),
        mean_width=float(log.gpus.mean()),
        running_width=float(work.sum() / log.runtime.sum()),
        wasted=idle,
        usable=_usable(log, start, size, begin, end) if known.any() else math.nan,
        target=target,
        over_time=_over_time(log, busy, queue, wasted, size),
        arrivals=_arrivals(log.submit),
        waits=_waits(log, target),
        widths=_widths(log),
        lengths=_lengths(log),
        dispersion=_dispersion(log.submit),
        little=_little(log, start, queue, begin, end),
        users=_users(log),
        left_out=left_out,
    )


@dataclass(frozen=True, eq=False)
class _Steps:
    """A step function: its height from each time on, and its integral so far."""

    time: np.ndarray
    height: np.ndarray
    area: np.ndarray

    @classmethod
    def of(cls, up: np.ndarray, down: np.ndarray, by: np.ndarray) -> "_Steps":
        """Sum of steps of some heights, from `up` to `down`."""
        time, place = np.unique(np.concatenate((up, down)), return_inverse=True)
        change = np.bincount(place, np.concatenate((by, -by)).astype(float), len(time))
        return cls.at(time, np.cumsum(change).round())

    @classmethod
    def at(cls, time: np.ndarray, height: np.ndarray) -> "_Steps":
        if not len(time):
            time, height = np.zeros(1), np.zeros(1)
        return cls(time, height, np.concatenate(([0.0], np.cumsum(height[:-1] * np.diff(time)))))

    def integral(self, times: np.ndarray | float) -> np.ndarray:
        """Area up to some times; nothing before the first step and after the last."""
        return np.interp(times, self.time, self.area)

    def heights(self, times: np.ndarray) -> np.ndarray:
        """Heights from some times on."""
        place = np.searchsorted(self.time, times, side="right") - 1
        return np.where(place >= 0, self.height[np.maximum(place, 0)], 0.0)


def _wasted(busy: _Steps, queue: _Steps, size: int) -> _Steps:
    """GPUs idle while something waits."""
    time = np.union1d(busy.time, queue.time)
    return _Steps.at(time, np.where(queue.heights(time) > 0, np.maximum(size - busy.heights(time), 0.0), 0.0))


def _usable(log: Log, start: np.ndarray, size: int, begin: float, end: float) -> float:
    """GPU time idle while the narrowest that waited would have fitted."""
    known = log.recorded & (log.wait > 0)
    if not known.any():
        return 0.0
    at = log.recorded
    moments = [(submit, 2, row) for row, submit in zip(np.flatnonzero(known), log.submit[known], strict=True)]
    moments += [(time, 1, row) for row, time in zip(np.flatnonzero(at), start[at], strict=True)]
    moments += [(time, 0, row) for row, time in zip(np.flatnonzero(at), (start + log.runtime)[at], strict=True)]
    moments.sort()
    gpus, free, waiting, gone, total, last = log.gpus.tolist(), size, [], set(), 0.0, moments[0][0]
    waits = set(np.flatnonzero(known).tolist())
    for number, (time, kind, row) in enumerate(moments):
        if number % 1000 == 0:
            pace.step()
        while waiting and waiting[0][1] in gone:
            gone.discard(heapq.heappop(waiting)[1])
        if waiting and waiting[0][0] <= free and time > last:
            total += free * max(0.0, min(time, end) - max(last, begin))
        last = time
        if kind == 2:
            heapq.heappush(waiting, (gpus[row], row))
        elif kind == 1:
            free -= gpus[row]
            if row in waits:
                gone.add(row)
        else:
            free += gpus[row]
    return float(total)


def _edges(begin: float, end: float, length: float) -> np.ndarray:
    """Edges of bins from begin to end, at whole multiples of their length between them."""
    inner = np.arange(math.floor(begin / length) + 1, math.ceil(end / length)) * length
    return np.concatenate(([begin], inner, [end]))


def _over_time(log: Log, busy: _Steps, queue: _Steps, wasted: _Steps | None, size: int) -> pd.DataFrame:
    """Utilization, jobs that wait, waste and arrivals, by the hour or the day."""
    begin, end = log.submit[0], log.submit[-1]
    edges = _edges(begin, end, HOUR if end - begin <= HOURLY else DAY)
    length = np.diff(edges)
    unknown = np.full(len(length), np.nan)
    return pd.DataFrame(
        {
            "begin": edges[:-1],
            "length": length,
            "utilization": unknown if wasted is None else np.diff(busy.integral(edges)) / (size * length),
            "waiting": unknown if wasted is None else np.diff(queue.integral(edges)) / length,
            "wasted": unknown if wasted is None else np.diff(wasted.integral(edges)),
            "arrivals": np.histogram(log.submit, edges)[0],
        }
    )


def _arrivals(submit: np.ndarray) -> pd.DataFrame:
    """Jobs an hour by weekday and hour of day; 1 January 1970 was a Thursday."""
    edges = _edges(submit[0], submit[-1], HOUR)
    place = (np.floor(edges[:-1] / HOUR).astype(np.int64) + 3 * 24) % 168
    seen = np.bincount(place, np.diff(edges) / HOUR, 168)
    counts = np.bincount((np.floor(submit / HOUR).astype(np.int64) + 3 * 24) % 168, minlength=168)
    rate = np.divide(counts, seen, out=np.full(168, np.nan), where=seen > 0)
    return pd.DataFrame(rate.reshape(7, 24), index=pd.Index(WEEKDAYS, name="weekday"), columns=range(24))


def by_class(classes: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """Which jobs are of each class, by name, and all at last; a class that is called "all" itself is "all (class)"."""
    codes, names = pd.factorize(classes, use_na_sentinel=False)
    ordered = sorted(range(len(names)), key=lambda code: str(names[code]))
    called = [f"{ALL} (class)" if names[code] == ALL else str(names[code]) for code in ordered]
    mine = [codes == code for code in ordered]
    return [*zip(called, mine, strict=True), (ALL, np.ones(len(classes), bool))]


def _waits(log: Log, target: float) -> pd.DataFrame:
    rows = {}
    for name, mine in by_class(log.classes):
        wait = log.wait[mine & log.recorded]
        if len(wait):
            rows[name] = (len(wait), wait.mean(), *np.quantile(wait, (0.5, 0.95)), (wait <= target).mean())
    return pd.DataFrame.from_dict(rows, orient="index", columns=["jobs", "mean", "median", "p95", "within_target"])


def _widths(log: Log) -> pd.DataFrame:
    """Jobs and work by width, in powers of two."""
    power = np.ceil(np.log2(log.gpus)).astype(np.int64)
    jobs, work = np.bincount(power), np.bincount(power, log.gpus * log.runtime)
    some = np.flatnonzero(jobs)
    return pd.DataFrame(
        {
            "least": [1 if one == 0 else 2 ** (one - 1) + 1 for one in some.tolist()],
            "most": [2**one for one in some.tolist()],
            "jobs": jobs[some],
            "job_share": jobs[some] / jobs.sum(),
            "work_share": work[some] / work.sum(),
        }
    )


def _lengths(log: Log) -> pd.DataFrame:
    rows = {}
    for name, mine in by_class(log.classes):
        length = np.sort(log.runtime[mine])
        longest = length[-max(1, round(TAIL * len(length))) :]
        rows[name] = (
            *(len(length), length.mean(), *np.quantile(length, (0.5, 0.99))),
            *(_scv(length), longest.sum() / length.sum()),
        )
    return pd.DataFrame.from_dict(rows, orient="index", columns=["jobs", "mean", "median", "p99", "scv", "tail"])


def _scv(values: np.ndarray) -> float:
    """Squared coefficient of variation."""
    mean = values.mean()
    return float(values.var() / mean**2) if mean > 0 else math.nan


def _dispersion(submit: np.ndarray) -> pd.DataFrame:
    """Variance over mean of the numbers of jobs in whole windows from the first submission."""
    rows = {}
    for name, length in WINDOWS.items():
        windows = int((submit[-1] - submit[0]) // length)
        if windows >= 2:
            place = ((submit - submit[0]) // length).astype(np.int64)
            counts = np.bincount(place[place < windows], minlength=windows)
            rows[name] = (length, windows, counts.mean(), counts.var(ddof=1) / counts.mean())
    return pd.DataFrame.from_dict(rows, orient="index", columns=["length", "windows", "mean", "index"])


def _little(log: Log, start: np.ndarray, queue: _Steps, begin: float, end: float) -> pd.DataFrame:
    """L as counted and λ W as averaged, waiting and in the system."""
    known, rows, span = log.recorded, {}, end - begin
    columns = ["measured", "rate_times_mean", "edge"]
    if not known.any():
        return pd.DataFrame(columns=columns, dtype=float)
    submit, leave = log.submit[known], start[known] + log.runtime[known]
    system = _Steps.of(submit, leave, np.ones(len(submit), np.int64))
    for name, steps, left in (("waiting", queue, start[known]), ("in the system", system, leave)):
        counted = float(steps.integral(end) - steps.integral(begin)) / span
        rows[name] = (counted, float((left - submit).sum()) / span, float(np.maximum(left - end, 0.0).sum()) / span)
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def _users(log: Log) -> pd.DataFrame:
    """Users with most GPU time."""
    codes, names = pd.factorize(log.user, use_na_sentinel=False)
    work, jobs = np.bincount(codes, log.gpus * log.runtime), np.bincount(codes)
    known = np.bincount(codes[log.recorded], minlength=len(names))
    wait = np.bincount(codes[log.recorded], log.wait[log.recorded], len(names))
    mean = np.divide(wait, known, out=np.full(len(names), np.nan), where=known > 0)
    most = [code for code in np.argsort(-work, kind="stable").tolist() if str(names[code])][:USERS]
    index = [str(names[code]) for code in most]
    columns = {"jobs": jobs[most], "gpu_time": work[most], "share": work[most] / work.sum(), "mean_wait": mean[most]}
    return pd.DataFrame(columns, index=index)
