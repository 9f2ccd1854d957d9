"""What the pointer says of a handle is the value that a press there gives, with its unit."""

import re
from dataclasses import replace

import pytest
from driving import BY_ID

from lessons import LESSONS
from lessons.utilization_trap.knee import figure as knee
from lessons.utilization_trap.settings import Fleet
from ui.base.lesson import Figure
from ui.charts import handle
from ui.charts.look import Look
from ui.knobs.places import value_at, words_at

GRABBED = [
    (lesson.id, figure)
    for lesson in LESSONS
    if not lesson.coarse
    for view in lesson.pictures
    for figure in view.figures(lesson.settings(), Look())
    if figure.grab
]


@pytest.mark.parametrize(
    ("name", "figure"), GRABBED, ids=lambda value: getattr(value, "name", value)
)
def test_places_with_one_value_say_the_same_and_others_say_another(name: str, figure: Figure):
    settings = BY_ID[name].settings()
    places = handle.places_of(figure.spec)
    words = words_at(figure.grab, settings, places)
    values = [value_at(figure.grab, settings, at) for at in places]
    assert len(words) == handle.BANDS + 1
    assert len(set(zip(words, values, strict=True))) == len(set(words)) == len(set(values))
    # A number has a unit or a noun.
    assert not [text for text in words if re.fullmatch(r"[\d.,]+", text)]


def test_beyond_what_a_knob_can_be_the_pointer_says_the_end_of_its_range():
    small = replace(Fleet(), fleet=512)
    words = words_at(knee(small, Look()).grab, small, [1.0, 35.4, 35.7, 4000.0])
    assert words == ("1 GPU", "35 GPUs", "36 GPUs", "512 GPUs")
