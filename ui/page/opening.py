"""Open a lesson's page."""

from ui.base.device import on_phone
from ui.base.lesson import Lesson, menu
from ui.knobs.widgets import Knobs
from ui.page import prediction, shell
from ui.page.lesson_page import Page


def open_page(lesson: Lesson) -> Page:
    """Draw the top of a lesson's page, and return the page with its knobs.

    The knobs are disabled until the prediction is locked in.
    """
    look, query, entered = shell.open_lesson(lesson)
    ids = tuple(other.id for other in menu())
    enabled = prediction.is_locked(lesson)
    knobs = Knobs(lesson.id, enabled, query, entered, lesson.settings, ids)
    knobs.under_picture = on_phone()
    return Page(lesson, look, knobs)
