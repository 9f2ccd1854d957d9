"""Report: a visitor's predictions, trials, and results as one document to submit or import.

The JSON has the whole ledger with a schema version. A file is checked as a whole before any of it
is used, and the model computes its results again. Text from a visitor is escaped wherever it is
written.
"""

import importlib.metadata
import json
import platform
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from ui.base import state
from ui.base.lesson import Lesson, Result, lessons
from ui.base.time_slices import TooLong
from ui.base.words import Question, fill
from ui.knobs.declared import default_of, knobs_of
from ui.knobs.declared import read as read_settings
from ui.record import answer_marks, compare, ledger, local_storage
from ui.record.local_storage import TOKEN
from ui.record.plain import ReportError, is_text, parsed

APP = "fleet-what-if"
VERSION = "0.1.0"
SCHEMA = 1
#: How far the report can be trusted: text on the page and in the file.
WORD = (
    "Answers, times, and results are the student's own word: the student's browser saves them, and "
    "nobody supervises it. The lock prevents peeking, not cheating."
)
#: Labels of the report's optional text fields, by their names in `local_storage.LONGEST`.
TITLES = {
    "name": "Name on the report",
    "login": "Login or e-mail",
    "rejected": "What I rejected and why",
    "doubts": "What could still go wrong",
    "first_look": "Where I would look first in my own cluster",
}
#: Field of a record by the kind of answer that it has, in the order of a lesson.
ANSWER_FIELDS = {
    "Prediction": "prediction",
    "Second vote in class": "second",
    "Reflection": "reflection",
}
#: Maximum number of browsers that a report may have passed through, one token each.
MOST_TOKENS = 6


def document() -> dict:
    """Return the visitor's report as plain data in the format of `blank`, without invalid values.

    `tokens` are the random tokens of this browser and of imported reports. They tell nothing about
    the student, only which reports come from the same browser.
    """
    report = blank() | {field: local_storage.mine(field) for field in TITLES}
    records = report["lessons"]
    for lesson in lessons():
        record = ledger.record(lesson.id)
        if record:
            entry = ledger.valid(lesson, record | {"pins": compare.pinned(lesson.id)})
            records[lesson.id] = {"schema": ledger.SCHEMA} | entry
    if records:  # a token is made only for a visitor who has done something
        tokens = [local_storage.token("report"), *local_storage.mine("taken").split()]
        report["tokens"] = tokens[:MOST_TOKENS]
    return report


def blank() -> dict:
    """Return an empty report with all of its keys: "app", "schema", "versions", and so on."""
    versions = {name: importlib.metadata.version(name) for name in ("streamlit", "numpy")}
    return {
        "app": APP,
        "schema": SCHEMA,
        "versions": {"app": VERSION, **versions, "python": platform.python_version()},
        **dict.fromkeys(TITLES, ""),
        "tokens": [],
        "word": WORD,
        "written_at": ledger.now(),
        "lessons": {},
    }


def to_json(report: Mapping) -> bytes:
    """Write a report as JSON."""
    return json.dumps(report, ensure_ascii=False, indent=1, allow_nan=False, default=str).encode()


def read(data: bytes) -> dict:
    """Read a report's JSON and check all of it.

    Lessons that this app does not have are left out; "unread" names the first three of them.

    Raises
    ------
    ReportError
        One sentence on what is wrong with the file, its version, or a part of it.
    """
    report = parsed(data)
    if not isinstance(report, dict) or report.get("app") != APP:
        raise ReportError("The file was not written by this app.")
    if "exemplar" in report:
        raise ReportError("The file is an exemplar that this app made, not a student's report.")
    schema = report.get("schema")
    if type(schema) is not int or schema < 1:
        raise ReportError("The file does not say which version of the report it is.")
    if schema > SCHEMA:
        raise ReportError(
            f"The file was written by a newer version of the app (report version {schema})."
        )
    records = report.get("lessons")
    if not isinstance(records, dict):
        raise ReportError("The file contains no lessons.")
    by_id = {lesson.id: lesson for lesson in lessons()}
    unknown = [name for name in records if name not in by_id]
    unread = [re.sub(r"[^\w -]", "", name)[:30] or "without a name" for name in unknown[:3]]
    if unknown and len(unknown) == len(records):
        raise ReportError(f"The file names a lesson that this app does not have: {unread[0]}.")
    for name in unknown:
        del records[name]
    for name, record in records.items():
        records[name] = _checked(by_id[name], record)
    report = {**dict.fromkeys(TITLES, ""), "tokens": [], **report, "unread": unread}
    for field, longest in local_storage.LONGEST.items():
        if not is_text(report[field], longest):
            raise ReportError(
                f"“{TITLES[field]}” in the file is not a text of at most {longest:,} characters."
            )
    if not _are_tokens(report["tokens"]):
        raise ReportError("The random tokens in the file are not valid.")
    return report


