"""All records of `sacct`, including jobs that never started, run, or wait, as rows of one table."""

import math
from collections.abc import Iterator

import numpy as np

from physics.jobs.arrays import tasks_of
from physics.jobs.fields import (
    GRES,
    PARTS,
    TRES,
    Columns,
    columns_of,
    elapsed,
    limits,
    shards,
    sizes,
    slices,
    state_of,
    suspended,
    times,
    uncounted,
)
from physics.jobs.lines import blocks, texts_of
from physics.jobs.readers.records import Records
from physics.jobs.sacct_reader import MOST_TASKS
from physics.jobs.selection import GIVEN_UP, PUT_BACK

RUNNING = {"RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "STOPPED"}
#: Columns of text, besides the job, and of times.
TEXTS = ("state", "cluster", "user", "account", "partition")
TIMES = ("submit", "start", "eligible", "end")


def records_of(data: bytes, first: int, names: list[str], shards_per_gpu: int = 0) -> Records:
    """Read a delimited log of `sacct` whose header with these names is on line `first`."""
    records = Records()
    identity = names.index("jobid") if "jobid" in names else names.index("jobidraw")
    latest_submit: dict[str, float] = {}
    put_back: list[tuple[int, str, float]] = []
    tasks = 0
    for block in blocks(texts_of(data, first + 1)):
        numbers, rows = _job_rows(block, len(names), identity)
        if not rows:
            continue
        for number, texts, values in _values_of(names, identity, numbers, rows, shards_per_gpu):
            name, state, cluster, user, account, queue = map(str.strip, texts)
            submit, start, eligible, end, span, stopped, limit, gpu, cpu, node = values
            state = state_of(state)
            kind, start, end, span = _outcome(state, submit, start, end, span, stopped)
            jobs = [name]
            if kind == "waiting":
                jobs, _ = tasks_of(name)
                tasks += len(jobs)
                if tasks > MOST_TASKS:
                    raise ValueError(
                        f"source must hold at most {MOST_TASKS:,} tasks that wait, got more by "
                        f"line {number}"
                    )
            key = f"{cluster} {name}"
            if kind == "ended" and state in PUT_BACK:
                put_back.append((len(records), key, submit))
            latest_submit[key] = max(latest_submit.get(key, -math.inf), submit)
            run = (submit, eligible, start, end, span, kind, state)
            size = (gpu, cpu or math.nan, node or math.nan)
            for job in jobs:
                records.add(job, *run, *size, user, account, queue, limit)
    for index, key, submit in put_back:
        if records.columns["state"][index] == "REQUEUED" or latest_submit[key] > submit:
            records.columns["kind"][index] = "put back"
    return records


def _job_rows(
    block: list[tuple[int, str]], width: int, identity: int
) -> tuple[list[int], list[list[str]]]:
    """Line numbers and fields of the lines that are jobs, not job steps or repeated headers."""
    numbers = []
    rows = []
    for number, line in block:
        fields = line.split("|")
        if (
            len(fields) == width + 1 and not fields[-1]
        ):  # sacct --parsable ends each line with a bar
            fields.pop()
        if len(fields) != width or "." in fields[identity]:
            continue
        if fields[identity].lower() not in ("jobid", "jobidraw"):
            numbers.append(number)
            rows.append(fields)
    return numbers, rows


def _values_of(
    names: list[str],
    identity: int,
    numbers: list[int],
    rows: list[list[str]],
    shards_per_gpu: int,
) -> Iterator[tuple[int, tuple[str, ...], tuple[float, ...]]]:
    """Line number, texts and numbers of each row.

    The texts are the job's name and `TEXTS`; the numbers are `TIMES`, elapsed, suspended and
    limit [s], and GPUs, CPUs and nodes [1].
    """
    columns = columns_of(names, rows)
    empty = [""] * len(rows)
    texts = [columns.get(name, empty) for name in (names[identity], *TEXTS)]
    moments = [times(columns.get(name, empty), numbers, name) for name in TIMES]
    counts = sizes(columns)
    gpus = _gpus(columns, counts["gpu"], shards_per_gpu)
    lengths = (elapsed(columns), suspended(columns), limits(columns))
    values = [array.tolist() for array in (*moments, *lengths, gpus)]
    values += [counts["cpu"], counts["node"]]
    return zip(numbers, zip(*texts, strict=True), zip(*values, strict=True), strict=True)


def _outcome(
    state: str, submit: float, start: float, end: float, span: float, stopped: float
) -> tuple[str, float, float, float]:
    """Kind of a record's run, and its start, end, and elapsed time; NaN where it has none [s]."""
    is_empty = start == end and not span > 0 and start > submit
    if state == "PENDING":
        return "waiting", math.nan, math.nan, math.nan
    if math.isnan(start) or (state in GIVEN_UP and is_empty):
        return "never started", math.nan, end, math.nan
    if state in RUNNING or (math.isnan(end) and not span > 0):
        return "running", start, math.nan, math.nan
    if math.isnan(end):
        end = start + span + stopped
    if math.isnan(span):
        span = end - start - stopped
    return "ended", start, end, span


def _gpus(columns: Columns, counts: list[int], shards_per_gpu: int) -> np.ndarray:
    """GPUs of each record, slices as parts of one; NaN where the log does not say."""
    sliced, parts = slices(columns)
    gpus = np.array(counts) - sliced + parts / PARTS
    shard_counts = shards(columns)
    if shards_per_gpu:
        gpus = gpus + shard_counts / shards_per_gpu
    else:
        gpus = np.where((gpus == 0) & (shard_counts > 0), math.nan, gpus)
    gpus = np.where(uncounted(columns, counts), math.nan, gpus)
    if columns.keys().isdisjoint(GRES):
        is_recorded = np.zeros(len(counts), bool)
        for name in TRES:
            if name in columns:
                is_recorded |= np.array([bool(text.strip()) for text in columns[name]])
        gpus = np.where(is_recorded, gpus, math.nan)
    return gpus
