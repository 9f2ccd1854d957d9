"""Minimal lesson: how many jobs leave a full fleet in an hour."""

from lessons.minimal_lesson import fleet, length
from lessons.minimal_lesson.settings import Fleet, say
from ui.base.lesson import Lesson, Preset, View

KNOBS = ("fleet", "job_length")

LESSON = Lesson.of(
    "minimal_lesson",
    Fleet,
    say,
    views=[View("fleet", fleet, knobs=KNOBS, verdict="verdict"), View("length", length, part=2, knobs=KNOBS)],
    presets={"message": Preset(), "short": Preset(changes={"job_length": 1800.0}, view="length")},
    results={"Jobs per hour": "throughput:hourly"},
    challenge=fleet.judge,
)
