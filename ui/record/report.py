"""The report: what a visitor predicted, tried and found, as one document that can be handed in and taken elsewhere.

The JSON holds the whole ledger with a schema version. What comes back from a file is checked as a whole before any of
it is used, and its results are computed again by the model. Text from a visitor is escaped wherever it is written.
"""

import importlib.metadata
import json
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from ui.base import state
from ui.base.lesson import Lesson, lessons
from ui.base.words import whole_characters
from ui.knobs.declared import knobs_of, quantities
from ui.knobs.declared import read as read_settings
from ui.record import compare, keep, ledger

APP = "fleet-what-if"
VERSION = "0.1.0"
SCHEMA = 1
#: Largest file that is read, in bytes.
MOST = 1_000_000
#: What the report says of itself, on the page and in the file.
WORD = (
    "Answers, times and results are the student's own word: the student's browser keeps them, and nobody has watched. "
    "The lock keeps from glancing ahead; it is no proof against cheating."
)
_PARTS = ("prediction", "right", "predicted_at", "settings", "results")
_PARTS += ("reflection", "reflection_right", "reflected_at", "note", "changes")


class ReportError(ValueError):
    """A file is not a report that can be used; the message is one sentence for the visitor."""


@dataclass(frozen=True)
class Recomputed:
    """One headline number of an imported record: as the file has it and as the model gives it now."""

    label: str
    filed: str
    model: str

    @property
    def same(self) -> bool:
        """Whether file and model agree."""
        return self.filed == self.model


def document() -> dict:
    """Put the whole ledger into plain data: `{"app", "schema", "versions", "name", "written_at", "lessons"}`.

    Records that `set_aside` names are left out.
    """
    found, bad = {}, set_aside()
    for lesson in lessons():
        record = ledger.record(lesson.id)
        if record and lesson.id not in bad:
            found[lesson.id] = {"schema": ledger.SCHEMA} | {part: record[part] for part in _PARTS if part in record}
            found[lesson.id]["pins"] = compare.pinned(lesson.id)
            if further := {
                suffix: answer
                for suffix, question in lesson.predictions.items()
                if (answer := state.committed(state.PREDICTIONS, state.lock_id(lesson.id, suffix), question.ids))
            }:
                found[lesson.id]["predictions"] = further
    return {
        "app": APP,
        "schema": SCHEMA,
        "versions": {
            "app": VERSION,
            "streamlit": importlib.metadata.version("streamlit"),
            "numpy": importlib.metadata.version("numpy"),
            "python": platform.python_version(),
        },
        "name": keep.mine("name") if _is_name(keep.mine("name")) else "",
        "word": WORD,
        "written_at": ledger.now(),
        "lessons": found,
    }


def set_aside() -> dict[str, str]:
    """Return what is wrong with each kept record that no report can hold, one sentence by lesson id."""
    bad = {}
    for lesson in lessons():
        try:
            _check_record(lesson, ledger.record(lesson.id))
        except ReportError as refusal:
            bad[lesson.id] = str(refusal).replace("The file's record", "What is kept", 1)
    return bad


def to_json(report: Mapping) -> bytes:
    """Write a report as JSON."""
    return json.dumps(report, ensure_ascii=False, indent=1, allow_nan=False, default=str).encode()


def read(data: bytes) -> dict:
    """Read a report's JSON and check all of it.

    Raises
    ------
    ReportError
        One sentence: too large, not JSON, from another program, from a newer version, or with a part that is no answer.
    """
    if len(data) > MOST:
        raise ReportError(
            f"The file is larger than 1 MB ({len(data) / 1e6:.1f} MB), so it is not a report of this app."
        )
    try:
        report = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
        keep.writable(report)
    except (ValueError, RecursionError):
        raise ReportError("The file is not readable JSON, so it is not a report of this app.") from None
    if not isinstance(report, dict) or report.get("app") != APP:
        raise ReportError("The file was not written by this app.")
    schema = report.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise ReportError("The file does not say which version of the report it is.")
    if schema > SCHEMA:
        raise ReportError(f"The file was written by a newer version of the app (report version {schema}).")
    records = report.get("lessons")
    if not isinstance(records, dict):
        raise ReportError("The file holds no lessons.")
    known = {lesson.id: lesson for lesson in lessons()}
    for lesson_id, record in records.items():
        if lesson_id not in known:
            raise ReportError(f"The file speaks of a lesson that this app does not have: {_short(lesson_id)}.")
        _check_record(known[lesson_id], record)
    if not _is_name(report.get("name", "")):
        raise ReportError("The name in the file is not a text of at most 80 characters.")
    return report


