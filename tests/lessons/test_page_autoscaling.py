"""The Autoscaling page, driven as a student would drive it."""

import json
from dataclasses import replace

import pytest
from driving import all_text, chart_frame, charts, metrics, texts, unlocked, visit

from lessons.autoscaling.charts import VIEWS, figure
from lessons.autoscaling.settings import Fleet
from ui.charts.look import Look


def preset(app, name: str):
    return app.button(key=f"autoscale_preset_{name}").click().run()


def won(app) -> bool:
    return "Won: the target is met" in all_text(app)


def chart(app, index: int = 0):
    drawn = charts(app)[index]
    return chart_frame(drawn), drawn.alt


def test_the_path_from_the_question_to_the_end():
    app = visit("autoscaling")
    assert not app.metric and app.selectbox(key="autoscale_controller").proto.disabled
    app.radio(key="autoscale_prediction").set_value("a").run()
    app.button(key="autoscale_lock").click().run()
    assert metrics(app)["Changes of the request"] == "11"
    assert "It swings between 1 and 2 for ever: 1 replica would be 90 % busy, above 80 %" in all_text(app)
    assert "**You said: It settles at 2 replicas.**" in all_text(app)
    app.slider(key="autoscale_lower").set_value(45).run()
    assert metrics(app)["Changes of the request"] == "1" and "for ever:" not in all_text(app)
    app.radio(key="autoscale_reflection").set_value("c").run()
    app.button(key="autoscale_reflection_lock").click().run()
    record = app.session_state["ledger"]["autoscale"]
    assert record["prediction"] == "a" and record["right"] is False and record["reflection_right"] is True
    assert record["settings"]["lower"] == pytest.approx(0.45) and record["results"]["Challenge"] == "other settings"


def test_the_cold_start_presets_run_4_7_12_and_4_7():
    app = preset(unlocked("autoscaling"), "overshoot")
    assert "the request rises 2, 4, 7, 12, 20" in all_text(app) and "the request rises 2, 4, 7, at" in all_text(app)
    app.selectbox(key="autoscale_multiply").set_value("ready").run()
    assert "up to 7 replicas" in all_text(app)
    frame, _ = chart(preset(app, "ready"))
    steps = frame[frame["kind"] == "requested"]["value"].tolist()
    assert steps == [2, 4, 7, 7]  # the last one holds to the end


@pytest.mark.slow
def test_the_challenge_is_lost_and_won_with_each_controller():
    app = preset(unlocked("autoscaling"), "day")
    assert not won(app) and "Not yet: the fleet costs 1.45 times the cheapest" in all_text(app)
    app.slider(key="autoscale_target").set_value(80).run()
    assert not won(app) and "Not yet: the target is met only" in all_text(app)
    app.slider(key="autoscale_target").set_value(68).run()
    assert won(app) and app.session_state["ledger"]["autoscale"]["results"]["Challenge"] == "won"

    app.selectbox(key="autoscale_controller").set_value("threshold").run()
    assert not won(app)
    app.slider(key="autoscale_floor").set_value(3).run()
    assert won(app)

    app.slider(key="autoscale_floor").set_value(1).run()
    app.selectbox(key="autoscale_controller").set_value("predictive").run()
    app.slider(key="autoscale_target").set_value(70).run()
    assert won(app)
    app.slider(key="autoscale_horizon").set_value(0).run()
    app.slider(key="autoscale_target").set_value(75).run()
    assert not won(app)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "value"), [("autoscale_peak", 2.0), ("autoscale_latency_target", 5.0), ("autoscale_error", 0)]
)
def test_the_challenge_cannot_be_won_on_an_easier_world(key, value):
    app = unlocked("autoscaling", autoscale_controller="hpa", autoscale_load="day", autoscale_target="68")
    assert won(app)
    app.slider(key=key).set_value(value).run()
    assert not won(app) and "choose the preset “Diurnal load” first" in all_text(app)


def test_a_short_forecast_is_late_and_the_page_says_how_far_to_look():
    app = preset(unlocked("autoscaling"), "forecast")
    assert "most often because replicas that were ordered take 2 min to start" in all_text(app)
    assert "replicas for a sudden rise come up 1.5 min late" in all_text(app)
    assert "look 90 s ahead" in all_text(app)
    app.slider(key="autoscale_horizon").set_value(90).run()
    assert {metric.label: metric.delta for metric in app.metric}["Target met"] == "reaches the goal of 99 %"


@pytest.mark.slow
def test_every_further_chart_has_its_words_and_a_table():
    app = preset(unlocked("autoscaling"), "burst")
    for view in ("latency", "utilization", "cost", "flapping"):
        app.session_state["autoscale_view"] = view
        app.run()
        assert not app.exception and len(charts(app)) == 1
        frame, words = chart(app)
        assert len(frame) and words and "nan" not in words


@pytest.mark.slow
@pytest.mark.parametrize("controller", ["threshold", "hpa", "predictive"])
@pytest.mark.parametrize("load", ["steady", "step", "burst", "day"])
def test_every_controller_follows_every_load(controller, load):
    app = unlocked("autoscaling", autoscale_controller=controller, autoscale_load=load)
    assert not app.exception and len(app.metric) == 4
    frame, words = chart(app)
    assert {"load", "ready", "requested", "cheapest"} <= set(frame["kind"]) and "latency target is met" in words
    assert len(frame) < 4000


