"""Every film, alone and beside another, in light and dark: axe finds nothing, and with reduced motion nothing moves.

Each obeys the keys and the slider, and the choice of what plays beside it stands directly under the player.
"""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import forget, settle
from playwright.sync_api import expect

from lessons import LESSONS

#: Whether the page's background is that of a theme.
PAPER = "parseInt(getComputedStyle(document.querySelector('.stApp')).backgroundColor.slice(4))"
BRIGHT = {"light": f"{PAPER} > 200", "dark": f"{PAPER} < 60"}
WITH_FILM = [lesson for lesson in LESSONS if lesson.film]


@pytest.fixture(scope="module")
def window(browser):
    """One window for all lessons, of somebody who wants nothing to move: what it has loaded is not loaded again."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def found_by_axe(page, where: str) -> list[str]:
    """Say what axe finds on the page, of whatever weight."""
    violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{where}: {one['id']}, {one['impact']}, in {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in violations
    ]


def paint(page, scheme: str) -> None:
    """Change the theme, and wait until the page has it; the mouse rests on nothing, as what it is over fades."""
    page.mouse.move(640, 4)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.wait_for_function(BRIGHT[scheme])
    settle(page)


@pytest.mark.parametrize("lesson", WITH_FILM, ids=lambda lesson: lesson.page)
def test_axe_finds_nothing_on_a_film_or_two_in_light_and_dark_and_nothing_moves_unasked(window, server, lesson):
    page = window
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    forget(page, server)
    page.goto(f"{server.url}/{lesson.page}")
    settle(page)
    page.add_style_tag(content="* { transition: none !important; }")  # colors would fade over
    page.get_by_test_id("stRadioOption").first.click()
    page.get_by_role("button", name="Lock in my prediction").click()
    settle(page)
    page.get_by_text("Animation", exact=True).first.click()
    page.mouse.move(640, 4)
    film = page.locator(".film")
    expect(film).to_have_attribute("data-playing", "false")
    settle(page)
    found = found_by_axe(page, "one film, light")
    assert film.get_attribute("data-now") == "0", "it moves unasked"
    paint(page, "dark")
    found += found_by_axe(page, "one film, dark")

    page.get_by_role("button", name="Pin this result").click()
    settle(page)
    page.get_by_text("Pinned 1", exact=True).first.click()
    expect(page.locator(".film canvas")).to_have_count(2)
    settle(page)
    found += found_by_axe(page, "two films, dark")
    paint(page, "light")
    found += found_by_axe(page, "two films, light")
    assert film.get_attribute("data-now") == "0" and film.get_attribute("data-playing") == "false"
    assert not found, "\n".join(found)
    obeys(page, film, lesson)


def obeys(page, film, lesson) -> None:
    """Work the player with the keys and by its slider; look where the choice beside it stands."""
    player, choice = film.bounding_box(), page.get_by_text("Compare with", exact=True).bounding_box()
    assert 0 <= choice["y"] - player["y"] - player["height"] < 60, "it does not stand directly under the player"
    model = lesson.film(lesson.settings()).film
    film.focus()
    page.keyboard.press("ArrowRight")
    first = min(moment for moment in model.moments if moment > model.begin) - model.begin
    assert float(film.get_attribute("data-now")) == pytest.approx(first, rel=1e-6)
    page.keyboard.press("ArrowLeft")
    expect(film).to_have_attribute("data-now", "0")
    film.get_by_role("slider", name="Time in the film").fill(str(0.5 * (model.end - model.begin)))
    dragged = float(film.get_attribute("data-now"))
    assert dragged == pytest.approx(0.5 * (model.end - model.begin), rel=1e-3)
    film.focus()
    page.keyboard.press(" ")
    expect(film).to_have_attribute("data-playing", "true")
    page.keyboard.press(" ")
    expect(film).to_have_attribute("data-playing", "false")
    assert float(film.get_attribute("data-now")) >= dragged
