"""Every film is played to its end in a real browser: at a desk in light and dark, on a phone, on a projector.

To look at them, name a folder for their pictures in the variable FILM_PICTURES.
"""

import json
import os
from pathlib import Path

import pytest
from browsing import PHONE, forget, settle
from playwright.sync_api import expect

from lessons import LESSONS
from ui.base.lesson import Lesson
from ui.films.film import Showing

DESK = {"viewport": {"width": 1280, "height": 720}}
LOOKS = {
    "light": (DESK | {"color_scheme": "light"}, ""),
    "dark": (DESK | {"color_scheme": "dark"}, ""),
    "phone": (PHONE | {"has_touch": True}, ""),
    "projector": (DESK, "?present=1"),
}
WITH_FILM = [lesson for lesson in LESSONS if lesson.film]
#: Notes every text that a canvas draws beyond its edges.
WATCH = """
window.cut = []
const write = CanvasRenderingContext2D.prototype.fillText
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const { clientWidth: wide, clientHeight: high } = this.canvas
  const half = parseFloat(this.font) / 2
  const beyond = x < 0 || x + this.measureText(text).width > wide + 1 || y < half - 2 || y + half > high + 2
  if (wide && beyond) window.cut.push(`${text} at ${x}, ${y} of ${wide} x ${high}`)
  return write.apply(this, arguments)
}
"""
#: Words of the player that are wider than their place, and what stands outside the window.
OUTSIDE = """film => [...film.querySelectorAll("button, select, span, .name, canvas")].filter(one => {
  const box = one.getBoundingClientRect()
  return one.scrollWidth > one.clientWidth + 1 && one.clientWidth || box.left < 0 || box.right > innerWidth
}).map(one => one.className || one.textContent)"""


@pytest.fixture(scope="module", params=LOOKS)
def theater(request, browser):
    """A window in one of the looks, for all lessons: what it has loaded is not loaded again."""
    options, query = LOOKS[request.param]
    context = browser.new_context(**options)
    yield context, query, request.param
    context.close()


@pytest.fixture
def cinema(theater, server):
    """Open a lesson's film after its lock; what goes wrong is noted."""
    context, query, look = theater
    page = context.new_page()
    page.wrong = []
    page.add_init_script(WATCH)
    page.on("pageerror", lambda error: page.wrong.append(str(error)))

    def told(message):
        # On a deep link Streamlit asks for two addresses below the page's own that do not exist.
        if message.type == "error" and "/_stcore/" not in (message.location or {}).get("url", ""):
            page.wrong.append(message.text)

    page.on("console", told)

    def show(lesson: Lesson):
        forget(page, server)
        page.goto(f"{server.url}/{lesson.page}{query}")
        settle(page)
        page.get_by_test_id("stRadioOption").first.click()
        page.get_by_role("button", name="Lock in my prediction").click()
        settle(page)
        page.get_by_text("Animation", exact=True).first.click()
        expect(page.locator(".film")).to_have_attribute("data-playing", "false")
        settle(page)
        return page

    yield show
    if "FILM_PICTURES" in os.environ:
        lesson = Path(page.url.split("?")[0]).name
        page.screenshot(path=Path(os.environ["FILM_PICTURES"]) / f"{lesson}-{look}.png")
    page.close()


def at_the_end(showing: Showing) -> tuple[str, str]:
    """How many boxes and waits there are when a film has stopped by itself."""
    film = showing.film
    near = (film.end - film.begin) * 1e-6  # what rounding leaves between two ends that are one
    return tuple(str(int((rows["end"] > film.end - near).sum())) for rows in (film.boxes, film.waiting))


@pytest.mark.parametrize("lesson", WITH_FILM, ids=lambda lesson: lesson.page)
def test_a_film_played_to_its_end_shows_the_models_last_moment_and_cuts_no_word(cinema, lesson):
    page, showing = cinema(lesson), lesson.film(lesson.settings())
    film, canvas = page.locator(".film"), page.locator(".film canvas")
    length = showing.film.end - showing.film.begin
    film.get_by_role("slider", name="Time in the film").fill(str(0.5 * length))
    film.get_by_role("slider", name="Time in the film").fill(str(0.95 * length))
    film.get_by_role("combobox", name="Speed").select_option("4")
    film.get_by_role("button", name="Play").click()
    expect(film.get_by_role("button", name="Play")).to_be_visible()  # it has stopped by itself
    expect(film).to_have_attribute("data-playing", "false")
    assert float(film.get_attribute("data-now")) == pytest.approx(length, rel=1e-6)
    assert (canvas.get_attribute("data-boxes"), canvas.get_attribute("data-waiting")) == at_the_end(showing)
    known = {kind.name: showing.film.values(showing.film.end)[name] for name, kind in showing.curves.items()}
    assert json.loads(canvas.get_attribute("data-values")) == pytest.approx(known, rel=5e-4)
    assert page.evaluate("window.cut") == [] and film.evaluate(OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    canvas.scroll_into_view_if_needed()
    assert page.wrong == []
