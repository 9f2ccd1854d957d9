"""The autoscaling page, driven as a script would."""

import pytest
from driving import all_text, chart_frame, charts, metrics, unlocked

from lessons.autoscaling import LESSON, utilization
from ui.charts import handle, levels
from ui.charts.look import Look
from ui.page import figures

PAGE = "autoscaling"


def test_the_rest_under_the_lower_threshold_is_seen_and_said():
    app = unlocked(PAGE, autoscale_lower="45")
    assert metrics(app)[
        "Changes"
    ] == "1" and "The fleet settles at 2 replicas, after 1 change and 2.25 min." in all_text(app)


def test_a_guess_is_drawn():
    for answer, words in {
        "a": "2 replicas",
        "b": "less often",
        "c": "just as often",
        "d": "1 replica",
    }.items():
        figure = utilization.figure(LESSON.settings(), Look(), answer)
        assert f"you said: {words}" in figure.labels and (figure.frame["kind"] == "guess").any()


def test_what_is_dragged_moves_its_knob_within_the_gap_and_nonsense_moves_nothing():
    app = unlocked(PAGE)
    frame = chart_frame(charts(app)[0])
    assert (
        set(frame["level_0"]) == {0.5}
        and set(frame["most_0"]) == {0.75}
        and set(frame["told"]) == {-1.0}
    )
    lines = LESSON.pictures[0].figures(LESSON.settings(), Look())[0].levels
    moved = []
    for start, at in ((0.52, 0.41), (0.9, 0.2), (0.3, 0.3)):
        press = handle.heard({"held": {"start": start, "at": at, "off": 0, "when": 7}})
        moved.append(levels.meant(lines, press))
    assert moved == [("lower", 0.41), ("upper", 0.55), ("lower", 0.3)]
    for nonsense in (
        None,
        {},
        {"held": []},
        {"held": {"start": "x", "at": 0.5, "when": 1}},
        {"held": {"start": 0.5, "at": 0.5}},
        "held",
    ):
        assert handle.heard(nonsense) is None
    figures.pulled("autoscale_utilization_chart", lines, pytest.fail)
