"""Your cluster: long computations, run beside the server, and so without importing Streamlit."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from physics import constants as c
from physics.cluster import (
    Calibration,
    Difference,
    Happened,
    Kept,
    Needed,
    Nodes,
    Promises,
    calibrate,
    candidates,
    few_classes,
    kth_like_log,
    parse_change,
    read_log,
    settle,
    synthetic_log,
    what_happened,
    what_if,
    what_is_needed,
    what_load_keeps,
    when_do_jobs_start,
    why_waiting,
)
from physics.cluster.log import EPOCH, size_of
from physics.cluster.trust.why import Waiting, waiting_jobs
from physics.jobs import read_swf
from physics.jobs.readers import Unreadable, first_rows, guess_columns
from physics.jobs.readers.named import read_columns, table_header
from physics.jobs.readers.plain import plain
from physics.jobs.swf import MOST_PROCESSORS
from physics.scheduling import Policy, class_table, simulate
from physics.sealed import Sealed

#: Jobs that wait that are named as examples.
FEW_WAITING = 3
#: Queues of a trace that are listed.
MOST_QUEUES = 11


@dataclass(frozen=True)
class Question:
    """Settings of an analysis, which are part of its cache key."""

    gpus: int | None = None  #: size of the cluster; None: the largest use at once
    target: float = 300.0  #: wait that should not be exceeded [s]
    #: name of the policy that changes are set against; None: the closest
    baseline: str | None = None


@dataclass(eq=False)
class Study:
    """Analysis of a log with theory and simulation; data that the page does not show is sealed."""

    question: Question
    happened: Happened
    calibration: Calibration  #: without its schedule
    promises: Promises  #: promised beside actual starts
    waiting: tuple[str, ...]  #: names of the first jobs that still wait
    #: None once it had to go: see `ui.cluster.log_cache`
    whole: Sealed[Calibration] | None = field(repr=False)


@dataclass(eq=False)
class Log:
    """Log that was read: page data, sealed jobs for further work, and the visitor's session."""

    #: None once they had to go: see `ui.cluster.log_cache`
    jobs: Sealed[pd.DataFrame] | None = field(repr=False)
    count: int  #: jobs
    attrs: dict  #: see `physics.cluster.read_log`
    classes: tuple[str, ...]  #: those with the most jobs first
    name: str = ""  #: that it came under
    #: how it was read: the same file read otherwise has other sizes, classes or names
    how: tuple = ()
    data: bytes = field(default=b"", repr=False)  #: the file
    session: str = ""  #: of the visitor who looks at it; "" for a script
    study: Study | None = field(default=None, repr=False)  #: the latest

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return self.attrs["digest"]

    @property
    def key(self) -> tuple:
        """Cache key of this log: the file's digest and how the file was read."""
        return self.digest, *self.how

    def __len__(self) -> int:
        """Jobs."""
        return self.count

    def drop(self) -> None:
        """Drop data that can be computed again."""
        self.jobs = None
        if self.study is not None:
            self.study.whole = None


@dataclass(frozen=True)
class Table:
    """Table whose columns the visitor has to name."""

    names: tuple[str, ...]  #: of its columns
    guess: dict[str, str]  #: column of each meaning, by its name
    rows: tuple[tuple[str, ...], ...]  #: the first ones as they are read by that guess


def _table(data: bytes, refusal: Unreadable) -> Table:
    """What a file that is not recognized has of a table; its refusal, if it is none."""
    text = plain(data)
    header = table_header(text)
    if header is None or len(header[2]) < 3:
        raise refusal
    guess = guess_columns(text)
    return Table(tuple(header[2][:200]), guess, rows_as_read(text, guess))


def rows_as_read(
    data: bytes, columns: Mapping[str, str], timezone: str = ""
) -> tuple[tuple[str, ...], ...]:
    """First three rows of a table as text; empty if they cannot be read."""
    try:
        frame = first_rows(data, columns, timezone)
    except ValueError:
        return ()
    texts = []
    for run in frame.head(3).itertuples(index=False):
        since = f"second {run.submit:,.0f}"
        if run.submit >= EPOCH:
            since = f"{pd.to_datetime(run.submit, unit='s'):%Y-%m-%d %H:%M:%S} UTC"
        lengths = (
            "not known" if pd.isna(value) else f"{value:,.0f} s"
            for value in (run.wait, run.elapsed)
        )
        size = "not known" if pd.isna(run.gpus) else f"{run.gpus:g}"
        texts.append((run.job[:40], since, *lengths, size, run.kind))
    return tuple(texts)


def taken(jobs: pd.DataFrame) -> Log:
    """Return jobs as a log, with the jobs sealed, and classes merged if there are too many."""
    jobs = few_classes(jobs)
    attrs = {name: value for name, value in jobs.attrs.items() if name != "names"}
    return Log(Sealed.of(jobs), len(jobs), attrs, tuple(jobs["job_class"].value_counts().index))


def read(
    data: bytes,
    resource: str,
    job_class: str,
    submit: str,
    names: bool,
    partition: Sequence[str] = (),
    gpu_type: str = "",
    nodes: Sequence[bytes] = (),
    cluster: str = "",
    shards: int = 0,
    columns: str = "",
    timezone: str = "",
) -> Log | Table:
    """Read a log and its node lists; ValueError explains in one sentence why a file is rejected.

    A table that is not recognized comes back as one whose columns have to be named.
    """
    chosen: dict[str, Any] = {
        "partition": partition,
        "gpu_type": gpu_type,
        "cluster": cluster.strip(),
        "shards_per_gpu": shards,
        "columns": read_columns(columns) if columns else None,
        "timezone": timezone.strip(),
    }
    try:
        jobs = read_log(data, resource, job_class, submit, names, unfinished=True, **chosen)
    except Unreadable as refusal:
        return _table(data, refusal)
    if columns:
        jobs.attrs["as_read"] = rows_as_read(plain(data), chosen["columns"], timezone.strip())
    try:
        listed = Nodes()
        for text in nodes:
            listed.read(text)
        return taken(listed.attach(jobs) if nodes else jobs)
    except ValueError as refusal:
        raise ValueError(f"Nodes: {refusal}") from None


