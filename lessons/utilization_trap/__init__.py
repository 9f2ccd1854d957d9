"""Utilization trap: why 1-hour jobs wait four hours on a healthy, busy fleet."""

from lessons.utilization_trap import chart, day, knee, order, settings
from lessons.utilization_trap.laboratory import simulation
from ui.base.lesson import Drafted, Lesson

LESSON = Lesson.of(
    settings.say,
    views=[chart.view, day.view],
    further=[knee.view, order.view],
    laboratory=[simulation.view],
    challenge=chart.judge,
    of_cluster=settings.of_cluster,
    drafted=Drafted(
        "v2_08",
        lambda _, answer, right: {"act1_prediction": answer or "not_set", "act1_correct": right},
    ),
)
