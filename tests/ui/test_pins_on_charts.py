"""Pinned scenarios stand on the main chart as ghosts: below all else, named, said in words, and in
its table.
"""

import pyarrow as pa
import pytest
from driving import charts, click, put, unlocked

from lessons import LESSONS
from ui.base.lesson import Lesson
from ui.knobs.declared import knobs_of
from ui.record import compare

#: Whose main chart has a point or a curve of the present settings; the others draw boxes, which
#: hide one another, or what the visitor did.
BOXES = {"drf", "last", "notebooks", "slices", "stutter", "trial"}
DRAWN = [lesson for lesson in LESSONS if lesson.id not in BOXES]


def main(app):
    """The chart that pins are drawn on: the one that can be grabbed, or the first."""
    return next(
        (chart for chart in charts(app) if list(chart.proto.selection_mode)), charts(app)[0]
    )


def rows(app) -> list[dict]:
    return pa.ipc.open_stream(main(app).proto.datasets[0].data.data).read_all().to_pylist()


def ghosts(app) -> list[dict]:
    return [row for row in rows(app) if row["kind"] == "ghost" or row.get("role") == "pinned"]


@pytest.mark.slow
@pytest.mark.parametrize("lesson", DRAWN, ids=lambda lesson: lesson.id)
def test_a_pin_stays_on_the_main_chart_when_the_knobs_move_on(lesson: Lesson):
    app = unlocked(lesson.page)
    spec = main(app).spec
    click(app, f"{lesson.id}_pin")
    assert not ghosts(app), "what is pinned is still here"
    for name in lesson.presets:
        put(click(app, f"{lesson.id}_preset_{name}"), f"{lesson.id}_view", next(iter(lesson.views)))
        if ghosts(app):
            break
    assert ghosts(app), "no preset leaves a ghost"
    assert main(app).spec == spec
    assert any(row.get("label") == "pinned 1" for row in rows(app))
    assert "Pinned 1: " in main(app).alt
    click(app, f"{lesson.id}_unpin")
    assert not ghosts(app) and "Pinned 1" not in main(app).alt


@pytest.mark.parametrize(
    "quantities", [3, {"utilization": [1]}, {"utilization": float("nan")}, {"x" * 4000: 1}]
)
def test_a_pin_with_settings_that_are_none_is_no_pin(quantities):
    pin = {"settings": {}, "results": {}}
    assert compare.is_pin(pin) and not compare.is_pin(pin | {"quantities": quantities})


def test_every_knob_is_in_a_pin():
    (pin,) = click(unlocked("utilization_trap"), "trap_pin").session_state["pins"]["trap"]
    assert set(pin["quantities"]) == set(knobs_of(LESSONS[0].settings))


def test_the_name_of_a_pin_stands_beside_what_the_visitor_said():
    from lessons.utilization_trap.chart import figure
    from lessons.utilization_trap.settings import Fleet
    from ui.charts.frames import DESK
    from ui.charts.ghosts import with_pins
    from ui.charts.labels import placed
    from ui.charts.look import Look

    now = Fleet(utilization=0.8)
    look = Look()
    drawn = with_pins(
        figure(now, look, "c"), figure(now, look), [("pinned 1", figure(Fleet(), look))]
    )
    frame = placed(drawn, DESK).frame
    labels = frame[frame.kind == "label"].set_index("label")
    name = labels.loc["pinned 1"]
    said = labels.loc["you said: several job lengths"]
    assert (name.utilization, name.wait) == pytest.approx((said.utilization, said.wait), abs=0.01)
    assert name["align"] != said["align"] or abs(name.dy - said.dy) >= 14
