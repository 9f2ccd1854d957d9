"""How heavy the films are: `python -m benchmarks.films`.

Each lesson that has a view "Film" is opened with its prediction committed and its settings as they open. What the page
sends to the player is weighed as it travels: bytes of JSON, boxes, waits, and the moments at which something changes.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from benchmarks.apptest import open_page
from lessons import LESSONS
from ui.base.lesson import Lesson
from ui.films.film import MOST

COLUMNS = ("film", "bytes", "of the most", "boxes", "waits", "moments", "places")


@dataclass(frozen=True)
class Row:
    """One film as the page sent it."""

    film: str
    weight: int  #: as JSON [B]
    boxes: int
    waits: int
    moments: int
    places: int

    @property
    def cells(self) -> tuple[str, ...]:
        """The row in words."""
        numbers = (self.boxes, self.waits, self.moments, self.places)
        return (self.film, f"{self.weight:,}", f"{self.weight / MOST:.0%}", *(f"{number:,}" for number in numbers))


def weighed(lesson: Lesson) -> Iterator[Row]:
    """Yield the films that a lesson's view "Film" sends."""
    app = open_page(lesson.page, lesson)
    next(group for group in app.get("button_group") if group.key == f"{lesson.id}_view").set_value("film")
    app.run()
    for player in app.get("bidi_component"):
        if "_film_" in player.proto.id:
            for sent in json.loads(player.proto.json)["films"]:
                weight = len(json.dumps(sent, separators=(",", ":"), ensure_ascii=False).encode())
                counts = (len(sent[name]) for name in ("boxes", "waiting", "moments"))
                yield Row(lesson.title, weight, *counts, sent["places"])


def table(rows: Iterable[Row]) -> str:
    """Write the rows as a Markdown table."""
    lines = [COLUMNS, ("---",) + ("--:",) * (len(COLUMNS) - 1), *(row.cells for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    print(table(row for lesson in LESSONS if "film" in lesson.views for row in weighed(lesson)))
