"""A saved picture opens from a file, without a server and without a network."""

import re
from xml.etree import ElementTree

import pytest
from browsing import DESK, found_by_axe, headed, settle, troubles
from playwright.sync_api import expect

from lessons import LESSONS
from ui import saving

BY_ID = {lesson.id: lesson for lesson in LESSONS}


def some(*names: str) -> list:
    """Lessons of which the first is tried each time, and the others in the night."""
    first, *others = names
    return [first, *(pytest.param(name, marks=pytest.mark.nightly) for name in others)]


#: Five lessons whose charts are of different kinds, and two with an animation of their own.
CHARTS = some("trap", "policy", "drf", "share", "storage")
FILMS = some("spot", "slices")


@pytest.fixture
def offline(browser):
    """Open a file in a browser without a network, and note what it asks for and what goes wrong."""
    context = browser.new_context(**DESK)
    context.set_offline(True)

    def go(path):
        page = context.new_page()
        page.asked = []
        page.wrong = troubles(page)
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(path.as_uri())
        return page

    yield go
    context.close()


@pytest.fixture
def saved(comes, tmp_path):
    """Test a lesson's prediction, and save the pictures in sight; return the files by ending."""

    def save(lesson, address=""):
        page = comes(address, lesson=lesson)
        page.get_by_role("button", name="Save", exact=True).click()
        buttons = page.get_by_role("button", name=re.compile("^Save as "))
        expect(buttons.first).to_be_visible()
        settle(page)
        files = []
        for button in buttons.all():
            with page.expect_download() as download:
                button.click()
            path = tmp_path / download.value.suggested_filename
            download.value.save_as(path)
            files.append(path)
        return files

    return save


def stands_alone(page, lesson) -> None:
    """A page has asked for nothing but itself, has all its parts, and does not scroll sideways."""
    assert len(page.asked) == 1 and not page.wrong
    expect(page).to_have_title(re.compile(f"^{re.escape(lesson.title)}: "))
    assert page.locator(".sentence").inner_text().strip()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.get_by_text("Table", exact=True).click()
    assert page.locator("table tr").count() > 1
    link = page.get_by_role("link")
    assert f"/{lesson.page}?{lesson.id}_" in link.get_attribute("href")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not found_by_axe(page)


@pytest.mark.parametrize("name", CHARTS)
def test_a_saved_chart_works_from_a_file_in_all_three_forms(name, saved, offline):
    lesson = BY_ID[name]
    files = saved(lesson)
    for path in (path for path in files if path.suffix == ".html"):
        assert path.stat().st_size <= saving.MOST
        page = offline(path)
        stands_alone(page, lesson)
        drawing = page.locator("figure svg, figure canvas").first
        box = drawing.bounding_box()
        assert box["width"] > 300 and box["height"] > 80
        if page.locator("figure svg").count():
            assert page.locator("figure svg text").count() > 5
    svg = next(path for path in files if path.suffix == ".svg")
    root = ElementTree.fromstring(svg.read_text(encoding="utf-8"))
    assert root.tag.endswith("svg") and root.get("viewBox") and root.get("aria-label")
    png = next(path for path in files if path.suffix == ".png")
    assert png.read_bytes().startswith(b"\x89PNG") and png.stat().st_size > 10_000


@pytest.mark.parametrize("name", FILMS)
def test_a_saved_animation_plays_from_a_file(name, saved, offline):
    lesson = BY_ID[name]
    (path,) = saved(lesson, f"?{lesson.id}_view=film")
    assert path.stat().st_size <= saving.MOST
    page = offline(path)
    stands_alone(page, lesson)
    film = page.locator(".film")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("() => Number(document.querySelector('.film').dataset.now) > 0")
    expect(film).to_have_attribute("data-playing", "true")


@pytest.mark.nightly
def test_a_saved_chart_of_a_log_opens_from_a_file(open_at, page, offline, tmp_path):
    open_at("your_cluster")
    headed(page, "What happened")
    page.get_by_role("button", name="Save", exact=True).first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("^Save as HTML")).click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    saved_page = offline(path)
    assert len(saved_page.asked) == 1 and not saved_page.wrong
    expect(saved_page).to_have_title(re.compile("^Your cluster: In use"))
    assert saved_page.locator("figure svg text").count() > 5
    saved_page.get_by_text("Table", exact=True).click()
    assert saved_page.locator("table tr").count() > 1
    assert saved_page.get_by_role("link").get_attribute("href").endswith("/your_cluster")
    assert not found_by_axe(saved_page)
