"""Lines of a chart that are dragged, in a real browser: the run follows at once, and the slider on
release.
"""

import pytest
from browsing import SCROLLED, TOUCH, finger, middle, scrolls, settle
from playwright.sync_api import expect

from lessons import AUTOSCALING
from ui.charts.look import Look

#: The slider's value in the address, to a percent: a phone's chart has two pixels for each.
URL = (
    "([key, value]) => Math.abs(Number(new URLSearchParams(location.search).get(key)) - value) <= 1"
)


#: How many steps the run has that is drawn.
STEPS = f"""() => document.querySelector(
  "[data-testid=stVegaLiteChart] .mark-line path[stroke='{Look().accent}']"
).getAttribute("d").split("L").length"""


def lines(page) -> tuple[tuple[float, float], ...]:
    """Where the dots of the lines stand, the lower one first."""
    dots = page.locator(".dot_marks path")
    expect(dots.first).to_be_attached()
    settle(page)
    return tuple(sorted(map(middle, dots.all()), key=lambda place: -place[1]))


def test_the_swing_stops_under_the_pointer_and_the_slider_follows_on_release(comes):
    page = comes(lesson=AUTOSCALING)
    (x, y), (_, above) = lines(page)
    many = page.evaluate(STEPS)
    percent = (y - above) / 30
    page.mouse.move(x - 200, y)
    page.mouse.down()
    page.mouse.move(x - 200, y + 4 * percent)
    page.mouse.move(x - 200, y + 8 * percent)
    page.wait_for_function(f"many => ({STEPS})() < many / 3", arg=many)
    assert "autoscale_lower" not in page.url, "the server has not heard of it yet"
    page.mouse.up()
    page.wait_for_function(URL, arg=["autoscale_lower", 42])
    expect(page.get_by_text("The fleet settles at 2 replicas, after")).to_be_visible()
    assert lines(page)[0][1] == pytest.approx(y + 8 * percent, abs=percent)
    page.mouse.click(x - 200, above + 2 * percent)  # a press moves the nearer line
    page.wait_for_function(URL, arg=["autoscale_upper", 78])


def test_a_tap_moves_the_nearer_line_a_finger_on_its_dot_drags_it_and_elsewhere_scrolls(comes):
    page = comes(window=TOUCH, lesson=AUTOSCALING)
    page.locator("[data-testid=stVegaLiteChart]").first.scroll_into_view_if_needed()
    (x, y), (_, above) = lines(page)
    percent = (y - above) / 30
    page.touchscreen.tap(x - 60, y + 10 * percent)
    page.wait_for_function(URL, arg=["autoscale_lower", 40])
    (x, y) = lines(page)[0]
    before = page.evaluate(SCROLLED)
    finger(page, (x, y), up=8 * percent)
    page.wait_for_function(URL, arg=["autoscale_lower", 48])
    assert page.evaluate(SCROLLED) == before
    scrolls(page, (x - 100, y), up=60)
