"""Scheduling policy: who waits under which policy, by simulating a fleet shared by three
classes.
"""

from lessons.scheduling_policy import elsewhere, film, goals, runs, tables, week
from lessons.scheduling_policy.laboratory import outage, parts
from lessons.scheduling_policy.settings import drafted, say
from ui.base.lesson import Drafted, Film, Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("queue", goals), View("week", week)],
    further=[View("four", tables.four), View("decision", tables.decision)],
    laboratory=[
        Film("film", film),
        View("waits", parts.shares),
        View("quotas", parts.quotas),
        View("score", parts.score),
        View("outage", outage),
    ],
    challenge=goals.judge,
    coarse=runs.coarse,
    drafted=Drafted("v2_08", drafted),
    places={"counter": elsewhere.counter, "presses": elsewhere.presses},
)
