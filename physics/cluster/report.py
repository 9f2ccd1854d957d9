"""Report as plain data: verdict, changes tried, and the tables and sentences behind them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

from physics import constants as c
from physics.arguments import refusing
from physics.cluster.calibration import RECORD, Calibration
from physics.cluster.change import Difference
from physics.cluster.explain import happened_sentences
from physics.cluster.happened import Happened
from physics.cluster.needed import Kept, Needed
from physics.cluster.say import WORDS, filled, first
from physics.cluster.spec import in_words, write_policy
from physics.cluster.trust.doubts import doubts
from physics.cluster.trust.promises import Promises
from physics.cluster.trust.verdict import verdict
from physics.cluster.trust.why import Waiting
from physics.texts import visible

FORMAT = "fleet-what-if cluster report"
VERSION = 1
#: Limits of a report that is read back: bytes, tables, rows of a table, and characters of a text.
MOST_BYTES = 5_000_000
MOST_TABLES = 500
MOST_ROWS = 40_000
MOST_TEXT = 20_000
#: Titles of sections.
VERDICT = "Verdict"
HAPPENED = "What happened"
CALIBRATION = "Theory, simulation, record"
PROMISES = "When will my job start?"
WHY = "Why is this job still waiting?"
NEEDED = "What is needed"
UNKNOWN = "What the simulation does not know"
#: Classes that have a column in the table of changes at most, those with the most jobs.
MOST_CLASSES = 3
#: Rows of the summary that are left out if their value is empty, 0, or not known.
OPTIONAL = ("part", "down", "used_share")
#: Tables of `Happened` after the summary, in their order.
HISTORY = (
    "waits",
    "waiting",
    "widths",
    "lengths",
    "dispersion",
    "little",
    "arrivals",
    "users",
    "over_time",
)
#: Factors from SI to the units of a report; a unit such as "GPU·h" ends with one of these.
_SCALE = {"h": 1 / c.HOUR, "%": 100.0, "days": 1 / c.DAY, "per day": c.DAY}

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
    """Return a cluster's findings as plain data: verdict, changes tried, tables, and sentences.

    Args:
        happened: What the log says.
        calibration: Theory, simulation and record.
        differences: Changes that were tried, by their text (`physics.cluster.write_change`).
        digest: SHA-256 of the log, as `read_log` leaves it in the frame's attrs.
        title: First line of the report.
        dated: Whether times of submission are seconds since 1970 (`attrs["dated"]`).
        price: Price of an hour of a GPU (or CPU, or node), as in `what_if`.
        needed: Targets, and the sizes or loads that meet them (`what_is_needed`,
            `what_load_keeps`).
        promises: Promised and actual starts (`when_do_jobs_start`).
        why: Explanations of jobs that wait (`why_waiting`).

    Returns: Dictionary that JSON can hold: format, version, title; log (digest, jobs, begin, end,
    left_out); settings, with which the report can be computed again (gpus, size: the source of
    gpus, part of the log, nodes: SHA-256 of the lists of nodes, policy, changes, target, price);
    and sections, each with title, sentences and tables. With a calibration the first section is the
    verdict. A table has name, title, columns and rows. Times are in hours, GPU time in GPU-hours
    (or CPU-hours, or node-hours), shares in percent. A cell is None if its number is not known, and
    "infinite" if it is infinite. Characters that cannot be printed are written as escapes.

    Raises ValueError for something else than the named records.

    >>> from physics.cluster import synthetic_log, what_happened
    >>> contents = report(what_happened(synthetic_log(days=30), 1024), title="One month")
    >>> contents["title"], [table["name"] for table in contents["sections"][0]["tables"]][:3]
    ('One month', ['summary', 'waits', 'widths'])
    """
    differences = dict(differences or {})
    for text, difference in differences.items():
        if not isinstance(difference, Difference):
            raise ValueError(
                f"differences must be Difference records, got {difference!r} for {text!r}"
            )
    policy = ""
    sections = [
        _section(HAPPENED, happened_sentences(happened, dated), _measured(happened, dated)),
        *_changes(differences, dated),
        *_answers(calibration, needed, promises, why),
    ]
    if calibration is not None:
        policy = write_policy(calibration.policy)
        texts = (*doubts(happened), *verdict(happened, calibration, differences))
        sections = [
            _section(VERDICT, texts, _options(calibration, differences)),
            sections[0],
            _section(CALIBRATION, calibration.sentences, _compared(calibration)),
            *sections[1:],
            _section(UNKNOWN, WORDS["unknown"].values()),
        ]
    contents = {
        "format": FORMAT,
        "version": VERSION,
        "title": str(title),
        "log": {
            "digest": str(digest),
            "jobs": happened.jobs,
            "begin": _time(happened.begin, dated),
            "end": _time(happened.end, dated),
            "left_out": {str(reason): int(jobs) for reason, jobs in happened.left_out.items()},
        },
        "settings": {
            "gpus": happened.gpus,
            "size": happened.size_source,
            "part": happened.part,
            "nodes": happened.nodes,
            "policy": policy,
            "changes": list(map(str, differences)),
            "target": float(happened.target),
            "price": float(price),
        },
        "sections": sections,
    }
    return _printable(contents)


def _section(title: str, sentences: Iterable[str], tables: Sequence[Table] = ()) -> dict[str, Any]:
    """Section of a report, without empty sentences."""
    return {"title": title, "sentences": list(filter(None, sentences)), "tables": list(tables)}


def _changes(differences: Mapping[str, Difference], dated: bool) -> list[dict[str, Any]]:
    """Section of each change that was tried; the names of its tables hold its number."""
    sections = []
    for number, (text, difference) in enumerate(differences.items(), 1):
        name = f"change_{number}"
        unit = difference.unit
        tables = [
            as_table("change", difference.classes, name),
            as_table("change_groups", difference.groups, f"{name}_groups"),
            as_table("costs", difference.costs, f"{name}_costs", unit=unit),
            as_table("weeks", difference.weekly, f"{name}_weeks"),
        ]
        if not difference.used.empty:
            used = as_table("used", difference.used, f"{name}_used", dated=dated, unit=unit)
            tables.append(used)
        sections.append(_section(f"What if: {text}", difference.sentences, tables))
    return sections


def _answers(
    calibration: Calibration | None,
    needed: Sequence[Needed | Kept],
    promises: Promises | None,
    why: Sequence[Waiting],
) -> list[dict[str, Any]]:
    """Sections on sizes and loads, on jobs that wait, and on promised starts."""
    sections = []
    if needed:
        texts = [_doubt(calibration, "sizes and loads")]
        tables = []
        for number, answer in enumerate(needed, 1):
            texts.append(answer.sentence)
            curve = answer.near.assign(limit=answer.limit)
            tables.append(as_table("needed", curve, f"needed_{number}", target=answer))
        sections.append(_section(NEEDED, texts, tables))
    if why:
        texts = [_doubt(calibration, "starts")]
        texts += [job.sentence for job in why]
        sections.append(_section(WHY, texts))
    if promises is not None:
        sections.append(_section(PROMISES, [promises.sentence], _promised(promises)))
    return sections


def _doubt(calibration: Calibration | None, subject: str) -> str:
    """Sentence on why the model may be wrong about a subject; "" if it reproduces the log."""
    if calibration is None:
        return ""
    return calibration.grade.doubt(f"what it says about {subject}")


def _options(calibration: Calibration, differences: Mapping[str, Difference]) -> list[Table]:
    """Table of the changes: their waits by class, their cost, and whether they are decided.

    Above them stand the record and the baseline, of the jobs with a recorded wait if there are any.
    """
    if not differences:
        return []
    classes = calibration.by_class
    jobs = classes["jobs"].iloc[:-1].sort_values(ascending=False, kind="stable")
    names = ["all"]
    if len(jobs) > 1:
        names = [*jobs.index[:MOST_CLASSES], "all"]
    rows = []
    for label, column, source in (
        ("record", "record", RECORD),
        ("as it is, simulated", "simulated", calibration.baseline),
    ):
        p95 = calibration.waits["p95"].get(source, math.nan)
        rows.append([label, *classes.loc[names, column], p95, *[math.nan] * 4, ""])
    for text, difference in differences.items():
        means = difference.classes["changed"].reindex(names)
        numbers = difference.classes.loc["all", ["changed_p95", "difference", "low", "high"]]
        more = difference.costs.loc["difference", "provided"]
        rows.append([_label(text, difference), *means, *numbers, more, _decided(difference)])
    columns = [
        "change",
        *(f"{name} [h]" for name in names),
        "P95 of all [h]",
        "difference [h]",
        "from [h]",
        "to [h]",
        f"more [{difference.unit}·h]",
        "decided?",
    ]
    return [as_table("options", pd.DataFrame(rows), columns=dict(enumerate(columns)))]


def _label(text: str, difference: Difference) -> str:
    """Change in words, with its jobs that never start or are left out."""
    words = in_words(text, difference.unit)
    labels = {"row_never": difference.unstarted, "row_left_out": difference.left_out}
    return first(labels, words=words) or words


def _decided(difference: Difference) -> str:
    """Cell that says whether a change is decided."""
    if difference.unstarted:
        return "no answer"
    if difference.undecided:
        return "undecided"
    if difference.classes.loc["all", "difference"] < 0:
        return "yes, shorter"
    return "yes, longer"


def _promised(promises: Promises) -> list[Table]:
    """Table of promised and actual starts; none if nothing was promised."""
    table = promises.judge
    where = "as simulated"
    if not promises.record.empty:
        table = table.assign(simulated=promises.simulated["later"].reindex(table.index))
        where = "in the record"
    if table.empty:
        return []
    return [as_table("promises", table, where=where)]


def _printable(contents: Any) -> Any:
    """Part of a report whose texts can be read back, since a log may hold any name."""
    if isinstance(contents, dict):
        return {_printable(name): _printable(value) for name, value in contents.items()}
    if isinstance(contents, list):
        return [_printable(item) for item in contents]
    if isinstance(contents, str):
        return visible(contents)[:MOST_TEXT]
    return contents


def _measured(happened: Happened, dated: bool) -> list[Table]:
    """Tables of what happened."""
    unit = happened.unit
    summary = []
    for label, name, unit_text in WORDS["summary"]:
        value = getattr(happened, name)
        value_unit = filled(unit_text, unit=unit)
        if name not in OPTIONAL or (value and value == value):
            summary.append((filled(label, unit=unit), _scaled(value, value_unit), value_unit))
    frames = {"summary": pd.DataFrame(summary, columns=["what", "value", "unit"], dtype=object)}
    frames |= {name: getattr(happened, name) for name in HISTORY}
    frames["arrivals"] = happened.arrivals.rename(columns="{:02}:00".format)
    if happened.waiting.empty:
        del frames["waiting"]
    values: dict[str, Any] = {"dated": dated, "unit": unit, "minutes": happened.target / 60}
    return [as_table(name, frame, **values) for name, frame in frames.items()]


def _compared(calibration: Calibration) -> list[Table]:
    """Tables of theory, simulation and record."""
    inputs = pd.DataFrame(calibration.inputs.items(), columns=["what", "value"], dtype=object)
    baseline = calibration.baseline
    tables = [
        as_table("calibration", calibration.waits, unit=calibration.unit),
        as_table("calibration_classes", calibration.by_class, policy=baseline),
        as_table("groups", calibration.groups, policy=baseline),
    ]
    if calibration.chosen:
        tables.append(as_table("second_half", calibration.second, policy=calibration.chosen))
    return [*tables, as_table("theory", inputs)]


def as_table(
    name: str,
    frame: pd.DataFrame,
    called: str = "",
    columns: Mapping[Any, str] | None = None,
    dated: bool = True,
    **values: Any,
) -> Table:
    """Convert a frame to a table with headings, by default those of `words.toml`."""
    words = WORDS["tables"][name]
    if columns is None:
        columns = {
            column: filled(heading, **values)
            for column, heading in words["columns"].items()
            if column in frame
        }
    headings = list(columns.values())
    cells = []
    for column, heading in columns.items():
        unit = heading.rpartition("[")[2].removesuffix("]")
        if column == "begin":
            cells.append([_time(value, dated) for value in frame[column]])
        else:
            cells.append([_scaled(value, unit) for value in frame[column].tolist()])
    if "index" in words:
        headings = [filled(words["index"], **values), *headings]
        cells = [frame.index.tolist(), *cells]
    rows = [[_cell(value) for value in row] for row in zip(*cells, strict=True)]
    return {
        "name": called or name,
        "title": filled(words["title"], **values),
        "columns": headings,
        "rows": rows,
    }


def _scaled(value: Any, unit: str) -> Any:
    """Value in a unit of the report, converted from SI; texts and other units stay."""
    scale = _SCALE.get(unit.rpartition("·")[2])
    if scale and isinstance(value, Real):
        return value * scale
    return value


def _cell(value: Any) -> Any:
    """Value of a table's cell in JSON; None if it is not known."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, Integral):
        return int(value)
    if not isinstance(value, Real):
        return str(value)
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "infinite"
    return float(value)


def _time(seconds: float, dated: bool) -> str | float:
    """Date of a moment, or its seconds if the log has no dates."""
    if not dated or not 0 <= seconds < 2e11:
        return float(seconds)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