def _are_tokens(tokens: Any) -> bool:
    """Return whether a value from a file is a list of random tokens."""
    if not isinstance(tokens, list) or len(tokens) > MOST_TOKENS:
        return False
    return all(isinstance(text, str) and re.fullmatch(TOKEN, text) for text in tokens)


def unread(report: Mapping) -> str:
    """Return a sentence that names the skipped lessons of a file; "" if there are none."""
    names = report.get("unread")
    if not names:
        return ""
    return f"Not read, because this app has no such lesson: {', '.join(names)}."


def recomputed(lesson: Lesson, record: Mapping) -> list[str]:
    """Recompute a record's results from its settings, and list the differences.

    Raises
    ------
    ValueError, ArithmeticError
        If the settings are not valid, or have no results.
    """
    settings = read_settings(lesson.settings, of_knobs(lesson, record.get("settings", {})))[0]
    results = lesson.results(settings)
    if not record.get("results"):  # a record has none before the prediction is tested
        return []
    return differences(record["results"], results)


def of_knobs(lesson: Lesson, settings: Mapping) -> dict[str, Any]:
    """Return the settings that a visitor can change; a forged file may have others."""
    knobs = knobs_of(lesson.settings)
    return {name: value for name, value in settings.items() if name in knobs}


def differences(filed: Mapping[str, str], results: Iterable[Result]) -> list[str]:
    """List the differences between a file's results, as {label: text}, and the model's.

    A missing result is written as "–".

    >>> differences({"Mean wait": "1 s"}, [Result("Mean wait", 1440.0, "24 min")])
    ['Mean wait: 1 s, computed 24 min']
    """
    model = {result.label: result.text for result in results}
    sentences = []
    for label in {**model, **filed}:
        reported = filed.get(label, "–")
        computed = model.get(label, "–")
        if reported != computed:
            sentences.append(f"{label}: {reported}, computed {computed}")
    return sentences


def take(report: Mapping) -> str:
    """Import a checked report, and return up to three sentences on what that has done.

    Answers that the visitor has locked in already are kept. Call this only in a callback.
    """
    added = []
    kept_locks = []
    for lesson, record in begun(report):
        new = dict(record)
        for name, stored_in, _ in ledger.locks(lesson):
            if lesson.id in state.read(stored_in):
                new.pop(name, None)
        if len(new) < len(record):
            kept_locks.append(lesson.title)
        local_storage.add_record(lesson, new)
        added.append(lesson.title)
    for field in local_storage.LONGEST:
        if report[field] and not local_storage.mine(field):
            local_storage.keep_mine(field, report[field])
            state.drop(f"report_{field}")
    tokens = dict.fromkeys([*local_storage.mine("taken").split(), *report["tokens"]])
    tokens.pop(local_storage.token("report"), None)
    local_storage.keep_mine("taken", " ".join(list(tokens)[: MOST_TOKENS - 1]))
    sentence = f"Imported: {', '.join(added) or 'no lesson'}."
    if kept_locks:
        sentence += f" What you had locked in stays in {', '.join(kept_locks)}."
    return f"{sentence} {unread(report)}".strip()


def missing(report: Mapping) -> list[str]:
    """List up to two sentences: on lessons not started, and on missing parts of others."""
    new = []
    lacking = []
    for lesson in lessons():
        record = report["lessons"].get(lesson.id)
        if record is None:
            new.append(lesson.title)
            continue
        fields = [field for field in ("prediction", "reflection") if not record.get(field)]
        if lesson.challenge and not record.get("won"):
            fields.append("challenge")
        if fields:
            lacking.append(f"{lesson.title} ({', '.join(fields)})")
    sentences = []
    if new and "exemplar" not in report:
        sentences.append(f"Not started: {', '.join(new)}.")
    if lacking:
        sentences.append(f"Missing: {'; '.join(lacking)}.")
    return sentences


def worded(lesson: Lesson, settings: Mapping) -> dict[str, str]:
    """Return the settings that differ from their defaults as text, by label.

    Settings that are not valid for the lesson are returned as they are.
    """
    try:
        valid = read_settings(lesson.settings, settings)[0]
    except (ValueError, ArithmeticError):
        return {name: str(value) for name, value in settings.items()}
    knobs = knobs_of(lesson.settings)
    values = {name: getattr(valid, name) for name in knobs}
    return {
        knob.label: knob.words(values[name], values)
        for name, knob in knobs.items()
        if values[name] != default_of(lesson.settings, name)
    }


