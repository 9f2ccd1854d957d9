"""Reader for tables whose columns the user names, and for published traces.

Reference: Q. Hu et al., "Characterization and prediction of deep learning workloads in large-scale
GPU datacenters", 2021 (Helios); Q. Hu et al., "Characterization of large language model development
in the datacenter", 2024 (Acme); Alibaba, clusterdata, cluster-trace-gpu-v2023 (PAI 2023).
"""

import csv
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from sys import intern
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from physics.jobs.lines import BLOCK, fields_of, texts_of
from physics.jobs.readers.plain import first_lines
from physics.jobs.readers.records import Records
from physics.texts import toml_beside

_DATA = toml_beside(__file__, "columns.toml")
#: Names that columns of each meaning often have, the most certain first.
COMMON_NAMES: Mapping[str, Sequence[str]] = _DATA["often"]
#: Meanings that a column may have.
MEANINGS = tuple(COMMON_NAMES)
#: By published trace: its column for each meaning.
PRESETS: Mapping[str, Mapping[str, str]] = _DATA["presets"]
#: Column of PAI 2023: thousandths of a GPU that a pod with one GPU uses.
SHARE = "gpu_milli"
DELIMITERS = ",\t;|"
EMPTY = {"", "none", "null", "nan", "nat", "unknown", "n/a", "-"}
WAITING = {"PENDING", "QUEUED", "WAITING", "SUBMITTED"}
#: Times since 1970 above this are in milliseconds, not in seconds.
MILLISECONDS = 1e11
NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{0,30})?")


def read_columns(text: str) -> dict[str, str]:
    """Parse "submit=…,start=…" into a mapping of meanings to columns.

    >>> read_columns("submit=came, start=began, end=ended, gpus=gpu_num")
    {'submit': 'came', 'start': 'began', 'end': 'ended', 'gpus': 'gpu_num'}
    """
    columns = {}
    for pair in text.split(","):
        meaning, _, column = pair.partition("=")
        if not column.strip():
            raise ValueError(
                f"columns must be such as submit=…,start=…,end=…,gpus=…, got {pair.strip()[:40]!r}"
            )
        columns[meaning.strip()] = column.strip()
    return check_columns(columns)


def check_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """Return a mapping of meanings to columns; ValueError unless it has all that a table needs."""
    if not isinstance(columns, Mapping):
        raise ValueError(f"columns must map meanings to names of columns, got {columns!r}")
    for meaning, column in columns.items():
        if meaning not in MEANINGS:
            raise ValueError(f"columns must name one of {', '.join(MEANINGS)}, got {meaning!r}")
        if not isinstance(column, str):
            raise ValueError(f"columns must name a column for {meaning}, got {column!r}")
    for needed in ("submit", "start or wait", "end or duration", "gpus or cpus or nodes"):
        if columns.keys().isdisjoint(needed.split(" or ")):
            raise ValueError(f"columns must name one for {needed}, got {', '.join(columns)}")
    return dict(columns)


def table_header(data: bytes) -> tuple[int, str, list[str]] | None:
    """Line number, delimiter, and column names of a table's header; None if there is no table."""
    for number, line in first_lines(data):
        if line.startswith("#"):
            continue
        best = max(DELIMITERS, key=line.count)
        if not line.count(best):
            return None
        try:
            names = [name.strip() for name in next(csv.reader([line], delimiter=best))]
        except csv.Error:  # such as a carriage return within the line
            return None
        return number, best, names
    return None


def preset_of(names: list[str]) -> str:
    """Name of the published trace with these columns; "" if there is none."""
    for preset, trace_columns in _DATA["signs"].items():
        if set(trace_columns) <= set(names):
            return preset
    return ""


