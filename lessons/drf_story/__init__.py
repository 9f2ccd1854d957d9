"""DRF story: which job gets the next executor of a shared pool, step by step, and what "fair"
means.
"""

from lessons.drf_story import cheat, pool, properties
from lessons.drf_story.elsewhere import shared
from lessons.drf_story.laboratory import lie, limits, own, shares
from lessons.drf_story.settings import say
from ui.base.lesson import Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("pool", pool), View("cheat", cheat)],
    further=[View("gpus", pool), View("properties", properties)],
    laboratory=[
        View("shares", shares),
        View("lie", lie),
        View("limits", limits),
        View("jobs", own),
    ],
    results=pool.results,
    challenge=cheat.judge,
    places=dict.fromkeys(("kitchen", "studio"), shared),
)
PRESETS = LESSON.presets