def synthetic(kind: str = "synthetic") -> Log:
    """Synthetic log: a year of the scheduling lesson's mix with waits under EASY, or a log similar
    to KTH's.
    """
    return taken(kth_like_log() if kind == "kth" else synthetic_log())


def study(log: Sealed[pd.DataFrame], question: Question, progress) -> Study:
    """Analyze a log."""
    jobs = settle(log.open(), question.gpus)
    progress(0.0, "what happened")
    happened = what_happened(jobs, question.gpus, question.target)
    policies = candidates(jobs, happened.gpus)
    baseline = question.baseline if question.baseline in policies else None
    calibration = calibrate(jobs, happened.gpus, policies, progress=progress, baseline=baseline)
    progress(1.0, "promised starts")
    return Study(
        question,
        happened,
        replace(calibration, schedule=None),
        when_do_jobs_start(jobs, calibration),
        waiting_jobs(jobs)[:FEW_WAITING],
        Sealed.of(calibration),
    )


def difference(
    log: Sealed[pd.DataFrame], whole: Sealed[Calibration], change: str, price: float, progress
) -> Difference:
    """Simulate the effect of a change, written as on the command line."""
    calibration = whole.open()
    parsed = parse_change(change, calibration.policy, calibration.gpus)
    jobs = settle(log.open(), calibration.gpus)
    return what_if(jobs, calibration.gpus, calibration, parsed, price=price, progress=progress)


def why(log: Sealed[pd.DataFrame], whole: Sealed[Calibration], job: str, progress) -> Waiting:
    """Explain why a job of the log still waits."""
    calibration = whole.open()
    progress(0.0, job)
    return why_waiting(settle(log.open(), calibration.gpus), job, calibration.gpus, calibration)


def needed(
    log: Sealed[pd.DataFrame],
    whole: Sealed[Calibration],
    what: str,
    measure: str,
    hours: float,
    step: int,
    job_class: str,
    price: float,
    progress,
) -> Needed | Kept:
    """Compute the number of GPUs that meets a target, or the largest load that does."""
    calibration = whole.open()
    limit = hours * float(c.HOUR)
    of = {"job_class": job_class or None, "progress": progress}
    jobs = settle(log.open(), calibration.gpus)
    if what == "load":
        return what_load_keeps(jobs, calibration.gpus, calibration, measure, limit, **of)
    return what_is_needed(
        jobs, calibration.gpus, calibration, measure, limit, step, price=price, **of
    )


def read_trace(data: bytes, most: int) -> Log:
    """Read a file in the Standard Workload Format, with a limited number of jobs, for a replay.

    Returns: attrs has left_out, digest, size (of the machine, by the header or the widest job [1]),
    span (first to last submission, and a mean run time [s]) and work (Σ processors × run time [s]).

    >>> read_trace(b"1 0 10 60 4 -1 -1 4 120 -1 1 7 1 -1 -1 -1 -1 -1", 10).attrs["work"]
    240.0
    """
    jobs = read_swf(data, most)
    submit = jobs["submit"]
    runtime = jobs["runtime"]
    attrs = {
        "left_out": jobs.attrs["left_out"],
        "digest": hashlib.sha256(data).hexdigest(),
        "size": min(
            size_of(jobs.attrs["header"]).get("size", int(jobs["gpus"].max())), MOST_PROCESSORS
        ),
        "span": float(submit.max() - submit.min()) + float(runtime.mean()),
        "work": float((jobs["gpus"] * runtime).sum()),
    }
    return Log(Sealed.of(jobs), len(jobs), attrs, tuple(sorted(jobs["job_class"].unique())))


def replay(
    trace: Sealed[pd.DataFrame], processors: int, policy: Policy, exact: bool = False
) -> pd.DataFrame:
    """Simulate a trace on some processors, with the users' estimates or exact run times.

    Returns: `physics.scheduling.class_table` of all jobs and of each of the first queues, and of
    the same jobs' recorded waits recorded_mean, recorded_median [s] and recorded_within (share
    within the target [1]); NaN without any.

    >>> trace = read_trace(b"1 0 10 60 4 -1 -1 4 120 -1 1 7 1 -1 -1 -1 -1 -1", 10)
    >>> replay(trace.jobs, 4, Policy()).loc["all jobs", ["mean_wait", "recorded_mean"]].tolist()
    [0.0, 10.0]
    """
    jobs = trace.open()
    run = simulate(jobs.assign(estimate=jobs["runtime"]) if exact else jobs, processors, policy)
    parts = [run.jobs.assign(job_class="all jobs")]
    names = sorted(jobs["job_class"].unique())
    if len(names) > 1:
        parts.append(run.jobs[run.jobs["job_class"].isin(names[:MOST_QUEUES])])
    table = pd.concat([class_table(replace(run, jobs=piece)) for piece in parts])
    recorded = pd.concat(parts).groupby("job_class")["recorded_wait"]
    within = recorded.agg(lambda waits: (waits.dropna() <= c.INTERACTIVE_TARGET).mean())
    return table.assign(
        recorded_mean=recorded.mean(), recorded_median=recorded.median(), recorded_within=within
    )
