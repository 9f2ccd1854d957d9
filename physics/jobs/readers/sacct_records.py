"""All records of `sacct`, including jobs that never started, run, or wait, as rows of one table."""

import math

import numpy as np

from physics.jobs.arrays import tasks_of
from physics.jobs.fields import (
    GRES,
    PARTS,
    TRES,
    Columns,
    elapsed,
    limits,
    shards,
    sizes,
    slices,
    state_of,
    suspended,
    times,
)
from physics.jobs.lines import blocks, texts_of
from physics.jobs.readers.records import Records
from physics.jobs.sacct_reader import GIVEN_UP, columns_of
from physics.jobs.selection import PUT_BACK

RUNNING = {"RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "STOPPED"}
#: Columns of text, besides the job, and of times.
TEXTS = ("state", "cluster", "user", "account", "partition")
TIMES = ("submit", "start", "eligible", "end")
#: More tasks than this of all arrays that wait are not told one by one.
MOST_TASKS = 4_000_000


def records_of(data: bytes, first: int, names: list[str], shards_per_gpu: int = 0) -> Records:
    """Read a delimited log of `sacct` from its header line on."""
    records = Records()
    identity = names.index("jobid") if "jobid" in names else names.index("jobidraw")
    latest: dict[str, float] = {}
    again: list[tuple[int, str, float]] = []
    tasks = 0
    for block in blocks(texts_of(data, first + 1)):
        numbers = []
        rows = []
        for number, line in block:
            fields = line.split("|")
            if len(fields) == len(names) + 1 and not fields[-1]:  # --parsable ends each line so
                fields.pop()
            if len(fields) != len(names) or "." in fields[identity]:
                continue
            if fields[identity].lower() not in ("jobid", "jobidraw"):
                numbers.append(number)
                rows.append(fields)
        if not rows:
            continue
        columns = columns_of(names, rows)
        empty = [""] * len(rows)
        texts = [columns.get(name, empty) for name in (names[identity], *TEXTS)]
        moments = [times(columns.get(name, empty), numbers, name) for name in TIMES]
        counts = sizes(columns)
        gpus = _gpus(columns, counts["gpu"], shards_per_gpu)
        lengths = (elapsed(columns), suspended(columns), limits(columns))
        arrays = [values.tolist() for values in (*moments, *lengths, gpus)]
        arrays += [counts["cpu"], counts["node"]]
        words = zip(*texts, strict=True)
        amounts = zip(*arrays, strict=True)
        for number, strings, values in zip(numbers, words, amounts, strict=True):
            name, state, cluster, user, account, queue = map(str.strip, strings)
            submit, start, eligible, end, span, stopped, limit, gpu, cpu, node = values
            state = state_of(state)
            is_empty = start == end and not span > 0 and start > submit
            if state == "PENDING":
                kind = "waiting"
                start = end = math.nan
            elif math.isnan(start) or (state in GIVEN_UP and is_empty):
                kind = "never started"
                start = math.nan
            elif state in RUNNING or (math.isnan(end) and not span > 0):
                kind = "running"
                end = math.nan
            else:
                kind = "ended"
                if math.isnan(end):
                    end = start + span + stopped
                if math.isnan(span):
                    span = end - start - stopped
            if kind != "ended":
                span = math.nan
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
                again.append((len(records), key, submit))
            latest[key] = max(latest.get(key, -math.inf), submit)
            run = (submit, eligible, start, end, span, kind, state)
            size = (gpu, cpu or math.nan, node or math.nan)
            for job in jobs:
                records.add(job, *run, *size, user, account, queue, limit)
    for index, key, submit in again:
        if records.columns["state"][index] == "REQUEUED" or latest[key] > submit:
            records.columns["kind"][index] = "put back"
    return records


def _gpus(columns: Columns, counts: list[int], shards_per_gpu: int) -> np.ndarray:
    """GPUs of each record, slices as parts of one; NaN where nothing tells them."""
    sliced, of_slices = slices(columns)
    gpus = np.array(counts) - sliced + of_slices / PARTS
    parts = shards(columns)
    if shards_per_gpu:
        gpus = gpus + parts / shards_per_gpu
    else:
        gpus = np.where((gpus == 0) & (parts > 0), math.nan, gpus)
    if columns.keys().isdisjoint(GRES):
        is_recorded = np.zeros(len(counts), bool)
        for name in TRES:
            if name in columns:
                is_recorded |= np.array([bool(text.strip()) for text in columns[name]])
        gpus = np.where(is_recorded, gpus, math.nan)
    return gpus
