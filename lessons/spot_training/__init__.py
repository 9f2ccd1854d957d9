"""Spot training: how often to write a checkpoint on spot nodes, and the run's cost."""

from lessons.spot_training import cost, film
from lessons.spot_training.laboratory import elastic, mix, workers
from lessons.spot_training.settings import say
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[cost.view, film.view],
    further=[cost.valley, cost.notice],
    laboratory=[workers.view, elastic.view, mix.view],
    challenge=cost.judge,
)
