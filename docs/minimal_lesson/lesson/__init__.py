"""Minimal lesson: how many jobs leave a full fleet in an hour."""

from lessons.minimal_lesson import fleet, length
from lessons.minimal_lesson.settings import say
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[fleet.view],
    further=[length.view],
    challenge=fleet.judge,
)
