"""Output tables: one row per student, grade books for Canvas and Moodle, and a class overview.

Canvas expects the columns Student, ID, SIS User ID, SIS Login ID and Section before the
assignments, and the possible points in the second row. It does not take a column as an assignment
if the course has a custom column of that name, such as Notes (Instructure, canvas-lms,
lib/gradebook_importer.rb). In Moodle, staff map one column to the e-mail address, which must be
exactly that of a user, and another one to the feedback (Moodle documentation, "Grade import").
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
#: Three parts of the points: from answers as the browser recorded them, from challenges judged
#: again with the reported settings, and from texts that staff graded.
SPLIT = ("Points: the student's word", "Points: computed again", "Points: by hand")
#: Header of the first column: what staff should check before they grade.
LOOK = "To check"
#: Pattern of columns that Canvas computes itself and ignores in an import.
CANVAS_OWN = re.compile(r"(Current|Final|Override) (Score|Points|Grade|Status)")
#: Longest name of an assignment [characters].
MOST_ASSIGNMENT = 100
#: Kinds of answers in a lesson, in the order of the columns.
KINDS = tuple(report.ANSWER_FIELDS)
#: Columns of each lesson in the table of students.
COLUMNS = [
    *(head for kind in KINDS for head in (kind, f"{kind}: right")),
    "Challenge",
    "Finished",
    "Differences",
    "Points for notes",
    "Comment on notes",
]


def to_csv(rows: Iterable[Sequence[Any]]) -> str:
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
        row = [to_look_at(sheet), sheet.file, sheet.name, sheet.login, *points, ""]
        for section in by_hand.SECTIONS:
            row += _mark_cells(marks.get(section))
        for lesson in lessons():
            row += _lesson_cells(sheet, lesson, marks.get(lesson.id)).values()
        rows.append(row)
    for file, why in course.refused:
        cells = dict.fromkeys(rows[0], "") | {"File": file, "Refused because": why}
        rows.append([*cells.values()])
    return rows


def _mark_cells(mark: Mark | None) -> list[str]:
    """Return the points and the comment of a text as two cells."""
    points, comment = mark or Mark()
    return ["" if points is None else str(points), comment]


def _lesson_cells(sheet: Sheet, lesson: Lesson, mark: Mark | None) -> dict[str, str]:
    """Return the cells of a lesson by `COLUMNS`."""
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
    cells["Points for notes"], cells["Comment on notes"] = _mark_cells(mark)
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
    """Return the differences between reported and recomputed results; "" if they agree."""
    checked = sheet.checked.get(lesson.id)
    if checked:
        return "; ".join(checked.differences)
    if lesson.id in sheet.records:
        return "not computed again yet"
    return ""


def to_look_at(sheet: Sheet) -> str:
    """Return what staff should check in a report; "" if nothing.

    This can be similarities with other reports, differing results, and lessons that were not read.
    """
    points = [*sheet.alike]
    for lesson in lessons():
        difference = differences(sheet, lesson)
        if difference:
            points.append(f"{lesson.title}: {difference}")
    return "; ".join(filter(None, (*points, report.unread(sheet.report))))


def doubts(course: Course, scheme: Scheme) -> Iterator[str]:
    """Yield warnings about assigned lessons in no report, and others in most reports."""
    assigned = {lesson.id for lesson in scheme.lessons()}
    for lesson in lessons():
        share = sum(lesson.id in sheet.records for sheet in course.sheets) / len(course.sheets)
        if lesson.id in assigned and not share:
            yield f"No report has anything on “{lesson.title}”; everybody loses its points."
        elif lesson.id not in assigned and share > 0.5:
            yield f"Most reports have something on “{lesson.title}”, which does not count."


def check_assignment(name: str) -> str:
    """Return an assignment's name without surrounding spaces.

    `ValueError` says in one sentence what is wrong: the name is missing, too long, has several
    lines, or is reserved by Canvas.
    """
    name = name.strip()
    if not name or len(name) > MOST_ASSIGNMENT or not name.isprintable():
        raise ValueError(
            f"The assignment needs a name of at most {MOST_ASSIGNMENT} characters on one line."
        )
    if CANVAS_OWN.search(name) or name in (*CANVAS, "Notes"):
        raise ValueError(
            f"The assignment cannot be called {name!r}: Canvas has a column of its own with that "
            "name."
        )
    return name


def canvas(course: Course, scheme: Scheme, assignment: str) -> list[list[str]]:
    """Return a grade book for Canvas: header, possible points, and a row per named student."""
    rows = [
        [*CANVAS, assignment, "Notes"],
        ["    Points Possible", "", "", "", "", f"{scheme.total:g}", ""],
    ]
    for sheet, points, comment in _best(course, scheme):
        name = sheet.name or sheet.login
        if name:
            rows.append([name, "", "", sheet.login, "", f"{points:.2f}", comment])
    return _without_empty_comments(rows)


def moodle(course: Course, scheme: Scheme, assignment: str) -> list[list[str]]:
    """Return a grade book for Moodle: one row per student whose login is an email address."""
    rows = [["Full name", "Email address", assignment, "Feedback"]]
    for sheet, points, comment in _best(course, scheme):
        if re.fullmatch(r"[^@\s]+@[^@\s]+", sheet.login):
            rows.append([sheet.name, sheet.login, f"{points:.2f}", comment])
    return _without_empty_comments(rows)


def _without_empty_comments(rows: list[list[str]]) -> list[list[str]]:
    """Return a grade book without its last column, the comments, if nobody has one."""
    if any(row[-1] for row in rows[1:]):
        return rows
    return [row[:-1] for row in rows]


def _best(course: Course, scheme: Scheme) -> Iterator[tuple[Sheet, float, str]]:
    """Yield each login's best report, its points, and staff's comment.

    The best one counts, because anyone can write another student's login on a poor report.
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
    """List author and text of a section in all reports, or in all records of a lesson."""
    rows = []
    for sheet in course.sheets:
        source = sheet.report
        if lesson:
            source = sheet.records.get(lesson.id, {})
        if source.get(section, "").strip():
            rows.append((sheet.student, source[section]))
    return rows