def answers(lesson: Lesson, record: Mapping) -> list[ledger.Answer]:
    """List a record's answers in the order of the lesson.

    A second vote is judged like the prediction; a skipped question is neither right nor wrong.
    """
    entries = []
    for kind, name in ANSWER_FIELDS.items():
        answer = record.get(name)
        if answer:
            question = question_of(lesson, kind)
            right = None
            if answer != state.SKIPPED:
                right = answer == question.right
            at = record.get(ledger.WHEN[name], "")
            entries.append(ledger.Answer(kind, question, answer, right, at))
    return entries


def question_of(lesson: Lesson, kind: str) -> Question:
    """Return the lesson's question for a kind of answer in `ANSWER_FIELDS`."""
    if kind == "Reflection":
        return lesson.reflection
    return lesson.prediction


def begun(report: Mapping) -> list[tuple[Lesson, Mapping]]:
    """List lesson and record for each lesson with a record in the report, in menu order."""
    records = report["lessons"]
    return [(lesson, records[lesson.id]) for lesson in lessons() if lesson.id in records]


def overview(records: Iterable[tuple[Lesson, Mapping]]) -> list[tuple[str, str, str, str]]:
    """List the rows of a table of the lessons' results, below a row of its headings."""
    rows = [("Lesson", "Prediction", "Reflection", "Challenge")]
    for lesson, record in records:
        marks = dict.fromkeys(ANSWER_FIELDS, "not answered")
        for answer in answers(lesson, record):
            marks[answer.kind] = answer_marks.mark(answer.kind, answer.right, record)
        challenge = "–"
        if "won" in record:
            challenge = "won"
        elif lesson.challenge:
            challenge = "not won"
        rows.append((lesson.title, marks["Prediction"], marks["Reflection"], challenge))
    return rows


def by_heading(lesson: Lesson, record: Mapping) -> dict[str, dict[str, str]]:
    """Return a record's results, settings, and winning settings, each under a heading."""
    sections = {"Results": record.get("results", {})}
    for heading, name in (("Settings", "settings"), ("Challenge won with", "won")):
        if name in record:
            sections[heading] = worded(lesson, record[name]) or {"Every setting": "at its default"}
    return sections


def option_text(question: Question, answer: str) -> str:
    """Return the text of an answer's option."""
    if answer == state.SKIPPED:
        return "shown without predicting"
    return question.option(answer).text


def model(lesson: Lesson, record: Mapping, kind: str) -> str:
    """Return the model's answer to a locked-in prediction or reflection; "" while it is hidden."""
    if kind == "Reflection":
        return _filled(lesson, lesson.reflection.option(lesson.reflection.right).text)
    hidden = ledger.is_curtained(lesson) and "reflection" not in record
    if kind == "Prediction" and not hidden:
        answer = record.get("prediction")
        if answer not in lesson.prediction.ids:
            answer = lesson.prediction.right
        test = lesson.prediction.option(answer).test
        with suppress(TooLong):
            return _filled(lesson, test.found if test else "")
    return ""


def takeaway(lesson: Lesson, record: Mapping) -> str:
    """Return the lesson's first takeaway once the second question is answered; "" before that."""
    if "reflection" not in record or not lesson.takeaways:
        return ""
    return _filled(lesson, lesson.takeaways[0])


def _filled(lesson: Lesson, text: str) -> str:
    """Return a text with the numbers of a lesson's own settings, without Markdown's escapes."""
    return fill(text, lesson.values(lesson.settings())).replace("\\$", "$")


def history(lesson: Lesson, record: Mapping) -> list[str]:
    """List one sentence for each changed answer of a record."""
    questions = {name: question for name, _, question in ledger.locks(lesson)}
    sentences = []
    for change in ledger.changes(lesson, record.get("changes")):
        question = questions[change["of"]]
        sentences.append(
            f"The locked {change['of']} was changed outside the lesson page, "
            f"{answer_marks.local(change['at'])}: from “{option_text(question, change['from'])}” "
            f"to “{option_text(question, change['to'])}”"
        )
    return sentences


def _checked(lesson: Lesson, record: Any) -> dict[str, Any]:
    """Return the valid fields of a file's record, judged anew; `ReportError` if one is invalid."""
    where = f"The file's record of “{lesson.title}”"
    if not isinstance(record, dict):
        raise ReportError(f"{where} is not a record.")
    entry = ledger.valid(lesson, record)
    for field, problem in ledger.FIELDS.items():
        if field in record and field not in entry:
            raise ReportError(f"{where} has {problem}.")
    for names in (("settings", "results"), ("won",), ("pins",)):
        fields = json.dumps([record.get(name) for name in names], ensure_ascii=False)
        if len(fields) > local_storage.MOST_FIELD:
            raise ReportError(f"{where} has more settings, results, or pins than this app saves.")
    return entry
