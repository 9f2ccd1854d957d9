"""Placement driven through AppTest: from the locked question to the film, the challenge and the reflection."""

import json
from dataclasses import replace

import pytest
from driving import all_text, charts, frame_of, metrics, texts, unlocked, visit

from lessons.placement import LESSON, challenge, chart, stream
from lessons.placement.settings import BETWEEN, Training
from ui.charts.look import Look
from ui.knobs.declared import knobs_of, read

BROWSER = {"_agent": "Mozilla/5.0"}
PLAYED = read(Training, challenge.START)[0]


def test_from_the_locked_question_to_the_reflection():
    app = visit("placement")
    assert not app.metric and app.slider(key="place_wait").proto.disabled
    app.radio(key="place_prediction").set_value("b").run()
    app.button(key="place_lock").click().run()
    assert not app.exception
    shown = metrics(app)
    assert shown["Start now: done after"] == "22.5 h" and shown["Wait: done after"] == "18 h"
    assert shown["Worth waiting up to"] == "10.5 h" and shown["Scattered step"] == "1.98 s"
    assert "Waiting 6 h for a node ends 4.53 h earlier." in all_text(app)
    app.slider(key="place_wait").set_value(20.0).run()
    assert "Starting now ends 9.47 h earlier than waiting 20 h." in all_text(app)
    app.radio(key="place_reflection").set_value("b").run()
    app.button(key="place_reflection_lock").click().run()
    record = app.session_state["ledger"]["place"]
    assert record["prediction"] == "b" and record["right"] is False and record["reflection_right"] is True
    assert record["results"]["Worth waiting up to"] == "10.5 h"


@pytest.mark.parametrize(
    ("answer", "words", "hours"), [("a", "not at all", 0), ("b", "1 h", 1), ("c", "10 h", 10), ("d", "as long", 48)]
)
def test_what_you_said_is_drawn_where_it_means_something(answer, words, hours):
    rows = chart.frame(Training(), answer).to_pandas()
    said = rows[rows.label.fillna("").str.startswith(f"you said: {words}")]
    assert list(said.x) == [hours]
    assert not chart.frame(Training(), None).to_pandas().label.fillna("").str.contains("you said").any()


def test_bars_end_where_the_runs_end():
    frame = frame_of(unlocked("placement"), "Two bars in time")
    bars = {row.kind: (row.x, row.x2) for row in frame.itertuples() if row.kind in ("slow", "wait", "fast")}
    assert bars["wait"] == (0, 6) and bars["fast"] == (6, 18)
    assert bars["slow"] == pytest.approx((0, 22.5), abs=0.05)


def test_what_leaves_the_frame_is_an_arrow_at_its_edge_with_its_number():
    far = replace(Training(), between=1.25e9)
    frame = chart.frame(far).to_pandas()
    assert frame.x.max() == chart.END and (frame.x2.dropna() <= chart.END).all()
    assert (frame["shape"] == "triangle-right").sum() == 2
    assert frame.label.fillna("").str.contains("done after 234 h").any()
    step = chart.step_frame(far).to_pandas()
    assert step[["x", "x2"]].max().max() == chart.STEP_END and (step["shape"] == "triangle-right").sum() == 1


@pytest.mark.parametrize("preset", LESSON.presets)
def test_a_preset_opens_the_act_in_which_it_acts(preset):
    app = unlocked("placement", {"place_view": "film"})
    app.button(key=f"place_preset_{preset}").click().run()
    assert not app.exception and app.session_state["place_view"] == LESSON.presets[preset].view
    assert charts(app)


def test_the_stream_compares_the_rule_with_another_and_the_film_shows_it():
    app = unlocked("placement", {"place_view": "stream"})
    assert "8-GPU job gets a node at once" in metrics(app) and "Best fit: when a job arrives" in all_text(app)
    assert {"mine", "other", "mean mine", "mean other"} <= set(frame_of(app, "Free GPUs on nodes with too few").kind)
    app.button_group(key="place_rule").set_value("worst").run()
    assert "Worst fit: when a job arrives" in all_text(app)
    app = unlocked("placement", {"place_view": "film"})
    assert not app.exception and any("Each row is a node of 8 GPUs" in text for text in texts(app))


