"""Minimal lesson, further view: jobs per hour against the jobs' length."""

import numpy as np

from lessons.minimal_lesson.settings import Fleet, say
from physics import constants as k
from ui.base.lesson import Grab, View
from ui.charts import axes, line, marks, picture

#: Ends of the chart [h], and its top [jobs per hour].
LEFT = float(k.MINIMAL_LESSON_JOB_LENGTH.low or 0) / k.HOUR
RIGHT = float(k.MINIMAL_LESSON_JOB_LENGTH.high or 0) / k.HOUR
TOP = 4096.0


@picture(
    say,
    "length",
    "What do shorter jobs change?",
    axes.x("hours:Q", "mean job length (h)", [LEFT, RIGHT]),
    axes.y("jobs:Q", "jobs per hour", [0, TOP]),
    line("curve"),
    grab=Grab("job_length", float(k.HOUR)),
)
def figure(fleet: Fleet) -> list[marks.Row]:
    """Jobs per hour against the mean job length, with a point for the settings."""
    hours = np.linspace(LEFT, RIGHT, 400)
    jobs = fleet.fleet / hours
    current = fleet.throughput * k.HOUR
    curve = {"kind": "curve", "x": hours[jobs <= TOP], "y": jobs[jobs <= TOP]}
    return [curve, *marks.here(fleet.job_length / k.HOUR, current, "you are here", top=TOP, dx=10)]


view = View("length", figure=figure)
