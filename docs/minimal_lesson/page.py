"""Minimal lesson: how many jobs leave a full fleet in an hour."""

from lessons import MINIMAL_LESSON as LESSON
from lessons.minimal_lesson import charts, verdict
from lessons.minimal_lesson.settings import Fleet
from ui.page.lesson_page import open_page

page = open_page(LESSON)
page.start()
view = page.views()


@page.explore
def explore(fleet: Fleet) -> None:
    """All that a turn of a knob changes."""
    page.metrics(verdict.metrics(fleet))
    page.verdict(verdict.verdict(fleet))
    page.figure(charts.figure(fleet, page.look, view, page.guess))
    with page.below:
        page.challenge()


page.remedies()
page.explain()
page.close()
