"""Report as plain data: verdict, changes tried, and the tables and sentences behind them."""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from physics import constants as c
from physics.arguments import refusing
from physics.cluster.calibration import Calibration
from physics.cluster.change import Difference
from physics.cluster.explain import RECORD, happened_sentences
from physics.cluster.happened import Happened
from physics.cluster.needed import Kept, Needed
from physics.cluster.say import WORDS, filled, say
from physics.cluster.spec import in_words, write_policy
from physics.cluster.trust.doubts import doubts
from physics.cluster.trust.promises import Promises
from physics.cluster.trust.verdict import verdict
from physics.cluster.trust.why import Waiting
from physics.texts import visible

FORMAT = "fleet-what-if cluster report"
VERSION = 1
#: A report that is taken back has at most so many bytes, tables, rows of one, and characters in a
#: text.
MOST_BYTES = 5_000_000
MOST_TABLES = 500
MOST_ROWS = 40_000
MOST_TEXT = 20_000
#: Titles of sections that the page looks for; a report begins with the first.
VERDICT = "Verdict"
HAPPENED = "What happened"
CALIBRATION = "Theory, simulation, record"
PROMISES = "When will my job start?"
WHY = "Why is this job still waiting?"
NEEDED = "What is needed"
UNKNOWN = "What the simulation does not know"
#: Classes that the table of changes has columns for, those with the most jobs.
MOST_CLASSES = 3
HOUR = float(c.HOUR)
#: Rows of the summary that are left out where there is nothing of them.
OPTIONAL = ("part", "down", "used_share")
#: Factors from SI to the units of a report; in "GPU·h" what a size counts stands first.
_SCALE = {"h": 1 / HOUR, "%": 100.0, "days": 1 / float(c.DAY), "per day": float(c.DAY)}

Table = dict[str, Any]


