"""Where the hours go: five lessons in one model, and why fewer GPUs can give results sooner."""

from lessons.where_the_hours_go import full, hours, more
from lessons.where_the_hours_go.elsewhere import port
from lessons.where_the_hours_go.laboratory import grows
from lessons.where_the_hours_go.settings import say
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[hours.view, full.view],
    further=[more.view],
    laboratory=[grows.view],
    challenge=hours.judge,
    places={"port": port, "workshop": port},
)
#: The repaired center with fewer GPUs, and three jobs in ten more than today.
GROWN = LESSON.view("grows").opens
