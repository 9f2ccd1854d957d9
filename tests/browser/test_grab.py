"""The chart as a handle, in a real browser: a press and a drag move the knob, and the slider keeps
its say.
"""

import pytest
from browsing import (
    DESK,
    SCROLLED,
    TOUCH,
    across,
    asks,
    chart,
    drawing,
    finger,
    metric,
    middle,
    scrolls,
    settle,
    stays,
)
from driving import BY_ID
from playwright.sync_api import expect

#: Says whether a mark is centered on one of its chart's lines.
ON_A_CURVE = """mark => {
  const [x, y] = mark.getAttribute("transform").match(/[-\\d.]+/g).map(Number)
  const lines = [...mark.closest("svg").querySelectorAll(".mark-line path")]
  return lines.some(line => line.isPointInStroke(new DOMPoint(x, y)))
}"""

#: Says whether just one of the unseen bands is seen.
ONE_LINE = """() => [...document.querySelectorAll(".grab_marks path")]
  .filter(one => Number(getComputedStyle(one).opacity)).length === 1"""

#: A projector that has more room than a page is laid out for: there all is enlarged.
HALL = {"viewport": {"width": 1920, "height": 1080}}


@pytest.mark.parametrize(
    ("window", "query"), [(DESK, ""), (HALL, "&present=1")], ids=["desk", "hall"]
)
def test_a_press_and_a_drag_on_the_chart_move_its_knob_and_never_build_it_again(
    comes, window, query
):
    # shares of the axis, not on the edge between two of its steps
    key = "trap_utilization"
    one = 0.499
    other = 0.749
    page = comes(f"?trap_view=wait{query}", window, BY_ID["trap"])
    slider = page.get_by_role("slider", name="Utilization before buying (%)").first
    curve = page.get_by_test_id("stVegaLiteChart").filter(has=page.locator(".grab_marks"))
    expect(curve.locator("svg").first).to_be_visible()
    settle(page)
    drawn = drawing(curve)
    at = across(curve)
    before = metric(page).inner_text()
    page.mouse.click(*at(one))
    asks(page, key, 60)
    assert metric(page).inner_text() != before
    slider.press("ArrowRight")
    settle(page)
    assert f"{key}=60&" not in page.url + "&"
    page.mouse.click(*at(one))  # the same place again: the slider has been elsewhere meanwhile
    asks(page, key, 60)
    page.mouse.move(
        *at(0.249)
    )  # a pointer that rests while the chart is filled anew hovers over nothing
    page.mouse.move(*at(one))
    page.wait_for_function(ONE_LINE)  # follows the pointer
    page.mouse.down()
    page.mouse.move(*at((one + other) / 2), steps=5)
    page.mouse.move(*at(other), steps=5)
    ring = curve.locator(".ring_marks path")
    expect(ring).to_have_css("opacity", "1")
    assert ring.evaluate(ON_A_CURVE), (
        "before the server answers, a ring is where the curve is below the pointer"
    )
    page.mouse.up()
    expect(ring).to_have_css("opacity", "0")
    asks(page, key, 90)
    assert "utilization" in page.evaluate("localStorage.getItem('fleet-what-if:1:trap/tried')")
    stays(curve, drawn)


def test_a_tap_on_a_phone_moves_the_knob(comes):
    page = comes(window=TOUCH, lesson=BY_ID["spot"])
    chart(page)
    page.touchscreen.tap(*across(page)(0.499))
    asks(page, "spot_interval", 40)


@pytest.mark.parametrize(
    ("name", "key"), [("place", "place_wait"), ("notebooks", "notebooks_second_start")]
)
def test_a_finger_on_the_dot_drags_it_and_elsewhere_scrolls(comes, name, key):
    page = comes(window=TOUCH, lesson=BY_ID[name])
    dot = page.locator(".dot_marks path")
    expect(dot).to_be_attached()
    settle(page)
    (x, y) = middle(dot)
    before = page.evaluate(SCROLLED)
    places = []
    for right in (80, -30):
        finger(page, middle(dot), right)
        changed = (
            "([key, held]) => ![null, held].includes(new URLSearchParams(location.search).get(key))"
        )
        page.wait_for_function(changed, arg=[key, places[-1] if places else None])
        settle(page)
        places.append(page.evaluate("key => new URLSearchParams(location.search).get(key)", key))
        assert x + 20 < middle(dot)[0] < x + 100
    assert float(places[0]) > float(places[1]) > 0 and page.evaluate(SCROLLED) == before
    scrolls(page, (x + 150, y + 30), up=150)


def test_a_large_projector_shows_all_as_large_a_part_of_the_screen_as_a_small_one(comes):
    shares = []
    for window in (DESK, HALL):
        page = comes("?trap_view=wait&present=1", window, BY_ID["trap"])
        height = window["viewport"]["height"]
        curve = chart(page).locator("svg").first
        boxes = [
            one.bounding_box()
            for one in (curve, curve.locator(".role-title text").first, page.locator("h1"))
        ]
        shares.append([box[name] / height for box in boxes for name in ("y", "height")])
    assert shares[1] == pytest.approx(shares[0], abs=0.02)
