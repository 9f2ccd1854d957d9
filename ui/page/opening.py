"""Open a lesson's page."""

from ui.base.device import on_phone
from ui.base.lesson import Lesson, lessons
from ui.knobs.declared import knobs_of
from ui.knobs.widgets import Knobs
from ui.page import prediction, shell
from ui.page.lesson_page import Page


def open_page(lesson: Lesson) -> Page:
    """Open a lesson's page: browser title, menu, title, question; its knobs are off until the lock."""
    look, query, entered = shell.open_lesson(lesson)
    knobs = Knobs(
        lesson=lesson.id,
        enabled=prediction.is_locked(lesson),
        query=query,
        entered=entered,
        lesson_ids=tuple(other.id for other in lessons()),
        main=main_knob(lesson) if on_phone() else "",
    )
    return Page(lesson, look, knobs)


def main_knob(lesson: Lesson) -> str:
    """Return the quantity whose knob stands under the chart on a phone; "" where a lesson has none."""
    drawn = (name for name, knob in knobs_of(lesson.settings).items() if knob.kind != "text" and not knob.group)
    return lesson.main or next(drawn, "")
