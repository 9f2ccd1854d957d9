"""Minimal lesson, the message's view: jobs per hour against the fleet's size; and the challenge."""

import numpy as np

from lessons.minimal_lesson.settings import Fleet, hourly, say
from physics import constants as k
from ui.base.lesson import Figure, Grab, Verdict
from ui.charts import Look, axes, line, marks, plane, stack
from ui.knobs import remedies as search

#: Ends of the axes [GPUs, jobs per hour]; a point above the top is an arrow at the edge.
RIGHT, TOP = float(k.MINIMAL_LESSON_FLEET.high or 0), 4096.0
#: Jobs per hour that the options of the message's question mean.
GUESSES = {"a": 43.0, "b": 512.0, "c": 1024.0, "d": 2048.0}


def figure(fleet: Fleet, look: Look, guess: str | None = None) -> Figure:
    """Jobs per hour against GPUs, with the present settings and the visitor's guess."""
    gpus, now = np.linspace(0, RIGHT, 200), fleet.throughput * k.HOUR
    jobs = gpus / fleet.job_length * k.HOUR
    curve = {"kind": "curve", "gpus": gpus[jobs <= TOP], "jobs": jobs[jobs <= TOP]}
    shape = "circle" if now <= TOP else "triangle-up"
    rows = [
        marks.point(fleet.fleet, min(now, TOP), shape=shape, role="here"),
        marks.label(fleet.fleet, min(now, TOP), f"{hourly(fleet.throughput)} per hour", dx=10, dy=12, bold=True),
    ]
    if guess in GUESSES:
        rows.append(marks.point(Fleet().fleet, GUESSES[guess], size=260, tone="paper", rim="quiet", rim_width=2))
        rows.append(marks.label(Fleet().fleet, GUESSES[guess], "you said", tone="quiet", align="right", dx=-13))
    frame, title = stack([curve, *marks.renamed(rows, "gpus", "jobs")]), "How many jobs leave the fleet in an hour?"
    return Figure("fleet", title, frame, _spec(look), say("fleet_chart", fleet), ("curve",), Grab("fleet"))


@plane
def _spec(look: Look) -> tuple:
    """Jobs per hour against GPUs."""
    return axes.x("gpus:Q", "GPUs", [0, RIGHT]), axes.y("jobs:Q", "jobs per hour", [0, TOP]), line("curve")


def remedies(fleet: Fleet) -> str:
    """The smallest change of each knob that alone meets the target, in words; "" where it is met."""
    return search.told(say, fleet, lambda tried: tried.enough, ("fleet", "job_length"))


def judge(fleet: Fleet) -> Verdict:
    """Say whether the challenge is won, and by how much it is missed."""
    if fleet.fleet > k.MINIMAL_LESSON_MOST:
        return Verdict(say("too_many", fleet), False)
    return Verdict(say("won" if fleet.enough else "too_few", fleet), fleet.enough)
