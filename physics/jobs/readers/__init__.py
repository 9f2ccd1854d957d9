"""Readers for a cluster's logs of all formats: one module per format, one table for all.

Which formats are read, and what others are called, is in docs/decisions.md, "Your cluster".
"""

from collections.abc import Mapping

import pandas as pd

from physics.arguments import LimitedWhole, refusing
from physics.jobs.lines import Source, bytes_of
from physics.jobs.readers import named, pbs, sacct_records
from physics.jobs.readers.named import PRESETS, guess_columns, preset_of, table_header
from physics.jobs.readers.plain import first_lines, is_json, plain
from physics.jobs.readers.records import RECORDS, Records, as_sacct
from physics.jobs.readers.refusals import SACCT, Unreadable, refuse_text, unreadable
from physics.jobs.readers.sacct_json import json_with_bars
from physics.jobs.readers.sacct_text import header_of, with_bars
from physics.jobs.swf import FIELDS, read_swf

__all__ = [
    "RECORDS",
    "SACCT",
    "Unreadable",
    "as_sacct",
    "first_rows",
    "guess_columns",
    "read_records",
    "recognized",
]


@refusing
def read_records(
    source: Source,
    columns: Mapping[str, str] | None = None,
    preset: str = "",
    timezone: str = "",
    shards_per_gpu: LimitedWhole = 0,
) -> pd.DataFrame:
    """Read every run in a log of any kind and format.

    Args:
        source: A log of sacct (as text with any of | tab ; and comma, as a table of fixed widths,
            or --json), of PBS Pro, OpenPBS or Torque, in the Standard Workload Format, or a table;
            plain, or packed with gzip or as the only file of a zip. At most 20 MB as it comes.
        columns: Of a table: the column for each of submit, start (or wait), end (or duration) and
            gpus, and, where there are such, job, user, account, queue, state, limit, cpus and
            nodes.
        preset: "helios", "acme" or "pai2023": columns of that published trace.
        timezone: Where the clock of times without an offset is, such as "Europe/Berlin"; they count
            as UTC without it. Of tables alone.
        shards_per_gpu: Shards that one GPU has; 0: GPUs of a job on shards are not known [1].

    Returns: One row a run, by submission: job, submit, eligible, start, end [s since 1970, UTC],
    elapsed [s], kind ("ended"; "put back": this run ended, and the job waits again; "never
    started", whose end is when it left the queue; "running"; "waiting"), state, gpus, cpus, nodes
    [1], user, account, queue, limit [s] and wait [s], which is start − submit. NaN is not known. A
    slice of a GPU counts as its compute slices ÷ 7.

    Raises ValueError in one sentence for a log that is not read: its name, and the command or the
    way to one that is.

    >>> table = b"submitted,started,ended,gpus\\n0,60,3660,8\\n"
    >>> columns = {"submit": "submitted", "start": "started", "end": "ended", "gpus": "gpus"}
    >>> runs = read_records(table, columns)
    >>> runs[["wait", "elapsed", "gpus", "kind"]].values.tolist()[0]
    [60.0, 3600.0, 8.0, 'ended']
    """
    data = plain(bytes_of(source))
    kind, log = recognized(data, columns, preset, timezone)
    if isinstance(log, Records):
        return log.frame()
    if kind == "swf":
        return _of_swf(data).frame()
    header = header_of(log)
    if header is None:
        raise unreadable([line for _, line in first_lines(data)])
    number, _, names = header
    return sacct_records.records_of(log, number, names, shards_per_gpu).frame()


def recognized(
    data: bytes, columns: Mapping[str, str] | None = None, preset: str = "", timezone: str = ""
) -> tuple[str, bytes | Records]:
    """Detect a log's format, and convert the log to sacct's lines or to runs; SWF is unchanged.

    Args:
        data: As `physics.jobs.readers.plain.plain` returns it.
        columns, preset, timezone: As `read_records` takes them.
    """
    if preset and preset not in PRESETS:
        raise ValueError(f"preset must be one of {', '.join(PRESETS)}, got {preset[:40]!r}")
    if columns or preset:
        return "table", named.records_of(data, columns or PRESETS[preset], timezone)
    if is_json(data):
        return "sacct", json_with_bars(data)
    lines = [line for _, line in first_lines(data)]
    header = header_of(data)
    if header is not None:
        return "sacct", with_bars(data, header)
    if lines and "|" in lines[0]:
        return "sacct", data  # its reader says what is missing
    if pbs.is_pbs(lines):
        return "pbs", pbs.records_of(data)
    table = table_header(data)
    if table is not None and preset_of(table[2]):
        return "table", named.records_of(data, PRESETS[preset_of(table[2])], timezone)
    if not lines or lines[0].lstrip().startswith(";") or len(lines[0].split()) == FIELDS:
        return "swf", data
    refuse_text(lines)
    raise unreadable(lines)


def _of_swf(data: bytes) -> Records:
    """Runs of a log in the Standard Workload Format, all of which have ended."""
    jobs = read_swf(data)
    submit = jobs["submit"]
    begin = jobs.attrs["header"].get("UnixStartTime", "")
    if begin.isascii() and begin.isdigit() and len(begin) <= 12:
        submit = submit + int(begin)
    start = submit + jobs["recorded_wait"]
    records = Records()
    records.extend(
        len(jobs),
        {
            "job": list(map(str, range(1, len(jobs) + 1))),
            "submit": submit,
            "start": start,
            "end": start + jobs["runtime"],
            "elapsed": jobs["runtime"],
            "kind": ["ended"] * len(jobs),
            "cpus": jobs["gpus"],
            "user": jobs["user"].astype(str).where(jobs["user"] >= 0, ""),
            "queue": jobs["job_class"],
            "limit": jobs["requested"],
        },
    )
    return records


def first_rows(
    data: bytes, columns: Mapping[str, str], timezone: str = "", rows: int = 3
) -> pd.DataFrame:
    """Read the first rows of a table; see `read_records`."""
    numbered = first_lines(data)
    header = table_header(data)
    if header is None:
        raise unreadable([line for _, line in numbered])
    lines = [line for number, line in numbered if number >= header[0]][: rows + 1]
    return named.records_of("\n".join(lines).encode(), columns, timezone).frame()