def guess_columns(data: bytes) -> dict[str, str]:
    """Guess the meanings of a table's columns from their names; empty if the data is no table.

    >>> guess_columns(b"id,submitted,started,finished,num_gpus\\n")["end"]
    'finished'
    """
    header = table_header(data)
    if header is None:
        return {}
    names = header[2]
    preset = preset_of(names)
    if preset:
        return dict(PRESETS[preset])
    guesses: dict[str, str] = {}
    by_lower_name = {name.lower().replace(" ", "_"): name for name in reversed(names)}
    for meaning, common_names in COMMON_NAMES.items():
        for name in common_names:
            if name in by_lower_name and by_lower_name[name] not in guesses.values():
                guesses[meaning] = by_lower_name[name]
                break
    for meaning, preferred in (("wait", "start"), ("duration", "end")):
        if preferred in guesses:
            guesses.pop(meaning, None)
    return guesses


def records_of(data: bytes, columns: Mapping[str, str], timezone: str = "") -> Records:
    """Read a table by the names of its columns.

    Raises ValueError for a column that is not there, and with the number of the record for a time
    or a number that is none.
    """
    columns = check_columns(columns)
    zone: tzinfo = UTC
    if timezone:
        try:
            zone = ZoneInfo(timezone)
        except (ValueError, OSError, KeyError):
            raise ValueError(
                f"timezone must be such as Europe/Berlin or UTC, got {timezone[:40]!r}"
            ) from None
    header = _header_with(data, columns)
    if header is None:
        _, _, names = table_header(data) or (0, "", [])
        present = ", ".join(names[:20]) or "no table"
        missing = [name for name in columns.values() if name not in names]
        raise ValueError(f"columns must be in the table, {present[:300]}, got {missing[0]!r}")
    number, delimiter, names = header
    is_shared = SHARE in names and columns.get("gpus") == "num_gpu"
    records = Records()
    for numbers, rows in _blocks(data, number + 1, delimiter, len(names)):
        cells = list(zip(*rows, strict=True))
        values = {"job": [str(row) for row in numbers]}
        for meaning, column in columns.items():
            values[meaning] = [text.strip() for text in cells[names.index(column)]]
        # Jobs without a name would otherwise count as one job.
        named_jobs = zip(values["job"], numbers, strict=True)
        values["job"] = [name or f"row {row}" for name, row in named_jobs]
        runs = _runs(values, zone, numbers)
        if is_shared:
            runs["gpus"] = _shares(runs["gpus"], cells[names.index(SHARE)], numbers)
        records.extend(len(rows), runs)
    return records


def _header_with(data: bytes, columns: Mapping[str, str]) -> tuple[int, str, list[str]] | None:
    """Line number, delimiter, and column names of the first line that has all of some columns."""
    requested = set(columns.values())
    for number, line in first_lines(data):
        for delimiter in DELIMITERS:
            try:
                names = [name.strip() for name in next(csv.reader([line], delimiter=delimiter))]
            except csv.Error:
                continue
            if requested <= set(names):
                return number, delimiter, names
    return None


def _blocks(
    data: bytes, first: int, delimiter: str, width: int
) -> Iterator[tuple[list[int], list[list[str]]]]:
    """Yield blocks of row numbers and rows; a row with another number of fields is left out."""
    numbers: list[int] = []
    rows: list[list[str]] = []
    for row, fields in fields_of(texts_of(data, first), delimiter, "row"):
        if len(fields) == width:
            numbers.append(row)
            rows.append(fields)
        if len(rows) == BLOCK:
            yield numbers, rows
            numbers = []
            rows = []
    if rows:
        yield numbers, rows


def _number(text: str, meaning: str, row: int) -> float:
    """A number of a row; NaN for an empty text, ValueError for another text."""
    if text.lower() in EMPTY:
        return math.nan
    if NUMBER.fullmatch(text) is None:
        raise ValueError(f"row {row} must hold a number for {meaning}, got {text[:40]!r}")
    return float(text)


def _duration(text: str, meaning: str, row: int) -> float:
    """Length of time in seconds or as [days-]hours:minutes:seconds [s]; NaN for an empty text."""
    if ":" not in text:
        return _number(text, meaning, row)
    clock = re.fullmatch(
        r"(?:([0-9]{1,6})[- ](?:days?,? )?)?([0-9]{1,7}):([0-9]{2})"
        r"(?::([0-9]{2}(?:\.[0-9]{1,9})?))?",
        text,
    )
    if clock is None:
        raise ValueError(f"row {row} must hold a length of time for {meaning}, got {text[:40]!r}")
    (days, hours, minutes, seconds) = map(float, clock.groups("0"))
    return 86400 * days + 3600 * hours + 60 * minutes + seconds


