"""Drf story: what the lesson offers to the rest of the app."""

from lessons.drf_story import values as view
from ui.base.lesson import Lesson
from ui.record.report import bounded

LESSON = Lesson.of(
    "drf_story",
    settings=type(view.defaults()),
    read=lambda quantities: (view.settings(bounded(view.KNOBS, quantities)), ()),
    values=view.live_values,
    results=view.results,
)
