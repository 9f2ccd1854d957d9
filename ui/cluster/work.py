"""Your cluster: long computations, run in worker processes, and so without importing Streamlit.

A sealed value is pickled: the server only stores and forwards it, and the worker processes open it.
"""

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
from physics.jobs.readers.named import table_header
from physics.jobs.readers.plain import plain
from physics.jobs.swf import MOST_PROCESSORS
from physics.scheduling import Policy, class_table, simulate
from physics.sealed import Sealed

#: Number of waiting jobs that are named as examples.
FEW_WAITING = 3
#: Maximum number of a trace's queues in a table.
MOST_QUEUES = 11


@dataclass(frozen=True)
class Question:
    """Settings of an analysis, which are part of its cache key."""

    gpus: int | None = None  #: size of the cluster; None for the size that the log shows
    target: float = 300.0  #: longest acceptable wait [s]
    #: name of the policy that changes are compared with; None for the closest one
    baseline: str | None = None


@dataclass(eq=False)
class Study:
    """Analysis of a log with theory and simulation."""

    question: Question
    happened: Happened
    calibration: Calibration  #: without its schedule
    promises: Promises  #: promised and actual starts
    waiting: tuple[str, ...]  #: names of the first jobs that still wait
    #: calibration with its schedule; None after `ui.cluster.log_cache` has removed it
    whole: Sealed[Calibration] | None = field(repr=False)


@dataclass(eq=False)
class Log:
    """Log that was read: page data, sealed jobs for further work, and the visitor's session."""

    #: None after `ui.cluster.log_cache` has removed them
    jobs: Sealed[pd.DataFrame] | None = field(repr=False)
    count: int  #: number of jobs
    attrs: dict  #: see `physics.cluster.read_log`
    classes: tuple[str, ...]  #: classes of jobs, the largest first
    name: str = ""  #: name of the file, or of the synthetic log
    how: tuple = ()  #: arguments of `read` after the file
    data: bytes = field(default=b"", repr=False)  #: content of the file
    session: str = ""  #: id of the visitor's session; "" for a script
    study: Study | None = field(default=None, repr=False)  #: latest analysis

    @property
    def digest(self) -> str:
        """SHA-256 of the file, in hexadecimal."""
        return self.attrs["digest"]

    @property
    def key(self) -> tuple:
        """Cache key of this log: the file's digest, and how the file was read."""
        return self.digest, *self.how

    def __len__(self) -> int:
        """Return the number of jobs."""
        return self.count

    def drop(self) -> None:
        """Drop data that can be computed again."""
        self.jobs = None
        if self.study is not None:
            self.study.whole = None


@dataclass(frozen=True)
class Table:
    """Table whose columns the visitor has to name."""

    names: tuple[str, ...]  #: names of its columns
    guess: dict[str, str]  #: name of a column, by its guessed meaning
    rows: tuple[tuple[str, ...], ...]  #: first rows as they are read with the guess


def _table(data: bytes, refusal: Unreadable) -> Table:
    """Return a file that is not recognized as a table; raise `refusal` if it is none."""
    text = plain(data)
    header = table_header(text)
    if header is None or len(header[2]) < 3:
        raise refusal
    guess = guess_columns(text)
    return Table(tuple(header[2][:200]), guess, rows_as_read(text, guess))


def rows_as_read(
    data: bytes, columns: Mapping[str, str], timezone: str = ""
) -> tuple[tuple[str, ...], ...]:
    """Return the first three rows of a table as texts; none if they cannot be read."""
    try:
        frame = first_rows(data, columns, timezone)
    except ValueError:
        return ()
    rows = []
    for job in frame.head(3).itertuples(index=False):
        submitted = f"second {job.submit:,.0f}"
        if job.submit >= EPOCH:
            submitted = f"{pd.to_datetime(job.submit, unit='s'):%Y-%m-%d %H:%M:%S} UTC"
        durations = (
            "not known" if pd.isna(value) else f"{value:,.0f} s"
            for value in (job.wait, job.elapsed)
        )
        size = "not known" if pd.isna(job.gpus) else f"{job.gpus:g}"
        rows.append((job.job[:40], submitted, *durations, size, job.kind))
    return tuple(rows)