def _time(text: str, meaning: str, zone: tzinfo, row: int, after: float) -> float:
    """Time of a row [s since 1970]; NaN for an empty text.

    When clocks are put back, a text stands for two moments; the first that is not before `after`
    counts [s].
    """
    if text.lower() in EMPTY:
        return math.nan
    if NUMBER.fullmatch(text) is not None:
        value = float(text)
        if value > MILLISECONDS:
            return value / 1000
        return value
    try:
        moment = datetime.fromisoformat(text.replace("/", "-"))
        if moment.tzinfo is not None:
            return moment.timestamp()
        moment = moment.replace(tzinfo=zone)
        value = moment.timestamp()
        if value < after:
            value = max(value, moment.replace(fold=1).timestamp())
        return value
    except (ValueError, OverflowError):
        raise ValueError(
            f"row {row} must hold a time for {meaning}, such as 2024-05-01 08:00:00 or seconds "
            f"since 1970, got {text[:40]!r}"
        ) from None


def _times(
    texts: list[str], meaning: str, zone: tzinfo, rows: list[int], after: np.ndarray
) -> np.ndarray:
    """Times of a column by `_time` [s since 1970]."""
    times = []
    for text, row, earlier in zip(texts, rows, after.tolist(), strict=True):
        times.append(_time(text, meaning, zone, row, earlier))
    return np.array(times)


def _numbers(
    read: Callable[[str, str, int], float], texts: list[str], meaning: str, rows: list[int]
) -> np.ndarray:
    """Numbers of a column by `read`, which is called once for each different text."""
    numbers: dict[str, float] = {}
    for text, row in zip(texts, rows, strict=True):
        if text not in numbers:
            numbers[text] = read(text, meaning, row)
    return np.array([numbers[text] for text in texts])


def _runs(values: Mapping[str, list[str]], zone: tzinfo, rows: list[int]) -> dict[str, Any]:
    """Columns of `Records` for some rows, from the texts of each meaning."""
    submit = _times(values["submit"], "submit", zone, rows, np.full(len(rows), math.nan))
    if "start" in values:
        start = _times(values["start"], "start", zone, rows, submit)
    else:
        start = submit + _numbers(_duration, values["wait"], "wait", rows)
    if "end" in values:
        end = _times(values["end"], "end", zone, rows, np.where(np.isnan(start), submit, start))
    else:
        end = start + _numbers(_duration, values["duration"], "duration", rows)
    states = [text.upper() for text in values.get("state", [""] * len(rows))]
    is_waiting = np.array([state in WAITING for state in states]) & np.isnan(end)
    has_begun = ~np.isnan(start)
    kinds = np.select(
        [has_begun & ~np.isnan(end), has_begun, is_waiting],
        ["ended", "running", "waiting"],
        "never started",
    )
    runs: dict[str, Any] = {
        "job": values["job"],
        "kind": kinds,
        "submit": submit,
        "start": start,
        "end": end,
        "elapsed": end - start,
        "state": states,
    }
    readers = {"limit": _duration, "gpus": _number, "cpus": _number, "nodes": _number}
    for name, read in readers.items():
        if name in values:
            runs[name] = _numbers(read, values[name], name, rows)
    for name in ("user", "account", "queue"):
        if name in values:
            runs[name] = [intern(text) for text in values[name]]
    return runs


def _shares(gpus: np.ndarray, texts: tuple[str, ...], rows: list[int]) -> np.ndarray:
    """GPUs of each row, with the thousandths of a single GPU that is shared."""
    shares = gpus.copy()
    for index, text in enumerate(texts):
        if text and gpus[index] == 1:
            thousandths = _number(text.strip(), SHARE, rows[index])
            if 0 < thousandths < 1000:
                shares[index] = thousandths / 1000
    return shares
