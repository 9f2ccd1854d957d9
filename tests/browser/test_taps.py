"""A picture that is tapped, in a real browser: what a tap would do is seen before it, and no tap is lost."""

import pytest
from browsing import DESK, SCROLLED, TOUCH, finger, settle
from playwright.sync_api import expect

from lessons import GPU_SLICES as LESSON


@pytest.mark.parametrize("window", [DESK, TOUCH | {"is_mobile": True}], ids=["mouse", "finger"])
def test_an_instance_is_placed_and_removed_by_taps_and_a_refusal_says_why(comes, window):
    page, sent = comes(window=window, lesson=LESSON), []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.reload()
    chart = page.get_by_test_id("stVegaLiteChart").first
    slices = chart.locator(".tap_marks path")
    expect(slices).to_have_count(8)
    settle(page)
    drawn, touched = chart.locator("svg").first.element_handle(), "has_touch" in window

    slices.first.scroll_into_view_if_needed()
    boxes = [slices.nth(place).bounding_box() for place in range(8)]
    at = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]

    def tap(place: int) -> None:
        (page.touchscreen.tap if touched else page.mouse.click)(*at[place])

    def holds(layout: str) -> None:
        """Wait until the address says so."""
        settle(page)
        said = "new URLSearchParams(location.search).get('slices_layout') ?? ''"
        page.wait_for_function(f"layout => ({said}) === layout", arg=layout)

    if not touched:
        sent.clear()
        page.mouse.move(*at[4])
        expect(chart.get_by_text("A 3g.40gb fits at slice 4.")).to_be_visible()
        page.mouse.move(*at[5])
        expect(chart.get_by_text("Refused: a 3g.40gb may begin only at 0 or 4.")).to_be_visible()
        assert not sent, "the ghost asks nothing of the server"
    tap(5)
    expect(chart.get_by_text("Refused: a 3g.40gb may begin only at 0 or 4.")).to_be_visible()
    holds("")
    tap(4)
    tap(0)  # before the first one is drawn
    holds("3g.40gb@0,3g.40gb@4")
    tap(6)  # any slice of an instance stands for it
    holds("3g.40gb@0")
    tap(4)
    holds("3g.40gb@0,3g.40gb@4")
    if touched:  # one that moves scrolls, and taps nothing
        before = page.evaluate(SCROLLED)
        finger(page, at[1], up=100)
        page.wait_for_function(f"before => ({SCROLLED})() > before + 20", arg=before)
        holds("3g.40gb@0,3g.40gb@4")
    assert chart.locator("svg").first.evaluate("(node, before) => node === before", drawn), "the chart was built again"
    page.reload()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("2")
