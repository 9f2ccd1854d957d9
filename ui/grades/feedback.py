"""Feedback to students: one page per report, to read or print. No Streamlit here.

It says what was right and why, whether the challenge was won, and what the grader gave and wrote.
The grader's comments and everything from a report are escaped.
"""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape
from itertools import count

from physics import pace
from ui.base import state
from ui.base.lesson import Lesson, lessons
from ui.base.words import fill
from ui.grades import by_hand, tables
from ui.grades.course import Course, Scheme
from ui.grades.handed import Sheet
from ui.record import answer_marks, report, report_page, sheet

#: Longest name of a file [characters].
_LONGEST_NAME = 60


def archive(course: Course, scheme: Scheme) -> bytes:
    """Return a ZIP with one feedback page for each readable report."""
    buffer = io.BytesIO()
    used_names: set[str] = set()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as files:
        for handed in course.sheets:
            pace.step()
            files.writestr(_file(handed, used_names), to_html(handed, scheme))
    return buffer.getvalue()


def _file(handed: Sheet, used_names: set[str]) -> str:
    """Return a name for a report's page that is not in `used_names`, and add it to these."""
    name = re.sub(r"[^\w.@-]+", "-", handed.student).strip("-.")[:_LONGEST_NAME] or "report"
    unique = name
    for number in count(2):
        if unique.casefold() not in used_names:
            break
        unique = f"{name}-{number}"
    used_names.add(unique.casefold())
    return f"feedback-{unique}.html"


def to_html(handed: Sheet, scheme: Scheme) -> bytes:
    """Write a student's feedback page as HTML."""
    return sheet.page(f"Fleet What-If: feedback for {handed.student}", _body(handed, scheme))


def _body(handed: Sheet, scheme: Scheme) -> Iterator[str]:
    """Yield the HTML of a feedback page: points, then lesson by lesson, then the longer texts."""
    assigned = scheme.lessons()
    marks = by_hand.marks_of(handed, assigned, scheme.marks)
    yield f"<p><b>{scheme.points(handed):.2f} of {scheme.total:g} points</b></p>"
    for lesson in assigned:
        yield f"<h2>{escape(lesson.title)}</h2>"
        record = handed.records.get(lesson.id)
        if record is None:
            yield "<p>Your report has nothing on this lesson.</p>"
            continue
        yield from _answers(handed, lesson)
        if lesson.challenge:
            yield f"<p><b>Challenge</b>: {escape(tables.challenge(handed, lesson))}.</p>"
        difference = tables.differences(handed, lesson)
        if difference and lesson.id in handed.checked:
            yield f"<p><b>Where the model differs</b>: {escape(difference)}</p>"
        yield from _graded("Your notes", lesson.id, record.get("note", ""), marks)
    for section in by_hand.SECTIONS:
        text = handed.report[section]
        if text:
            yield f"<h2>{escape(report.TITLES[section])}</h2>"
            yield from _graded("You wrote", section, text, marks)


def _answers(handed: Sheet, lesson: Lesson) -> Iterator[str]:
    """Yield the HTML of each question, the student's answer, and why it is right or wrong."""
    for answer in handed.answers[lesson.id]:
        if answer.kind == "Second vote in class":
            continue
        mark = answer_marks.mark("Reflection", answer.right, {})
        yield report_page.answer_html(answer, f", {mark}")
        right = answer.question.right
        reasons = _feedback(lesson.id, answer.kind)
        if answer.option != state.SKIPPED:
            yield f"<p>{escape(reasons[answer.option])}</p>"
        if answer.option != right:
            correct = escape(answer.question.option(right).text)
            yield f"<p><b>Right answer</b>: {correct} {escape(reasons[right])}</p>"


@lru_cache(maxsize=128)
def _feedback(lesson_id: str, kind: str) -> Mapping[str, str]:
    """Return a lesson's feedback on each answer by option id, as plain text with its numbers."""
    lesson = next(lesson for lesson in lessons() if lesson.id == lesson_id)
    values = lesson.values(lesson.settings())
    texts = {}
    for option in report.question_of(lesson, kind).options:
        texts[option.id] = re.sub(r"[*`]|\\(?=\$)", "", fill(option.feedback, values))
    return texts


def _graded(
    title: str, section: str, text: str, marks: Mapping[str, by_hand.Mark]
) -> Iterator[str]:
    """Yield the HTML of a student's text, its points, and the grader's comment."""
    if text:
        quoted = f'<blockquote style="white-space:pre-wrap">{escape(text)}</blockquote>'
        yield f"<p><b>{title}</b></p>{quoted}"
    mark = marks.get(section)
    if mark and mark.points is not None:
        level = escape(by_hand.levels(section)[mark.points])
        yield f"<p><b>{mark.points} of {by_hand.FULL} points</b>: {level}</p>"
    if mark and mark.comment:
        yield f'<p class="alert">{escape(mark.comment)}</p>'
