"""Every film in a real browser: at a desk in light and dark, on a phone, on a projector.

One film is shown in each of the looks; all other pairs are nightly.
"""

import json

import pytest
from browsing import DESK, TOUCH, forget, found_by_axe, locked, press, settle, troubles
from filmed import values
from playwright.sync_api import expect

from lessons import LESSONS
from ui.base.lesson import Lesson
from ui.films.film import Showing

STILL = {"reduced_motion": "reduce"}
LOOKS = {
    "light": (DESK | STILL | {"color_scheme": "light"}, ""),
    "dark": (DESK | STILL | {"color_scheme": "dark"}, ""),
    "phone": (TOUCH | STILL, ""),
    "projector": (DESK | STILL, "?present=1"),
}
WITH_FILM = {lesson.page: lesson for lesson in LESSONS if "film" in lesson.views}
#: A film in each look by day.
BY_DAY = dict(zip(WITH_FILM, LOOKS, strict=False))
PAIRS = [
    pytest.param(name, look, marks=() if BY_DAY.get(name) == look else pytest.mark.nightly)
    for name in WITH_FILM
    for look in LOOKS
]
#: Notes every text that a canvas draws beyond its edges.
WATCH = """
window.cut = []
const write = CanvasRenderingContext2D.prototype.fillText
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const { clientWidth: wide, clientHeight: high } = this.canvas
  const half = parseFloat(this.font) / 2
  const long = this.measureText(text).width
  const left = x - long * ({ right: 1, end: 1, center: 0.5 }[this.textAlign] ?? 0)
  const beyond = left < 0 || left + long > wide + 1 || y < half - 2 || y + half > high + 2
  if (wide && beyond) window.cut.push(`${text} at ${x}, ${y} of ${wide} x ${high}`)
  return write.apply(this, arguments)
}
"""
#: Words of the player that are wider than their place, and what stands outside the window.
OUTSIDE = """film => [
  ...film.querySelectorAll("button, select, span, .name, canvas")
].filter(one => {
  const box = one.getBoundingClientRect()
  const wide = one.scrollWidth > one.clientWidth + 1 && one.clientWidth
  return wide || box.left < 0 || box.right > innerWidth
}).map(one => one.className || one.textContent)"""


@pytest.fixture(scope="module")
def theaters(browser):
    """A window for each look, opened when first needed, for all lessons: what it has loaded is not
    loaded again.
    """
    made = {}
    yield (
        lambda look: made.get(look) or made.setdefault(look, browser.new_context(**LOOKS[look][0]))
    )
    for context in made.values():
        context.close()


@pytest.fixture
def cinema(theaters, server):
    """Open the film of a lesson that is locked; what goes wrong is noted."""
    shown = []

    def show(lesson: Lesson, look: str):
        page = theaters(look).new_page()
        shown.append(page)
        page.wrong = troubles(page)
        forget(page, server)
        locked(page, lesson)
        page.add_init_script(WATCH)

        page.goto(f"{server.url}/{lesson.page}{LOOKS[look][1]}")
        settle(page)
        press(page, "Show the explanation")  # else the first press of Play earns it
        # Some films are parts of the laboratory: a link opens all of them.
        query = LOOKS[look][1].replace("?", "&")
        page.goto(f"{server.url}/{lesson.page}?{lesson.id}_view=film{query}")
        settle(page)
        page.mouse.move(640, 4)  # what the mouse is over fades
        expect(page.locator(".film")).to_have_attribute("data-playing", "false")
        settle(page)
        return page

    yield show
    for page in shown:
        page.close()


def at_the_end(showing: Showing) -> tuple[str, str]:
    """How many boxes and waits there are when a film has stopped by itself."""
    film = showing.film
    near = (film.end - film.begin) * 1e-6  # what rounding leaves between two ends that are one
    return tuple(
        str(int((rows["end"] > film.end - near).sum())) for rows in (film.boxes, film.waiting)
    )


def plays_to_its_end(film, page, showing: Showing) -> None:
    """Play the last part: the model's last moment is shown, and no word is cut."""
    canvas = film.locator("canvas")
    length = showing.film.end - showing.film.begin
    film.get_by_role("slider", name="Time in the film").fill(str(0.95 * length))
    film.get_by_role("combobox", name="Speed").select_option("4")
    film.get_by_role("button", name="Play").click()
    expect(film.get_by_role("button", name="Play")).to_be_visible()  # it has stopped by itself
    expect(film).to_have_attribute("data-playing", "false")
    assert float(film.get_attribute("data-now")) == pytest.approx(length, rel=1e-6)
    assert (canvas.get_attribute("data-boxes"), canvas.get_attribute("data-waiting")) == at_the_end(
        showing
    )
    known = {
        kind.name: values(showing.film, showing.film.end)[name]
        for name, kind in showing.curves.items()
    }
    assert json.loads(canvas.get_attribute("data-values")) == pytest.approx(known, rel=5e-4)
    assert page.evaluate("window.cut") == [] and film.evaluate(OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("name", "look"), PAIRS)
def test_a_film_stands_still_unasked_and_plays_to_the_models_last_moment_and_axe_finds_nothing(
    cinema, name, look
):
    lesson = WITH_FILM[name]
    page = cinema(lesson, look)
    showing = lesson.film(lesson.settings())
    film = page.locator(".film")
    page.add_style_tag(content="* { transition: none !important; }")  # colors would fade over
    found = found_by_axe(page)
    assert film.get_attribute("data-now") == "0", "it moves unasked"
    plays_to_its_end(film, page, showing)
    assert not found, "\n".join(found)
    assert page.wrong == []
