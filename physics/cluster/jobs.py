"""Jobs of a log as checked numbers: finished, running, or waiting; and the time span of the log."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from physics import constants as c
from physics.cluster.log import MOST_DAYS, unit_of
from physics.cluster.machine.parts import sizes_in_parts
from physics.cluster.say import counted
from physics.cluster.weeks import week_of
from physics.jobs.sacct import UNENDED
from physics.scheduling.workload import ONE_CLASS, check, require

LONGEST = MOST_DAYS * c.DAY
ALL = "all"
#: Bounds of time limits between which jobs are grouped [h], and names of the groups.
LIMITS = (1, 4, 15)
LIMIT_NAMES = ("up to 1 h", "1 to 4 h", "4 to 15 h", "over 15 h")


@dataclass(frozen=True, eq=False)
class Log:
    """Columns of a log as checked arrays, in order of submission.

    The run time of a running job is its time so far.
    """

    submit: np.ndarray  #: time of submission [s]
    runtime: np.ndarray  #: run time, of a running job so far [s]
    estimate: np.ndarray  #: run time that the scheduler is told [s]
    gpus: np.ndarray  #: width [1]
    wait: np.ndarray  #: wait before the start [s]; NaN where none is recorded
    classes: np.ndarray
    user: np.ndarray
    running: np.ndarray  #: whether the job still runs at the log's end
    #: submissions of jobs that still wait at the log's end [s], by class; the other columns lack
    #: these jobs
    waiting: pd.Series
    begin: float  #: first end of a job; the log holds all jobs that ended later [s]
    end: float  #: last end, or when the log was written [s]
    unit: str  #: what a size counts: "GPU", "CPU" or "node"
    requested: np.ndarray  #: time limits [s]; NaN without one
    account: np.ndarray
    row: np.ndarray  #: position of the job in the log's frame
    parts: int  #: sizes are whole multiples of 1 ÷ parts; see `physics.cluster.machine.parts`
    #: outages: begin, end [s], GPUs; see `physics.jobs.nodes`
    down: tuple[tuple[float, float, int], ...] = ()

    @property
    def recorded(self) -> np.ndarray:
        """Mask of jobs whose wait is recorded."""
        return np.isfinite(self.wait)

    @property
    def start(self) -> np.ndarray:
        """Recorded starts, or submissions if no wait is recorded [s]."""
        return self.submit + np.where(self.recorded, self.wait, 0.0)

    @property
    def compared(self) -> np.ndarray:
        """Mask of jobs with a recorded wait; of all jobs if none is recorded."""
        return self.recorded | ~self.recorded.any()

    @property
    def week(self) -> np.ndarray:
        """Week of each job's submission, from 0 on, counted from `begin`."""
        return week_of(self.submit, self.begin)

    @property
    def within(self) -> np.ndarray:
        """Mask of jobs submitted within the log's time span.

        Earlier jobs are in a log only if they were still running.
        """
        within = self.submit >= self.begin
        if np.any(self.submit[within] < self.submit[-1]):
            return within
        return np.ones(len(within), bool)

    @property
    def early(self) -> np.ndarray:
        """Mask of jobs in the first half of the log, by submission."""
        return self.submit < (self.submit[0] + self.submit[-1]) / 2

    @property
    def frame(self) -> pd.DataFrame:
        """Frame of jobs for the simulator, in order of submission."""
        names = ("submit", "runtime", "gpus", "estimate", "classes", "user", "account")
        frame = pd.DataFrame({name: getattr(self, name) for name in names})
        return frame.rename(columns={"classes": "job_class"})