@refusing
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
    why: Sequence[Waiting] = (),
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
        needed: Targets, and the sizes or loads that meet them (`what_is_needed`,
            `what_load_keeps`).
        promises: Promised beside actual starts (`when_do_jobs_start`).
        why: Jobs that wait, explained (`why_waiting`).

    Returns: Plain data: format, version, title, log (digest, jobs, begin, end, left_out), settings
    (gpus, size: where that is from, part of the log, nodes: SHA-256 of what lists them, policy,
    changes, target, price: what is needed to compute it again) and sections, a list of title,
    sentences and tables; with a calibration the first is the verdict. A table has name, title,
    columns and rows. Times are in hours, GPU time in GPU-hours, or in those of the log's CPUs or
    nodes, shares in percent; None is no number, and "infinite" is what it says. What cannot be
    printed is written as an escape.

    Raises ValueError for something else than the named records.

    >>> from physics.cluster import synthetic_log, what_happened
    >>> found = report(what_happened(synthetic_log(days=30), 1024), title="One month")
    >>> found["title"], [table["name"] for table in found["sections"][0]["tables"]][:3]
    ('One month', ['summary', 'waits', 'widths'])
    """
    if differences is None:
        differences = {}
    else:
        differences = dict(differences)
    for text, one in differences.items():
        if not isinstance(one, Difference):
            raise ValueError(f"differences must be Difference records, got {one!r} for {text!r}")
    parts: list[tuple[str, Sequence[str], list[Table]]] = []
    parts.append((HAPPENED, happened_sentences(happened, dated), _measured(happened, dated)))
    if calibration is not None:
        said = (*doubts(happened), *verdict(happened, calibration, differences))
        parts.insert(
            0, (VERDICT, said, [_options(calibration, differences)] if differences else [])
        )
        parts.append((CALIBRATION, calibration.sentences, _compared(calibration)))
    for place, (text, one) in enumerate(differences.items(), 1):
        tables = [
            as_table("change", one.classes, f"change_{place}"),
            as_table("change_groups", one.groups, f"change_{place}_groups"),
            as_table("costs", one.costs, f"change_{place}_costs", unit=one.unit),
            as_table("weeks", one.weekly, f"change_{place}_weeks"),
        ]
        if not one.used.empty:
            used = one.used.assign(begin=[_time(begin, dated) for begin in one.used["begin"]])
            tables.append(as_table("used", used, f"change_{place}_used", unit=one.unit))
        parts.append((f"What if: {text}", one.sentences, tables))
    if needed:
        tables = [
            as_table("needed", one.near.assign(limit=one.limit), f"needed_{place}", found=one)
            for place, one in enumerate(needed, 1)
        ]
        told = [one.sentence for one in needed]
        parts.append((NEEDED, [*_doubt(calibration, "sizes and loads"), *told], tables))
    if why:
        told = [job.sentence for job in why]
        parts.append((WHY, [*_doubt(calibration, "starts"), *told], []))
    if promises is not None:
        parts.append((PROMISES, [promises.sentence], _promised(promises)))
    if calibration is not None:
        parts.append((UNKNOWN, list(WORDS["unknown"].values()), []))
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "title": str(title),
        "log": {
            "digest": str(digest),
            "jobs": happened.jobs,
            "begin": _time(happened.begin, dated),
            "end": _time(happened.end, dated),
            "left_out": {str(reason): int(many) for reason, many in happened.left_out.items()},
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
        "sections": [
            {"title": title, "sentences": list(said), "tables": tables}
            for title, said, tables in parts
        ],
    }
    return _printable(whole)


def _doubt(calibration: Calibration | None, what: str) -> list[str]:
    """Why what the model says about something may not be true; nothing if it reproduces the log."""
    if calibration is None:
        return []
    doubt = calibration.grade.doubt(f"what it says about {what}")
    return [doubt] * bool(doubt)


def _options(calibration: Calibration, differences: Mapping[str, Difference]) -> Table:
    """Each change with its waits by class, its cost, and whether it is decided; above them the
    record and the baseline, both of all jobs with a recorded wait, or of all without a record.
    """
    first = next(iter(differences.values()))
    unit = first.unit
    classes = calibration.by_class
    names = classes.index[:-1]
    largest = classes.loc[names, "jobs"].sort_values(ascending=False, kind="stable")
    shown = [*(largest.index[:MOST_CLASSES] if len(names) > 1 else ()), "all"]
    waits = calibration.waits
    rows = []
    for label, column, source in (
        ("record", "record", RECORD),
        ("as it is, simulated", "simulated", calibration.baseline),
    ):
        means = [classes.loc[name, column] for name in shown]
        p95 = waits["p95"].get(source, math.nan)
        rows.append([label, *means, p95, *[math.nan] * 4, ""])
    for text, found in differences.items():
        whole = found.classes.loc["all"]
        means = [found.classes["changed"].get(name, math.nan) for name in shown]
        ends = whole[["difference", "low", "high"]]
        more = found.costs.loc["difference", "provided"]
        rows.append(
            [_label(text, found), *means, whole["changed_p95"], *ends, more, _decided(found)]
        )
    columns = [
        "change",
        *(f"{name} [h]" for name in shown),
        "P95 of all [h]",
        "difference [h]",
        "from [h]",
        "to [h]",
        f"more [{unit}·h]",
        "decided?",
    ]
    return as_table("options", pd.DataFrame(rows), columns=dict(enumerate(columns)))


def _label(text: str, found: Difference) -> str:
    """A change in words, after what disqualifies it, and with the jobs that it leaves out."""
    words = in_words(text, found.unit)
    if found.unstarted:
        return say("row_never", never=found.unstarted, words=words)
    if found.left_out:
        return say("row_left_out", left_out=found.left_out, words=words)
    return words


def _decided(found: Difference) -> str:
    """Whether a change is decided, as a cell."""
    if found.unstarted:
        return "no answer"
    if found.undecided:
        return "undecided"
    if found.classes.loc["all", "difference"] < 0:
        return "yes, shorter"
    return "yes, longer"


def _promised(found: Promises) -> list[Table]:
    table = found.judge
    where = "as simulated"
    if not found.record.empty:
        table = table.assign(simulated=found.simulated["later"].reindex(table.index))
        where = "in the record"
    if table.empty:
        return []
    return [as_table("promises", table, where=where)]


def _printable(part: Any) -> Any:
    """A part of a report with every text as it may be read back: names in a log are strangers'
    texts.
    """
    if isinstance(part, dict):
        return {_printable(name): _printable(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_printable(one) for one in part]
    if isinstance(part, str):
        return visible(part)[:MOST_TEXT]
    return part


def _measured(found: Happened, dated: bool) -> list[Table]:
    unit = found.unit
    summary = []
    for what, name, written in WORDS["summary"]:
        value = getattr(found, name)
        kind = filled(written, unit=unit)
        if name not in OPTIONAL or (value and value == value):
            summary.append((filled(what, unit=unit), _scaled(value, kind), kind))
    days = found.over_time.assign(begin=[_time(one, dated) for one in found.over_time["begin"]])
    return [
        as_table("summary", pd.DataFrame(summary, columns=["what", "value", "unit"], dtype=object)),
        as_table("waits", found.waits, minutes=found.target / 60),
        *([] if found.waiting.empty else [as_table("waiting", found.waiting)]),
        as_table("widths", found.widths, unit=unit),
        as_table("lengths", found.lengths),
        as_table("dispersion", found.dispersion),
        as_table("little", found.little),
        as_table("arrivals", found.arrivals, columns={hour: f"{hour:02}:00" for hour in range(24)}),
        as_table("users", found.users, unit=unit),
        as_table("over_time", days, unit=unit),
    ]


def _compared(found: Calibration) -> list[Table]:
    return [
        as_table("calibration", found.waits, unit=found.unit),
        as_table("calibration_classes", found.by_class, policy=found.baseline),
        as_table("groups", found.groups, policy=found.baseline),
        *([as_table("second_half", found.second, policy=found.chosen)] if found.chosen else []),
        as_table(
            "theory", pd.DataFrame(found.inputs.items(), columns=["what", "value"], dtype=object)
        ),
    ]


def as_table(
    name: str,
    frame: pd.DataFrame,
    called: str = "",
    columns: Mapping[Any, str] | None = None,
    **told: Any,
) -> Table:
    """Convert a frame to a table with headings, by default those of `words.toml`, in their
    units.
    """
    words = WORDS["tables"][name]
    columns = columns or {
        column: filled(heading, **told) for column, heading in words["columns"].items()
    }
    columns = {column: heading for column, heading in columns.items() if column in frame}
    headings = list(columns.values())
    values = []
    for column, heading in columns.items():
        unit = heading.rpartition("[")[2].removesuffix("]")
        values.append([_scaled(value, unit) for value in frame[column].tolist()])
    if "index" in words:
        headings = [filled(words["index"], **told), *headings]
        values = [frame.index.tolist(), *values]
    rows = [[_cell(one) for one in row] for row in zip(*values, strict=True)]
    return {
        "name": called or name,
        "title": filled(words["title"], **told),
        "columns": headings,
        "rows": rows,
    }


def _scaled(value: Any, unit: str) -> Any:
    """A value in a unit."""
    scale = _SCALE.get(unit.rpartition("·")[2])
    if scale and isinstance(value, Real):
        return value * scale
    return value


def _cell(value: Any) -> Any:
    """A value as JSON knows it."""
    if isinstance(value, bool | np.bool_):
        if value:
            return "yes"
        return "no"
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, Real):
        if math.isfinite(value):
            return float(value)
        if math.isnan(value):
            return None
        return "infinite"
    return str(value)


def _time(seconds: float, dated: bool) -> str | float:
    """A moment as a date, or as seconds where the log has none."""
    if not dated or not 0 <= seconds < 2e11:
        return float(seconds)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
