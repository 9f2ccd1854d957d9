"""The report as plain data: the verdict, the changes that were tried, and the tables and sentences behind them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from numbers import Real

import numpy as np
import pandas as pd

from physics import constants as c
from physics.cluster.calibration import Calibration
from physics.cluster.change import Difference
from physics.cluster.explain import NOT_KNOWN, happened_sentences
from physics.cluster.happened import Happened
from physics.cluster.needed import Kept, Needed, named
from physics.cluster.spec import in_words, write_policy
from physics.cluster.trust.promises import Promises
from physics.cluster.verdict import verdict
from physics.texts import visible

FORMAT, VERSION = "fleet-what-if cluster report", 1
#: A report that is taken back has at most so many bytes, tables, rows of one, and characters in a text.
MOST_BYTES, MOST_TABLES, MOST_ROWS, MOST_TEXT = 5_000_000, 500, 40_000, 20_000
#: Titles of sections that the page looks for; a report begins with the first.
VERDICT, HAPPENED, CALIBRATION = "Verdict", "What happened", "Theory, simulation, record"
PROMISES = "When will my job start?"
NEEDED, UNKNOWN = "What is needed", "What the simulation does not know"
#: Classes that the table of changes has columns for, those with the most jobs.
MOST_CLASSES = 3
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
    needed: Sequence[Needed | Kept] = (),
    promises: Promises | None = None,
) -> dict:
    """Write the findings as tables and sentences.

    Args:
        happened: What the log says.
        calibration: Theory, simulation and record.
        differences: Changes that were tried, by their text (`physics.cluster.write_change`).
        digest: SHA-256 of the log, as `read_log` leaves it in the frame's attrs.
        title: First line of the report.
        dated: Whether times of submission are seconds since 1970 (`attrs["dated"]`).
        price: Of an hour of a GPU (or CPU, or node), as in `what_if`.
        needed: Targets, and the sizes or loads that meet them (`what_is_needed`, `what_load_keeps`).
        promises: Promised beside actual starts (`when_do_jobs_start`).

    Returns: Plain data: format, version, title, log (digest, jobs, begin, end, left_out), settings (gpus, size: where
    that is from, part of the log, nodes: SHA-256 of what lists them, policy, changes, target, price: what is needed to
    compute it again) and sections, a list of title, sentences and tables; with a calibration the first is the verdict.
    A table has name, title, columns and rows. Times are in hours, GPU time in GPU-hours, or in those of the log's CPUs
    or nodes, shares in percent; None is no number, and "infinite" is what it says. What cannot be printed is written as
    an escape.

    Raises ValueError for something else than the named records.

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
    sections = [] if calibration is None else [_verdict(happened, calibration, differences)]
    sections += [_happened(happened, dated)]
    sections += [] if calibration is None else [_calibration(calibration)]
    sections += [_difference(number, text, one) for number, (text, one) in enumerate(differences.items(), 1)]
    sections += [_needed(needed)] if needed else []
    sections += [_promises(promises)] if promises is not None else []
    sections += [] if calibration is None else [{"title": UNKNOWN, "sentences": list(NOT_KNOWN), "tables": []}]
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
            "size": happened.size_source,
            "part": happened.part,
            "nodes": happened.nodes,
            "policy": "" if calibration is None else write_policy(calibration.policy),
            "changes": [str(text) for text in differences],
            "target": float(happened.target),
            "price": float(price),
        },
        "sections": sections,
    }
    return _printable(whole)


def _verdict(happened: Happened, calibration: Calibration, differences: Mapping[str, Difference]) -> dict:
    sentences = list(verdict(happened, calibration, differences))
    return {"title": VERDICT, "sentences": sentences, "tables": [_options(differences)] if differences else []}


