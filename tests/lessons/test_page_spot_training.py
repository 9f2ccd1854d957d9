"""The spot page, driven as a script would."""

import pytest
from driving import after_the_test, all_text, chart_frame, charts, keys, metrics, unlocked

from lessons.spot_training import LESSON
from lessons.spot_training.settings import Plan
from ui.charts import handle

PAGE = "spot_training"


def test_the_first_screen_is_eight_runs_and_the_curve_that_moves_the_interval():
    app = unlocked(PAGE, after_the_test(LESSON), answer="c")
    left, right = charts(app)
    assert set(chart_frame(left).kind) == {"work", "checkpoints", "lost time", "label", "stretch"}
    assert list(right.proto.selection_mode) == [handle.HELD]
    assert not list(left.proto.selection_mode)
    assert {"you said", "you", "on demand"} <= set(chart_frame(right).label.dropna())
    app.select_slider(key="spot_interval").set_value(3).run()
    assert chart_frame(charts(app)[1]).query("role == 'here'").x.tolist() == [3.0]


@pytest.mark.parametrize("view", ["runs", "film", "workers", "elastic", "mix"])
def test_the_best_interval_is_sent_nowhere_before_the_reflection_is_locked(view):
    app = unlocked(PAGE, after_the_test(LESSON) | {"spot_view": view})
    frames = [chart_frame(chart).query("kind != 'stretch'") for chart in charts(app)]
    sent = all_text(app) + " ".join(frame.to_csv() for frame in frames)
    assert (
        not app.exception and "best: " not in sent and "40.5 min" not in sent and "7.02" not in sent
    )
    assert Plan(dump=5.0).best.interval / 60 == pytest.approx(7.02, abs=0.01)


def test_the_part_that_tells_the_reflection_s_answer_waits_for_its_lock():
    browser = after_the_test(LESSON)
    assert "spot_part_faster" not in keys(unlocked(PAGE, browser))
    app = unlocked(PAGE, browser | {"reflections": {"spot": "a"}})
    app.button(key="spot_part_faster").click().run()
    app.button(key="spot_guess_faster_1").click().run()
    assert not app.exception and {"spot_dump", "spot_restart", "spot_warning"} <= keys(app)
    assert "best: 40.5 min" in set(chart_frame(charts(app)[-1]).label.dropna())


def test_runs_without_an_end_are_shown_as_such():
    address = {"spot_interval": "1440", "spot_mtbf": "0.25", "spot_nodes": "64", "spot_dump": "30"}
    for view in LESSON.views:
        app = unlocked(PAGE, {"spot_view": view}, **address)
        assert not app.exception
        if view in ("runs", "film", "faster"):
            assert metrics(app)[
                "Expected time"
            ] == "without limit" and "too few segments" in all_text(app)
