"""Charts that say a result before the server does, in a real browser: they follow the pointer, and then the server."""

import pytest
from browsing import settle
from playwright.sync_api import expect

from lessons import FAIR_QUEUEING, NOTEBOOK_SHARING, PLACEMENT
from lessons.fair_queueing.turns import SHOWN

#: Lesson, ends of its axis, where the pointer is pressed, what the chart says where it comes by, what is asked in the
#: end, and a headline number after that.
DRAGS = [
    (FAIR_QUEUEING, (-SHOWN, SHOWN), -7, {-29.5: "after 18 days", -14: "after 12 days"}, "half_life=14", "12 days"),
    (
        PLACEMENT,
        (0, 48),
        6,
        {8: "wait 8 h for one node", 10.5: "wait 10.5 h for one node"},
        "wait=10.5",
        "both ends meet",
    ),
    (NOTEBOOK_SHARING, (0, 210), 2, {41: "1 done: 80 s", 30: "1 done: 90 s"}, "second_start=30", "1.25"),
]


@pytest.mark.parametrize(
    ("lesson", "ends", "start", "said", "asked", "found"), DRAGS, ids=lambda one: getattr(one, "id", "")
)
def test_a_chart_follows_the_pointer_before_the_server_answers(comes, lesson, ends, start, said, asked, found):
    page = comes(lesson=lesson)
    chart = page.get_by_test_id("stVegaLiteChart").first
    expect(chart.locator("svg").first).to_be_visible()
    settle(page)
    chart.scroll_into_view_if_needed()
    drawn = chart.locator("svg").first.element_handle()
    bands = chart.locator(".grab_marks path")
    first, last = bands.first.bounding_box(), bands.last.bounding_box()

    def at(place: float) -> tuple[float, float]:
        left, right = first["x"], last["x"] + last["width"]
        return left + (place - ends[0]) / (ends[1] - ends[0]) * (right - left), first["y"] + 0.6 * first["height"]

    page.mouse.move(*at(start))
    page.mouse.down()
    for place, words in said.items():
        page.mouse.move(*at(place), steps=4)
        expect(chart.locator("svg text").filter(has_text=words).first).to_be_visible()
    asked = f"{lesson.id}_{asked}"
    assert asked.split("=")[0] not in page.url, "the server has not heard of it yet"
    page.mouse.up()
    page.wait_for_function("asked => location.search.includes(asked)", arg=asked)
    settle(page)
    expect(chart.locator("svg text").filter(has_text=words).first).to_be_visible()
    expect(page.get_by_text(found, exact=True).first).to_be_visible()
    assert chart.locator("svg").first.evaluate("(node, before) => node === before", drawn), "the chart was built again"
