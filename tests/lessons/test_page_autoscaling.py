"""The autoscaling page, driven as a script would."""

import pytest
from driving import all_text, chart_frame, charts, metrics, unlocked, visit

from lessons.autoscaling import LESSON
from ui.charts import levels
from ui.charts.look import Look
from ui.page import figures

PAGE = "autoscaling"


def test_from_the_lock_through_the_test_and_the_challenge_to_the_reflection():
    app = visit(PAGE)
    assert not app.metric and app.slider(key="autoscale_lower").proto.disabled
    app.radio(key="autoscale_prediction").set_value("a").run()
    app.button(key="autoscale_lock").click().run()
    assert metrics(app)["Changes"] == "11" and metrics(app)["Utilization"] == "45 % to 90 %"
    app.button(key="autoscale_test").click().run()
    assert app.slider(key="autoscale_start").value == 2 and "one is removed after 15 s" in all_text(app)
    app.button(key="autoscale_challenge").click().run()
    assert app.slider(key="autoscale_start").value == 1
    assert "Not yet: a steady load of 0.9 still goes back and forth" in all_text(app)
    app.slider(key="autoscale_lower").set_value(40).run()
    assert "Won: every steady load settles" in all_text(app)
    app.radio(key="autoscale_reflection").set_value("c").run()
    app.button(key="autoscale_reflection_lock").click().run()
    record = app.session_state["ledger"]["autoscale"]
    assert not app.exception and record["right"] is False and record["reflection_right"] is True
    assert record["settings"]["lower"] == 0.4 and "won" in record
    assert "A gap ends it" in all_text(app)


def test_the_rest_under_the_lower_threshold_is_seen_and_said():
    app = unlocked(PAGE, autoscale_lower="45")
    assert metrics(app)["Changes"] == "1" and "It settles at 2 replicas, after 1 change and 2.25 min." in all_text(app)


GUESSES = {"a": "2 replicas", "b": "back and forth", "c": "more and more", "d": "1 replica"}


@pytest.mark.parametrize(("answer", "words"), list(GUESSES.items()))
def test_a_guess_is_drawn(answer, words):
    frame = chart_frame(charts(unlocked(PAGE, answer=answer))[0])
    assert f"you said: {words}" in set(frame["label"].dropna()) and (frame["kind"] == "guess").any()


def test_what_is_dragged_moves_its_knob_within_the_gap_and_nonsense_moves_nothing():
    app = unlocked(PAGE)
    frame = chart_frame(charts(app)[0])
    assert set(frame["level_0"]) == {0.5} and set(frame["most_0"]) == {0.75} and set(frame["told"]) == {-1.0}
    lines = LESSON.pictures[0].figures(LESSON.settings(), Look())[0].levels
    moved = []
    for press, pull in ((0.52, [0.41, 0.52]), (0.9, [0.2, 0.9]), (0.3, None)):
        found = {"press": [{"at": press}]} | ({"pull": {"from": pull}} if pull else {})
        moved.append(levels.meant(lines, *levels.heard(found)))
    assert moved == [("lower", 0.41), ("upper", 0.55), ("lower", 0.3)]
    for nonsense in (None, {}, {"press": []}, {"press": [{"at": "x"}]}, {"press": [{}], "pull": 3}, "press"):
        assert levels.heard(nonsense) is None
    figures.pulled("autoscale_utilization_chart", lines, pytest.fail)


def test_a_link_to_a_part_opens_it_with_its_knobs():
    app = unlocked(PAGE, autoscale_view="forecast", autoscale_load="surprise", autoscale_forecast="seasonal_naive")
    assert metrics(app)["Forecast off by"].endswith("%") and "Too few replicas at times" in all_text(app)
    assert not [one for one in app.slider if one.key == "autoscale_lower"]


@pytest.mark.parametrize("preset", [name for name, one in LESSON.presets.items() if one.view])
def test_a_preset_opens_the_view_in_which_it_acts(preset):
    app = unlocked(PAGE)
    app.button(key=f"autoscale_preset_{preset}").click().run()
    assert not app.exception and app.session_state["autoscale_view"] == LESSON.presets[preset].view
