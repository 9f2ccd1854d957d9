"""Labels of charts stand beside their marks: none covers a point or another label, on any
screen.
"""

from dataclasses import replace

import pytest
from driving import each_picture, quick

from lessons import LESSONS
from lessons.utilization_trap.chart import figure as trap
from lessons.utilization_trap.settings import Fleet
from ui.base.lesson import Figure, Lesson, View
from ui.charts import Look, axes, level, marks, plane, stack
from ui.charts.frames import DESK, PHONE, PROJECTOR, SCREENS, Box, Frame, Screen
from ui.charts.labels import labels_of, placed, points_of, shrunk

GUESSES = ("a", "b", "c", "d")


@plane
def _spec(look: Look) -> tuple:
    x = axes.x("x:Q", "across", [0, 1])
    y = axes.y("y:Q", "up", [0, 1])
    return x, y, level("top", "good")


def chart(*rows: dict, present: bool = False) -> Figure:
    return Figure("plot", "Where?", stack(rows), _spec(Look(present=present)), "")


def covered(figure: Figure, screen: Screen) -> list[str]:
    """List the labels of a chart that cover a mark or another label; a correct chart has none."""
    if "label" not in figure.rows.column_names or "transform" in figure.spec:
        return []
    frame = Frame(figure.spec, screen, bool(figure.title))
    labels = list(labels_of(frame, figure.rows))
    boxes = [(frame.text(label.row), frame.box(label.x, label.y, label.row)) for label in labels]
    marks = list(points_of(frame, figure.rows))
    wrong = []
    for at, (text, box) in enumerate(boxes):
        inner = shrunk(box)
        wrong += [f"“{text}” covers a point" for mark in marks if inner.shared(mark) > 0]
        wrong += [
            f"“{text}” covers “{other}”"
            for other, taken in boxes[at + 1 :]
            if inner.shared(shrunk(taken)) > 0
        ]
    return wrong


def drawn(lesson: Lesson, view: View, screen: Screen, changes: dict, **known: object) -> list[str]:
    """What labels of a view's charts cover."""
    look = Look(present=screen is PROJECTOR)
    figures = view.figures(quick(lesson, changes), look, **known)
    return [words for one in figures for words in covered(placed(one, screen), screen)]


def situations(view: View) -> list[dict[str, object]]:
    """What a visitor may have answered, and that the challenge is played."""
    found = [{"guess": None, "playing": False}]
    if view.knows("guess"):
        found += [{"guess": guess, "playing": False} for guess in GUESSES]
    if view.knows("playing"):
        found.append({"guess": None, "playing": True})
    return found


def test_a_label_keeps_its_place_where_that_is_free():
    plot = chart(marks.point(0.5, 0.5), marks.label(0.5, 0.5, "you are here", dx=12))
    assert placed(plot, DESK) is plot


def test_a_label_leaves_the_point_and_the_label_that_it_would_cover():
    rows = [
        *marks.here(0.5, 0.5, "you are here", dx=12),
        *marks.guess(0.5, 0.5, "you said: half", dx=14),
        marks.point(0.3, 0.5),
        marks.label(0.3, 0.5, "covers its own point"),
    ]
    for screen in SCREENS:
        plot = chart(*rows, present=screen is PROJECTOR)
        assert len(covered(plot, screen)) >= 2
        assert not covered(placed(plot, screen), screen)


def test_a_label_stays_within_the_frame_and_off_the_names_of_the_axes():
    plot = chart(marks.point(0.1, 0.5), marks.label(0.1, 0.5, "far too long to the left", dx=-12))
    row = placed(plot, DESK).rows.to_pylist()[1]
    assert row["align"] != "right" or row["dx"] > 0


def test_a_label_that_has_to_move_avoids_lines():
    row = marks.label(0.5, 0.5, "here") | {"align": "center"}
    rows = [marks.point(0.5, 0.5), row, {"kind": "top", "x": 0.5, "y": 0.58}]
    moved = placed(chart(*rows), DESK).rows.to_pylist()[1]
    assert moved["dy"] >= 0


def test_only_words_that_stand_on_fills_never_move():
    plot = chart(marks.point(0.5, 0.5), marks.label(0.5, 0.5, "inside", tone="paper"))
    assert placed(plot, DESK) is plot


def test_a_line_inside_a_box_is_as_long_as_the_part_of_it_there():
    box = Box(0, 10, 0, 10)
    assert box.crossed((-5, 5), (15, 5)) == pytest.approx(10)
    assert box.crossed((5, 5), (5, 30)) == pytest.approx(5)
    assert box.crossed((-5, -5), (-1, 30)) == 0
    assert box.crossed((20, 5), (30, 5)) == 0


def test_what_the_visitor_said_is_read_beside_you_are_here_on_a_phone():
    fleet = Fleet()
    for size in (256, 1024):
        plot = trap(replace(fleet, gpus_per_job=size), Look(), "c")
        assert not covered(placed(plot, PHONE), PHONE)


@each_picture()
def test_no_label_covers_a_mark_or_another_label_in_the_message_s_case(lesson, view):
    for known in situations(view):
        if known["guess"] not in (None, "c"):
            continue
        for screen in SCREENS:
            assert not drawn(lesson, view, screen, {}, **known), (screen.name, known)


@pytest.mark.nightly
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_no_label_covers_a_mark_or_another_label_in_any_preset_with_any_guess(lesson):
    wrong = []
    for name, preset in lesson.presets.items():
        for view in lesson.pictures:
            if lesson.coarse and view.further:
                continue
            for known in situations(view):
                for screen in SCREENS:
                    found = drawn(lesson, view, screen, preset.changes, **known)
                    wrong += [(name, view.id, screen.name, known, words) for words in found]
    assert not wrong
