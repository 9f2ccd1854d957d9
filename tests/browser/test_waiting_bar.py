"""Placement's waiting bar in a real browser: it follows the pointer, the server's answer, the slider and a finger."""

from browsing import DESK, PHONE, locked, settle
from playwright.sync_api import expect

from lessons import PLACEMENT


def opened(browser, server, **options):
    """The page of a visitor who has locked a prediction, its chart, and the places of hours in it."""
    context = browser.new_context(**options)
    locked(context, PLACEMENT)
    page = context.new_page()
    page.goto(f"{server.url}/placement")
    chart = page.get_by_test_id("stVegaLiteChart").first
    expect(chart.locator("svg").first).to_be_visible()
    settle(page)
    chart.scroll_into_view_if_needed()
    bands = chart.locator(".grab_marks path")
    first, last = bands.first.bounding_box(), bands.last.bounding_box()

    def at(hours: float) -> tuple[float, float]:
        left, right = first["x"], last["x"] + last["width"]
        return left + hours / 48 * (right - left), first["y"] + 0.6 * first["height"]

    return context, page, chart, at


def test_the_waiting_bar_follows_the_pointer_before_the_server_answers_and_the_slider_after_it(browser, server):
    context, page, chart, at = opened(browser, server, **DESK)
    drawn = chart.locator("svg").first.element_handle()
    texts = chart.locator(".mark-text text")
    expect(texts.filter(has_text="wait 6 h for one node")).to_have_count(1)
    page.mouse.move(*at(6))
    page.mouse.down()
    page.mouse.move(*at(8), steps=4)
    page.mouse.move(*at(10.5), steps=4)
    expect(texts.filter(has_text="wait 10.5 h for one node")).to_have_count(1)
    assert "place_wait=" not in page.url, "the server has not heard of it yet"
    page.mouse.up()
    expect(page.get_by_text("both ends meet", exact=True)).to_be_visible()
    settle(page)
    expect(texts.filter(has_text="wait 10.5 h for one node")).to_have_count(1)
    page.get_by_role("slider", name="A whole node is free in (h)").first.press("ArrowRight")
    expect(texts.filter(has_text="wait 11 h for one node")).to_have_count(1)
    assert chart.locator("svg").first.evaluate("(node, before) => node === before", drawn), "the chart was built again"
    context.close()


def test_a_tap_on_a_phone_sets_the_wait(browser, server):
    context, page, chart, at = opened(browser, server, **PHONE, has_touch=True)
    page.touchscreen.tap(*at(10.5))
    expect(chart.locator(".mark-text text").filter(has_text="wait 10.5 h")).to_have_count(1)
    page.wait_for_function("location.search.includes('place_wait=10.5')")
    context.close()
