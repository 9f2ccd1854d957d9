"""Reports as text, as CSV tables, and as JSON, which is validated when it is read back."""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from functools import partial
from typing import Any

from physics.cluster.report import FORMAT, MOST_BYTES, MOST_ROWS, MOST_TABLES, MOST_TEXT, VERSION
from physics.cluster.say import number as digits
from physics.texts import JSON_BOUNDS, PastBound, harmless, json_of, toml_beside


def shown(value: Any) -> str:
    """Write a cell for readers.

    >>> [shown(value) for value in (None, 1234, 0.012345, 999.7, 54321.9, "a")]
    ['–', '1,234', '0.0123', '1,000', '54,322', 'a']
    """
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if abs(value) >= 1000:
            return f"{value:,.0f}".replace("-", "−")
        return digits(value)
    return str(value)


def to_text(found: dict, most: int = 40) -> str:
    """Write a report for a terminal, with only the first rows of longer tables."""
    lines = [found["title"], ""]
    for section in found["sections"]:
        lines += [section["title"], "=" * len(section["title"]), *section["sentences"], ""]
        for table in section["tables"]:
            cells = [table["columns"], *(list(map(shown, row)) for row in table["rows"][:most])]
            first, *widths = (max(map(len, column)) for column in zip(*cells, strict=True))
            lines.append(table["title"])
            for name, *numbers in cells:
                aligned = map(str.rjust, numbers, widths)
                lines.append("  ".join((f"  {name.ljust(first)}", *aligned)).rstrip())
            more = len(table["rows"]) - most
            if more > 0:
                lines.append(f"… and {more:,} more")
            lines.append("")
    return "\n".join(lines)


def to_csv_zip(found: dict) -> bytes:
    """Pack all tables as CSV files with unrounded numbers.

    Texts that look like formulas are quoted.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for section in found["sections"]:
            for table in section["tables"]:
                text = io.StringIO()
                rows = [list(map(_safe, row)) for row in (table["columns"], *table["rows"])]
                csv.writer(text, lineterminator="\n").writerows(rows)
                file = zipfile.ZipInfo(f"{table['name']}.csv")
                archive.writestr(file, text.getvalue(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _safe(cell: Any) -> Any:
    """Cell that a spreadsheet does not run as a formula."""
    if isinstance(cell, str):
        return harmless(cell)
    return cell


def to_json(found: dict) -> str:
    """Write a report as JSON for `read_report`."""
    return json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1)


def read_report(data: bytes | str) -> dict:
    """Read and validate a report written by `to_json`.

    Args:
        data: JSON, at most 5 MB.

    Returns: As `report` returns it. Whether it is of a log tells `found["log"]["digest"]`.

    Raises ValueError for anything that is no such report.

    >>> read_report("[]")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: a report must be a JSON object with the format 'fleet-what-if cluster report', ...
    """
    if not isinstance(data, bytes | bytearray | str) or len(data) > MOST_BYTES:
        raise ValueError(
            f"a report must be JSON of at most {MOST_BYTES:,} bytes, got something else or more"
        )
    try:
        contents = json_of(data, "a report", MOST_BYTES, _BOUNDS, _PARSE)
    except PastBound as refusal:
        raise ValueError(str(refusal).rstrip(".")) from None
    except ValueError:
        raise ValueError(
            "a report must be whole JSON in UTF-8, got something that is not"
        ) from None
    if not isinstance(contents, dict) or contents.get("format") != FORMAT:
        raise ValueError(
            f"a report must be a JSON object with the format {FORMAT!r}, got something else"
        )
    version = contents.get("version")
    if version != VERSION or isinstance(version, bool):
        raise ValueError(f"a report must have version {VERSION}, got {str(version)[:40]!r}")
    if contents.keys() != {"format", "version", *SHAPES}:
        raise ValueError("a report must hold the fields of its format, got others")
    for name, shape in SHAPES.items():
        value = contents[name]
        if name == "settings" and isinstance(value, dict):
            value = SINCE | value
        if not _fits(value, shape):
            fields = ""
            if isinstance(shape, dict):
                fields = f" with {', '.join(shape)}"
            raise ValueError(
                f"a report must hold {name}{fields} as they are written, got something else"
            )
    tables = [table for section in contents["sections"] for table in section["tables"]]
    names = {table["name"] for table in tables if _whole(table)}
    if len(tables) > MOST_TABLES or len(names) < len(tables):
        raise ValueError(
            f"a report must hold at most {MOST_TABLES} tables, whole and each name once, got others"
        )
    return contents


#: Bounds of a report's JSON: the longest report has 120,000 cells.
_BOUNDS = replace(JSON_BOUNDS, signs=400_000)


def _no_constant(name: str) -> float:
    """Refuse NaN and Infinity, which are no JSON."""
    raise ValueError(name)


_PARSE = partial(json.loads, parse_constant=_no_constant)
#: Shape of each field of a report, see `_fits`.
SHAPES = toml_beside(__file__, "shapes.toml")
#: Values of the settings that the first reports lack.
SINCE = {"size": "", "part": "", "nodes": ""}


def _fits(value: Any, shape: Any) -> bool:
    """Whether a value has a shape: a list of a shape, shapes by key ("*": of any), or a type."""
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(item, shape[0]) for item in value)
    if isinstance(shape, dict):
        if not isinstance(value, dict) or not ("*" in shape or value.keys() == shape.keys()):
            return False
        return all(
            _fits(name, "text") and _fits(item, shape.get(name, shape.get("*")))
            for name, item in value.items()
        )
    if value is None:
        return "none" in shape
    if isinstance(value, str):
        return "text" in shape and len(value) <= MOST_TEXT and value.isprintable()
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e300:
        return False
    is_count = isinstance(value, int) and 0 <= value <= 10**12
    return "number" in shape or ("count" in shape and is_count)


def _whole(table: dict) -> bool:
    """Whether a table has a plain name, columns, complete rows, and not too many of these."""
    rows = table["rows"]
    lengths = {len(table["columns"]), *map(len, rows)}
    plain = re.fullmatch("[A-Za-z0-9_]{1,60}", table["name"])
    return bool(plain) and len(rows) <= MOST_ROWS and len(lengths) == 1 and lengths != {0}