def _as_log(jobs: pd.DataFrame) -> Log:
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
    columns: Sequence[tuple[str, str]] = (),
    timezone: str = "",
) -> Log | Table:
    """Read a log and its node lists; return a table if the visitor has to name its columns.

    Arguments are as for `physics.cluster.read_log`, but `columns` is as in
    `ui.cluster.columns.chosen_columns`, and `nodes` has the content of files with node lists.

    Raises
    ------
    ValueError
        If a file is rejected, in one sentence.
    """
    options: dict[str, Any] = {
        "partition": partition,
        "gpu_type": gpu_type,
        "cluster": cluster.strip(),
        "shards_per_gpu": shards,
        "columns": dict(columns),
        "timezone": timezone.strip(),
    }
    try:
        jobs = read_log(data, resource, job_class, submit, names, unfinished=True, **options)
    except Unreadable as refusal:
        return _table(data, refusal)
    if columns:
        jobs.attrs["as_read"] = rows_as_read(plain(data), options["columns"], options["timezone"])
    if not nodes:
        return _as_log(jobs)
    try:
        node_list = Nodes()
        for content in nodes:
            node_list.read(content)
        return _as_log(node_list.attach(jobs))
    except ValueError as refusal:
        raise ValueError(f"Nodes: {refusal}") from None


def synthetic(kind: str = "synthetic") -> Log:
    """Return a year of the scheduling lesson's jobs with waits under EASY, or a log like KTH's."""
    return _as_log(kth_like_log() if kind == "kth" else synthetic_log())


def study(log: Sealed[pd.DataFrame], question: Question, progress) -> Study:
    """Return what happened in a log, how well policies explain it, and its promised starts."""
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
    """Simulate the effect of a change, which is written as on the command line."""
    jobs, calibration = _opened(log, whole)
    parsed = parse_change(change, calibration.policy, calibration.gpus)
    return what_if(jobs, calibration.gpus, calibration, parsed, price=price, progress=progress)


def why(log: Sealed[pd.DataFrame], whole: Sealed[Calibration], job: str, progress) -> Waiting:
    """Explain why a job of the log still waits."""
    progress(0.0, job)
    jobs, calibration = _opened(log, whole)
    return why_waiting(jobs, job, calibration.gpus, calibration)


def _opened(
    log: Sealed[pd.DataFrame], whole: Sealed[Calibration]
) -> tuple[pd.DataFrame, Calibration]:
    """Return the jobs of a log, on a cluster of the calibration's size, and the calibration."""
    calibration = whole.open()
    return settle(log.open(), calibration.gpus), calibration


def needed(
    log: Sealed[pd.DataFrame],
    whole: Sealed[Calibration],
    quantity: str,
    measure: str,
    hours: float,
    step: int,
    job_class: str,
    price: float,
    progress,
) -> Needed | Kept:
    """Compute the number of GPUs that meets a target, or for `quantity` "load" the largest load."""
    jobs, calibration = _opened(log, whole)
    limit = hours * float(c.HOUR)
    options = {"job_class": job_class or None, "progress": progress}
    if quantity == "load":
        return what_load_keeps(jobs, calibration.gpus, calibration, measure, limit, **options)
    return what_is_needed(
        jobs, calibration.gpus, calibration, measure, limit, step, price=price, **options
    )


def read_trace(data: bytes, most: int) -> Log:
    """Read a file in the Standard Workload Format with at most `most` jobs, for a replay.

    The log's attrs have `left_out` (number of jobs by reason), `digest`, `size` (processors of the
    machine, by the header or the widest job), `span` (first to last submission, plus a mean run
    time [s]), and `work` (Σ processors × run time [s]).

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

    Returns `physics.scheduling.class_table` of all jobs and of each of the first queues, with
    additional columns on the same jobs' recorded waits, NaN without any: recorded_mean,
    recorded_median [s], both without jobs wider than the machine, and recorded_within (share
    within the target [1]).

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
    rows = pd.concat(parts)
    waits = rows.groupby("job_class")["recorded_wait"]
    within = waits.agg(lambda waits: (waits.dropna() <= c.INTERACTIVE_TARGET).mean())
    recorded = rows["recorded_wait"].where(rows["can_start"]).groupby(rows["job_class"])
    return table.assign(
        recorded_mean=recorded.mean(), recorded_median=recorded.median(), recorded_within=within
    )
