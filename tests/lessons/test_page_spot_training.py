"""Spot training driven through AppTest: from the locked question to the second act and the reflection."""

import re

import pytest
from driving import all_text, chart_frame, charts, frame_of, keys, metrics, unlocked, visit

from lessons.spot_training.settings import Plan


def test_from_the_locked_question_to_the_reflection():
    app = visit("spot_training")
    assert not app.metric and app.select_slider(key="spot_interval").proto.disabled
    assert app.select_slider(key="spot_interval").value == 120
    app.radio(key="spot_prediction").set_value("d").run()
    app.button(key="spot_lock").click().run()
    assert not app.exception
    assert "the expected bill is \\$2.5 billion" in all_text(app)
    app.select_slider(key="spot_interval").set_value(40).run()
    shown = metrics(app)
    assert (shown["Expected cost"], shown["Expected time"]) == ("$118", "118 h")
    app.select_slider(key="spot_interval").set_value(960).run()
    assert metrics(app)["Expected cost"] == "$758" and "past break-even" in all_text(app)
    assert "best: " not in all_text(app)
    app.radio(key="spot_reflection").set_value("b").run()
    app.button(key="spot_reflection_lock").click().run()
    record = app.session_state["ledger"]["spot"]
    assert record["prediction"] == "d" and record["right"] is False and record["reflection_right"] is True
    assert record["settings"]["interval"] == 960 * 60 and record["results"]["Expected cost"] == "$758.1"


def test_the_main_chart_shows_band_on_demand_and_guess_and_the_best_interval_only_after_the_reflection():
    app = unlocked("spot_training", {"spot_view": "cost"}, answer="c")
    frame = frame_of(app, "Expected cost against the checkpoint interval")
    assert {"curve", "band", "on demand", "here", "label", "point"} <= set(frame.kind)
    assert "on demand: $300" in set(frame.label) and "you said: $178" in set(frame.label)
    assert not frame.label.str.contains("best").any() and (frame["shape"] != "diamond").all()
    app = unlocked("spot_training", {"reflections": {"spot": "a"}, "spot_view": "cost"})
    frame = frame_of(app, "Expected cost against the checkpoint interval")
    best = frame[frame["shape"] == "diamond"].iloc[0]
    assert (best["interval"], best["share"] * 300) == pytest.approx((40.45, 117.92), abs=0.01)
    assert "best: 40.5 min, $118" in set(frame.label)


@pytest.mark.parametrize("view", ["runs", "cost", "money", "finish", "film", "workers", "elastic"])
def test_the_reflections_answer_is_sent_nowhere_before_the_reflection_is_locked(view):
    app = unlocked("spot_training", {"spot_view": view, "_agent": "Mozilla/5.0"}, spot_nodes="16")
    rows = " ".join(chart_frame(chart).to_csv() for chart in charts(app))
    said = all_text(app) + rows
    assert not app.exception and not re.search(r"8\.7[01]|4,114|cheapest interval is|best: ", said)
    app = unlocked("spot_training", {"spot_derivation": True, "_agent": "Mozilla/5.0"}, spot_nodes="16")
    assert "One node lost stops the gang" in all_text(app) and "8.71" not in all_text(app)


def test_each_view_has_its_charts():
    app = unlocked("spot_training", {"spot_view": "finish"})
    frame = frame_of(app, "Share of 2,000 simulated runs")
    assert not app.exception and {"done", "work", "deadline missed"} <= set(frame.kind)
    assert "95 of 100: 142 h" in set(frame.label)
    app = unlocked("spot_training", {"spot_view": "workers"})
    assert not app.exception
    for start in ("Time against workers", "Cost against workers", "Speed-up per worker"):
        assert (frame_of(app, start).kind == "curve").any()
    assert "**Deadline** 24 h: 6 workers" in all_text(app)
    app = unlocked("spot_training", {"spot_view": "money"})
    assert set(frame_of(app, "Parts of the expected cost").label) >= {"work", "dumps", "restarts", "lost work"}


