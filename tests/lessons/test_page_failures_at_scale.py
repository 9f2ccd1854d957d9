"""The page Eight times the GPUs, driven as a script would."""

import pytest
from driving import after_the_test, all_text, chart_frame, charts, click, keys, metrics, unlocked

from lessons import FAILURES_AT_SCALE as LESSON

PAGE = "failures_at_scale"
BROWSER = {"_agent": "Mozilla/5.0"}


def test_before_the_test_the_picture_has_today_s_run_and_neither_curve_nor_peak():
    app = unlocked(PAGE, BROWSER, answer="a")
    rows = chart_frame(charts(app)[-1])
    assert {"ideal", "today"} <= set(rows.kind) and "curve" not in set(rows.kind)
    assert not rows.label.fillna("").str.startswith("peak").any()
    assert "you said: 8 times" in set(rows.label.dropna())
    assert metrics(app)["Useful work"] == "?"


def test_the_test_puts_131_072_gpus_beside_today_s():
    app = click(unlocked(PAGE, BROWSER, answer="d"), "scale_test")
    assert metrics(app)["Useful work"] == "1.36 times"
    left, right = charts(app)
    strips = set(chart_frame(left).label.dropna())
    assert any(label.startswith("today: 16,384 GPUs") for label in strips)
    assert any(label.startswith("131,072 GPUs") for label in strips)
    assert any(label.startswith("peak") for label in chart_frame(right).label.dropna())


def test_the_challenge_begins_with_a_stall_and_is_won_with_two_knobs():
    app = click(unlocked(PAGE, after_the_test(LESSON)), "scale_challenge")
    assert app.slider(key="scale_stall").value == 30
    app.select_slider(key="scale_gpus").set_value(32768).run()
    app.select_slider(key="scale_interval").set_value(10).run()
    assert "Won: of 32,768 GPUs, 26,465 are useful" in all_text(app).replace("\u00a0", " ")
    assert app.session_state["ledger"]["scale"]["won"]["gpus"] == 32768


def test_the_part_that_tells_the_reflection_s_answer_waits_for_its_lock():
    browser = after_the_test(LESSON)
    assert "scale_part_safe" not in keys(unlocked(PAGE, browser))
    app = unlocked(PAGE, browser | {"reflections": {"scale": "a"}})
    assert {"scale_part_safe", "scale_part_spares"} <= keys(app)


@pytest.mark.parametrize(("tap", "words"), [(0, "10 spare nodes"), (2, "205 spare nodes")])
def test_spare_nodes_are_guessed_before_they_are_shown(tap, words):
    app = unlocked(PAGE, after_the_test(LESSON))
    click(app, "scale_part_spares")
    assert app.slider(key="scale_spares").value != 10
    click(app, f"scale_guess_spares_{tap}")
    text = all_text(app).replace("\u00a0", " ")
    assert f"**You said:** {words}. **The model:** 10 spare nodes." in text
    assert metrics(app)["The run waits"] == "21.8%"
