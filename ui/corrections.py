"""The corrections of every lesson, each number computed at the moment by the lesson's own models."""

import importlib
from collections.abc import Iterator

from ui.words import Lesson, fill, lessons


def sections() -> Iterator[tuple[Lesson, list[tuple[str, str]]]]:
    """Yield each lesson that corrects something, with its rows: what the draft says, what the model finds."""
    for lesson in lessons():
        if lesson.corrections:
            view = importlib.import_module(f"ui.views.{lesson.page}")
            values = view.live_values(view.defaults())
            yield lesson, [(fill(row.said, values), fill(row.found, values)) for row in lesson.corrections]


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