def too_large(size: int) -> str:
    """Say in one sentence that a file is too large."""
    return f"The file is larger than 1 MB ({size / 1e6:.1f} MB), so it is not a report of this app."


def recompute(lesson: Lesson, record: Mapping) -> list[Recomputed] | str:
    """Compute a record's results again from its settings; a sentence if that is not possible."""
    try:
        again = lesson.results(read_settings(lesson.settings, record.get("settings", {}))[0])
    except (ValueError, ArithmeticError) as refusal:
        return f"Its results cannot be computed again: {refusal}."
    filed = record.get("results", {})
    labels = list(dict.fromkeys([*(result.label for result in again), *filed]))
    model = {result.label: result.text for result in again}
    return [Recomputed(label, filed.get(label, "–"), model.get(label, "–")) for label in labels]


def defaults_taken(lesson: Lesson, record: Mapping) -> str:
    """Say which knobs a record does not name, and the defaults that they took; "" if it names all of them."""
    settings, missing = read_settings(lesson.settings, record.get("settings", {}))
    held, knobs = quantities(settings), knobs_of(lesson.settings)
    found = [f"{knobs[name].label}: {knobs[name].words(held[name], held)}" for name in missing]
    return f"Not in the file, so taken at their defaults: {'; '.join(found)}." if found else ""


def take(report: Mapping) -> None:
    """Add a checked report to the visitor's own: locks that exist stay as they are. Only in a callback."""
    for lesson in lessons():
        record = report["lessons"].get(lesson.id)
        if not record:
            continue
        fields = {f"{lesson.id}/tried": {"settings": record.get("settings", {}), "results": record.get("results", {})}}
        fields[f"{lesson.id}/note"] = record.get("note", "")
        fields[f"{lesson.id}/pins"] = record.get("pins", [])
        fields[f"{lesson.id}/changes"] = record.get("changes", [])
        if "prediction" in record and state.read(state.PREDICTIONS).get(lesson.id) is None:
            fields[f"{lesson.id}/prediction"] = {"answer": record["prediction"], "at": record.get("predicted_at", "")}
        if "reflection" in record and state.read(state.REFLECTIONS).get(lesson.id) is None:
            fields[f"{lesson.id}/reflection"] = {"answer": record["reflection"], "at": record.get("reflected_at", "")}
        for suffix, answer in record.get("predictions", {}).items():
            if state.read(state.PREDICTIONS).get(state.lock_id(lesson.id, suffix)) is None:
                fields[f"{lesson.id}/prediction_{suffix}"] = {"answer": answer, "at": ""}
        keep.restore({name: json.dumps(value) for name, value in fields.items() if value})
    if report.get("name") and not keep.mine("name"):
        keep.keep_mine("name", report["name"])


def to_html(report: Mapping) -> bytes:
    """Write a report as one self-contained HTML file that prints well; every text from a visitor is escaped."""
    body = [
        f"<h1>Fleet What-If: report{_of(report['name'])}</h1>",
        f"<p>Written {escape(report['written_at'])}. {escape(WORD)}</p>",
    ]
    found = [(lesson, report["lessons"][lesson.id]) for lesson in lessons() if lesson.id in report["lessons"]]
    body.append(_overview(found) if found else "<p>No lesson has been started.</p>")
    for lesson, record in found:
        body.append(_lesson_html(lesson, record))
    versions = ", ".join(f"{escape(str(k))} {escape(str(v))}" for k, v in report["versions"].items())
    body.append(f"<footer>Versions: {versions}; report {report['schema']}.</footer>")
    head = f'<meta charset="utf-8"><title>Fleet What-If report{_of(report["name"])}</title><style>{_STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(body)}</body></html>'.encode()


