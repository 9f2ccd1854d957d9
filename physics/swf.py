"""Traces in the Standard Workload Format (SWF), as the Parallel Workloads Archive keeps them.

A line is a job of 18 numbers, −1 where one is missing; lines that start with ";" are the header. Fields used here,
counted from 1: 2 submit, 3 wait, 4 run time, 5 allocated processors, 8 requested processors, 9 requested time, 12 user,
15 queue. A file that a visitor sends is not trusted: it is read as numbers, in bounded memory, wholly or not at all.

Reference: S. Chapin et al., "Benchmarks and standards for the evaluation of parallel job schedulers", 1999;
D. Feitelson, "The Standard Workload Format", version 2.2.
"""

import gzip
import io
import math
import zlib
from collections import Counter
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pandas as pd

FIELDS = 18
#: Unpacked bytes that are read at most: an upload has at most 20 MB, and logs unpack to some ten times their size.
MOST_BYTES = 256 * 2**20
#: Longest line that can be a job: 18 numbers need a fraction of it.
MOST_LINE = 4096
_USED = (1, 2, 3, 4, 7, 8, 11, 14)


def read_swf(source: str | PathLike | bytes | bytearray | BinaryIO) -> pd.DataFrame:
    """Read a recorded workload, keeping every job that can be run.

    Parameters
    ----------
    source : path, bytes or binary file
        An SWF file, plain or packed with gzip (told by its first two bytes, not by its name).

    Returns
    -------
    pandas.DataFrame
        In order of submission: submit [s], runtime [s], gpus [1] (allocated processors, or else the requested ones),
        estimate [s] (requested time; the runtime where that is longer or none was requested), job_class (the queue, as
        "queue 3", or "trace" if none is recorded), user, recorded_wait [s] (NaN if missing) and requested [s] (NaN if
        missing). `frame.attrs["left_out"]` maps each reason to the number of jobs left out for it,
        `frame.attrs["header"]` holds the header's "Name: value" lines.

    Raises
    ------
    ValueError
        One sentence, with the number of the line, for a file that is not SWF: too few or too many fields, letters in a
        number, no job that can be run, more than 256 MiB when unpacked, damaged gzip. Nothing is half-read.
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> line = "1 0 10 60 4 -1 -1 4 120 -1 1 7 1 -1 -1 -1 -1 -1"
    >>> jobs = read_swf(f"; MaxProcs: 100\\n{line}\\n".encode())
    >>> jobs[["runtime", "gpus", "estimate", "recorded_wait"]].iloc[0].tolist()
    [60.0, 4.0, 120.0, 10.0]
    >>> read_swf(b"hello")
    Traceback (most recent call last):
    ValueError: line 1 must be 18 numbers of a Standard Workload Format job, got 1 field: 'hello'
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return _parse(io.BytesIO(source))
    if isinstance(source, str | PathLike):
        with Path(source).open("rb") as file:
            return _parse(file)
    if not hasattr(source, "read"):
        raise ValueError(f"source must be a path, bytes or a binary file, got {source!r}")
    if hasattr(source, "seek"):
        source.seek(0)
    data = source.read()
    return _parse(io.BytesIO(data.encode() if isinstance(data, str) else data))


def _parse(file: BinaryIO) -> pd.DataFrame:
    """Turn a binary file into the frame, line by line."""
    packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    rows: list[tuple[float, ...]] = []
    header: dict[str, str] = {}
    try:
        for number, line in enumerate(_lines(gzip.GzipFile(fileobj=file) if packed else file), 1):
            text = line.strip()
            if text.startswith(b";"):
                name, colon, value = text.lstrip(b"; \t").decode("utf-8", "replace").partition(":")
                if colon:
                    header.setdefault(name.strip(), value.strip())
            elif text:
                rows.append(_numbers(number, text))
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"source must be a whole gzip file, got a damaged one ({error})") from None
    return _frame(rows, header)


def _lines(file: BinaryIO):
    """Yield lines, refusing to read more than a trace can hold."""
    read = 0
    number = 0
    while line := file.readline(MOST_LINE + 1):
        number += 1
        read += len(line)
        if read > MOST_BYTES:
            raise ValueError(f"source must unpack to at most {MOST_BYTES} bytes, got more by line {number}")
        if len(line) > MOST_LINE:
            if not line.lstrip().startswith(b";"):
                raise ValueError(f"line {number} must be at most {MOST_LINE} characters long, got more")
            while len(line) > MOST_LINE and not line.endswith(b"\n"):
                line = file.readline(MOST_LINE + 1)
                read += len(line)
                if read > MOST_BYTES:
                    raise ValueError(f"source must unpack to at most {MOST_BYTES} bytes, got more by line {number}")
            line = b";"
        yield line


def _numbers(number: int, text: bytes) -> tuple[float, ...]:
    """Return the used fields of one line as numbers."""
    fields = text.split()
    if len(fields) != FIELDS:
        shown = text[:40].decode("utf-8", "replace")
        many = f"{len(fields)} field{'s' if len(fields) != 1 else ''}"
        raise ValueError(f"line {number} must be 18 numbers of a Standard Workload Format job, got {many}: {shown!r}")
    try:
        values = [float(field) for field in fields]
    except ValueError:
        values = [math.nan]
    if not all(map(math.isfinite, values)):
        wrong = next(field for field in fields if not _finite(field))
        raise ValueError(f"line {number} must hold numbers only, got {wrong[:40].decode('utf-8', 'replace')!r}")
    return tuple(values[place] for place in _USED)


def _finite(field: bytes) -> bool:
    try:
        return math.isfinite(float(field))
    except ValueError:
        return False


def _frame(rows: list[tuple[float, ...]], header: dict[str, str]) -> pd.DataFrame:
    """Keep the jobs that can be run, and say why others cannot."""
    if not rows:
        raise ValueError("source must hold at least one job, got none in the whole file")
    submit, wait, runtime, allocated, asked, requested, user, queue = np.array(rows).T
    gpus = np.where(allocated > 0, allocated, asked)
    left_out: Counter[str] = Counter()
    keep = np.ones(len(rows), bool)
    for reason, bad in (
        ("no submission time", submit < 0),
        ("no run time above zero", runtime <= 0),
        ("no number of processors", gpus <= 0),
        ("processors not a whole number", gpus != np.floor(gpus)),
    ):
        if count := int((keep & bad).sum()):
            left_out[reason] = count
        keep &= ~bad
    if not keep.any():
        raise ValueError(f"source must hold at least one job that can be run, got {len(rows)} that cannot")
    names = np.where(queue >= 0, np.char.add("queue ", queue.astype(int).astype(str)), "trace").astype(object)
    columns = {
        "submit": submit,
        "runtime": runtime,
        "gpus": gpus.astype(np.int64),
        "estimate": np.maximum(requested, runtime),
        "job_class": names,
        "user": user.astype(np.int64),
        "recorded_wait": np.where(wait >= 0, wait, np.nan),
        "requested": np.where(requested > 0, requested, np.nan),
    }
    order = np.argsort(submit, kind="stable")
    order = order[keep[order]]
    frame = pd.DataFrame({name: values[order] for name, values in columns.items()})
    frame.attrs = {"left_out": dict(left_out), "header": header}
    return frame
