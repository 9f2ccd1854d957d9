"""Minimal lesson: how many jobs leave a full fleet in an hour."""

from lessons.minimal_lesson import fleet, length
from lessons.minimal_lesson.settings import say
from ui.base.lesson import Lesson, Preset, View

KNOBS = ("fleet", "job_length")

LESSON = Lesson.of(
    say,
    views=[View("fleet", fleet, KNOBS)],
    further=[View("length", length, KNOBS)],
    presets={"message": Preset(), "long": Preset({"job_length": 7200.0}, "length")},
    results={"Jobs per hour": "throughput:hourly"},
    challenge=fleet.judge,
)
