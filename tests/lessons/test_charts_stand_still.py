"""A turn of a knob changes a main chart's rows, not its specification: axes stand still, and nothing is built again."""

import re

import pytest
from driving import charts, unlocked

from lessons import LESSONS
from ui.base.lesson import Lesson

#: Knobs that stretch the frame when they go far; a step of them may change the ends of an axis, and no more.
STRETCH = {
    "notebooks": {"copies", "cores", "overhead", "loss", "endless"},
    "autoscale": {"base"},
    "slices": {"one", "one_wide", "two", "three", "four", "seven"},
}
#: Further runs of the page that are tried at most.
MOST = 12


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_the_main_chart_keeps_its_specification_at_both_ends_of_every_knob(lesson: Lesson):
    app = unlocked(lesson.page)
    first, sets = charts(app)[0], set()
    stretch = {f"{lesson.id}_{name}" for name in STRETCH.get(lesson.id, ())}
    turns = []
    for slider in app.slider:
        at, step = slider.value, slider.step
        ends = (slider.min, slider.max)
        if slider.key in stretch:
            ends = (max(slider.min, at - step), min(slider.max, at + step))
        turns += [(slider.key, at, end) for end in ends]
    tried = [turn for turn in turns if turn[1] != turn[2]]
    for key, start, end in tried[:: max(1, len(tried) // MOST)]:
        app.slider(key=key).set_value(type(start)(end)).run()
        assert not app.exception
        drawn, same = charts(app)[0], _without_ends if key in stretch else str
        assert same(drawn.spec) == same(first.spec), f"{key} = {end:g} has the chart built again"
        assert drawn.title == first.title
        sets.add(drawn.datasets[0].data.data)
        app.slider(key=key).set_value(start).run()
    assert len(sets) > 1, "no knob changes a row"


def _without_ends(spec: str) -> str:
    """Leave out which part of an axis is drawn, and every number that follows from it."""
    return re.sub(r"\d+(\.\d+)?", "#", re.sub(r'"(domain|values)": ?\[[^][]*\]', "", spec))
