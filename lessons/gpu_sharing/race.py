"""Sharing a GPU, second picture: progress bars of both jobs, alone and shared."""

from functools import lru_cache
from itertools import product

from lessons.gpu_sharing.neighbor import narrowed
from lessons.gpu_sharing.pair import verdict
from lessons.gpu_sharing.settings import Sharing, say
from physics import constants as k
from physics import films
from ui.base.lesson import Film
from ui.films import Kind, Showing

#: Squares of a progress bar, time of the work alone, and end of the animation [s].
SQUARES = 40
WORK = float(k.SHARE_RACE)
END = 22.0
KINDS = {
    "yours": Kind("your job", "s0"),
    "neighbor": Kind("its neighbor", "s3"),
    "open": Kind("work left", "faint"),
}


@lru_cache(maxsize=32)
def race(slowdown: float) -> films.Film:
    """Return the animation of four progress bars: two jobs alone, and both on one GPU."""
    boxes = []
    bars = product(("yours", "neighbor"), (("alone", WORK), ("shared", WORK * slowdown)))
    for number, (kind, (mode, time)) in enumerate(bars):
        name = f"{KINDS[kind].name} {mode}"
        first = 2 * number * SQUARES  # one empty row between two bars
        step = time / SQUARES
        for done in range(SQUARES):
            start = step * done
            end = start + step
            # The name is written on the longer part of the bar.
            labels = (name, "") if done > SQUARES / 2 else ("", name)
            if done > 0:
                boxes.append((first, first + done - 1, start, end, kind, labels[0]))
            boxes.append((first + done, first + SQUARES - 1, start, end, "open", labels[1]))
        boxes.append((first, first + SQUARES - 1, time, END, kind, f"{name}: done"))
    return films.film(7 * SQUARES, 0.0, END, boxes)


def showing(pair: Sharing) -> Showing:
    """Return the animation of the race with its captions."""
    style = {"tall": 190, "queue": False, "grid": False, "unit": 1.0, "unit_name": "s"}
    film = race(pair.slowdown)
    return Showing(film, KINDS, say("race", pair), say("race_shows", pair), SQUARES, **style)


view = Film("race", showing=showing, verdict=verdict, narrowed=narrowed)
