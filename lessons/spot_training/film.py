"""Spot training, animation: segments of work are saved or lost while the bill grows."""

import math
from functools import lru_cache

from lessons.spot_training.runs import play
from lessons.spot_training.settings import WORK_TIME, Plan, hours, say
from physics import constants as k
from physics import films
from ui.base import format as f
from ui.base.lesson import Film
from ui.films import Kind, Showing

#: Most segments that the animation has cells for, and cells in a row.
CELLS = 120
COLUMNS = 20
#: Run that is played: its position among the eight, from 0.
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
    restarts after an interruption. Lost work leaves nothing in its cell. Work that a notice has
    saved does not mark its cell as saved, because the rest of the segment is still to be computed.
    The animation ends with the run, at the last cell, or where the record of the run ends.
    """
    run = play(plan, RUN)
    boxes = []  # rows with the columns of `films.BOXES`
    segment_end = 0.0
    for stretch in run.rows.itertuples(index=False):
        if stretch.first >= CELLS:
            break
        kind = "restart" if stretch.kind == "restart" else "now"
        length = (stretch.end - stretch.begin) / (stretch.last - stretch.first + 1)
        for segment in range(stretch.first, min(stretch.last + 1, CELLS)):
            segment_start = stretch.begin + (segment - stretch.first) * length
            segment_end = segment_start + length
            cell = COLUMNS + segment
            words = f"bill so far: {_bill(plan, segment_start)}"
            boxes.append((0, COLUMNS - 1, segment_start, segment_end, "bill", words))
            boxes.append((cell, cell, segment_start, segment_end, kind, ""))
            if stretch.kind == "kept":
                boxes.append((cell, cell, segment_end, math.inf, "saved", ""))
    segments = min(CELLS, math.ceil(WORK_TIME / plan.interval))
    return films.film(COLUMNS + segments, 0.0, segment_end, boxes)


def showing(plan: Plan) -> Showing:
    """Return the animation of one run with its caption and its description."""
    film = film_of(plan)
    values = {"end": hours(film.end), "bill": _bill(plan, film.end)}
    caption = say("film", plan, **values)
    alt = say("film_shows", plan, **values)
    return Showing(film, KINDS, caption, alt, COLUMNS, tall=175, queue=False)


def _bill(plan: Plan, time: float) -> str:
    """Return the cost of all nodes from the start of the run to a time [s], as a text."""
    return f.money(plan.price * time / k.HOUR, 4)


view = Film("film", showing=showing)
