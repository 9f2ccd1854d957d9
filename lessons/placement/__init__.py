"""Placement: eight free GPUs are not a node, and how long a node is worth waiting for."""

from lessons.placement import chart, step, stream
from lessons.placement.laboratory import dimensions, film
from lessons.placement.settings import say, site
from ui.base.lesson import Film, Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("wait", chart)],
    further=[View("step", step), View("stream", stream)],
    laboratory=[Film("film", film), View("dimensions", dimensions)],
    challenge=chart.judge,
    places={"crane": site, "bricks": site},
)
