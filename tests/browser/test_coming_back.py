"""A student comes back on a later day: home asks two questions, keeps the answers, and does not ask
again that day.
"""

import json

from browsing import PHONE, found_by_axe, settle
from driving import BY_ID
from playwright.sync_api import expect

EARLIER = "2026-03-01T10:00:00+00:00"


def finished(page, *ids: str) -> None:
    """Let a page keep the locks of some lessons, made on an earlier day."""
    for one in ids:
        for name in ("prediction", "reflection"):
            value = json.dumps({"answer": getattr(BY_ID[one], name).right, "at": EARLIER})
            page.add_init_script(f"localStorage.setItem('fleet-what-if:1:{one}/{name}', '{value}')")


def test_home_asks_two_questions_once_a_day_whatever_is_reloaded(comes):
    page = comes(window=PHONE | {"color_scheme": "dark"})
    finished(page, "trap", "io")
    page.reload()
    box = page.locator(".st-key-coming_back")
    expect(box).to_contain_text("Question 1 of 2 for today")
    settle(page)
    assert not found_by_axe(page, "serious", "critical")
    box.get_by_test_id("stRadioOption").nth(1).click()
    settle(page)
    box.get_by_role("button", name="Lock in my answer").click()
    expect(box.get_by_test_id("stAlert")).to_be_visible()
    page.wait_for_function("Object.keys(localStorage).some(name => name.includes('/transfer/'))")
    page.reload()
    expect(box).to_contain_text("Question 2 of 2 for today")
    settle(page)
    box.get_by_role("button", name="Skip for today").click()
    expect(box).to_have_count(0)
    page.wait_for_function("Object.keys(localStorage).some(name => name.endsWith('me/rested'))")
    page.reload()
    expect(page.get_by_text(f"2 of {len(BY_ID)} lessons finished.")).to_be_visible()
    settle(page)
    expect(box).to_have_count(0)
