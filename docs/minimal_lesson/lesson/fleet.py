"""Minimal lesson, main view: jobs per hour against the fleet's size; and the challenge."""

import numpy as np

from lessons.minimal_lesson.settings import Fleet, hourly, say
from physics import constants as k
from ui.base.lesson import Grab, Verdict, View
from ui.charts import axes, line, marks, picture
from ui.knobs import remedies as search

#: Right end of the chart [GPUs], and its top [jobs per hour]; a higher point is an arrow there.
RIGHT = float(k.MINIMAL_LESSON_FLEET.high or 0)
TOP = 8192.0
#: Jobs per hour that each option of the message's question means.
GUESSES = {"a": 500.0, "b": 1000.0, "c": 2000.0, "d": 4000.0}


@picture(
    say,
    "fleet",
    "How many jobs leave the fleet in an hour?",
    axes.x("gpus:Q", "GPUs", [0, RIGHT]),
    axes.y("jobs:Q", "jobs per hour", [0, TOP]),
    line("curve"),
    lines=("curve",),
    grab=Grab("fleet"),
)
def figure(fleet: Fleet, guess: str | None = None) -> list[marks.Row]:
    """Jobs per hour against GPUs, with a point for the settings and one for the visitor's guess."""
    gpus = np.linspace(0, RIGHT, 200)
    jobs = gpus / fleet.job_length * k.HOUR
    current = fleet.throughput * k.HOUR
    words = f"{hourly(fleet.throughput)} per hour"
    rows = [
        {"kind": "curve", "x": gpus[jobs <= TOP], "y": jobs[jobs <= TOP]},
        *marks.here(fleet.fleet, current, words, top=TOP, dx=10, dy=12),
    ]
    if guess in GUESSES:
        rows += marks.guess(Fleet().fleet, GUESSES[guess], "you said", dx=-13)
    return rows


def remedies(fleet: Fleet) -> str:
    """List the smallest change of each knob that meets the target; "" if it is met."""
    return search.fix_sentence(say, fleet, lambda tried: tried.enough, ("fleet", "job_length"))


def judge(fleet: Fleet) -> Verdict:
    """Return the verdict on the challenge: won, or the goal that is missed."""
    if fleet.fleet > k.MINIMAL_LESSON_MOST:
        return Verdict(say("too_many", fleet), False)
    return Verdict(say("won" if fleet.enough else "too_few", fleet), fleet.enough)


view = View("fleet", figure=figure, remedies=remedies)
