"""A student's first visit in a real browser: the locked question, the picture, the menu."""

from browsing import lock, settle
from playwright.sync_api import expect


def test_a_prediction_unlocks_the_chart_and_the_message_is_as_dark_as_the_words_around_it(open_at):
    page = open_at("utilization_trap")
    expect(page.get_by_role("heading", name="Utilization trap")).to_be_visible()
    assert page.locator("[data-testid=stMetric]").count() == 0
    assert page.locator("[data-testid=stVegaLiteChart]").count() == 0
    ink = "getComputedStyle(document.querySelector('[data-testid=stMain] blockquote')).opacity"
    assert page.evaluate(ink) == "1", "the message is paler than the words around it"
    lock(page, "Large jobs; on a fleet")
    expect(page.get_by_test_id("stMetric").first).to_contain_text("4.46 h")
    expect(page.locator("[data-testid=stVegaLiteChart]").locator("canvas, svg").first).to_be_visible()


def test_on_a_narrow_screen_the_menu_closes_when_a_page_is_chosen(open_at, page):
    page.set_viewport_size({"width": 390, "height": 844})
    open_at("")
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("button", name="Menu", exact=True).click()
    settle(page)
    page.get_by_role("link", name="Autoscaling (not started)").click()
    expect(page.get_by_role("heading", name="Autoscaling")).to_be_visible()
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
