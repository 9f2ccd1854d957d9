"""Jobs are tapped in the picture, by mouse and by finger, and the puzzle is won so."""

from browsing import TOUCH, settle
from playwright.sync_api import expect

from lessons import GPU_SHARING as LESSON


def test_the_puzzle_is_won_by_tapping_two_jobs_at_a_time(comes):
    page = comes("?share_view=puzzle", lesson=LESSON)
    expect(page.locator(".tap_marks path").first).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Start the challenge").click()
    settle(page)
    chart = page.get_by_test_id("stVegaLiteChart").first.locator("svg").first.element_handle()
    # B with G, D with H, B with E: places of AB-CD-EF-GH, counted GPU by GPU.
    cards = page.locator(".tap_marks path")
    for one, other in ((1, 6), (3, 7), (6, 4)):
        cards.nth(one).click()
        expect(cards.nth(one)).to_have_attribute("stroke-width", "4")
        expect(page.locator("#vg-tooltip-element.visible")).to_have_count(0)
        cards.nth(other).click()
        settle(page)
    expect(page.get_by_text("Won: the chat takes as long as alone")).to_be_visible()
    assert "share_pairs=AG-CH-BF-ED" in page.url
    assert page.get_by_test_id("stVegaLiteChart").first.locator("svg").first.evaluate("(n, o) => n === o", chart)


def test_a_finger_puts_one_job_on_the_other_s_gpu_and_earns_the_explanation(comes):
    page = comes("?share_view=pair", TOUCH, LESSON)
    expect(page.locator(".tap_marks path").first).to_be_visible()
    settle(page)
    page.locator(".tap_marks path").nth(1).tap()
    settle(page)
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("1.3 times")
    expect(page.get_by_text("You said, and the model agrees")).to_be_visible()
    page.locator(".tap_marks path").nth(0).tap()
    settle(page)
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("1.0 times")
