"""DRF story: which job gets the next executor of a shared pool, and what "fair" means."""

from lessons.drf_story import cheat, pool, properties
from lessons.drf_story.elsewhere import shared
from lessons.drf_story.laboratory import lie, limits, own, shares
from lessons.drf_story.settings import say
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[pool.view, cheat.view],
    further=[pool.gpus, properties.view],
    laboratory=[shares.view, lie.view, limits.view, own.view],
    results=pool.results,
    challenge=cheat.judge,
    places=dict.fromkeys(("kitchen", "studio"), shared),
)
PRESETS = LESSON.presets
