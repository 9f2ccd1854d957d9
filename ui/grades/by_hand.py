"""Points that staff give by hand to students' texts. No Streamlit here.

Equal texts of one section count as one text, which is graded once. A mark is stored under a digest
of section and text. So it applies again when the same files are uploaded, and it does not say who
wrote the text.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from physics.texts import toml_beside
from ui.base.lesson import Lesson
from ui.grades.handed import Sheet
from ui.record import plain, report

#: Points of the best texts.
FULL = 2
#: Longest comment [characters].
LONGEST = 500
#: Sections that a report has only once, in addition to the notes on each lesson.
SECTIONS = ("rejected", "doubts")
#: Columns of the rubric's sentences, by points.
_LEVELS = {2: "full", 1: "half", 0: "nothing"}


class Mark(NamedTuple):
    """Staff's points and comment for a text."""

    points: int | None = None  #: 0, 1 or 2; None while only a comment was written
    comment: str = ""


@dataclass
class Text:
    """Text to grade, with all students who wrote it."""

    key: str  #: digest of section and text
    section: str  #: a lesson's id, or one of `SECTIONS`
    heading: str
    text: str
    sheets: list[Sheet] = field(default_factory=list)


@lru_cache(maxsize=1)
def rubric() -> Sequence[Mapping[str, Any]]:
    """Return the rows of the rubric, in the order of the report."""
    return toml_beside(__file__, "rubric.toml")["rows"]


def levels(section: str) -> dict[int, str]:
    """Return the rubric's sentences for a text, by points."""
    title = report.TITLES.get(section, "Notes")
    row = next(row for row in rubric() if row["heading"] == title)
    return {points: row[level] for points, level in _LEVELS.items()}


def key_of(section: str, text: str) -> str:
    """Return the storage key of a text's mark; the text's spaces and case don't matter.

    >>> key_of("trap", "The line  grows.") == key_of("trap", "the line grows. ")
    True
    """
    normalized = " ".join(text.split()).casefold()
    return hashlib.sha256(f"{section}\n{normalized}".encode()).hexdigest()[:16]


def texts_of(sheet: Sheet, assigned: Iterable[Lesson]) -> dict[str, str]:
    """Return a report's nonempty texts: notes by lesson id, others by name in `SECTIONS`."""
    texts = {section: sheet.report[section] for section in SECTIONS}
    notes = {lesson.id: sheet.records.get(lesson.id, {}).get("note", "") for lesson in assigned}
    return {section: text for section, text in (notes | texts).items() if text.strip()}


def texts(sheets: Iterable[Sheet], assigned: Sequence[Lesson]) -> list[Text]:
    """List the different texts to grade: notes lesson by lesson, then the other sections."""
    headings = heads(assigned)
    by_section: dict[str, dict[str, Text]] = {section: {} for section in headings}
    for sheet in sheets:
        for section, text in texts_of(sheet, assigned).items():
            key = key_of(section, text)
            group = by_section[section].setdefault(key, Text(key, section, headings[section], text))
            group.sheets.append(sheet)
    return [text for groups in by_section.values() for text in groups.values()]


def heads(assigned: Iterable[Lesson]) -> dict[str, str]:
    """Return the headings of all texts to grade, by lesson id or part."""
    titles = {lesson.id: f"Notes on “{lesson.title}”" for lesson in assigned}
    return titles | {section: report.TITLES[section] for section in SECTIONS}


def marks_of(
    sheet: Sheet, assigned: Iterable[Lesson], marks: Mapping[str, Mark]
) -> dict[str, Mark]:
    """Return the marks of a report's texts by section, without texts that have no mark."""
    keys = {section: key_of(section, text) for section, text in texts_of(sheet, assigned).items()}
    return {section: marks[key] for section, key in keys.items() if key in marks}


def earned(sheet: Sheet, assigned: Sequence[Lesson], marks: Mapping[str, Mark]) -> float:
    """Return the share of points that a report's texts have earned [1]; missing ones earn none."""
    points = sum(mark.points or 0 for mark in marks_of(sheet, assigned, marks).values())
    return points / (FULL * len(heads(assigned)))


def comment(sheet: Sheet, assigned: Sequence[Lesson], marks: Mapping[str, Mark]) -> str:
    """Return staff's points and comments on one line, a sentence per text."""
    headings = heads(assigned)
    words = []
    for section, mark in marks_of(sheet, assigned, marks).items():
        if mark == Mark():
            continue
        points = ""
        if mark.points is not None:
            points = f": {mark.points} of {FULL}"
        words += [f"{headings[section]}{points}.", *mark.comment.split()]
    return " ".join(words)


def to_json(mark: Mark) -> str:
    """Write a mark as JSON, for the browser."""
    return plain.encoded(mark._asdict())


def from_json(text: Any) -> Mark | None:
    """Parse a mark saved by a browser; None if the text is not a valid mark.

    >>> from_json('{"points": 2, "comment": "Good."}'), from_json('{"points": 3}'), from_json("[")
    (Mark(points=2, comment='Good.'), None, None)
    """
    with suppress(ValueError):
        match plain.decoded(text if isinstance(text, str) else ""):
            case {"points": int() | None as points, "comment": str() as words} if (
                points in (None, 0, 1, 2) and type(points) is not bool and len(words) <= LONGEST
            ):
                return Mark(points, words)
    return None
