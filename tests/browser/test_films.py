"""The player of films in a browser: it plays when asked, stops, steps, is dragged, and asks nothing
of the server.
"""

import re

import pytest
from browsing import found_by_axe, press, settle, troubles
from filmed import seen_at
from playwright.sync_api import expect

from lessons.gpu_slices.laboratory.film import film_of
from lessons.gpu_slices.settings import Slices


@pytest.fixture
def cinema(page, server):
    """Open the film of a lesson after its lock; the page notes what goes to the server, and what
    goes wrong.
    """
    page.sent = []
    page.wrong = troubles(page)
    page.on("request", lambda request: page.sent.append(request.url))
    page.on(
        "websocket",
        lambda socket: socket.on("framesent", lambda frame: page.sent.append("a frame")),
    )

    def show(name: str, view: str = ""):
        page.goto(f"{server.url}/{name}")
        settle(page)
        assert page.locator(".film").count() == 0  # before the lock no film is sent
        page.get_by_test_id("stRadioOption").first.click()
        settle(page)
        press(page, "Lock in my prediction")
        press(page, "Test my prediction")
        if page.get_by_role("button", name="Show the explanation").count():
            press(
                page, "Show the explanation"
            )  # else the first press of Play tells the server that it is earned
        if view:  # a part of the laboratory
            page.goto(f"{server.url}/{name}?{view}")
        else:
            page.get_by_text(re.compile("^Animation")).first.click()
        film = page.locator(".film")
        expect(film).to_have_attribute("data-playing", "false")
        settle(page)
        return film

    return show


def moment(film) -> float:
    return film.evaluate("film => Number(film.dataset.now)")


def goes_on(page, film) -> None:
    """Wait until the film has gone on."""
    later = "([film, before]) => Number(film.dataset.now) > before"
    page.wait_for_function(later, arg=[film.element_handle(), moment(film)])


def stands(page, film) -> bool:
    """Whether the film is where it was after a while."""
    before = moment(film)
    page.wait_for_timeout(600)
    return moment(film) == before


def test_a_film_plays_when_asked_and_is_stopped_stepped_and_dragged_without_the_server(
    cinema, page
):
    page.emulate_media(reduced_motion="reduce")
    model = film_of(Slices())
    film = cinema("gpu_slices", "slices_view=film")
    assert stands(page, film) and moment(film) == model.begin, "it moves unasked"
    page.sent.clear()

    film.get_by_role("button", name="Play").click()
    goes_on(page, film)
    film.get_by_role("button", name="Pause").click()
    assert stands(page, film)

    film.focus()
    page.keyboard.press(" ")
    expect(film).to_have_attribute("data-playing", "true")
    page.keyboard.press(" ")
    expect(film).to_have_attribute("data-playing", "false")
    page.keyboard.press("ArrowRight")
    assert moment(film) in model.moments
    at = moment(film)
    page.keyboard.press("ArrowLeft")
    assert moment(film) == max(before for before in model.moments if before < at)
    film.get_by_role("button", name="One event forward").click()
    assert moment(film) == at

    slider = film.get_by_role("slider", name="Time in the film")
    canvas = film.locator("canvas")
    for share in (0.25, 0.5, 0.97):
        slider.fill(str(model.begin + share * (model.end - model.begin)))
        boxes, waiting = seen_at(model, moment(film))
        assert canvas.get_attribute("data-boxes") == str(len(boxes))
        assert canvas.get_attribute("data-waiting") == str(len(waiting))
    assert page.sent == [], "playing asks something of the server"
    assert page.wrong == []


def test_a_pinned_film_plays_by_the_same_clock_beside_the_present_one_and_below_it_on_a_phone(
    cinema, page
):
    cinema("spot_training")
    press(page, "Pin this result")
    page.get_by_role("slider", name="Checkpoint interval").first.press("ArrowRight")
    settle(page)
    assert page.locator(".film canvas").count() == 1
    page.get_by_text("Pinned 1", exact=True).first.click()
    stages = page.locator(".film canvas")
    film = page.locator(".film")
    expect(stages).to_have_count(2)
    settle(page)
    left, right = (stage.bounding_box() for stage in stages.all())
    assert left["y"] == right["y"] and left["x"] + left["width"] <= right["x"]
    player = film.bounding_box()
    choice = page.get_by_text("Compare with", exact=True).bounding_box()
    assert 0 <= choice["y"] - player["y"] - player["height"] < 60, (
        "it does not stand directly under the player"
    )
    assert found_by_axe(page) == []

    page.sent.clear()
    film.get_by_role("button", name="Play").click()
    goes_on(page, film)
    film.get_by_role("button", name="Pause").click()
    one, other = (float(stage.get_attribute("data-now")) for stage in stages.all())
    assert one == other == moment(film) > 0
    film.get_by_role("button", name="One event forward").click()
    assert len({stage.get_attribute("data-now") for stage in stages.all()}) == 1
    assert page.sent == [], "playing asks something of the server"

    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("innerWidth === 390")
    settle(page)
    upper, lower = (stage.bounding_box() for stage in stages.all())
    assert upper["x"] == lower["x"] >= 0 and upper["y"] + upper["height"] <= lower["y"]
    assert upper["x"] + upper["width"] <= 390
    assert page.wrong == []


def test_homes_fleet_plays_by_itself_and_a_press_elsewhere_does_not_begin_it_anew(page, open_at):
    film = open_at("").locator(".film")
    goes_on(page, film)
    film.get_by_role("button", name="Pause").click()
    at = moment(film)
    press(page, "Menu", exact=True)
    assert moment(film) == at > 0 and stands(page, film)


def test_homes_fleet_stands_still_for_who_wants_less_motion(page, open_at):
    page.emulate_media(reduced_motion="reduce")
    film = open_at("").locator(".film")
    assert stands(page, film) and moment(film) == 0
    film.get_by_role("button", name="Play").click()
    goes_on(page, film)
