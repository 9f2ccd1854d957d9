"""Utilization trap: why 1-hour jobs wait four hours on a healthy, busy fleet."""

from lessons.utilization_trap import chart, day, knee, order, settings
from lessons.utilization_trap.laboratory import simulation
from ui.base.lesson import Drafted, Film, Lesson, View

LESSON = Lesson.of(
    settings.say,
    views=[View("wait", chart), Film("film", day)],
    further=[View("knee", knee), View("order", order)],
    laboratory=[View("spread", simulation)],
    challenge=chart.judge,
    of_cluster=settings.of_cluster,
    drafted=Drafted(
        "v2_08",
        lambda _, answer, right: {"act1_prediction": answer or "not_set", "act1_correct": right},
    ),
)
