"""Placement: eight free GPUs are not a node, and how long a node is worth waiting for."""

from lessons.placement import chart, step, stream
from lessons.placement.laboratory import dimensions, film
from lessons.placement.settings import say, site
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[chart.view],
    further=[step.view, stream.view],
    laboratory=[film.view, dimensions.view],
    challenge=chart.judge,
    places={"crane": site, "bricks": site},
)
