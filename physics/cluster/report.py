"""The report: tables and sentences as plain data, and as a page to print, tables to calculate with, and JSON."""

import csv
import html
import io
import json
import math
import zipfile
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from numbers import Real

import numpy as np
import pandas as pd

from physics import constants as c
from physics.cluster.calibration import Calibration
from physics.cluster.change import Difference
from physics.cluster.explain import happened_sentences
from physics.cluster.happened import Happened
from physics.cluster.say import number as digits
from physics.cluster.spec import write_policy
from physics.texts import harmless, visible

FORMAT, VERSION = "fleet-what-if cluster report", 1
#: A report that is taken back has at most so many bytes, tables, rows of one, and characters in a text.
MOST_BYTES, MOST_TABLES, MOST_ROWS, MOST_TEXT = 5_000_000, 500, 40_000, 20_000
#: Factors from SI to the units of a report; what a size counts is in front of the hours, as in "GPU·h".
_SCALE = {"h": 1 / float(c.HOUR), "%": 100.0}

Table = dict[str, object]
Column = tuple[str, str, str]  #: name in the frame, heading, unit


def report(
    happened: Happened,
    calibration: Calibration | None = None,
    differences: Mapping[str, Difference] | None = None,
    digest: str = "",
    title: str = "Your cluster",
    dated: bool = True,
    price: float = 1.0,
) -> dict:
    """Put what was found into tables and sentences.

    Parameters
    ----------
    happened : Happened
        What the log says.
    calibration : Calibration, optional
        Theory, simulation and record.
    differences : mapping of str to Difference, optional
        Changes that were tried, by their text (`physics.cluster.write_change`).
    digest : str
        SHA-256 of the log, as `read_log` leaves it in the frame's attrs.
    title : str
        First line of the report.
    dated : bool
        Whether times of submission are seconds since 1970 (`attrs["dated"]`).
    price : float
        Of an hour of a GPU (or CPU, or node), as in `what_if`.

    Returns
    -------
    dict
        Plain data: format, version, title, log (digest, jobs, gpus, begin, end, left_out), settings (gpus, policy,
        changes, target, price: what is needed to compute it again) and sections, a list of title, sentences and
        tables; a table has name, title, columns and rows. Times are in hours, GPU time in GPU-hours, or in those of the
        log's CPUs or nodes, shares in percent; None is no number, and "infinite" is what it says. What cannot be
        printed is written as an escape.

    Raises
    ------
    ValueError
        For something else than the named records.

    Examples
    --------
    >>> from physics.cluster import synthetic_log, what_happened
    >>> found = report(what_happened(synthetic_log(days=30), 1024), title="One month")
    >>> found["title"], [table["name"] for table in found["sections"][0]["tables"]][:3]
    ('One month', ['summary', 'waits', 'widths'])
    """
    if not isinstance(happened, Happened):
        raise ValueError(f"happened must be a Happened, got {happened!r}")
    if calibration is not None and not isinstance(calibration, Calibration):
        raise ValueError(f"calibration must be a Calibration, got {calibration!r}")
    differences = {} if differences is None else dict(differences)
    for text, one in differences.items():
        if not isinstance(one, Difference):
            raise ValueError(f"differences must be Difference records, got {one!r} for {text!r}")
    sections = [_happened(happened, dated)]
    sections += [] if calibration is None else [_calibration(calibration)]
    sections += [_difference(number, text, one) for number, (text, one) in enumerate(differences.items(), 1)]
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "title": str(title),
        "log": {
            "digest": str(digest),
            "jobs": happened.jobs,
            "begin": _time(happened.begin, dated),
            "end": _time(happened.end, dated),
            "left_out": {str(reason): int(number) for reason, number in happened.left_out.items()},
        },
        "settings": {
            "gpus": happened.gpus,
            "policy": "" if calibration is None else write_policy(calibration.policy),
            "changes": [str(text) for text in differences],
            "target": float(happened.target),
            "price": float(price),
        },
        "sections": sections,
    }
    return _printable(whole)