def test_a_target_below_the_time_of_a_request_is_worded_and_not_clamped():
    app = unlocked("autoscaling", autoscale_latency_target="0.4")
    assert "No number of replicas answers within 400 ms" in all_text(app)
    assert metrics(app)["Cost ÷ cheapest"] == "no such fleet" and metrics(app)["Target met"] == "0 %"


def test_overload_keeps_growing_where_work_waits():
    app = unlocked("autoscaling", autoscale_base="20", autoscale_ceiling="5", autoscale_kept="true")
    assert "the ceiling of 5 replicas forbids more" in all_text(app)
    waiting = metrics(app)["Still waiting"]
    assert waiting.endswith("h") and float(waiting.split()[0]) > 7  # (20 − 5) replicas' worth for half an hour


def folded(app) -> set[str]:
    """Keys of the sliders below “Knobs without effect now”."""
    box = next(box for box in app.sidebar.expander if box.label == "Knobs without effect now")
    return {slider.key.removeprefix("autoscale_") for slider in box.slider}


def test_knobs_without_effect_lie_below_and_say_so():
    app = unlocked("autoscaling")
    assert folded(app) == {"target", "horizon", "peak", "tolerance", "window", "error"}
    said = "\n".join(caption.value for caption in app.sidebar.caption)
    assert "Target utilization (%), Forecast horizon (s)" in said and "(with this controller)" in said
    assert "Load, highest (replicas' worth) (the load is steady)" in said
    app.selectbox(key="autoscale_controller").set_value("hpa").run()
    assert folded(app) == {"upper", "lower", "horizon", "peak", "error"}
    app.selectbox(key="autoscale_load").set_value("day").run()
    assert folded(app) == {"upper", "lower", "horizon", "error"}


@pytest.mark.parametrize("controller", ["threshold", "hpa", "predictive"])
@pytest.mark.parametrize("load", ["steady", "burst"])
def test_at_most_seven_knobs_are_in_sight_and_each_acts(controller, load):
    app = unlocked("autoscaling", autoscale_controller=controller, autoscale_load=load)
    below = {slider.key for box in app.sidebar.expander for slider in box.slider}
    seen = {slider.key.removeprefix("autoscale_") for slider in app.sidebar.slider if slider.key not in below}
    assert 2 + len(seen) <= 7
    assert not seen & Fleet(controller=controller, load=load).idle().keys()
    assert all(not slider.proto.disabled and slider.min < slider.max for slider in app.sidebar.slider)


def test_the_verdict_does_not_tell_the_cure_and_the_cure_is_told_on_request():
    state = {"_agent": "Mozilla/5.0"}
    app = unlocked("autoscaling", state)
    assert "for ever" in all_text(app) and "Remove replicas only" not in all_text(app)
    app = unlocked("autoscaling", state | {"autoscale_remedies": True})
    assert "Remove replicas only below 45 % and this load comes to rest" in all_text(app)


def test_the_answer_of_the_reflection_waits_for_its_lock():
    app = unlocked("autoscaling", {"_agent": "Mozilla/5.0", "autoscale_derivation": True, "autoscale_view": "flapping"})
    before = [text for text in texts(app) if text != "40 %"]  # the option itself
    assert not any("40 %" in text or "n/(n + 1)" in text for text in before)
    app.radio(key="autoscale_reflection").set_value("c").run()
    app.button(key="autoscale_reflection_lock").click().run()
    assert "lower ≤ upper · n/(n + 1)" in all_text(app) and "must be at most 40 %" in all_text(app)


@pytest.mark.parametrize(("guess", "last"), [("a", 2), ("c", 14), ("d", 1)])
def test_what_was_said_is_drawn_beside_what_happens(guess, last):
    frame, _ = chart(unlocked("autoscaling", answer=guess))
    assert frame[frame["kind"] == "guess"]["value"].iloc[-1] == last
    assert frame["label"].fillna("").str.startswith("you said: ").sum() == 1
    swings, _ = chart(unlocked("autoscaling", answer="b"))
    assert set(swings[swings["kind"] == "guess"]["value"]) == {1, 2}


def test_no_knob_of_the_controller_moves_the_axes():
    specs = set()
    for knob in ({"controller": "hpa"}, {"controller": "predictive"}, {"upper": 0.5}, {"start": 40}, {"floor": 9}, {}):
        fleet = replace(Fleet(base=2.0), **knob)
        specs.add(json.dumps([figure(view, replace(fleet, floor=1), Look()).spec for view in VIEWS]))
    assert len(specs) == 1


def test_nonsense_in_the_address_is_named_once():
    app = visit("autoscaling", autoscale_controller="magic", autoscale_target="-3", autoscale_kept="maybe")
    assert not app.exception
    said = app.warning[0].value
    assert all(key in said for key in ("autoscale_controller", "autoscale_target", "autoscale_kept"))
