"""A report as text, as tables to calculate with and as JSON; and JSON that comes back, nothing in it trusted."""

import csv
import io
import json
import zipfile

from physics.cluster.report import FORMAT, MOST_BYTES, MOST_ROWS, MOST_TABLES, MOST_TEXT, VERSION
from physics.cluster.say import number as digits
from physics.texts import harmless


def shown(value: object) -> str:
    """A cell as people read it.

    >>> [shown(value) for value in (None, 1234, 0.012345, 999.7, 54321.9, "a")]
    ['–', '1,234', '0.0123', '1,000', '54,322', 'a']
    """
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}".replace("-", "−") if abs(value) >= 1000 else digits(value)
    return str(value)


def to_text(found: dict, most: int = 40) -> str:
    """Write a report for a terminal, with only the first rows of longer tables."""
    lines = [found["title"], ""]
    for section in found["sections"]:
        lines += [section["title"], "=" * len(section["title"]), *section["sentences"], ""]
        for table in section["tables"]:
            cells = [table["columns"], *([shown(cell) for cell in row] for row in table["rows"][:most])]
            widths = [max(len(row[place]) for row in cells) for place in range(len(table["columns"]))]
            lines.append(table["title"])
            lines += [_aligned(row, widths) for row in cells]
            if (rest := len(table["rows"]) - most) > 0:
                lines.append(f"… and {rest:,} more")
            lines.append("")
    return "\n".join(lines)


def _aligned(row: list[str], widths: list[int]) -> str:
    first, *others = (cell.ljust(width) if not place else cell.rjust(width)
                      for place, (cell, width) in enumerate(zip(row, widths, strict=True)))  # fmt: skip
    return "  ".join(("  " + first, *others)).rstrip()


def to_csv_zip(found: dict) -> bytes:
    """Pack all tables as CSV files, numbers unrounded; a text that a spreadsheet would take for a formula is quoted."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for section in found["sections"]:
            for table in section["tables"]:
                text = io.StringIO()
                writer = csv.writer(text, lineterminator="\n")
                writer.writerow([_safe(column) for column in table["columns"]])
                writer.writerows([[_safe(cell) for cell in row] for row in table["rows"]])
                archive.writestr(zipfile.ZipInfo(f"{table['name']}.csv"), text.getvalue())
    return packed.getvalue()


def _safe(cell: object) -> object:
    """A cell that no spreadsheet runs."""
    return "" if cell is None else harmless(cell) if isinstance(cell, str) else cell


def to_json(found: dict) -> str:
    """Write a report as JSON, which `read_report` reads back."""
    return json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1)


def read_report(data: bytes | str) -> dict:
    """Read a report that `to_json` wrote, trusting nothing in it.

    Args:
        data: JSON, at most 5 MB.

    Returns: As `report` returns it. Whether it is of a log tells `found["log"]["digest"]`.

    Raises ValueError for anything that is no such report.

    >>> read_report("[]")
    Traceback (most recent call last):
    ValueError: a report must be a JSON object with the format 'fleet-what-if cluster report', got something else
    """
    if not isinstance(data, bytes | bytearray | str) or len(data) > MOST_BYTES:
        raise ValueError(f"a report must be JSON of at most {MOST_BYTES:,} bytes, got something else or more")
    try:
        found = json.loads(data, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ValueError("a report must be whole JSON in UTF-8, got something that is not") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"a report must be a JSON object with the format {FORMAT!r}, got something else")
    if found.get("version") != VERSION or isinstance(found["version"], bool):
        raise ValueError(f"a report must have version {VERSION}, got {str(found.get('version'))[:40]!r}")
    if found.keys() != {"format", "version", *SHAPES}:
        raise ValueError("a report must hold the fields of its format, got others")
    for name, shape in SHAPES.items():
        if not _fits(found[name], shape):
            fields = f" with {', '.join(shape)}" if isinstance(shape, dict) else ""
            raise ValueError(f"a report must hold {name}{fields} as they are written, got something else")
    tables = [table["name"] for section in found["sections"] for table in section["tables"]]
    if len(tables) > MOST_TABLES or len(set(tables)) < len(tables):
        raise ValueError(f"a report must hold at most {MOST_TABLES} tables, each name once, got more")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MOST_TEXT and value.isprintable()


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1e300


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and _is_number(value) and 0 <= value <= 10**12


def _is_moment(value: object) -> bool:
    return _is_text(value) or _is_number(value)


def _is_cell(value: object) -> bool:
    return value is None or _is_moment(value)


def _are_counts(value: object) -> bool:
    return isinstance(value, dict) and all(_is_text(name) and _is_whole(value[name]) for name in value)


def _are_settings(value: object) -> bool:
    """Whether these are settings; older reports lack where the size is from, the part, and the nodes."""
    known = isinstance(value, dict) and _fits({"size": "", "part": "", "nodes": ""} | value, SETTINGS)
    return known and value["gpus"] >= 1


def _is_table(value: object) -> bool:
    if not _fits(value, TABLE) or len(value["rows"]) > MOST_ROWS or len(value["name"]) > 60:
        return False
    plain = value["name"].isascii() and value["name"].replace("_", "").isalnum()
    return plain and all(len(row) == len(value["columns"]) for row in value["rows"])


#: What a report holds: a test, a list of what has one shape, or the shapes of named fields.
TABLE = {"name": _is_text, "title": _is_text, "columns": [_is_text], "rows": [[_is_cell]]}
SETTINGS = {"gpus": _is_whole, "size": _is_text, "part": _is_text, "nodes": _is_text, "policy": _is_text,
            "changes": [_is_text], "target": _is_number, "price": _is_number}  # fmt: skip
SHAPES = {
    "title": _is_text,
    "log": {"digest": _is_text, "jobs": _is_whole, "begin": _is_moment, "end": _is_moment, "left_out": _are_counts},
    "settings": _are_settings,
    "sections": [{"title": _is_text, "sentences": [_is_text], "tables": [_is_table]}],
}


def _fits(value: object, shape: object) -> bool:
    """Whether a value has a shape."""
    if isinstance(shape, dict):
        same = isinstance(value, dict) and value.keys() == shape.keys()
        return same and all(_fits(value[name], shape[name]) for name in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(one, shape[0]) for one in value)
    return shape(value)
