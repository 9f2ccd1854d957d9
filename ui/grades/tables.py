"""Output tables: one row per student, grade books for Canvas and Moodle, and a class overview.

Canvas reads Student, ID, SIS User ID, SIS Login ID and Section before the assignments, and a second
row with the points possible; a column named as one of the course's own, such as Notes, is no
assignment (Instructure, canvas-lms, lib/gradebook_importer.rb). Moodle lets staff map a column to
the e-mail address, which must be that of a user letter by letter, and another one to the feedback
(Moodle documentation, "Grade import").
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from physics import pace
from physics.texts import harmless
from ui.base import state
from ui.base.lesson import Lesson, lessons
from ui.base.words import Question
from ui.grades import by_hand
from ui.grades.alike import folded
from ui.grades.by_hand import Mark
from ui.grades.course import Course, Scheme, Sheet
from ui.record import answer_marks, report

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
#: Three parts of the points: what the browser says was answered when, what was judged again from
#: settings, and what staff gave to the texts.
SPLIT = ("Points: the student's word", "Points: computed again", "Points: by hand")
#: The first column: what should be looked at before anything is graded.
LOOK = "To check"
#: Names of columns that Canvas computes itself and leaves out of an import.
CANVAS_OWN = re.compile(r"(Current|Final|Override) (Score|Points|Grade|Status)")
#: Longest name of an assignment [characters].
MOST_ASSIGNMENT = 100
#: What a lesson asks, in the order of the columns.
KINDS = tuple(report.ANSWER_FIELDS)
#: What the table of students has of a lesson.
COLUMNS = [
    *(head for kind in KINDS for head in (kind, f"{kind}: right")),
    "Challenge",
    "Finished",
    "Differences",
    "Points for notes",
    "Comment on notes",
]


def written(rows: Iterable[Sequence[Any]]) -> str:
    """Write rows as CSV, with every text quoted and no spreadsheet formulas."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    for row in rows:
        pace.step()
        writer.writerow([harmless(str(cell)) for cell in row])
    return text.getvalue()


def students(course: Course, scheme: Scheme) -> list[list[str]]:
    """Return a header and one row per uploaded file; rejected files have a reason."""
    heads = [LOOK, "File", "Name", "Login", "Points", *SPLIT, "Refused because"]
    for section in by_hand.SECTIONS:
        heads += [f"{report.TITLES[section]}: points", f"{report.TITLES[section]}: comment"]
    rows = [heads + [f"{lesson.title}: {head}" for lesson in lessons() for head in COLUMNS]]
    for sheet in course.sheets:
        numbers = (scheme.points(sheet), *scheme.split(sheet), scheme.by_hand(sheet))
        points = [f"{number:.2f}" for number in numbers]
        marks = by_hand.marks_of(sheet, lessons(), scheme.marks)
        start = [to_look_at(sheet), sheet.file, sheet.name, sheet.login, *points, ""]
        for section in by_hand.SECTIONS:
            start += _marked(marks.get(section))
        for lesson in lessons():
            start += _cells(sheet, lesson, marks.get(lesson.id)).values()
        rows.append(start)
    for file, why in course.refused:
        cells = dict.fromkeys(rows[0], "") | {"File": file, "Refused because": why}
        rows.append([*cells.values()])
    return rows


def _marked(mark: Mark | None) -> list[str]:
    """Return a text's points and comment as cells."""
    if mark is None:
        return ["", ""]
    if mark.points is None:
        return ["", mark.comment]
    return [str(mark.points), mark.comment]


def _cells(sheet: Sheet, lesson: Lesson, mark: Mark | None) -> dict[str, str]:
    cells = dict.fromkeys(COLUMNS, "")
    for answer in sheet.answers[lesson.id]:
        cells[answer.kind] = answer.option
        if answer.option != state.SKIPPED:
            cells[answer.kind] = answer.question.letter(answer.option)
        cells[f"{answer.kind}: right"] = answer_marks.mark(answer.kind, answer.right, {})
    if lesson.id in sheet.records:
        cells["Challenge"] = challenge(sheet, lesson)
        cells["Finished"] = "no"
        if {"prediction", "reflection"} <= sheet.records[lesson.id].keys():
            cells["Finished"] = "yes"
        cells["Differences"] = differences(sheet, lesson)
    cells["Points for notes"], cells["Comment on notes"] = _marked(mark)
    return cells


def challenge(sheet: Sheet, lesson: Lesson) -> str:
    """Return the result of a lesson's challenge in words; "–" if the lesson has none."""
    if lesson.challenge is None:
        return "–"
    if "won" not in sheet.records[lesson.id]:
        return "not won"
    words = {
        None: "reported as won, not rechecked",
        True: "won",
        False: "reported as won, but not won when rechecked",
    }
    checked = sheet.checked.get(lesson.id)
    return words[checked and checked.won]


