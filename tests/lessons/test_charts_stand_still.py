"""A turn of a knob changes a main chart's rows, not its specification: axes stand still, and
nothing is built again.
"""

import json
import re

import pytest
from driving import SIMULATED, at_share, chart_frame, charts, unlocked
from framed import outside

from lessons import LESSONS
from ui.base.lesson import Film, Lesson, View
from ui.charts.look import Look
from ui.knobs.declared import knobs_of, read

#: Turns that are tried at most.
MOST = 8


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_the_main_chart_keeps_its_specification_at_both_ends_of_its_knobs(lesson: Lesson):
    app = unlocked(lesson.page)
    first = charts(app)[0]
    sets = {first.datasets[0].data.data}
    turns = [
        (slider.key, slider.value, end) for slider in app.slider for end in (slider.min, slider.max)
    ]
    tried = [turn for turn in turns if turn[1] != turn[2]]
    for key, start, end in tried[:: max(1, len(tried) // MOST)]:
        app.slider(key=key).set_value(type(start)(end)).run()
        assert not app.exception
        drawn = charts(app)[0]
        assert drawn.spec == first.spec, f"{key} = {end:g} has the chart built again"
        assert drawn.title == first.title
        assert not outside(drawn.spec, chart_frame(drawn)), f"{key} = {end:g}"
        sets.add(drawn.datasets[0].data.data)
        app.slider(key=key).set_value(start)  # with the next turn
    assert len(sets) > 1, "no knob changes a row"


#: Knobs that choose what span a picture shows, by lesson and picture.
SPANS = {
    ("notebooks", "mix"): {"combination", "overhead", "cores"},
    ("autoscale", "fleet"): {"load"},
    ("autoscale", "forecast"): {"load"},
    ("trial", "lead"): {"way"},
    # a pool with GPUs has one resource more
    ("drf", "gpus"): {"gpu"},
    ("drf", "jobs"): {"gpu"},
}
PICTURES = [
    pytest.param(lesson, view, marks=[pytest.mark.nightly] * ((lesson.id, view.id) in SIMULATED))
    for lesson in LESSONS
    if lesson.coarse is None
    for view in lesson.pictures
    if not isinstance(view, Film)
]


@pytest.mark.slow
@pytest.mark.parametrize(("lesson", "view"), PICTURES, ids=lambda one: one.id)
def test_every_picture_keeps_its_specification_at_both_ends_of_its_knobs(
    lesson: Lesson, view: View
):
    def specs(changes: dict[str, object]) -> list[str]:
        return [
            json.dumps(one.spec) for one in view.figures(read(lesson.settings, changes)[0], Look())
        ]

    knobs = knobs_of(lesson.settings)
    usual = specs({})
    for name in set(view.knobs) - SPANS.get((lesson.id, view.id), set()):
        assert all(specs({name: at_share(knobs[name], end)}) == usual for end in (0, 1)), name


#: Settings that leave the frame of a lesson's chart.
OUTSIDE = {
    "trap": {"trap_gpus_per_job": "1024"},
    "storage": {"storage_file_size": "0.004"},
    "place": {"place_between": "1.25"},
}
#: Further charts of a lesson that leave their frames at the same settings.
MORE = [("storage", "size")]
#: Where the chart with a frame is not the first picture.
FRAMED = {"storage": "loads"}
CASES = [(one, FRAMED.get(one)) for one in OUTSIDE] + MORE


@pytest.mark.slow
@pytest.mark.parametrize(("name", "view"), CASES)
def test_axes_follow_what_leaves_the_frame_only_while_that_is_wanted(name, view):
    lesson = next(one for one in LESSONS if one.id == name)
    if view:
        chosen = {f"{name}_view": view}
    else:
        chosen = {}
    app = unlocked(lesson.page, answer="c", **OUTSIDE[name] | chosen)
    toggle = f"{name}_fit"

    def seen() -> tuple[set[str], str]:
        """What stands at the frame's edge, and the specification; nothing may be drawn beyond."""
        assert not app.exception
        chart = charts(app)[0]
        rows = chart_frame(chart)
        assert not outside(chart.spec, rows)
        words = {
            text
            for text in rows.label.dropna()
            if re.search("[↑→▸]", text) and "you said" not in text
        }
        return words | {
            f"{shape}" for shape in rows.get("shape", ()) if str(shape).startswith("triangle")
        }, chart.spec

    edge, usual = seen()
    assert edge and app.toggle(key=toggle).value is False
    app.toggle(key=toggle).set_value(True).run()
    within, fitted = seen()
    assert not within and fitted != usual
    app.toggle(key=toggle).set_value(False).run()
    assert seen() == (edge, usual)
    if view is None:
        app.button(key=f"{name}_reset").click().run()
        assert not [one for one in app.toggle if one.key == toggle], (
            "nothing leaves the frame any more"
        )
