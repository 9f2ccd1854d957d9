"""A student's first visit in a real browser: the menu, and addresses that people type."""

from browsing import headed, press
from playwright.sync_api import expect


def test_on_a_narrow_screen_the_menu_closes_when_a_page_is_chosen(open_at, page):
    page.set_viewport_size({"width": 390, "height": 844})
    open_at("")
    page.get_by_test_id("stExpandSidebarButton").click()
    press(page, "Menu", exact=True)
    page.get_by_role("link", name="Autoscaling (not started)").click()
    headed(page, "Autoscaling")
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()


def test_class_leads_to_the_class_page_with_its_code(open_at, page):
    open_at("class?class=qqqqqq")
    expect(page.get_by_role("heading", name="Class", exact=True)).to_be_visible()
    expect(page.get_by_text("There is no class with this code: a class is deleted")).to_be_visible()
    assert page.url.endswith("/class_poll?class=qqqqqq") and not page.get_by_role("dialog").count()


def test_an_unknown_address_says_so_and_shows_home(open_at, page):
    open_at("nobody")
    expect(page.get_by_role("dialog")).to_contain_text(
        "The page that you have requested does not seem to exist"
    )
    expect(page.get_by_role("heading", name="Fleet What-If")).to_be_attached()
