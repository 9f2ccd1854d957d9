"""Spot training, animation: segments fill up, interruptions reset them, the bill grows."""

from functools import lru_cache

from lessons.spot_training.runs import play
from lessons.spot_training.settings import WORK, Plan, hours, say
from physics import constants as k
from physics import films
from ui.base import format as f
from ui.base.lesson import Film
from ui.films import Kind, Showing

#: Segments that the animation has a place for, and how many of them stand side by side.
PLACES = 120
COLUMNS = 20
#: Which of the eight runs is shown, from 0.
SHOWN = 0
KINDS = {
    "saved": Kind("work in a checkpoint", "s0"),
    "now": Kind("work not saved yet", "quiet"),
    "restart": Kind("restart", "s1"),
    "bill": Kind("bill", "faint"),
}


@lru_cache(maxsize=16)
def struck(plan: Plan) -> films.Film:
    """Make the animation of one run: the bill in the first row, and a box per segment below.

    A segment at work is a box of its own; it gives way to a saved one when its checkpoint is
    written, to a restart when it is interrupted. The film ends with the run, with its last place,
    or where the record of the run ends.
    """
    run = play(plan, SHOWN)
    boxes = []
    for begin, end, kind, first, last in run.rows.itertuples(index=False):
        if first >= PLACES:
            break
        each = (end - begin) / (last - first + 1)
        for number in range(first, min(last + 1, PLACES)):
            start = begin + (number - first) * each
            cell = COLUMNS + number
            until = start + each
            words = f"bill so far: {_bill(plan, start)}"
            boxes.append((0, COLUMNS - 1, start, until, "bill", words))
            now = "restart" if kind == "restart" else "now"
            boxes.append((cell, cell, start, until, now, ""))
            if kind == "kept":
                boxes.append((cell, cell, until, float("inf"), "saved", ""))
    shown = min(PLACES, -(-WORK // plan.interval))
    return films.film(
        COLUMNS + int(shown), 0.0, max(box[3] for box in boxes if box[4] == "bill"), boxes
    )


def showing(plan: Plan) -> Showing:
    """Return the animation with its captions."""
    played = struck(plan)
    values = {"end": hours(played.end), "bill": _bill(plan, played.end)}
    caption = say("film", plan, **values)
    alt = say("film_shows", plan, **values)
    return Showing(played, KINDS, caption, alt, COLUMNS, tall=175, queue=False)


def _bill(plan: Plan, time: float) -> str:
    """Write the cost of all nodes until a time [s]."""
    return f.money(plan.price * time / k.HOUR, 4)


view = Film("film", showing=showing)
