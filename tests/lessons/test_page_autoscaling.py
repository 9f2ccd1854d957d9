"""The Autoscaling page, driven as a student would drive it."""

import itertools
import json
from dataclasses import replace

import pytest
from driving import all_text, chart_frame, charts, metrics, texts, unlocked, visit

from lessons.autoscaling.charts import VIEWS, figure
from lessons.autoscaling.settings import CONTROLLERS, SHAPES, Fleet
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
    assert not won(app) and "choose the preset “The load of a day” first" in all_text(app)


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
@pytest.mark.parametrize("controller", list(CONTROLLERS))
@pytest.mark.parametrize("load", list(SHAPES))
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
    """Keys of the sliders below “Settings with no effect now”."""
    box = next(box for box in app.sidebar.expander if box.label == "Settings with no effect now")
    return {slider.key.removeprefix("autoscale_") for slider in box.slider}


def test_knobs_without_effect_lie_below_and_say_so():
    app = unlocked("autoscaling")
    counted = {"in_flight", "stable", "panic_share", "panic"}
    assert folded(app) == {"target", "horizon", "peak", "tolerance", "window", "error"} | counted
    said = "\n".join(caption.value for caption in app.sidebar.caption)
    assert "Target utilization (%), Forecast horizon (s)" in said and "(with this controller)" in said
    assert "Load, highest (replicas' worth) (the load is steady)" in said
    app.selectbox(key="autoscale_controller").set_value("hpa").run()
    assert folded(app) == {"upper", "lower", "horizon", "peak", "error"} | counted
    app.selectbox(key="autoscale_load").set_value("day").run()
    assert folded(app) == {"upper", "lower", "horizon", "error"} | counted


@pytest.mark.parametrize("controller", list(CONTROLLERS))
@pytest.mark.parametrize("load", ["steady", "burst"])
def test_at_most_seven_knobs_are_in_sight_and_each_acts(controller, load):
    app = unlocked("autoscaling", autoscale_controller=controller, autoscale_load=load)
    below = {slider.key for box in app.sidebar.expander for slider in box.slider}
    seen = {slider.key.removeprefix("autoscale_") for slider in app.sidebar.slider if slider.key not in below}
    boxes = {box.key for group in app.sidebar.expander for box in group.selectbox}
    seen |= {box.key.removeprefix("autoscale_") for box in app.sidebar.selectbox if box.key not in boxes}
    assert len(seen) <= 7 and {"controller", "load"} <= seen
    assert ("forecast" in seen) == (controller == "predictive")
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
        specs.add(json.dumps([figure(view, replace(fleet, floor=1), Look()).spec for view in VIEWS if view != "film"]))
    assert len(specs) == 1


def test_nonsense_in_the_query_string_is_named_once():
    app = visit("autoscaling", autoscale_controller="magic", autoscale_target="-3", autoscale_kept="maybe")
    assert not app.exception
    said = app.warning[0].value
    assert all(key in said for key in ("autoscale_controller", "autoscale_target", "autoscale_kept"))


def test_requests_are_counted_beside_the_hpa_that_reads_100_percent():
    app = preset(unlocked("autoscaling"), "counted")
    frame, _ = chart(app)
    beside, ready = (frame[frame["kind"] == kind]["value"].max() for kind in ("beside", "ready"))
    assert ready == 30 and beside > 20
    assert "Beside it, Kubernetes HPA: the target is met 55 % of the time and 26.2 % of the work" in all_text(app)
    assert metrics(app)["Turned away"] == "11.8 %"
    app.session_state["autoscale_view"] = "utilization"
    app.run()
    frame, words = chart(app)
    assert frame[frame["kind"] == "flight"]["value"].max() > 1 >= frame[frame["kind"] == "utilization"]["value"].max()
    assert "utilization never reads more than 100 %" in words


def test_names_at_the_ends_of_lines_do_not_touch():
    for name in ("counted", "gap", "overshoot", "surprise"):
        frame, _ = chart(preset(unlocked("autoscaling"), name))
        heights = sorted(frame[(frame["kind"] == "label") & (frame["dx"] == 6)]["value"])
        top = max(heights[-1], frame["value"].max())
        assert len(heights) >= 4 and min(b - a for a, b in itertools.pairwise(heights)) > 0.05 * top


def test_a_forecast_shows_its_errors_and_the_surprise_raises_them():
    app = preset(unlocked("autoscaling"), "usual")
    assert metrics(app)["Forecast off by (MAPE)"] == "4.98 %"
    app = preset(app, "surprise")
    assert metrics(app)["Forecast off by (MAPE)"] == "43.7 %"
    assert "most often because the forecast is lower than the load" in all_text(app)
    assert "RMSE 2.69 replicas' worth" in all_text(app)
    app.selectbox(key="autoscale_forecast").set_value("holt_winters").run()
    assert metrics(app)["Forecast off by (MAPE)"] == "1.59 %"


def test_a_missed_request_has_a_price_that_joins_the_cost():
    app = unlocked("autoscaling", autoscale_miss_price="10")
    fleet = Fleet(miss_price=0.01)
    assert metrics(app)["Total cost"] == f"${fleet.total:.1f}" and "Turned away" not in metrics(app)
    assert fleet.total == pytest.approx(fleet.summary.cost + 0.01 * fleet.missed)
    app.session_state["autoscale_view"] = "cost"
    app.run()
    assert "With the missed requests it is" in chart(app)[1] and (chart(app)[0]["kind"] == "beside").any()


def test_a_burst_is_over_before_a_doubling_in_five_minutes_has_caught_up():
    app = preset(unlocked("autoscaling"), "growth")
    assert "most often because the growth of requests is limited" in all_text(app)
    frame, _ = chart(app)
    assert frame[frame["kind"] == "requested"]["value"].tolist()[1:5] == [3, 6, 12, 24]


def test_the_reservation_is_tried_first_and_answered_on_request():
    state = {"_agent": "Mozilla/5.0", "autoscale_view": "reserve"}
    address = {"autoscale_load": "day", "autoscale_base": "2", "autoscale_reserved": "7"}
    app = unlocked("autoscaling", state, **address)
    assert metrics(app)["Reserved"] == "7" and "Reserving 7 costs 62.7 %" in all_text(app)
    assert "Reserve 8.5" not in all_text(app)
    app = unlocked("autoscaling", state | {"autoscale_reserve_answer": True}, **address)
    assert "Reserve 8.55: 61.6 % of the cost" in all_text(app) and "the mean load is 7." in all_text(app)


def test_a_preset_opens_the_view_in_which_it_acts():
    app = unlocked("autoscaling", autoscale_view="cost")
    assert preset(app, "flapping").session_state["autoscale_view"] == "fleet"
    assert preset(app, "reserve").session_state["autoscale_view"] == "reserve"


def test_each_controller_is_said_in_plain_words_where_it_is_first_used():
    app = unlocked("autoscaling", autoscale_controller="hpa")
    assert "HPA, Kubernetes' Horizontal Pod Autoscaler, asks for as many replicas" in all_text(app)
