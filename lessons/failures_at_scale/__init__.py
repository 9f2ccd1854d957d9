"""Eight times the GPUs: failures multiply with the GPUs, so useful GPUs have a maximum."""

from lessons.failures_at_scale import curve, safe, spares
from lessons.failures_at_scale.elsewhere import choir, crew
from lessons.failures_at_scale.laboratory import published
from lessons.failures_at_scale.settings import say
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[curve.view],
    further=[spares.view, safe.view],
    laboratory=[published.view],
    challenge=curve.judge,
    places={"choir": choir, "crew": crew},
)
