"""A challenge can be won by somebody who only turns knobs, and opens no cure and no best setting on
the way.

`tests/ui/test_challenges.py` wins all, as a script; `test_taps.py` wins the puzzle.
"""

import re

from browsing import press, settle, sound
from driving import BY_ID
from playwright.sync_api import Page, expect
from winning import way

from ui.base.lesson import Lesson
from ui.knobs.declared import knobs_of


def turn(page: Page, lesson: Lesson, name: str, value: object) -> None:
    """Turn one knob as a visitor does: with arrows, from the nearer end."""
    values = knobs_of(lesson.settings)[name].values({})
    knob = page.locator(f".st-key-{lesson.id}_{name}").first
    handle = knob.locator("[role=slider], input[type=range]").first
    at = min(range(len(values)), key=lambda place: abs(values[place] - value))
    near = at <= len(values) / 2
    handle.press("Home" if near else "End")
    for _ in range(at if near else len(values) - 1 - at):
        handle.press("ArrowRight" if near else "ArrowLeft")
    settle(page)


def test_a_challenge_is_won_by_turning_knobs_alone(open_at, page):
    lesson = BY_ID["place"]
    open_at(lesson.page)
    page.locator("label:has(input[type=radio])").first.click()
    settle(page)
    press(page, "Lock in my prediction")
    won = page.get_by_test_id("stMain").get_by_text(re.compile(r"\bWon\b"))
    expect(won).to_have_count(0)
    for what, value in way(lesson.id):
        if what == "button":
            page.locator(f".st-key-{lesson.id}_{value} [data-testid^=stBaseButton]:visible").click()
            settle(page)
        else:
            turn(page, lesson, what, value)
    expect(won.first).to_be_visible()
    sound(page)