def differences(sheet: Sheet, lesson: Lesson) -> str:
    """Return the differences between a file's and the model's results in words.

    The result is "" if they agree.
    """
    checked = sheet.checked.get(lesson.id)
    if checked:
        return "; ".join(checked.differences)
    if lesson.id in sheet.records:
        return "not computed again yet"
    return ""


def to_look_at(sheet: Sheet) -> str:
    """Return what staff should check in a report: similarities, differences, and skipped lessons;
    "" if nothing.
    """
    differ = []
    for lesson in lessons():
        difference = differences(sheet, lesson)
        if difference:
            differ.append(f"{lesson.title}: {difference}")
    return "; ".join(filter(None, (*sheet.alike, *differ, report.unread(sheet.report))))


def doubts(course: Course, scheme: Scheme) -> Iterator[str]:
    """Yield warnings that the reports don't match the assignment: a missing lesson, or a frequent
    other lesson.
    """
    assigned = {lesson.id for lesson in scheme.lessons()}
    for lesson in lessons():
        share = sum(lesson.id in sheet.records for sheet in course.sheets) / len(course.sheets)
        if lesson.id in assigned and not share:
            yield f"No report has anything on “{lesson.title}”; everybody loses its points."
        elif lesson.id not in assigned and share > 0.5:
            yield f"Most reports have something on “{lesson.title}”, which does not count."


def check_assignment(name: str) -> str:
    """Return an assignment's name without surrounding spaces, or raise an error if it is invalid.

    `ValueError` says in one sentence: none, too long, of several lines, or a name that Canvas keeps
    for itself.
    """
    name = name.strip()
    if not name or len(name) > MOST_ASSIGNMENT or not name.isprintable():
        raise ValueError(
            f"The assignment needs a name of at most {MOST_ASSIGNMENT} characters on one line."
        )
    if CANVAS_OWN.search(name) or name in CANVAS:
        raise ValueError(
            f"The assignment cannot be called {name!r}: Canvas has a column of its own with that "
            "name."
        )
    return name


def canvas(course: Course, scheme: Scheme, assignment: str) -> list[list[str]]:
    """Return a grade book for Canvas: headers, points possible, and one row per student with a
    login or name.
    """
    rows = [
        [*CANVAS, assignment, "Notes"],
        ["    Points Possible", "", "", "", "", f"{scheme.total:g}", ""],
    ]
    for sheet, points, comment in _best(course, scheme):
        name = sheet.name or sheet.login
        if name:
            rows.append([name, "", "", sheet.login, "", f"{points:.2f}", comment])
    return _commented(rows)


def moodle(course: Course, scheme: Scheme, assignment: str) -> list[list[str]]:
    """Return a grade book for Moodle: one row per student whose login is an email address."""
    rows = [["Full name", "Email address", assignment, "Feedback"]]
    for sheet, points, comment in _best(course, scheme):
        if re.fullmatch(r"[^@\s]+@[^@\s]+", sheet.login):
            rows.append([sheet.name, sheet.login, f"{points:.2f}", comment])
    return _commented(rows)


def _commented(rows: list[list[str]]) -> list[list[str]]:
    """Return a grade book without its last column, the comments, if nobody has one."""
    if any(row[-1] for row in rows[1:]):
        return rows
    return [row[:-1] for row in rows]


def _best(course: Course, scheme: Scheme) -> Iterator[tuple[Sheet, float, str]]:
    """Of reports with one login yield the one with most points, these, and staff's comment: anyone
    can write another's login on a poor report.
    """
    best: dict[str, tuple[Sheet, float]] = {}
    for number, sheet in enumerate(course.sheets):
        key = folded(sheet.login) or f"\n{number}"
        points = scheme.points(sheet)
        if key not in best or points > best[key][1]:
            best[key] = sheet, points
    for sheet, points in best.values():
        yield sheet, points, by_hand.comment(sheet, scheme.lessons(), scheme.marks)


def counts(course: Course, lesson: Lesson) -> dict[str, Counter]:
    """Count a lesson's answers by kind and option; skipped questions don't count."""
    counters: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for sheet in course.sheets:
        pace.step()
        for answer in sheet.answers[lesson.id]:
            if answer.right is not None:
                counters[answer.kind][answer.option] += 1
    return counters


def tempting(question: Question, votes: Counter) -> str | None:
    """Return the most frequent wrong option, the first in a tie.

    The result is None if nobody chose a wrong one.
    """
    wrong = [option for option in question.ids if option != question.right and votes[option]]
    return max(wrong, key=votes.__getitem__, default=None)


def texts(course: Course, section: str, lesson: Lesson | None = None) -> list[tuple[str, str]]:
    """List author and text of one part of all reports, or of all records of a lesson."""
    rows = []
    for sheet in course.sheets:
        source = sheet.report
        if lesson:
            source = sheet.records.get(lesson.id, {})
        if source.get(section, "").strip():
            rows.append((who(sheet), source[section]))
    return rows


def who(sheet: Sheet) -> str:
    """Return a report's student name, or else the login, or else the file's name."""
    return sheet.name or sheet.login or sheet.file