def test_the_knobs_of_the_second_act_move_its_answers():
    app = unlocked("spot_training", {"spot_view": "workers"})
    app.slider(key="spot_train_deadline").set_value(12).run()
    assert f"12 h: {Plan(train_deadline=43200.0).crew.best['deadline']} workers" in all_text(app)
    app.slider(key="spot_gradient").set_value(40.0).run()
    app.select_slider(key="spot_bandwidth").set_value(1).run()
    assert "no number of workers meets it" in all_text(app)


def test_the_notice_helps_only_if_the_dump_fits():
    app = unlocked("spot_training", spot_interval="40")
    app.toggle(key="spot_notice").set_value(True).run()
    assert "No effect now: 2-minute notice (a dump of 3 min does not fit into 2 min)." in all_text(app)
    assert metrics(app)["Expected cost"] == "$118"
    app.slider(key="spot_dump").set_value(2.0).run()
    assert "does not fit" not in all_text(app) and metrics(app)["Segments that get through"] == "100 %"


def test_a_gang_that_waits_for_nodes_is_seen_to_stand():
    app = unlocked("spot_training")
    app.button(key="spot_preset_waiting").click().run()
    assert not app.exception and app.slider(key="spot_delay").value == 30
    assert "nodes are missing" in set(frame_of(app, "8 simulated runs").label)
    assert re.search(r"On average it stands for [\d.]+ h, waiting for nodes", all_text(app))
    app = unlocked("spot_training", {"spot_view": "money"}, spot_delay="30", spot_nodes="4", spot_interval="20")
    assert "standing" in set(frame_of(app, "Parts of the expected cost").label)


def test_a_notice_in_the_query_string_says_nothing_before_the_lock():
    app = visit("spot_training", spot_notice="true")
    assert not app.exception and "does not fit" not in all_text(app)


@pytest.mark.parametrize(
    ("preset", "says"),
    [
        ("sixteen_hours", "past break-even: too long"),
        ("gang_64", "dearer than on demand at every interval"),
        ("deadline", "The deadline is missed"),
        ("forty_minutes", "Spot costs 39.3 % of on demand"),
    ],
)
def test_presets_lead_to_each_failure_and_to_success(preset, says):
    app = unlocked("spot_training")
    app.button(key=f"spot_preset_{preset}").click().run()
    assert not app.exception and says in all_text(app)


def test_dalys_example_has_the_published_interval():
    app = unlocked("spot_training", {"spot_view": "cost"})
    app.button(key="spot_preset_daly").click().run()
    app.radio(key="spot_reflection").set_value("b").run()
    app.button(key="spot_reflection_lock").click().run()
    assert "at 1.94 h; on demand" in all_text(app)  # 116.7 minutes
    assert "Daly's 1.945 h, the exact one 1.945 h" in all_text(app)


def test_runs_without_an_end_are_shown_as_such():
    address = {"spot_interval": "1440", "spot_mtbf": "0.25", "spot_nodes": "64", "spot_dump": "30"}
    for view in ("runs", "cost", "money", "finish", "film", "workers", "elastic"):
        app = unlocked("spot_training", {"spot_view": view}, **address)
        assert not app.exception and metrics(app)["Expected time"] == "without limit"
        assert "misses 125 h for good" in all_text(app)
        assert ("takes centuries" in all_text(app)) is (view == "finish")


def test_an_interval_that_the_slider_does_not_offer_is_reported():
    app = unlocked("spot_training", spot_interval="41")
    assert not app.exception and any("spot_interval" in warning.value for warning in app.warning)
    assert app.select_slider(key="spot_interval").value == 120


def test_no_two_charts_share_a_table_switch():
    app = unlocked("spot_training", {"spot_view": "workers"})
    assert {"spot_workers_time_table", "spot_workers_cost_table", "spot_workers_efficiency_table"} <= keys(app)
