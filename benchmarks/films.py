"""How heavy the films are: `python -m benchmarks.films`.

Each lesson that has a view "Film" is opened with its prediction committed and its settings as they open. What the page
sends to the player is weighed as it travels: bytes of JSON, boxes, waits, and the moments at which something changes.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from streamlit.testing.v1 import AppTest

from lessons import LESSONS
from ui.base.lesson import Lesson
from ui.films.film import MOST

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = ("film", "bytes", "of the most", "boxes", "waits", "moments", "places")


def weighed(lesson: Lesson) -> Iterator[tuple[str, ...]]:
    """Yield a row for each film that a lesson's view "Film" sends, in words."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.session_state["predictions"] = {lesson.id: lesson.prediction.right}
    app.run().switch_page(f"pages/{lesson.page}.py").run()
    next(group for group in app.get("button_group") if group.key == f"{lesson.id}_view").set_value("film")
    app.run()
    for player in app.get("bidi_component"):
        if "_film_" in player.proto.id:
            for sent in json.loads(player.proto.json)["films"]:
                weight = len(json.dumps(sent, separators=(",", ":"), ensure_ascii=False).encode())
                counts = (*(len(sent[name]) for name in ("boxes", "waiting", "moments")), sent["places"])
                yield lesson.title, f"{weight:,}", f"{weight / MOST:.0%}", *(f"{number:,}" for number in counts)


if __name__ == "__main__":
    rows = [row for lesson in LESSONS if "film" in lesson.views for row in weighed(lesson)]
    for cells in (COLUMNS, ("---",) + ("--:",) * (len(COLUMNS) - 1), *rows):
        print(f"| {' | '.join(cells)} |")
