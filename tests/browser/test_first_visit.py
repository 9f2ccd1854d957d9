"""A student's first visit in a real browser: from the locked question to a number that follows the slider."""

from browsing import lock, settle
from playwright.sync_api import expect


def test_a_prediction_unlocks_the_chart_and_a_slider_moves_the_number(open_at):
    page = open_at("utilization_trap")
    expect(page.get_by_role("heading", name="Utilization trap")).to_be_visible()
    assert page.locator("[data-testid=stMetric]").count() == 0
    assert page.locator("[data-testid=stVegaLiteChart]").count() == 0
    ink = "getComputedStyle(document.querySelector('[data-testid=stMain] blockquote')).opacity"
    assert page.evaluate(ink) == "1", "the message is paler than the words around it"
    lock(page, "Large jobs; on a fleet")
    expect(page.get_by_test_id("stMetric").first).to_contain_text("4.46 h")
    expect(
        page.locator("[data-testid=stVegaLiteChart] canvas, [data-testid=stVegaLiteChart] svg").first
    ).to_be_visible()
    slider = page.get_by_role("slider", name="Utilization before buying (%)")
    slider.focus()
    for _ in range(10):
        slider.press("ArrowLeft")
    settle(page)
    expect(page.get_by_test_id("stMetric").first).not_to_contain_text("4.46 h")
    assert "trap_utilization=90" in page.url


def test_the_address_brings_a_scenario_and_no_request_leaves_the_server(open_at, page, server):
    elsewhere = []
    page.on(
        "request", lambda request: elsewhere.append(request.url) if not request.url.startswith(server.url) else None
    )
    open_at("utilization_trap?trap_utilization=50&trap_added=256&trap_fleet=abc")
    slider = page.get_by_role("slider", name="Utilization before buying (%)")
    assert slider.input_value() == "50" and slider.is_disabled()
    expect(page.get_by_text("it was ignored")).to_contain_text("trap_fleet")
    lock(page, "Too few GPUs")
    expect(page.get_by_test_id("stMetric").first).to_be_visible()
    assert not [url for url in elsewhere if not url.startswith(("data:", "blob:", "ws://127.0.0.1"))]


def test_on_a_narrow_screen_the_menu_closes_when_a_page_is_chosen(open_at, page):
    page.set_viewport_size({"width": 390, "height": 844})
    open_at("")
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("button", name="Menu", exact=True).click()
    settle(page)
    page.get_by_role("link", name="Autoscaling (not started)").click()
    expect(page.get_by_role("heading", name="Autoscaling")).to_be_visible()
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
