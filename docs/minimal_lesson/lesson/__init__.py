"""Minimal lesson: how many jobs leave a full fleet in an hour."""

from lessons.minimal_lesson import charts, settings, values, verdict
from ui.base.lesson import Challenge, Lesson, Preset

LESSON = Lesson.of(
    "minimal_lesson",
    settings=settings.Fleet,
    presets={
        "message": Preset("The message's fleet"),
        "short": Preset("Jobs of half an hour", {"job_length": 1800.0}, view="length"),
    },
    values=values.live_values,
    results=values.results,
    metrics=verdict.metrics,
    verdict=verdict.verdict,
    remedies=verdict.remedies,
    views=charts.VIEWS,
    challenge=Challenge(verdict.task, verdict.judge),
)
