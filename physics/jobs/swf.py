"""Traces in the Standard Workload Format (SWF) of the Parallel Workloads Archive.

A line is a job of 18 numbers, −1 where one is missing; lines that start with ";" are the header.
Fields used here, counted from 1: 2 submit, 3 wait, 4 run time, 5 allocated processors, 8 requested
processors, 9 requested time, 12 user, 15 queue. A file that a visitor sends is not trusted: it is
read as numbers, in bounded memory, wholly or not at all.

Reference: S. Chapin et al., "Benchmarks and standards for the evaluation of parallel job
schedulers", 1999; D. Feitelson, "The Standard Workload Format", version 2.2.
"""

import math
from array import array
from collections import Counter
from contextlib import suppress

import numpy as np
import pandas as pd

from physics import arguments
from physics.jobs.lines import Source, bytes_of, lines_of

__all__ = ["MOST_PROCESSORS", "read_swf"]

FIELDS = 18
#: Most bytes of a file, packed or not: two million jobs; an upload has at most 20 MB.
MOST_BYTES = 100_000_000
#: No time, number of processors or user is beyond this.
LARGEST = 1e15
#: More processors than any machine has; a job with more is left out.
MOST_PROCESSORS = 20_000_000
#: Indices of the fields that are used.
USED = (1, 2, 3, 4, 7, 8, 11, 14)
#: Most lines of the header.
MOST_IDLE = 100_000


def read_swf(source: Source, most: int = arguments.MANY) -> pd.DataFrame:
    """Read a recorded workload, keeping every job that can run.

    Args:
        source: An SWF file, plain or packed with gzip (told by its first two bytes, not by its
            name).
        most: Jobs that are taken; with one more the file is refused, and the rest of it is not read
            [1].

    Returns: In order of submission: submit [s], runtime [s], gpus [1] (allocated processors, or
    else the requested ones), estimate [s] (requested time; the runtime where that is longer or none
    was requested), job_class (the queue, as "queue 3", or "trace" if none is recorded), user,
    recorded_wait [s] (NaN if missing) and requested [s] (NaN if missing). `frame.attrs["left_out"]`
    maps each reason to the number of jobs left out for it, `frame.attrs["header"]` holds the
    header's "Name: value" lines.

    Raises ValueError with the number of the line for a file that is not SWF: too few or too many
    fields, letters in a number, no job that can be run, more than 100 MB when unpacked, more than
    100,000 lines without a job, more jobs than are taken, damaged gzip. Nothing is half-read.
    Raises FileNotFoundError if there is no such file.

    >>> line = "1 0 10 60 4 -1 -1 4 120 -1 1 7 1 -1 -1 -1 -1 -1"
    >>> jobs = read_swf(f"; MaxProcs: 100\\n{line}\\n".encode())
    >>> jobs[["runtime", "gpus", "estimate", "recorded_wait"]].iloc[0].tolist()
    [60.0, 4.0, 120.0, 10.0]
    >>> read_swf(b"hello")
    Traceback (most recent call last):
    ValueError: line 1 must be 18 numbers of a Standard Workload Format job, got 1 field: 'hello'
    """
    most = arguments.count("most", most, most=arguments.MANY)
    header: dict[str, str] = {}
    rows = array("d")
    idle = number = 0
    for number, line in lines_of(bytes_of(source, MOST_BYTES), MOST_BYTES):
        text = line.strip()
        if text.startswith(b";"):
            idle += 1
            if idle > MOST_IDLE:
                raise ValueError(
                    f"source must hold at most {MOST_IDLE} lines without a job, got more by "
                    f"line {number}"
                )
            name, colon, value = text.lstrip(b"; \t").decode("utf-8", "replace").partition(":")
            if colon:
                header.setdefault(name.strip(), value.strip())
            continue
        if len(rows) == most * len(USED):
            raise ValueError(f"source must hold at most {most:,} jobs, got more by line {number}")
        rows.extend(_used(number, text))
    if not rows:
        what = f"its end: {number} lines without a job" if number else "an empty file"
        raise ValueError(
            f"line {number + 1} must be 18 numbers of a Standard Workload Format job, got {what}"
        )
    return _frame(np.frombuffer(rows).reshape(-1, len(USED)), header)


def _used(number: int, text: bytes) -> list[float]:
    """Return the used fields of a line as numbers, or raise ValueError."""
    fields = text.split()
    if len(fields) != FIELDS:
        shown = text[:40].decode("utf-8", "replace")
        plural = "s" * (len(fields) != 1)
        raise ValueError(
            f"line {number} must be 18 numbers of a Standard Workload Format job, got "
            f"{len(fields)} field{plural}: {shown!r}"
        )
    try:
        values = list(map(float, fields))
    except ValueError:
        values = [math.nan]
    # Python's float also takes "nan" and "1_000", which SWF does not know.
    if b"_" in text or not all(abs(value) <= LARGEST for value in values):
        raise ValueError(f"line {number} must hold numbers only, got {_first_wrong(fields)!r}")
    return [values[field] for field in USED]


def _first_wrong(fields: list[bytes]) -> str:
    """First field that is not a number in SWF, cut to 40 bytes."""
    for field in fields:
        with suppress(ValueError):
            if abs(float(field)) <= LARGEST and b"_" not in field:
                continue
        return field[:40].decode("utf-8", "replace")
    return ""


def _frame(rows: np.ndarray, header: dict[str, str]) -> pd.DataFrame:
    """Table of the jobs that can be run, with counts of the others by reason in attrs."""
    submit, wait, runtime, allocated, requested_gpus, requested, user, queue = rows.T
    gpus = np.where(allocated > 0, allocated, requested_gpus)
    left_out: Counter[str] = Counter()
    keep = np.ones(len(rows), bool)
    for reason, bad in (
        ("no submission time", submit < 0),
        ("no run time above zero", runtime <= 0),
        ("no number of processors", gpus <= 0),
        ("processors not a whole number", gpus != np.floor(gpus)),
        ("more processors than any machine has", gpus > MOST_PROCESSORS),
    ):
        left_out[reason] = int((keep & bad).sum())
        keep &= ~bad
    if not keep.any():
        raise ValueError(
            f"source must hold at least one job that can be run, got {len(rows)} that cannot"
        )
    numbers = pd.Series(np.where(queue >= 0, queue, -1).astype(np.int64))
    names = numbers.map({number: f"queue {number}" for number in numbers.unique()} | {-1: "trace"})
    columns = {
        "submit": submit,
        "runtime": runtime,
        "gpus": gpus.astype(np.int64),
        "estimate": np.maximum(requested, runtime),
        "job_class": names.to_numpy(object),
        "user": user.astype(np.int64),
        "recorded_wait": np.where(wait >= 0, wait, np.nan),
        "requested": np.where(requested > 0, requested, np.nan),
    }
    order = np.argsort(submit, kind="stable")
    order = order[keep[order]]
    frame = pd.DataFrame({name: values[order] for name, values in columns.items()})
    frame.attrs = {"left_out": dict(+left_out), "header": header}
    return frame
