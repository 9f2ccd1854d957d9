"""The half-life of Fair queueing in a real browser: the strip follows the pointer, and a tap moves the half-life."""

import pytest
from browsing import DESK, PHONE, locked, settle
from playwright.sync_api import expect

from lessons import FAIR_QUEUEING
from lessons.fair_queueing.turns import SHOWN


@pytest.mark.slow
@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "tap"])
def test_the_strip_follows_the_pointer_and_a_release_or_a_tap_moves_the_half_life(browser, server, touch):
    context = browser.new_context(**(PHONE | {"has_touch": True} if touch else DESK))
    locked(context, FAIR_QUEUEING)
    page = context.new_page()
    page.goto(f"{server.url}/fair_queueing")
    chart = page.get_by_test_id("stVegaLiteChart").first
    expect(chart.locator("svg").first).to_be_visible()
    settle(page)
    chart.scroll_into_view_if_needed()
    bands = chart.locator(".grab_marks path")
    first, last = bands.first.bounding_box(), bands.last.bounding_box()
    left, right = first["x"], last["x"] + last["width"]

    def at(day: float) -> tuple[float, float]:
        return left + (day + SHOWN) / (2 * SHOWN) * (right - left), first["y"] + 0.7 * first["height"]

    drawn = chart.locator("svg").first.element_handle()
    if touch:
        page.touchscreen.tap(*at(-14))
    else:
        page.mouse.move(*at(-7))
        page.mouse.down()
        page.mouse.move(*at(-29.5), steps=4)
        expect(chart.get_by_text("after 18 days")).to_be_visible()  # the server has heard of nothing yet
        assert "fair_half_life" not in page.url
        page.mouse.move(*at(-14), steps=4)
        expect(chart.get_by_text("after 12 days")).to_be_visible()
        page.mouse.up()
    page.wait_for_function("() => location.search.includes('fair_half_life=14')")
    settle(page)
    expect(chart.get_by_text("after 12 days")).to_be_visible()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("12 days")
    assert drawn.evaluate("svg => svg.isConnected"), "the chart was built anew"
    context.close()
