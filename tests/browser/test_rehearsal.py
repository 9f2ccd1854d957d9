"""A rehearsal in real browsers, of which nothing stays, and the papers of a lecture: its results and its script."""

import re

import pytest
import sqlalchemy as sa
from browsing import settle
from playwright.sync_api import expect
from serving import Server

from lessons import LESSONS
from polls import rehearsal, store
from polls.store import Poll
from ui.classes import after_class, questions, results
from ui.page import script

CORE = [lesson for lesson in LESSONS if lesson.script]


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """A server with a database of its own, and that database."""
    monkeypatch.setenv("POLLS_FOLDER", str(tmp_path))
    server = Server()
    server.start()
    yield server, store.engine(f"sqlite:///{tmp_path / 'polls.sqlite'}")
    server.stop()


def held(database) -> dict[str, int]:
    """How many rows each table holds, if any."""
    with database.connect() as link:
        tables = store.METADATA.tables.items()
        found = {name: link.execute(sa.select(sa.func.count()).select_from(table)).scalar() for name, table in tables}
    return {name: number for name, number in found.items() if number}


def test_a_rehearsal_shows_bars_to_an_empty_room_and_leaves_nothing_behind(browser, alone):
    server, database = alone
    presenter = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
    presenter.goto(f"{server.url}/class_poll")
    settle(presenter)
    presenter.get_by_text("Rehearsal: 60 simulated voters").click()
    settle(presenter)

    def press(name):
        presenter.get_by_role("button", name=name).click()
        settle(presenter)

    press("Open a class")
    expect(presenter.get_by_text("Simulated votes, first round")).to_be_visible()
    for step in ("Close the round", "Vote again", "Close the round", "Reveal the votes"):
        if step == "Close the round":
            expect(presenter.get_by_test_id("stMetricValue").nth(1)).to_have_text("60")
        press(step)
    expect(presenter.get_by_text("all votes come from")).to_be_visible()
    expect(presenter.get_by_text("second simulated vote").first).to_be_visible()
    assert held(database)["poll_simulated"] == 2 * rehearsal.VOTERS and "poll_votes" not in held(database)
    presenter.get_by_text("Change question, results, or end class").click()
    with presenter.expect_download() as download:
        press("Results to print")
    assert re.fullmatch(r"simulated-votes-of-class-[A-Z]{6}-[\d-]{10}\.html", download.value.suggested_filename)
    press("End the rehearsal")
    expect(presenter.get_by_text("Votes, first round", exact=True)).to_be_visible()
    assert held(database).keys() == {"poll_classes", "poll_presenters", "poll_uses"}
    press("End and delete this class")
    press("Yes, delete it with its votes")
    assert held(database) == {}
    presenter.context.close()


def sheets(page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def test_the_results_of_an_hour_print_on_two_sheets_and_fit_a_phone(page):
    asked = [questions.find(name, {}) for lesson in CORE for name in (lesson.id, f"{lesson.id}/reflection")][:6]
    found = {one.id: {} for one in asked}
    for one in asked:
        for number in (1, 2):
            cast = [answer for answer, *_ in rehearsal.ballots(one.ids, one.right, number, one.id)]
            found[one.id][number] = {answer: cast.count(answer) for answer in one.ids}
    answered = results.outcomes(found, found, {})
    page.set_content(after_class.page(Poll("ABCDEF", "trap", 2, "revealed"), answered, "2026-03-01").decode())
    assert sheets(page) <= 2
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_speakers_script_prints_on_two_sheets_and_fits_a_phone(page):
    for lesson in CORE:
        page.set_content(script.to_html(lesson).decode())
        assert sheets(page) <= 2, lesson.page
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, lesson.page
