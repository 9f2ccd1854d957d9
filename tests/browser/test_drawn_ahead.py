"""Charts that say a result before the server does, in a real browser: they follow the pointer, and
then the server.
"""

import pytest
from browsing import across, chart, drawing, settle, stays
from playwright.sync_api import expect

from lessons import FAIR_QUEUEING, NOTEBOOK_SHARING, PLACEMENT
from lessons.fair_queueing.settings import SHOWN

#: Lesson, ends of its axis, where the pointer is pressed, what the chart says where it comes by,
#: what is asked in the end, and a headline number after that.
DRAGS = [
    (
        FAIR_QUEUEING,
        (-SHOWN, SHOWN),
        -7,
        {-29.5: "after 30 days", -14: "after 14 days"},
        "half_life=14",
        "14 days",
    ),
    (
        PLACEMENT,
        (0, 48),
        6,
        {8: "wait 8 h for one node", 10.5: "wait 10.5 h for one node"},
        "wait=10.5",
        "1.99 min",
    ),
    (
        NOTEBOOK_SHARING,
        (0, 210),
        2,
        {21: "2 done: 60 s", 30: "2 done: 70 s"},
        "second_start=30",
        "1.75",
    ),
]


@pytest.mark.parametrize(
    ("lesson", "ends", "start", "said", "asked", "found"),
    DRAGS,
    ids=lambda one: getattr(one, "id", ""),
)
def test_a_chart_follows_the_pointer_before_the_server_answers(
    comes, lesson, ends, start, said, asked, found
):
    page = comes(lesson=lesson)
    curve = chart(page)
    drawn = drawing(curve)
    at = across(curve)

    def share(place: float) -> float:
        return (place - ends[0]) / (ends[1] - ends[0])

    page.mouse.move(*at(share(start)))
    page.mouse.down()
    for place, words in said.items():
        page.mouse.move(*at(share(place)), steps=4)
        expect(curve.locator("svg text").filter(has_text=words).first).to_be_visible()
    asked = f"{lesson.id}_{asked}"
    assert asked.split("=")[0] not in page.url, "the server has not heard of it yet"
    page.mouse.up()
    page.wait_for_function("asked => location.search.includes(asked)", arg=asked)
    settle(page)
    expect(curve.locator("svg text").filter(has_text=words).first).to_be_visible()
    expect(page.get_by_text(found, exact=True).first).to_be_visible()
    stays(curve, drawn)