def verdict(record: Mapping, kind: str = "prediction") -> str:
    """Word whether an answer was right."""
    if record.get(kind) == state.SKIPPED:
        return "skipped"
    right = record.get("right" if kind == "prediction" else "reflection_right")
    return "right" if right else "not right"


def history(lesson: Lesson, record: Mapping) -> list[str]:
    """Say in one sentence each which lock of a record became another."""
    asks = {name: question for name, _, _, question in ledger.locks(lesson)}
    found = []
    for change in ledger.changes(lesson, record.get("changes")):
        said = [
            "skipped" if change[part] == state.SKIPPED else asks[change["of"]].option(change[part]).text
            for part in ("from", "to")
        ]
        kind = "reflection" if change["of"] == "reflection" else "prediction"
        found.append(f"The locked {kind} was changed outside its page, {change['at']}: from “{said[0]}” to “{said[1]}”")
    return found


def _lesson_html(lesson: Lesson, record: Mapping) -> str:
    parts = [f"<section><h2>{escape(lesson.title)}</h2>"]
    for kind, question, time in (
        ("prediction", lesson.prediction, "predicted_at"),
        ("reflection", lesson.reflection, "reflected_at"),
    ):
        if answer := record.get(kind):
            words = "shown without predicting" if answer == state.SKIPPED else question.option(answer).text
            said = f"<b>{kind.capitalize()}</b> ({escape(verdict(record, kind))}, {escape(record.get(time, ''))}): "
            parts.append(f"<p>{escape(question.text)}<br>{said}{escape(words)}</p>")
    parts += [f"<p>{escape(sentence)}</p>" for sentence in history(lesson, record)]
    if record.get("note"):
        parts.append(f"<blockquote>{escape(record['note'])}</blockquote>")
    if record.get("results"):
        parts.append(_table("Results", record["results"]))
    if record.get("settings"):
        parts.append(_table("Settings (SI units)", {name: _plain(value) for name, value in record["settings"].items()}))
    if record.get("pins"):
        parts.append(_bars(record["pins"]))
    return "".join(parts) + "</section>"


def _overview(found: list[tuple[Lesson, Mapping]]) -> str:
    rows = "".join(
        f"<tr><td>{escape(lesson.title)}</td><td>{escape(verdict(record)) if 'prediction' in record else '–'}</td>"
        f"<td>{escape(verdict(record, 'reflection')) if 'reflection' in record else '–'}</td></tr>"
        for lesson, record in found
    )
    return f"<table><tr><th>Lesson</th><th>Prediction</th><th>Reflection</th></tr>{rows}</table>"


def _table(caption: str, rows: Mapping[str, str]) -> str:
    cells = "".join(f"<tr><th>{escape(str(k))}</th><td>{escape(str(v))}</td></tr>" for k, v in rows.items())
    return f"<table><caption>{escape(caption)}</caption>{cells}</table>"


def _bars(pins: list[Mapping]) -> str:
    """Draw each pinned quantity as bars, one a pin, as a small SVG of our own."""
    charts = []
    for label in pins[0]["results"]:
        rows = [pin["results"].get(label, [None, "–"]) for pin in pins]
        largest = max((abs(value) for value, _ in rows if value is not None), default=0)
        marks = []
        for number, (value, text) in enumerate(rows):
            width = 0 if not largest or value is None else 260 * abs(value) / largest
            y = 20 * number
            marks.append(
                f'<text x="0" y="{y + 14}">Pinned {number + 1}</text><rect x="70" y="{y + 3}" width="{width:.1f}" '
                f'height="13" fill="#0072B2"/><text x="{76 + width:.1f}" y="{y + 14}">{escape(text)}</text>'
            )
        size = f'width="480" height="{20 * len(rows)}"'
        charts.append(f"<figure><figcaption>{escape(label)}</figcaption><svg {size}>{''.join(marks)}</svg></figure>")
    return "".join(charts)


