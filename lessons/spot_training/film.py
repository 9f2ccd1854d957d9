"""Spot training, animation: segments of work are saved or lost while the bill grows."""

import math
from functools import lru_cache

from lessons.spot_training.runs import play
from lessons.spot_training.settings import WORK, Plan, hours, say
from physics import constants as k
from physics import films
from ui.base import format as f
from ui.base.lesson import Film
from ui.films import Kind, Showing

#: Number of segments that the animation has cells for, and cells in a row.
CELLS = 120
COLUMNS = 20
#: Number of the played run among the eight, from 0.
RUN = 0
KINDS = {
    "saved": Kind("work in a checkpoint", "s0"),
    "now": Kind("work not saved yet", "quiet"),
    "restart": Kind("restart", "s1"),
    "bill": Kind("bill", "faint"),
}


@lru_cache(maxsize=16)
def film_of(plan: Plan) -> films.Film:
    """Make the animation of one run: the bill in the first row, and below a cell per segment.

    A cell shows that its segment is being computed, then that it is saved, or that the run
    restarts after an interruption. The animation ends with the run, at the last cell, or where the
    record of the run ends.
    """
    run = play(plan, RUN)
    boxes = []
    end = 0.0
    for stretch in run.rows.itertuples(index=False):
        if stretch.first >= CELLS:
            break
        length = (stretch.end - stretch.begin) / (stretch.last - stretch.first + 1)
        for number in range(stretch.first, min(stretch.last + 1, CELLS)):
            start = stretch.begin + (number - stretch.first) * length
            end = start + length
            cell = COLUMNS + number
            kind = "restart" if stretch.kind == "restart" else "now"
            boxes += [
                (0, COLUMNS - 1, start, end, "bill", f"bill so far: {_bill(plan, start)}"),
                (cell, cell, start, end, kind, ""),
            ]
            if stretch.kind == "kept":
                boxes.append((cell, cell, end, float("inf"), "saved", ""))
    segments = min(CELLS, math.ceil(WORK / plan.interval))
    return films.film(COLUMNS + segments, 0.0, end, boxes)


def showing(plan: Plan) -> Showing:
    """Return the animation with its captions."""
    film = film_of(plan)
    values = {"end": hours(film.end), "bill": _bill(plan, film.end)}
    caption = say("film", plan, **values)
    alt = say("film_shows", plan, **values)
    return Showing(film, KINDS, caption, alt, COLUMNS, tall=175, queue=False)


def _bill(plan: Plan, time: float) -> str:
    """Write the cost of all nodes until a time [s]."""
    return f.money(plan.price * time / k.HOUR, 4)


view = Film("film", showing=showing)
