"""Pictures that are tapped, in a real browser: what a tap would do is seen before it, and no tap is
lost.
"""

import pytest
from browsing import DESK, TOUCH, asks, drawing, middle, press, says, scrolls, settle, stays
from playwright.sync_api import expect

from lessons import GPU_SHARING, GPU_SLICES


@pytest.mark.parametrize("window", [DESK, TOUCH | {"is_mobile": True}], ids=["mouse", "finger"])
def test_an_instance_is_placed_and_removed_by_taps_and_a_refusal_says_why(comes, window):
    page = comes("?slices_layout=empty", window=window, lesson=GPU_SLICES)
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.reload()
    chart = page.get_by_test_id("stVegaLiteChart").first
    slices = chart.locator(".tap_marks path")
    expect(slices).to_have_count(21)
    settle(page)
    drawn = drawing(chart)
    touched = "has_touch" in window
    slices.first.scroll_into_view_if_needed()
    at = [middle(one) for one in slices.all()]

    def tap(place: int) -> None:
        (page.touchscreen.tap if touched else page.mouse.click)(*at[place])

    def holds(layout: str) -> None:
        asks(page, "slices_layout", layout)

    if not touched:
        sent.clear()
        page.mouse.move(*at[4])
        expect(chart.get_by_text("A 3g.40gb fits at slice 4.")).to_be_visible()
        page.mouse.move(*at[5])
        expect(
            chart.get_by_text("Refused: a 3g.40gb may begin only at slice 0 or 4.")
        ).to_be_visible()
        assert not sent, "the ghost asks nothing of the server"
    tap(5)
    expect(chart.get_by_text("Refused: a 3g.40gb may begin only at slice 0 or 4.")).to_be_visible()
    holds("empty")
    tap(4)
    tap(0)  # before the first one is drawn
    holds("3g.40gb@0,3g.40gb@4")
    tap(6)  # any slice of an instance stands for it
    holds("3g.40gb@0")
    tap(4)
    holds("3g.40gb@0,3g.40gb@4")
    if touched:  # one that moves scrolls, and taps nothing
        scrolls(page, at[1], up=100)
        holds("3g.40gb@0,3g.40gb@4")
    stays(chart, drawn)
    page.reload()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("0")


def test_the_puzzle_is_won_by_tapping_two_jobs_at_a_time(comes):
    page = comes("?share_view=puzzle", lesson=GPU_SHARING)
    expect(page.locator(".tap_marks path").first).to_be_visible()
    settle(page)
    press(page, "Start the challenge")
    chart = page.get_by_test_id("stVegaLiteChart").first
    drawn = drawing(chart)
    # B with G, D with H, B with E: places of AB-CD-EF-GH, counted GPU by GPU.
    cards = page.locator(".tap_marks path")
    for one, other in ((1, 6), (3, 7), (6, 4)):
        cards.nth(one).click()
        expect(cards.nth(one)).to_have_attribute("stroke-width", "4")
        expect(page.locator("#vg-tooltip-element.visible")).to_have_count(0)
        cards.nth(other).click()
        settle(page)
    says(page, "Won: the chat takes as long as alone")
    assert "share_pairs=AG-CH-BF-ED" in page.url
    stays(chart, drawn)
