"""One presenter and three students in real browsers: the count alone, the close, the lock, the second vote."""

import re

import pytest
from browsing import settle
from playwright.sync_api import expect


@pytest.fixture
def newcomer(browser, server):
    """Open an address as somebody with a browser of their own."""
    contexts = []

    def come(path: str):
        contexts.append(browser.new_context(viewport={"width": 1280, "height": 720}))
        page = contexts[-1].new_page()
        page.goto(f"{server.url}/{path}")
        settle(page)
        return page

    yield come
    for context in contexts:
        context.close()


def vote(page, words: str) -> None:
    page.get_by_text(words).first.click()
    settle(page)
    page.get_by_role("button", name=re.compile("Vote|Change my vote")).click()
    expect(page.get_by_text("Your vote is in: " + words)).to_be_visible()


def count(page):
    return page.get_by_test_id("stMetricValue").nth(1)


def test_one_presenter_and_three_students_vote_twice(newcomer):
    presenter = newcomer("class_poll?present=1")
    presenter.get_by_role("button", name="Open a class").click()
    expect(presenter.get_by_text("Class code")).to_be_visible()
    code = presenter.get_by_test_id("stMetricValue").first.inner_text()
    expect(presenter.get_by_text(f"class_poll?class={code}")).to_be_visible()
    expect(presenter.get_by_role("img", name=re.compile("QR code of http"))).to_be_visible()
    students = [newcomer(f"class_poll?class={code}") for _ in range(3)]
    for student, words in zip(students, ("Too little hardware", "Queueing: this busy", "Hoarders"), strict=True):
        vote(student, words)
    vote(students[0], "A misconfigured scheduler")
    expect(count(presenter)).to_have_text("3")
    # A second tab of the same browser is the same voter.
    tab = students[2].context.new_page()
    tab.goto(students[2].url)
    expect(tab.get_by_text("Your vote is in: Hoarders")).to_be_visible()
    tab.close()

    presenter.get_by_role("button", name="Close the round").click()
    for student in students:
        # Nobody touches the page: it notices by itself.
        expect(student.get_by_text("This round is closed")).to_be_visible()
        assert student.get_by_test_id("stVegaLiteChart").count() == 0
    students[0].wait_for_function(
        "() => (localStorage.getItem('fleet-what-if:1:trap/prediction') || '').includes('\"b\"')"
    )
    presenter.get_by_role("button", name="Reveal the votes").click()
    expect(presenter.get_by_text("fewer than 5 votes")).to_be_visible()
    assert presenter.get_by_test_id("stVegaLiteChart").count() == 0
    presenter.get_by_role("button", name="Vote again").click()
    expect(students[1].get_by_role("button", name="Vote")).to_be_visible()
    vote(students[1], "Queueing: this busy")
    expect(count(presenter)).to_have_text("1")

    presenter.reload()
    expect(presenter.get_by_role("button", name="Close the round")).to_be_visible()
    presenter.get_by_text("Change question or end class").click()
    presenter.get_by_role("button", name="Stop presenting here").click()
    expect(presenter.get_by_role("button", name="Open a class")).to_be_visible()
    presenter.goto(f"{students[0].url}")
    expect(presenter.get_by_role("button", name="Vote")).to_be_visible()
    assert presenter.get_by_role("button", name="Close the round").count() == 0
    for page in (presenter, *students):
        assert page.get_by_test_id("stException").count() == 0
    students[0].goto(students[0].url.replace("class_poll", "utilization_trap"))
    expect(students[0].get_by_text("You said: A misconfigured").first).to_be_visible()
