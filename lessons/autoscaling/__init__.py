"""Autoscaling: whether adding and removing replicas settles, and other policies."""

from lessons.autoscaling import flapping, following, utilization
from lessons.autoscaling.laboratory import backoff, batch, film, forecast, reserve, several
from lessons.autoscaling.settings import say
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[utilization.view, flapping.view],
    further=[following.view],
    laboratory=[film.view, several.view, backoff.view, forecast.view, batch.view, reserve.view],
    challenge=utilization.judge,
)
