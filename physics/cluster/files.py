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
    _need(set(found) == {"format", "version", "title", "log", "settings", "sections"}, "the fields of its format")
    _need(_is_text(found["title"]), "a title")
    _need(_is_log(found["log"]), "a log with digest, jobs, begin, end and left_out")
    _need(_is_settings(found["settings"]), "settings with gpus, policy, changes, target and price")
    sections = found["sections"]
    _need(isinstance(sections, list) and all(map(_is_section, sections)), "sections of sentences and tables")
    tables = [table["name"] for section in sections for table in section["tables"]]
    _need(len(tables) <= MOST_TABLES and len(set(tables)) == len(tables), f"at most {MOST_TABLES} tables, names once")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _need(sound: bool, what: str) -> None:
    if not sound:
        raise ValueError(f"a report must hold {what}, got something else")


def _is_text(value: object) -> bool:
    if not isinstance(value, str) or len(value) > MOST_TEXT:
        return False
    return value.isprintable() and not any("\ud800" <= sign <= "\udfff" for sign in value)


def _is_whole(value: object, least: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= 10**12


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1e300


def _is_log(log: object) -> bool:
    if not isinstance(log, dict) or set(log) != {"digest", "jobs", "begin", "end", "left_out"}:
        return False
    digest = log["digest"]
    hexadecimal = isinstance(digest, str) and len(digest) in (0, 64) and not digest.strip("0123456789abcdef")
    moments = all(_is_text(log[name]) or _is_number(log[name]) for name in ("begin", "end"))
    left_out = log["left_out"]
    counts = isinstance(left_out, dict) and all(_is_text(name) and _is_whole(left_out[name]) for name in left_out)
    return hexadecimal and _is_whole(log["jobs"]) and moments and counts


def _is_settings(settings: object) -> bool:
    needed, more = {"gpus", "policy", "changes", "target", "price"}, {"size", "part", "nodes"}  # older ones lack these
    if not isinstance(settings, dict) or not needed <= set(settings) <= needed | more:
        return False
    if not all(_is_text(settings.get(name, "")) for name in more):
        return False
    changes = settings["changes"]
    texts = isinstance(changes, list) and len(changes) <= MOST_TABLES and all(map(_is_text, changes))
    numbers = all(_is_number(settings[name]) and settings[name] >= 0 for name in ("target", "price"))
    return texts and numbers and _is_whole(settings["gpus"], 1) and _is_text(settings["policy"])


def _is_section(section: object) -> bool:
    if not isinstance(section, dict) or set(section) != {"title", "sentences", "tables"}:
        return False
    sentences, tables = section["sentences"], section["tables"]
    if not isinstance(sentences, list) or not isinstance(tables, list):
        return False
    return _is_text(section["title"]) and all(map(_is_text, sentences)) and all(map(_is_table, tables))


def _is_table(table: object) -> bool:
    if not isinstance(table, dict) or set(table) != {"name", "title", "columns", "rows"}:
        return False
    name, columns, rows = table["name"], table["columns"], table["rows"]
    if not isinstance(name, str) or not name.isascii() or not name.replace("_", "").isalnum() or len(name) > 60:
        return False
    if not isinstance(columns, list) or not all(map(_is_text, columns)) or not isinstance(rows, list):
        return False
    if not _is_text(table["title"]) or len(rows) > MOST_ROWS:
        return False
    known = all(isinstance(row, list) and len(row) == len(columns) for row in rows)
    return known and all(cell is None or _is_text(cell) or _is_number(cell) for row in rows for cell in row)
