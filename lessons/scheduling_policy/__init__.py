"""Scheduling policy: who waits under which policy on a fleet shared by three classes."""

from lessons.scheduling_policy import elsewhere, film, goals, runs, tables, week
from lessons.scheduling_policy.laboratory import outage, parts
from lessons.scheduling_policy.settings import drafted, say
from ui.base.lesson import Drafted, Lesson

LESSON = Lesson.of(
    say,
    views=[goals.view, week.view],
    further=[tables.four, tables.decision],
    laboratory=[film.view, parts.shares, parts.quotas, parts.score, outage.view],
    challenge=goals.judge,
    coarse=runs.coarse,
    drafted=Drafted("v2_08", drafted),
    places={"counter": elsewhere.counter, "presses": elsewhere.presses},
)