def checked(jobs: pd.DataFrame) -> Log:
    """Return a log in order of submission, or raise ValueError with one sentence."""
    require("jobs", jobs, "submit", "runtime", "gpus")
    parts = jobs.attrs.get("parts", 1)
    jobs = sizes_in_parts(jobs, parts)
    running, waiting = unfinished(jobs)
    last = -math.inf
    started = jobs
    rows = ~(running | waiting)
    if not rows.all():
        if not rows.any():
            raise ValueError("jobs must hold at least one that ended, got none")
        check(jobs[rows])
        last = _last(jobs)
        started, rows = _started(jobs, running, waiting, last)
    submit, runtime, estimate, gpus = check(started)
    if len(submit) < 2 or np.ptp(submit) == 0:
        raise ValueError(
            f"jobs must be submitted at two times at least, got {len(submit)} in one instant"
        )
    if np.ptp(submit) > LONGEST or runtime.max() > LONGEST:
        raise ValueError(f"jobs must span at most {MOST_DAYS:,} days, and run no longer")
    if parts > 1:
        gpus = gpus / parts
    wait = _numbers(started, "recorded_wait")
    requested = _numbers(started, "requested")
    columns: dict[str, Any] = {
        "submit": submit,
        "runtime": runtime,
        "estimate": estimate,
        "gpus": gpus,
        "wait": np.where((wait >= 0) & (wait <= LONGEST), wait, np.nan),
        "classes": texts_of(started, "job_class"),
        "user": texts_of(started, "user"),
        "account": texts_of(started, "account"),
        "running": running[rows],
        "row": np.flatnonzero(rows),
        "requested": np.where(requested > 0, requested, np.nan),
    }
    order = np.argsort(submit, kind="stable")
    log = Log(
        **{name: values[order] for name, values in columns.items()},
        waiting=_waiting(jobs[waiting]),
        begin=float(submit.min()),
        end=last,
        unit=unit_of(jobs),
        parts=parts,
    )
    return _with_span(log, jobs.attrs.get("down", ()))


def _started(
    jobs: pd.DataFrame, running: np.ndarray, waiting: np.ndarray, last: float
) -> tuple[pd.DataFrame, np.ndarray]:
    """Jobs that started, those still running with their time until `last` [s], and their mask."""
    so_far = last - (_numbers(jobs, "submit") + _numbers(jobs, "recorded_wait"))
    runtime = np.where(running, np.maximum(so_far, 1.0), _numbers(jobs, "runtime"))
    # Nothing is known about a job that runs without a start.
    rows = ~waiting & (~running | np.isfinite(so_far))
    estimate = np.fmax(_numbers(jobs, "estimate"), runtime)
    return jobs.assign(runtime=runtime, estimate=estimate)[rows], rows


def _with_span(log: Log, down: Iterable[tuple[float, float, int]]) -> Log:
    """Log with its time span, from the first end of a job to the last one, and its outages."""
    ended = ~log.running
    if (ended & log.recorded).any():
        ended &= log.recorded
    ends = (log.start + log.runtime)[ended]
    end = max(float(ends.max()), log.end)
    begin = log.begin
    if ends.min() < end:
        begin = float(ends.min())
    return replace(log, begin=begin, end=end, down=tuple(outages(down, log.begin, end)))


def tested(jobs: pd.DataFrame) -> Log:
    """Return a log as `checked` does, but without waits if every job starts at its submission.

    Such a log may not know when its jobs were submitted, so a model cannot be tested on it.
    """
    log = checked(jobs)
    others_wait = bool(jobs.attrs.get("gave_up")) or len(log.waiting) > 0
    if others_wait or not log.recorded.any() or np.nanmax(log.wait) > 0:
        return log
    return replace(log, wait=np.full(len(log.wait), np.nan))


def outages(
    down: Iterable[tuple[float, float, int]], begin: float, end: float
) -> Iterator[tuple[float, float, int]]:
    """Yield the part of each outage within a time span: begin [s], end [s], and GPUs.

    An outage without an end (infinity) lasts to the end of the span.
    """
    for down_from, down_until, gpus in down:
        start = max(down_from, begin)
        stop = min(down_until, end)
        if start < stop:
            yield start, stop, gpus


def unfinished(jobs: pd.DataFrame) -> np.ndarray:
    """Masks of jobs that still run and of jobs that still wait, by their states."""
    if jobs.columns.isin(["state", "runtime", "recorded_wait"]).sum() != 3:
        return np.zeros((2, len(jobs)), bool)
    kind = jobs["state"].astype(str).map(UNENDED).where(jobs["runtime"].isna())
    return np.array([kind == UNENDED[state] for state in ("RUNNING", "PENDING")])


def _numbers(jobs: pd.DataFrame, name: str) -> np.ndarray:
    """Numbers in a column; NaN where there is no number, or no such column."""
    if name not in jobs:
        return np.full(len(jobs), np.nan)
    return pd.to_numeric(jobs[name], errors="coerce").to_numpy(float)


def _last(jobs: pd.DataFrame) -> float:
    """Latest moment in a log's rows, or the moment at which the log was written [s]."""
    names = ("submit", "recorded_wait", "runtime")
    moments = np.cumsum([_numbers(jobs, name) for name in names], axis=0)
    last = float(moments[np.isfinite(moments)].max(initial=-math.inf))
    written = jobs.attrs.get("snapshot")
    if isinstance(written, Real) and last < float(written) <= last + LONGEST:
        return float(written)
    return last