def _printable(part: object) -> object:
    """A part of a report with every text as it may be read back: names in a log are strangers' texts."""
    if isinstance(part, dict):
        return {_printable(name): _printable(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_printable(one) for one in part]
    return visible(part)[:MOST_TEXT] if isinstance(part, str) else part


def _happened(found: Happened, dated: bool) -> dict:
    unit, hours_of = found.unit, f"{found.unit}·h"
    summary = [
        ("jobs", found.jobs, ""),
        ("time that the records cover", found.span / 86400, "days"),
        (f"{unit}s", found.gpus, ""),
        (f"most {unit}s in use at once", found.largest, ""),
        ("utilization", 100 * found.utilization, "%"),
        (f"load: {unit} time asked for ÷ {unit} time", 100 * found.load, "%"),
        ("jobs a day", found.arrival_rate * 86400, ""),
        ("SCV of times between submissions", found.arrival_scv, ""),
        ("mean width of a job", found.mean_width, f"{unit}s"),
        ("mean width of a job that is seen running", found.running_width, f"{unit}s"),
        ("idle while something waited", found.wasted / 3600, hours_of),
        ("of these: the narrowest that waited would have fitted", found.usable / 3600, hours_of),
        ("jobs still running at the end", found.running, ""),
        (f"their part of the {unit} time in use", 100 * found.running_share, "%"),
        ("jobs still waiting at the end", 0 if found.waiting.empty else found.waiting.loc["all", "jobs"], ""),
    ]
    target = f"within {found.target / 60:g} min"
    hours = found.arrivals.rename(columns=lambda hour: f"{hour:02}:00")
    days = found.over_time.assign(begin=[_time(one, dated) for one in found.over_time["begin"]])
    waits = [("jobs", "jobs", ""), ("mean", "mean", "h"), ("median", "median", "h"), ("p95", "P95", "h")]
    share = [("jobs", "jobs", ""), ("gpu_time", f"{unit} time", hours_of), ("share", "share", "%")]
    widths = [("least", "from", ""), ("most", "to", ""), ("jobs", "jobs", ""), ("job_share", "share of jobs", "%")]
    widths += [("work_share", f"share of {unit} time", "%")]
    tables = [
        _plain_table("summary", "Summary", ("what", "value", "unit"), summary),
        _table("waits", "Waits by class", found.waits, [*waits, ("within_target", target, "%")], "class"),
        _table("widths", f"Widths in {unit}s", found.widths, widths),
        _table("lengths", "Lengths by class", found.lengths, [*waits[:3], ("p99", "P99", "h"), ("scv", "SCV", ""),
               ("tail", "run time of the longest 1 %", "%")], "class"),
        _table("dispersion", "Arrivals in windows", found.dispersion, [("windows", "windows", ""), ("mean", "mean", ""),
               ("index", "index of dispersion", "")], "window"),
        _table("little", "Little's law", found.little, [("measured", "L counted", ""), ("rate_times_mean", "λ W", ""),
               ("edge", "of it before or after", "")], "where"),
        _table("arrivals", "Jobs an hour by hour of day (UTC)", hours, [(name, name, "") for name in hours], "weekday"),
        _table("users", f"Users with most {unit} time", found.users, [*share, ("mean_wait", "mean wait", "h")], "user"),
        _table("over_time", "Over time", days, [("begin", "begin", ""), ("length", "length", "h"),
               ("utilization", "utilization", "%"), ("waiting", "jobs waiting", ""),
               ("wasted", "idle while something waited", hours_of), ("arrivals", "arrivals", "")]),
    ]  # fmt: skip
    if not found.waiting.empty:
        columns = [*waits[:2], ("longest", "longest", "h"), ("at_least", "mean of all at least", "h")]
        tables.insert(2, _table("waiting", "Still waiting at the end, so far", found.waiting, columns, "class"))
    return {"title": "What happened", "sentences": list(happened_sentences(found, dated)), "tables": tables}


def _calibration(found: Calibration) -> dict:
    mean = [("mean", "mean wait", "h"), ("low", "95 % from", "h"), ("high", "to", "h")]
    more = [("median", "median", "h"), ("p95", "P95", "h"), ("distance", "off the record", "%"),
            ("unexplained", "unexplained", "h"),
            ("idle", "idle while something waited", f"{found.unit}·h")]  # fmt: skip
    classes = [("jobs", "jobs", ""), ("record", "record", "h"), ("record_low", "95 % from", "h"),
               ("record_high", "to", "h"), ("simulated", found.baseline, "h"), ("low", "95 % from", "h"),
               ("high", "to", "h"), ("distance", "off the record", "%"),
               ("unexplained", "unexplained", "h")]  # fmt: skip
    tables = [
        _table("calibration", "Theory, simulation and record", found.waits, [*mean, *more], "source"),
        _table(
            "calibration_classes", f"Record and simulation by class: {found.baseline}", found.by_class, classes, "class"
        ),
        _plain_table("theory", "What the formulas were given", ("what", "value"), list(found.inputs.items())),
    ]
    return {"title": "Theory, simulation, record", "sentences": list(found.sentences), "tables": tables}


def _difference(number: int, text: str, found: Difference) -> dict:
    columns = [("record", "record", "h"), ("baseline", "baseline", "h"), ("changed", "changed", "h"),
               ("difference", "difference", "h"), ("low", "95 % from", "h"), ("high", "to", "h"),
               ("unexplained", "unexplained", "h"), ("record_p95", "record P95", "h"),
               ("baseline_p95", "baseline P95", "h"), ("changed_p95", "changed P95", "h"),
               ("shorter", "wait shorter", "%"), ("longer", "wait longer", "%"), ("jobs", "jobs", ""),
               ("never_started", "never start", ""), ("undecided", "undecided", "")]  # fmt: skip
    costs = [(name, name, f"{found.unit}·h") for name in ("provided", "used", "lost")]
    weeks = [("jobs", "jobs", ""), *[(name, name, "h") for name in ("record", "baseline", "changed", "difference")]]
    title = f"{found.unit} time and cost"
    tables = [
        _table(f"change_{number}", "Mean waits by class", found.classes, columns, "class"),
        _table(f"change_{number}_costs", title, found.costs, [*costs, ("cost", "cost", "")], ""),
        _table(f"change_{number}_weeks", "By week", found.weekly, weeks, "week"),
    ]
    return {"title": f"What if: {text}", "sentences": list(found.sentences), "tables": tables}


def _table(name: str, title: str, frame: pd.DataFrame, columns: list[Column], index: str | None = None) -> Table:
    """A frame's columns in the units of a report."""
    headings = ([index] if index is not None else []) + [
        f"{text} [{unit}]" if unit else text for _, text, unit in columns
    ]
    values = [frame.index.tolist()] if index is not None else []
    for column, _, unit in columns:
        scale = _SCALE.get(unit.rpartition("·")[2], 1.0)
        one = frame[column].tolist()
        values.append([value * scale if scale != 1 and isinstance(value, Real) else value for value in one])
    return _plain_table(name, title, headings, zip(*values, strict=True))


def _plain_table(name: str, title: str, columns: Iterable[str], rows: Iterable[Iterable]) -> Table:
    return {
        "name": name,
        "title": title,
        "columns": list(columns),
        "rows": [[_cell(one) for one in row] for row in rows],
    }


def _cell(value: object) -> object:
    """A value as JSON knows it."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, Real):
        return float(value) if math.isfinite(value) else None if math.isnan(value) else "infinite"
    return str(value)


def _time(seconds: float, dated: bool) -> str | float:
    """A moment as a date, or as seconds where the log has none."""
    if not dated or not 0 <= seconds < 2e11:
        return float(seconds)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


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
        return f"{value:,.0f}" if abs(value) >= 1000 else digits(value)
    return str(value)


def to_text(found: dict, most: int = 40) -> str:
    """Write a report for a terminal; of a longer table the first rows."""
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


STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.3rem 0 1.2rem}
caption{text-align:left;font-weight:600;padding:.2rem 0}
th,td{padding:.15rem .7rem .15rem 0;text-align:right;border-bottom:1px solid #8884;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
.small{font-size:.85rem;overflow-wrap:anywhere}
@media print{body{font-size:10pt;margin:0;max-width:none}.wide{overflow:visible}table{font-size:7.5pt}
h2{break-after:avoid}tr{break-inside:avoid}thead{display:table-header-group}th,td{padding-right:.4rem}}
"""


def to_html(found: dict) -> str:
    """Write a report as one page without anything from elsewhere, everything in it escaped."""
    escape, parts = html.escape, []
    for section in found["sections"]:
        parts.append(f"<h2>{escape(section['title'])}</h2>")
        parts += [f"<p>{escape(sentence)}</p>" for sentence in section["sentences"]]
        parts += [_html_table(table) for table in section["tables"]]
    log = found["log"]
    jobs = f"{log['jobs']:,} job{'s' * (log['jobs'] != 1)}"
    lines = [f"{jobs}; the records cover the time from {shown(log['begin'])} to {shown(log['end'])}."]
    lines += [f"SHA-256 of the log: {log['digest']}"] if log["digest"] else []
    head = "".join(f'<p class="small">{escape(line)}</p>' for line in lines)
    title = escape(found["title"])
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n"
        f"<body><h1>{title}</h1>{head}\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def _html_table(table: Table) -> str:
    escape: Callable[[str], str] = html.escape
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in table["columns"])
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escape(shown(cell))}</td>" for cell in row) + "</tr>" for row in table["rows"]
    )
    caption = f"<caption>{escape(table['title'])}</caption>"
    return f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'


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

    Parameters
    ----------
    data : bytes or str
        JSON, at most 5 MB.

    Returns
    -------
    dict
        As `report` returns it. Whether it is of a log tells `found["log"]["digest"]`.

    Raises
    ------
    ValueError
        One sentence for anything that is no such report.

    Examples
    --------
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
    if not isinstance(settings, dict) or set(settings) != {"gpus", "policy", "changes", "target", "price"}:
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
