"""Minimal lesson, another view: jobs per hour against the jobs' length."""

import numpy as np

from lessons.minimal_lesson.settings import Fleet, say
from physics import constants as k
from ui.base.lesson import Figure, Grab
from ui.charts import Look, axes, line, marks, plane, stack

#: Ends of the axes [h, jobs per hour].
LEFT, RIGHT = (float(end or 0) / k.HOUR for end in (k.MINIMAL_LESSON_JOB_LENGTH.low, k.MINIMAL_LESSON_JOB_LENGTH.high))
TOP = 4096.0


def figure(fleet: Fleet, look: Look) -> Figure:
    """Jobs per hour against the mean job length, with the present settings."""
    hours = np.linspace(LEFT, RIGHT, 400)
    jobs, now = fleet.fleet / hours, fleet.throughput * k.HOUR
    curve = {"kind": "curve", "hours": hours[jobs <= TOP], "jobs": jobs[jobs <= TOP]}
    here = marks.point(fleet.job_length / k.HOUR, min(now, TOP), shape="circle" if now <= TOP else "triangle-up")
    frame = stack([curve, *marks.renamed([here], "hours", "jobs")])
    title, grab = "What do shorter jobs change?", Grab("job_length", float(k.HOUR))
    return Figure("length", title, frame, _spec(look), say("length_chart", fleet), grab=grab)


@plane
def _spec(look: Look) -> tuple:
    """Jobs per hour against hours."""
    x = axes.x("hours:Q", "mean job length (h)", [LEFT, RIGHT])
    return x, axes.y("jobs:Q", "jobs per hour", [0, TOP]), line("curve")
