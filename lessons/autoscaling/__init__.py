"""Autoscaling: whether adding and removing replicas settles, and how other policies follow a
changing load.
"""

from lessons.autoscaling import flapping, following, utilization
from lessons.autoscaling.laboratory import backoff, batch, film, forecast, reserve, several
from lessons.autoscaling.settings import say
from ui.base.lesson import Film, Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("utilization", utilization), View("flapping", flapping)],
    further=[View("fleet", following)],
    laboratory=[
        Film("film", film),
        View("several", several),
        View("backoff", backoff),
        View("forecast", forecast),
        View("batch", batch),
        View("reserve", reserve),
    ],
    challenge=utilization.judge,
)
