"""Sharing a GPU, second picture: progress bars of both jobs, alone and on one GPU, as an
animation.
"""

from dataclasses import replace
from functools import lru_cache

from lessons.gpu_sharing.pair import verdict
from lessons.gpu_sharing.settings import Sharing, say
from physics import constants as k
from physics.films import Film, film
from ui.films import Kind, Showing

__all__ = ["narrowed", "race", "showing", "verdict"]

#: Squares of a progress bar, time of the work alone, and end of the animation [s].
SQUARES = 40
WORK = float(k.SHARE_RACE)
END = 22.0
KINDS = {
    "yours": Kind("your job", "s0"),
    "neighbor": Kind("its neighbor", "s3"),
    "open": Kind("still to do", "faint"),
}


def narrowed(pair: Sharing) -> Sharing:
    """Both jobs on one GPU."""
    return replace(pair, together=True)


@lru_cache(maxsize=32)
def race(slowdown: float) -> Film:
    """The four progress bars of two jobs that take this many times as long on one GPU."""
    boxes = []
    for bar, (kind, name, time) in enumerate(
        (
            ("yours", "alone", WORK),
            ("yours", "shared", WORK * slowdown),
            ("neighbor", "alone", WORK),
            ("neighbor", "shared", WORK * slowdown),
        )
    ):
        first = bar * SQUARES
        for done in range(SQUARES + 1):
            start = time * done / SQUARES
            end = time * (done + 1) / SQUARES
            if done == SQUARES:
                end = END
                name += ": done"
            if done > 0:
                boxes.append((first, first + done - 1, start, end, kind, name))
            if done < SQUARES:
                boxes.append((first + done, first + SQUARES - 1, start, end, "open", ""))
    return film(4 * SQUARES, 0.0, END, boxes)


def showing(pair: Sharing) -> Showing:
    """The race with its words."""
    looks = {"tall": 190, "queue": False, "grid": False, "unit": 1.0, "unit_name": "s"}
    caption = say("race", pair)
    return Showing(race(pair.slowdown), KINDS, caption, say("race_shows", pair), SQUARES, **looks)
