"""Challenges can be won by somebody who only turns knobs, and opens no cure and no best setting on the way.

One by day and two nightly, with every kind of knob between them; `tests/ui/test_challenges.py` wins all, as a script.
"""

import re

import pytest
from browsing import press, settle, sound
from driving import BY_ID
from playwright.sync_api import Page, expect
from winning import way

from ui.base.lesson import Lesson
from ui.knobs.declared import knobs_of

#: Between them: sliders, steps, a box to type into and a choice.
NAMES = ["io", *(pytest.param(name, marks=pytest.mark.nightly) for name in ("place", "fair"))]


def turn(page: Page, lesson: Lesson, name: str, value: object) -> None:
    """Turn one knob as a visitor does: with arrows, by choosing or by typing."""
    declared, key = knobs_of(lesson.settings)[name], f"{lesson.id}_{name}"
    knob = page.locator(f".st-key-{key}").first
    if declared.kind in ("slider", "steps"):
        values, handle = declared.values({}), knob.locator("[role=slider], input[type=range]").first
        at = min(range(len(values)), key=lambda place: abs(values[place] - value))
        near = at <= len(values) / 2
        handle.press("Home" if near else "End")
        for _ in range(at if near else len(values) - 1 - at):
            handle.press("ArrowRight" if near else "ArrowLeft")
    elif declared.kind == "number":
        knob.locator("input").fill(f"{value / declared.unit:.10g}")
        knob.locator("input").press("Enter")
    else:
        knob.locator("input").click()
        page.keyboard.type(declared.choices({})[value])
        page.keyboard.press("Enter")
    settle(page)


@pytest.mark.parametrize("name", NAMES)
def test_a_challenge_is_won_by_turning_knobs_alone(open_at, page, name):
    lesson = BY_ID[name]
    open_at(lesson.page)
    page.locator("label:has(input[type=radio])").first.click()
    settle(page)
    press(page, "Lock in my prediction")
    won = page.get_by_test_id("stMain").get_by_text(re.compile(r"\bWon\b"))
    expect(won).to_have_count(0)
    for what, value in way(name):
        if what == "button":
            page.locator(f".st-key-{lesson.id}_{value} [data-testid^=stBaseButton]:visible").click()
            settle(page)
        else:
            turn(page, lesson, what, value)
    expect(won.first).to_be_visible()
    sound(page)
