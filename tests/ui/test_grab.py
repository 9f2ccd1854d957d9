"""Where a chart's x axis is a knob, a press on the chart moves it: the same places, bounds and
books as the slider.
"""

from dataclasses import replace

import pytest
from driving import BY_ID, charts, unlocked

from lessons import LESSONS
from lessons.autoscaling import utilization
from lessons.autoscaling.settings import Fleet as Replicas
from lessons.utilization_trap.chart import figure as trap_figure
from lessons.utilization_trap.settings import Fleet
from ui.base.lesson import Figure, Lesson
from ui.charts import axes, handle, line, plane
from ui.charts.look import Look
from ui.knobs.declared import knobs_of
from ui.page import figures
from ui.page.lesson import spotlight

LOOK = Look()
#: The charts that can be grabbed, at their lesson's own settings.
GRABBED = [
    (lesson.id, figure)
    for lesson in LESSONS
    if not lesson.coarse
    for view in lesson.pictures
    for figure in view.figures(lesson.settings(), LOOK)
    if figure.grab and not figure.grab.choose
]
EACH = pytest.mark.parametrize(
    ("name", "figure"), GRABBED, ids=lambda one: getattr(one, "name", one)
)


@EACH
def test_the_axis_of_a_chart_that_is_grabbed_holds_the_knob_s_places(name: str, figure: Figure):
    settings = BY_ID[name].settings()
    knob = knobs_of(type(settings))[figure.grab.knob]
    before = vars(settings)
    low, high = (end * figure.grab.unit for end in handle.axis_of(figure.spec)["scale"]["domain"])
    places = [place for place in knob.values(before) if low <= place <= high]
    assert len(places) >= 0.9 * len([place for place in knob.values(before) if place <= high]) > 1
    for place in places:
        assert knob.nearest(place, before) * knob.unit == pytest.approx(place)
        assert getattr(replace(settings, **{figure.grab.knob: place}), figure.grab.knob) == place
    ends = knob.values(before)[0], knob.values(before)[-1]
    assert [knob.nearest(far, before) * knob.unit for far in (-1e9, 1e12)] == pytest.approx(
        list(ends)
    )


def test_before_a_purchase_and_after_it_a_press_asks_for_the_utilization_that_is_seen():
    bought = Fleet(added=256)
    grab = trap_figure(bought, LOOK).grab
    wanted = knobs_of(Fleet)["utilization"].nearest(0.6 * grab.unit, {}) / 100
    assert replace(bought, utilization=wanted).now.utilization == pytest.approx(0.6)


@pytest.mark.parametrize(
    "sent",
    [
        None,
        {"selection": {"held": {}}},
        {"selection": {"held": [{"at": 0.5}]}},
        {"selection": {"held": {"start": 0.5, "at": "0.5", "when": 1}}},
        {"selection": {"held": {"start": 0.5, "at": True, "when": 1}}},
        {"selection": {"held": {"start": 0.5, "at": 10**400, "when": 1}}},
        {"selection": {"held": {"start": 0.5, "at": -1e308, "when": 1}}},
        {"selection": {"held": {"start": 0.5, "at": 6.0}}},
    ],
)
def test_what_is_no_place_moves_nothing(monkeypatch, sent):
    monkeypatch.setattr(figures.state, "get", lambda key: sent)
    figures.pressed("trap_wait_chart", lambda at: pytest.fail(f"moved to {at}"))


@pytest.mark.parametrize(
    "lesson", [BY_ID[name] for name in dict(GRABBED)], ids=lambda lesson: lesson.id
)
def test_a_page_sends_its_handle(lesson: Lesson):
    figure = next(figure for name, figure in GRABBED if name == lesson.id)
    shown = (
        unlocked(lesson, {f"{lesson.id}_view": view} if view else None)
        for view in (None, *lesson.views)
    )
    sent = (chart for app in shown for chart in charts(app) if list(chart.proto.selection_mode))
    assert any(chart.title == figure.title for chart in sent)


@pytest.mark.parametrize("name", ["scale", "spot"])
def test_a_curve_that_a_tour_lights_has_one_ring(name):
    """Two would have one name, and the browser would draw nothing."""
    figure = next(one for lesson, one in GRABBED if lesson == name and one.lines)
    lit = spotlight.lit(figure, "curve", LOOK)
    assert len(lit.spec["layer"]) > len(figure.spec["layer"])
    for spec in (figure.spec, lit.spec):
        layers = handle.with_handle(spec, figure.lines)["layer"]
        assert [layer.get("name") for layer in layers].count("ring") == 1


@plane
def _two_lines(look: Look) -> tuple:
    x = axes.x("x:Q", "across", [0, 1])
    y = axes.y("y:Q", "up", [1, 100], type="log")
    return x, y, line("low"), line("high", "bad")


def test_each_of_two_lines_of_a_chart_that_is_grabbed_has_a_ring_of_its_own():
    spec = handle.with_handle(_two_lines(LOOK), ("low", "high"))
    names = [layer["name"] for layer in spec["layer"] if "name" in layer]
    assert len(names) == len(set(names)), "of two with one name the browser would draw neither"
    rings = [layer for layer in spec["layer"] if layer.get("name", "").startswith("ring")]
    drawn = [ring["transform"][0]["filter"] for ring in rings]
    assert drawn == ["datum.kind === 'low'", "datum.kind === 'high'"]


def test_the_glow_of_a_line_of_steps_has_steps():
    lit = spotlight.lit(utilization.figure(Replicas(), LOOK), "run", LOOK)
    (glow,) = [layer for layer in lit.spec["layer"] if layer["mark"].get("strokeWidth") == 10]
    assert glow["mark"]["interpolate"] == "step-after"