def _waiting(jobs: pd.DataFrame) -> pd.Series:
    """Checked submissions of jobs that still wait [s], by class."""
    submit = check(jobs.assign(runtime=1.0, estimate=1.0))[0]
    classes = pd.Index(texts_of(jobs, "job_class"), dtype=object)
    return pd.Series(submit, classes).sort_values(kind="stable")


def texts_of(jobs: pd.DataFrame, name: str) -> np.ndarray:
    """Values of a column as texts; where there is none, the default class or an empty text."""
    default = ONE_CLASS if name == "job_class" else ""
    if name not in jobs:
        return np.full(len(jobs), default, dtype=object)
    values = jobs[name].astype(object)
    return values.where(values.notna(), default).map(str).to_numpy(object)


def by_class(classes: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """Masks of the jobs in each class, by name, and of all jobs last.

    A class named "all" becomes "all (class)".
    """
    codes, names = pd.factorize(classes, sort=True)
    groups = []
    for code, name in enumerate(names):
        label = name
        if name == ALL:
            label = f"{ALL} (class)"
        groups.append((label, codes == code))
    return [*groups, (ALL, np.ones(len(classes), bool))]


def by_limit(estimate: np.ndarray) -> dict[str, np.ndarray]:
    """Return a mask of jobs for each range of time limits, by the range's name.

    >>> groups = by_limit(np.array([3600.0, 3601.0, 99_999.0]))
    >>> {name: int(group.sum()) for name, group in groups.items()}
    {'up to 1 h': 1, '1 to 4 h': 1, '4 to 15 h': 0, 'over 15 h': 1}
    """
    group = np.searchsorted(np.array(LIMITS) * c.HOUR, estimate)
    return {name: group == number for number, name in enumerate(LIMIT_NAMES)}


def powers_of_two(gpus: np.ndarray) -> np.ndarray:
    """Smallest power of two that is at least each width, and at least 1."""
    return 2 ** np.maximum(np.ceil(np.log2(gpus)), 0).astype(np.int64)


def by_width(gpus: np.ndarray, unit: str) -> dict[str, np.ndarray]:
    """Masks of jobs for each range of widths between two powers of two, by the range's name.

    >>> {name: group.tolist() for name, group in by_width(np.array([1, 3, 4]), "GPU").items()}
    {'1 GPU': [True, False, False], '3 to 4 GPUs': [False, True, True]}
    """
    widest = powers_of_two(gpus)
    groups = {}
    for most in np.unique(widest).tolist():
        if most <= 2:
            name = counted(most, unit)
        else:
            name = f"{most // 2 + 1:,} to {most:,} {unit}s"
        groups[name] = widest == most
    return groups


def used_share(log: Log) -> float:
    """Run time ÷ requested time of the finished jobs that requested a time [1].

    The result is 1 if there are none.
    """
    ended = ~log.running & np.isfinite(log.requested)
    if not ended.any():
        return 1.0
    return float(log.runtime[ended].sum() / log.requested[ended].sum())


def by_need(log: Log, limit: str = "limit ") -> list[tuple[str, np.ndarray]]:
    """Names and masks of groups of jobs: by time limit, by width, and all jobs last.

    The names of time limits begin with `limit`.
    """
    limits = {limit + name: group for name, group in by_limit(log.estimate).items()}
    groups = limits | by_width(log.gpus, log.unit)
    return [*groups.items(), (ALL, np.ones(len(log.submit), bool))]


def table(
    groups: Iterable[tuple[str, np.ndarray]],
    among: np.ndarray,
    row: Callable[[np.ndarray], tuple],
    columns: str,
    least: int = 1,
) -> pd.DataFrame:
    """Table with a row, computed by `row`, for each group of at least `least` jobs.

    Only jobs in the mask `among` count.
    """
    masks = [(name, group & among) for name, group in groups]
    rows = {name: row(mask) for name, mask in masks if mask.sum() >= least}
    return frame_of(rows, columns)


def ratio(value: float, whole: float) -> float:
    """Number ÷ another number; where the other is 0, infinite, or 0 if both are 0."""
    if whole:
        return value / whole
    if value:
        return value * math.inf
    return 0.0


def frame_of(rows: Mapping[str, Sequence], columns: str) -> pd.DataFrame:
    """Convert rows by name to a table.

    `columns` is a text with the columns' names, separated by spaces.
    """
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns.split())


def ratios(parts: np.ndarray, wholes: np.ndarray) -> np.ndarray:
    """Each part ÷ its whole; NaN where the whole is not above 0."""
    return np.divide(parts, wholes, out=np.full(len(parts), np.nan), where=wholes > 0)