def _options(differences: Mapping[str, Difference]) -> Table:
    """Each change with its waits by class, its cost, and whether it is decided; the record and the baseline first."""
    first = next(iter(differences.values()))
    unit, classes = first.unit, first.classes.iloc[:-1]
    shown = classes["jobs"].sort_values(ascending=False, kind="stable").index[:MOST_CLASSES]
    shown = [*(shown if len(classes) > 1 else ()), "all"]

    rows = []
    for label, column in (("record", "record"), ("as it is, simulated", "baseline")):
        rows.append([label, *_waits(first, shown, column), *[math.nan] * 4, ""])
    for text, found in differences.items():
        whole = found.classes.loc["all"]
        more = found.costs.loc["difference", "provided"]
        decided = "undecided" if found.undecided else f"yes, {'shorter' if whole['difference'] < 0 else 'longer'}"
        ends = [whole[name] / float(c.HOUR) for name in ("difference", "low", "high")]
        rows.append([in_words(text, unit), *_waits(found, shown, "changed"), *ends, more / float(c.HOUR), decided])
    columns = [
        "change",
        *(f"{one} [h]" for one in shown),
        "P95 of all [h]",
        "difference [h]",
        "95 % from [h]",
        "to [h]",
    ]
    title = "What was tried, mean waits by class"
    return _plain_table("options", title, [*columns, f"more [{unit}·h]", "decided?"], rows)


def _waits(found: Difference, classes: list[str], column: str) -> list[float]:
    """Mean waits of some classes and the P95 of all [h]."""
    means = [float(found.classes[column].get(one, math.nan)) for one in classes]
    return [wait / float(c.HOUR) for wait in (*means, float(found.classes.loc["all", f"{column}_p95"]))]


def _needed(found: Sequence[Needed | Kept]) -> dict:
    columns = [("simulated", "as simulated", "h"), ("scaled", "times record ÷ simulation", "h"),
               ("plus", "plus unexplained", "h"), ("limit", "at most", "h")]  # fmt: skip
    tables = []
    for place, one in enumerate(found, 1):
        cost = [("more", "more than today", f"{one.unit}·h")] if isinstance(one, Needed) else []
        title = f"{'Sizes' if cost else 'Loads'} that were tried: {named(one.measure)}"
        title += f" of {one.job_class}" if one.job_class else ""
        curve = one.near.assign(limit=one.limit)
        tables.append(_table(f"needed_{place}", title, curve, [*columns, *cost], one.along))
    return {"title": NEEDED, "sentences": [f"{one.sentence} {one.caution}".strip() for one in found], "tables": tables}


def _promises(found: Promises) -> dict:
    columns = [("jobs", "jobs promised a wait", ""), ("promised", "promised", "h"), ("later", "start later", "%"),
               ("much_later", "by more than 1 h", "%"), ("factor", "times: kept by 9 of 10 in the first half", ""),
               ("kept", "kept in the second", "%")]  # fmt: skip
    table, tables = found.judge, []
    if not found.record.empty:
        table = table.assign(simulated=found.simulated["later"].reindex(table.index))
        columns.append(("simulated", "start later as simulated", "%"))
    if not table.empty:
        where = "as simulated" if found.record.empty else "in the record"
        tables.append(_table("promises", f"Promised and actual starts {where}", table, columns, "time limit or width"))
    return {"title": PROMISES, "sentences": [one for one in (found.sentence, found.worst) if one], "tables": tables}


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
        *([("part of the log", found.part, "")] if found.part else []),
        (f"{unit}s", found.gpus, ""),
        *([("down", found.down / 3600, hours_of)] if found.down else []),
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
    return {"title": HAPPENED, "sentences": list(happened_sentences(found, dated)), "tables": tables}


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
    if found.chosen:
        title = f"Second half of the log under what is closest on the first: {found.chosen}"
        columns = [*classes[:2], ("simulated", "simulated", "h"), classes[-2]]
        tables.insert(2, _table("second_half", title, found.second, columns, "jobs of"))
    return {"title": CALIBRATION, "sentences": list(found.sentences), "tables": tables}


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
