"""Every challenge can be won by somebody who only turns knobs, and opens no cure and no best setting on the way."""

import re

import pytest
from browsing import settle
from playwright.sync_api import Page, expect

from lessons import LESSONS
from ui.base.lesson import Lesson
from ui.knobs.declared import knobs_of
from ui.knobs.widgets import slug

BY_ID = {lesson.id: lesson for lesson in LESSONS}
#: What is done in each lesson, in order: a preset, a view or a button is pressed, or a knob turned to a value [SI].
WINS = {
    "trap": {"utilization": 0.9, "gpus_per_job": 78},
    "policy": {"backfill": "easy", "order": "priority", "reserved": 40, "button": "simulate"},
    "io": {"accelerators": 384, "workers": 2, "packing": 16, "storage_nodes": 2},
    "storage": {"preset": "shards", "storage_nodes": 79},
    "drf": {"executors": 30, "cpu": 186, "mem": 1040e9},
    "notebooks": {"combination": "ABCD", "copies": 2, "overhead": 2.0, "loss": 0.2, "cores": 26},
    "autoscale": {"preset": "day", "target": 0.68},
    "spot": {"nodes": 4, "interval": 1200.0},
    "slices": {"one": 0, "three": 0, "one_wide": 1, "two": 1, "four": 1},
    "fair": {"view": "aging", "load": 0.85, "aging_ratio": 15.0},
    "place": {"preset": "five", "rule": "best", "whole": False, "between": 25e9},
    "share": {"view": "puzzle"} | {f"job_{job}": gpu for job, gpu in zip("abcdefgh", "12344213", strict=True)},
    "trial": {"preset": "three", "way": "replay"},
}


def turn(page: Page, lesson: Lesson, name: str, value: object) -> None:
    """Turn one knob as a visitor does: with arrows, by choosing, by typing or by switching."""
    declared, key = knobs_of(lesson.settings)[name], f"{lesson.id}_{name}"
    knob = page.locator(f".st-key-{key}").first
    if not knob.is_visible():
        group = declared.place({})
        page.locator(f".st-key-{lesson.id}_{group.name or slug(group.title)} summary").click()
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
    elif declared.kind == "choice":
        knob.locator("input").click()
        page.keyboard.type(declared.choices({})[value])
        page.keyboard.press("Enter")
    elif declared.kind == "segmented":
        knob.get_by_role("radio", name=declared.choices({})[value], exact=True).click()
    else:
        knob.locator("label").first.click()
    settle(page)


def do(page: Page, lesson: Lesson, what: str, value: object) -> None:
    """Do one step of the way."""
    if what == "preset":
        page.locator(f".st-key-{lesson.id}_presets button").click()
        page.locator(f".st-key-{lesson.id}_preset_{value} button").click()
    elif what == "view":
        page.locator(f".st-key-{lesson.id}_view").get_by_role("radio", name=lesson.views[value]).click()
    elif what == "button":
        page.locator(f".st-key-{lesson.id}_{value} [data-testid^=stBaseButton]:visible").click()
    else:
        turn(page, lesson, what, value)
    settle(page)


def test_there_is_a_way_for_every_challenge():
    assert set(WINS) == {lesson.id for lesson in LESSONS if lesson.challenge}


@pytest.mark.parametrize("name", WINS)
def test_a_challenge_is_won_by_turning_knobs_alone(open_at, page, name):
    lesson = BY_ID[name]
    page.set_viewport_size({"width": 1280, "height": 720})
    open_at(lesson.page)
    page.locator("label:has(input[type=radio])").first.click()
    settle(page)
    page.get_by_role("button", name="Lock in my prediction").click()
    settle(page)
    won = page.get_by_test_id("stMain").get_by_text(re.compile(r"\bWon\b"))
    expect(won).to_have_count(0)
    for what, value in WINS[name].items():
        do(page, lesson, what, value)
    expect(won.first).to_be_visible()
    assert not page.get_by_test_id("stException").count()