_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}
table{border-collapse:collapse;margin:.6rem 0}caption{text-align:left;font-weight:600}
td,th{border-bottom:1px solid #ccc;padding:.2rem .8rem .2rem 0;text-align:left;font-weight:400;vertical-align:top}
blockquote{border-left:3px solid #0072B2;margin:.6rem 0;padding:.2rem .8rem;white-space:pre-wrap}
section{break-inside:avoid-page;margin-top:1.6rem}svg text{font-size:12px}footer{margin-top:2rem;color:#555}
"""


def _check_record(lesson: Lesson, record: object) -> None:
    where = f"The file's record of “{lesson.title}”"
    if not isinstance(record, dict):
        raise ReportError(f"{where} is not a record.")
    for kind, book, question in (
        ("prediction", state.PREDICTIONS, lesson.prediction),
        ("reflection", state.REFLECTIONS, lesson.reflection),
    ):
        if kind in record and not state.is_answer(book, record[kind], question.ids):
            raise ReportError(f"{where} holds a {kind} that is not one of the answers.")
        # Whether it is right is decided here and now, not by the file.
        if kind in record:
            right = None if record[kind] == state.SKIPPED else record[kind] == question.right
            record["right" if kind == "prediction" else "reflection_right"] = right
    further = record.get("predictions", {})
    if not isinstance(further, dict) or not all(
        suffix in lesson.predictions and state.is_answer(state.PREDICTIONS, answer, lesson.predictions[suffix].ids)
        for suffix, answer in further.items()
    ):
        raise ReportError(f"{where} holds a further prediction that is not one of the answers.")
    for name in ("predicted_at", "reflected_at"):
        if name in record and not ledger.is_time(record[name]):
            raise ReportError(f"{where} holds a time that is none, or at which nothing can have been locked.")
    changes = record.get("changes", [])
    if not isinstance(changes, list) or ledger.changes(lesson, changes) != changes:
        raise ReportError(f"{where} holds a history that is none.")
    if not _is_text(record.get("note", ""), keep.NOTE_LENGTH):
        raise ReportError(f"{where} holds notes that are not a text of at most {keep.NOTE_LENGTH} characters.")
    settings, results = record.get("settings", {}), record.get("results", {})
    if (
        not isinstance(settings, dict)
        or len(settings) > 60
        or not all(_is_text(name, 200) and _is_setting(value) for name, value in settings.items())
    ):
        raise ReportError(f"{where} holds settings that are not numbers or short texts.")
    if (
        not isinstance(results, dict)
        or len(results) > 30
        or not all(_is_text(text, 200) for pair in results.items() for text in pair)
    ):
        raise ReportError(f"{where} holds results that are not short texts.")
    pins = record.get("pins", [])
    if not isinstance(pins, list) or len(pins) > compare.MOST or not all(map(compare.is_pin, pins)):
        raise ReportError(f"{where} holds pinned results that are none.")
    for part in ({"settings": settings, "results": results}, pins):
        try:
            size = len(keep.writable(part))
        except ValueError:
            raise ReportError(f"{where} holds what cannot be written.") from None
        if size > keep.MOST_FIELD:
            raise ReportError(f"{where} holds more settings, results or pins than this app keeps.")


def _is_setting(value: object) -> bool:
    if isinstance(value, str):
        return _is_text(value, 3000)
    return isinstance(value, bool) or (isinstance(value, int | float) and abs(value) < 1e300)


def _is_text(value: object, most: int) -> bool:
    return isinstance(value, str) and len(value) <= most and whole_characters(value)


def _is_name(value: object) -> bool:
    return _is_text(value, 80)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _short(text: object) -> str:
    return re.sub(r"[^\w -]", "", str(text))[:30] or "without a name"


def _plain(value: object) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _of(name: str) -> str:
    return f" of {escape(name)}" if name else ""
