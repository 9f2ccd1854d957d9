"""Addresses that people type: a short one leads where it says, an unknown one says that it is none."""

from playwright.sync_api import expect


def test_class_leads_to_the_class_page_with_its_code(open_at, page):
    open_at("class?class=qqqqqq")
    expect(page.get_by_role("heading", name="Class", exact=True)).to_be_visible()
    expect(page.get_by_text("There is no class with this code: a class is deleted")).to_be_visible()
    assert page.url.endswith("/class_poll?class=qqqqqq") and not page.get_by_role("dialog").count()


def test_an_unknown_address_says_so_and_shows_home(open_at, page):
    open_at("nobody")
    expect(page.get_by_role("dialog")).to_contain_text("The page that you have requested does not seem to exist")
    expect(page.get_by_role("heading", name="Fleet What-If")).to_be_attached()
