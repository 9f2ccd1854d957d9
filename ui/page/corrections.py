"""The corrections of every lesson, each number computed at the moment by the lesson's own models."""

from ui.base.lesson import Lesson, lessons
from ui.base.words import fill


def corrected() -> list[Lesson]:
    """Return the lessons that correct something."""
    return [lesson for lesson in lessons() if lesson.corrections]


def rows(lesson: Lesson) -> list[tuple[str, str]]:
    """Compute a lesson's corrections: what the draft says, what the model finds."""
    values = lesson.values(lesson.settings())
    return [(fill(row.said, values), fill(row.found, values)) for row in lesson.corrections]


def table(rows: list[tuple[str, str]]) -> str:
    """Write rows as a Markdown table.

    >>> print(table([("at 95 % it is 20", "it is 19 | 20")]))
    | The draft says | The model finds |
    |---|---|
    | at 95 % it is 20 | it is 19 / 20 |
    """
    cells = [tuple(" ".join(text.split()).replace("|", "/") for text in row) for row in rows]
    return "\n".join(
        ["| The draft says | The model finds |", "|---|---|", *(f"| {said} | {found} |" for said, found in cells)]
    )