def test_all_twenty_streams_are_computed_on_request_only():
    closed = all_text(unlocked("placement", BROWSER | {"place_view": "stream"}))
    opened = all_text(unlocked("placement", BROWSER | {"place_view": "stream", "place_twenty": True}))
    assert "Averages over 20 streams" not in closed and "Averages over 20 streams" in opened


def test_what_mends_it_and_the_answer_of_the_reflection_are_not_sent_before_they_are_asked_for():
    for view in LESSON.views:
        said = all_text(unlocked("placement", BROWSER | {"place_view": view, "place_derivation": True}))
        assert "A scattered run at most 10 % longer" not in said and "33.2 min" not in said
    opened = all_text(unlocked("placement", BROWSER | {"place_remedies": True}))
    assert "hide 90 % of the communication" in opened


def test_the_challenge_is_won_by_one_combination_and_by_no_knob_alone():
    tried = {
        (rule, whole, link): challenge.judge(replace(PLAYED, rule=rule, whole=whole, between=link * 1e9))
        for rule in ("best", "worst", "first")
        for whole in (True, False)
        for link in BETWEEN
    }
    assert {key for key, judged in tried.items() if judged.good} == {("best", False, 25)}
    assert "too expensive" in tried["best", False, 50].text and "too slow" in tried["best", False, 12.5].text
    # Without either limit another setting would do: both bind.
    assert stream.run(replace(PLAYED, rule="best", whole=False, between=50e9)).completion < challenge.LIMIT
    assert replace(PLAYED, between=12.5e9).network_cost < challenge.BUDGET
    for name, knob in knobs_of(Training).items():
        for end in (knob.values({})[0], knob.values({})[-1]):
            assert not challenge.judge(replace(PLAYED, **{name: end})).good, (name, end)


def test_a_report_that_won_the_task_before_is_still_judged_as_won():
    """The settings that won are kept, and judged again when a report is graded."""
    before = replace(PLAYED, load=0.8, draw=16, rule="best", whole=False, between=25e9)
    assert challenge.judge(before).good and not challenge.judge(replace(before, whole=True)).good
    assert challenge.judge(replace(before, draw=10)).text.startswith("Not begun")


def test_the_challenge_won_on_the_page():
    app = unlocked("placement")
    assert "Not begun" in all_text(app)
    app.button(key="place_preset_five").click().run()
    assert "too slow" in all_text(app)
    app.button_group(key="place_rule").set_value("best").run()
    app.toggle(key="place_whole").set_value(False).run()
    app.select_slider(key="place_between").set_value("25").run()
    assert "Won: mean completion 4.61 h, links for $80,000." in all_text(app).replace("\\$", "$").replace("\u00a0", " ")
    app.select_slider(key="place_parameters").set_value("1.3").run()
    assert "Put back first: Parameters (billion)." in all_text(app)


def test_turning_a_knob_keeps_each_specification():
    changes = ({}, {"parameters": 13e9, "between": 1.25e9}, {"spread": 4}, {"rule": "worst"}, {"mix": "five"})
    turned = [Training(**change) for change in changes]
    draws = (lambda one: chart.figure(one, Look(), "b"), chart.step_figure, stream.figure)
    for draw in draws:
        specs = [json.dumps((draw(one) if draw is draws[0] else draw(one, Look())).spec) for one in turned]
        assert len(set(specs)) == 1


def test_bad_values_in_the_query_string_are_reported():
    app = unlocked("placement", place_rule="random", place_wait="99", place_spread="3")
    said = "\n".join(warning.value for warning in app.warning)
    assert not app.exception and all(key in said for key in ("place_rule", "place_wait", "place_spread"))
