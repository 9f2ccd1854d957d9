"""Records of Slurm's accounting in the format of `sacct --parsable2`.

A line is a record; its fields are separated by "|" and named by a header line. A file that a
visitor sends is not trusted: it is read in bounded memory, a block of lines at a time, and what is
no job is left out and counted.

Reference: SchedMD, "sacct", manual page of Slurm 24.05 (fields, formats of times, states and
trackable resources).
"""

from collections.abc import Collection
from typing import Literal

import pandas as pd

from physics.arguments import MANY, Flag, LimitedCount, LimitedWhole, refusing
from physics.jobs.lines import Source, blocks, bytes_of, lines_of
from physics.jobs.sacct_reader import COLUMNS, Reader
from physics.jobs.selection import UNENDED, most_common, refuse_strangers

__all__ = ["COLUMNS", "UNENDED", "most_common", "read_lines", "read_sacct", "refuse_strangers"]


@refusing
def read_sacct(
    source: Source,
    resource: Literal["auto", "gpu", "cpu"] = "auto",
    job_class: str = "partition",
    submit: Literal["Submit", "Eligible"] = "Submit",
    most: LimitedCount = MANY,
    unfinished: bool = False,
    partition: Collection[str] = (),
    gpu_type: str = "",
    cluster: str = "",
    shards_per_gpu: LimitedWhole = 0,
) -> pd.DataFrame:
    """Read Slurm's accounting records, keeping every job that ran to its end.

    Args:
        source: Output of `sacct --parsable2` or `--parsable` with its header line, plain or packed
            with gzip (told by its first two bytes). At most 20 MB as it comes and 300 MB unpacked.
        resource: "auto", "gpu" or "cpu"; what a job's size counts. "auto": GPUs if any job has one;
            then jobs without are left out.
        job_class: Column that names a job's class, such as Partition, Account, User or QOS.
        submit: "Submit" or "Eligible"; column that a wait is counted from.
        most: Jobs that are taken; with one more the file is refused [1].
        unfinished: Whether jobs that still run or wait are kept too: RUNNING and SUSPENDED ones,
            which have a start and no end (runtime NaN), and PENDING ones, which have neither
            (recorded_wait NaN too).
        partition: Partitions whose jobs are taken; all if there is none.
        gpu_type: Type of GPU whose jobs are taken, as in "gres/gpu:a100=4"; all if it is "". A job
            on several types counts as one of its own, "a100+v100".
        cluster: Cluster whose jobs are taken, by the column Cluster. A log of several is refused
            without it.
        shards_per_gpu: Shards that one GPU has, which no log tells; 0: jobs on shards are left out
            [1].

    Returns: In order of submission: submit [s since 1970, UTC], runtime [s], gpus [1] (or CPUs; or
    nodes where no CPUs are recorded at all), estimate [s] (the longer of time limit and runtime),
    job_class ("trace" without its column), user, recorded_wait [s] (NaN if negative), requested [s]
    (the time limit; NaN if there is none), partition, account, qos ("" without the column),
    state and elapsed (the run time without the time for which it was suspended [s]).
    `frame.attrs["left_out"]` maps each reason to the number of records left out for it,
    `frame.attrs["resource"]` is "gpu" or "cpu", and `frame.attrs["unit"]` is "node" where sizes are
    nodes. `frame.attrs["partitions"]` and `frame.attrs["gpu_types"]` map the 100 largest of each,
    chosen or not, to their jobs. With unfinished jobs `frame.attrs["snapshot"]` is the latest
    moment that the log knows of [s]: a submission, a start, an end, or the start of a running job
    plus its time so far. Further attrs, where there is anything of it: names
    (the JobID of each row); clusters (records of each);
    parts (sizes are whole multiples of 1 ÷ parts GPUs) and sliced (jobs on slices of GPUs); shards
    (jobs left out for these); suspended, off_by_an_hour, before_eligible, gave_up and throttled
    (`physics.jobs.selection.notes`); het (`physics.jobs.components`).

    Raises ValueError with the number of the line: no header with the columns that are needed, a
    time that is none, a line or a file that is too long, a size that no machine has, damaged gzip,
    no job that ran, more jobs than are taken; or an argument that is none of the above. Raises
    FileNotFoundError if there is no such file.

    Columns are told by name, in any order and case: Submit (or Eligible), Start, State, End or
    ElapsedRaw or Elapsed, and a size are needed. A job's GPUs are those of the first of AllocTRES,
    ReqTRES, AllocGRES and ReqGRES that names any; its CPUs those of AllocTRES, ReqTRES, AllocCPUS,
    NCPUS, ReqCPUS. Times without an offset count as UTC. Records of one JobID and Start are one
    job, of which the one that ended is kept; a requeued job's several runs are several jobs. A job
    that waits in one record and has started in another, as in logs put together, has started. An
    array that waits in one record is as many jobs as it has tasks. The components of a
    heterogeneous job (700+0, 700+1) are one job of all their sizes if they start and end together.

    A slice of a GPU (MIG, such as a100_1g.10gb) counts as its compute slices ÷ 7 of a GPU, or ÷ 4
    on an A30. A job's run time is its end minus its start, also where it was suspended, since it
    keeps its GPUs then. Where that differs from ElapsedRaw by exactly an hour, the clocks were
    changed meanwhile, and ElapsedRaw counts.

    Source: SchedMD, "sacct", manual page of Slurm 24.05.

    >>> log = b"JobID|Submit|Start|End|State|AllocTRES|Timelimit\\n"
    >>> times = b"2024-05-01T00:00:00|2024-05-01T00:01:00|2024-05-01T01:01:00"
    >>> log += b"7|" + times + b"|COMPLETED|gres/gpu=8|02:00:00\\n"
    >>> log += b"7.batch|" + times + b"|COMPLETED|cpu=8|\\n"
    >>> jobs = read_sacct(log)
    >>> jobs[["runtime", "gpus", "estimate", "recorded_wait"]].iloc[0].tolist()
    [3600.0, 8.0, 7200.0, 60.0]
    >>> jobs.attrs["left_out"]
    {'job steps': 1}
    >>> read_sacct(b"hello")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: line 1 must be the header of sacct --parsable2 with Submit, ..., got 'hello'; ...
    """
    chosen = (partition, gpu_type, cluster, shards_per_gpu)
    data = bytes_of(source)
    return read_lines(data, resource, job_class, submit, most, bool(unfinished), *chosen)


@refusing
def read_lines(
    data: bytes,
    resource: Literal["auto", "gpu", "cpu"],
    job_class: str,
    submit: Literal["Submit", "Eligible"],
    most: int,
    unfinished: Flag,
    partition: Collection[str],
    gpu_type: str,
    cluster: str,
    shards_per_gpu: LimitedWhole,
) -> pd.DataFrame:
    """Read the bytes of a log of any length, like `read_sacct` with these arguments."""
    if not isinstance(job_class, str):
        raise ValueError(f"job_class must be the name of a column, got {job_class!r}")
    lines = lines_of(data)
    reader = Reader(
        *next(lines, (1, b"")),
        job_class.strip().lower(),
        submit.lower(),
        most,
        unfinished,
        cluster,
    )
    for block in blocks(lines):
        reader.take(block)
    return reader.frame(resource, frozenset(partition), gpu_type.lower(), shards_per_gpu)
