"""Spot training: how often to write a checkpoint on nodes that may be interrupted, and the run's
cost.
"""

from lessons.spot_training import cost, film, notice
from lessons.spot_training.laboratory import elastic, mix, workers
from lessons.spot_training.settings import say
from ui.base.lesson import Film, Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("runs", cost), Film("film", film)],
    further=[View("valley", cost), View("faster", notice)],
    laboratory=[View("workers", workers), View("elastic", elastic), View("mix", mix)],
    challenge=cost.judge,
)
