"""Notebook sharing: the start of the second notebook is dragged, and the picture follows before the server answers."""

from browsing import DESK, PHONE, locked, settle
from playwright.sync_api import expect

from lessons import NOTEBOOK_SHARING as LESSON

KEY = "notebooks_second_start"


def opened(browser, server, options):
    """The lesson's page after the lock, and a function that says where a moment [s] is in the picture."""
    context = browser.new_context(**options)
    locked(context, LESSON)
    page = context.new_page()
    page.goto(f"{server.url}/{LESSON.page}")
    chart = page.get_by_test_id("stVegaLiteChart").first
    expect(chart.locator("svg").first).to_be_visible()
    settle(page)
    bands = chart.locator(".grab_marks path")
    first, last = bands.first.bounding_box(), bands.last.bounding_box()

    def at(moment: float) -> tuple[float, float]:
        left, right = first["x"], last["x"] + last["width"]
        return left + moment / 210 * (right - left), first["y"] + 0.4 * first["height"]

    return context, page, chart, at


def heard(page, moment: int) -> None:
    """Wait until the server has it."""
    page.wait_for_function(
        "([key, at]) => new URLSearchParams(location.search).get(key) === at", arg=[KEY, str(moment)]
    )
    settle(page)


def test_the_picture_follows_the_pointer_and_the_numbers_follow_on_release(browser, server):
    context, page, chart, at = opened(browser, server, DESK)
    words, number = chart.locator("svg text"), page.get_by_test_id("stMetricValue")
    drawn = chart.locator("svg").first.element_handle()
    page.mouse.move(*at(2))
    page.mouse.down()
    for moment, done in ((21, "1 done: 100 s"), (41, "1 done: 80 s"), (30, "1 done: 90 s")):
        page.mouse.move(*at(moment), steps=4)
        expect(words.filter(has_text=done)).to_be_visible()
    assert KEY not in page.url and number.nth(2).inner_text() == "1.5"
    page.mouse.up()
    heard(page, 30)
    expect(number.nth(2)).to_have_text("1.25")
    page.get_by_role("slider", name="Notebook 2 starts after (s)").first.press("ArrowRight")
    heard(page, 35)
    expect(words.filter(has_text="1 done: 85 s")).to_be_visible()
    assert chart.locator("svg").first.evaluate("(node, before) => node === before", drawn), "the chart was built again"
    context.close()


def test_a_tap_on_a_phone_moves_the_start(browser, server):
    context, page, chart, at = opened(browser, server, PHONE | {"has_touch": True})
    page.touchscreen.tap(*at(41))
    heard(page, 40)
    expect(chart.locator("svg text").filter(has_text="1: 80 s")).to_be_visible()
    context.close()
