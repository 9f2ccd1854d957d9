"""What the Autoscaling lesson says, proved against runs, hand calculation, and the rules
themselves.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from filmed import seen_at

from lessons.autoscaling import LESSON, flapping, utilization
from lessons.autoscaling.laboratory import backoff, film, several
from lessons.autoscaling.laboratory.models import KV_BYTES
from lessons.autoscaling.settings import JUMP, STRETCH, Fleet, say
from physics import constants as k
from physics.autoscaling import (
    Concurrency,
    Predictive,
    Threshold,
    flapping_loads,
    simulate_autoscaler,
)
from physics.autoscaling.several import simulate_metrics
from ui.base.words import fill
from ui.charts.look import Look
from ui.knobs.declared import read

STORY = Fleet()
WORDS = LESSON.values(STORY)


def preset(name: str) -> Fleet:
    return read(Fleet, LESSON.presets[name].changes)[0]


def feedback(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, WORDS)


def settles(load: float, upper: float, lower: float, step: int = 1) -> bool:
    """Play the thresholds by hand, without any delay, and say whether the fleet stops moving."""
    for start in (1, 2, 3, 7):
        count = start
        seen = []
        for _ in range(60):
            busy = min(1.0, load / count)
            if busy > upper:
                count = count + step
            elif busy < lower:
                count = max(1, count - step)
            seen.append(count)
        if len(set(seen[-12:])) > 1:
            return False
    return True


# The message's night


def test_the_question_is_that_of_the_default_knobs():
    asked = "Starting from one replica, the autoscaler adds a replica above 80% utilization"
    assert asked in LESSON.prediction.text and LESSON.prediction.right == "b"
    assert "more than 80% busy" in LESSON.message and "less than 50% busy" in LESSON.message
    assert (STORY.base, STORY.upper, STORY.lower, STORY.start) == (0.9, 0.8, 0.5, 1)
    assert STRETCH == 30 * 60 and JUMP == 5 * 60  # as the sentences say it


def test_one_replica_is_too_busy_and_two_are_too_idle():
    assert "One replica is 90% busy, above 80%" in feedback("b")
    assert "Two replicas are 45% busy each, below 50%" in feedback("b")
    run = STORY.run
    assert run.groupby("ready")["utilization"].unique().map(list).to_dict() == {1: [0.9], 2: [0.45]}
    assert set(run["ready"].tail(30)) == {1, 2} and STORY.swing == 1 and STORY.rest is None
    night = simulate_autoscaler([0.9] * 5760, Threshold(), start=1, cool_down_down=300)
    assert set(night["ready"].tail(200)) == {1, 2}  # still so after a day


def test_each_options_case_is_what_its_words_say():
    cases = {
        option.id: replace(STORY, **option.test.settings) for option in LESSON.prediction.options
    }
    assert (cases["b"].changes, STORY.changes, cases["b"].cool_down_down) == (5, 11, 600)
    assert cases["a"].run["ready"].tolist()[:2] == [2, 1] and cases["a"].changes == 12
    assert (cases["c"].changes, cases["c"].cool_down_down) == (24, 0)
    assert set(cases["d"].run["ready"]) == {1} and cases["d"].changes == 0
    assert set(replace(STORY, upper=0.89).run["ready"]) == {
        1,
        2,
    }  # only from its own utilization on


def test_a_delay_slows_the_oscillation_and_does_not_end_it():
    changes = [replace(STORY, cool_down_down=delay).changes for delay in (0, 300, 600)]
    assert changes == [24, 11, 5] == sorted(changes, reverse=True)
    long = simulate_autoscaler([0.9] * 5760, Threshold(), start=1, cool_down_down=1800)
    assert (
        set(long["ready"].tail(1000)) == {1, 2} and replace(STORY, cool_down_down=1800).swing == 1
    )
    found = fill(LESSON.corrections[0].found, WORDS)
    assert (
        "24 times in 30 minutes, and with a delay of 10 minutes it still changes 5 times" in found
    )
    assert "here at most 40%" in found


def test_the_rule_is_that_of_hand_calculation_and_of_the_run():
    assert STORY.limit == pytest.approx(
        0.4
    ) and "widest gap, with thresholds of 40% and 80%" in fill(LESSON.takeaways[2], WORDS)
    for load in np.arange(0.05, 6, 0.05):
        assert settles(float(load), 0.8, 0.4)
    assert not settles(0.81, 0.8, 0.41)
    for n, limit in ((1, STORY.limit), (2, 0.8 * 2 / 3)):
        assert flapping_loads(0.8, limit, n) is None and flapping_loads(0.8, limit + 1e-3, n)


def test_steps_of_two_need_two_thirds_of_the_threshold():
    assert LESSON.reflection.right == "c" and "two thirds" in LESSON.reflection.option("c").text
    assert (
        STORY.limit_pairs == pytest.approx(2 / 3 * STORY.limit)
        and WORDS["story.limit_pairs:share"] == "26.7%"
    )
    loads = [float(load) for load in np.arange(0.05, 9, 0.05)]
    assert all(settles(load, 0.8, 0.8 / 3, 2) for load in loads)
    assert not settles(0.81, 0.8, 0.275, 2) and not settles(0.9, 0.8, 0.4, 2)


def test_the_fix_is_the_highest_threshold_that_works():
    words = utilization.remedies(STORY)
    assert (
        "below 45%, and the fleet settles at this load" in words
        and "fleet settles at every steady load if the lower threshold is 40% or less" in words
    )
    assert replace(STORY, lower=0.45).rest is not None and replace(STORY, lower=0.46).swing == 1
    assert not utilization.remedies(replace(STORY, lower=0.45))


@pytest.mark.parametrize("base", [0.3, 0.9, 1.5, 2.5, 4.0])
@pytest.mark.parametrize("lower", [0.2, 0.45, 0.6, 0.75])
@pytest.mark.parametrize("start", [1, 5])
def test_a_fleet_is_called_what_a_longer_run_shows(base, lower, start):
    fleet = replace(STORY, base=base, lower=lower, start=start)
    long = simulate_autoscaler(
        [base] * 960,
        Threshold(fleet.upper, fleet.lower),
        start=start,
        cool_down_down=fleet.cool_down_down,
    )
    late = set(long["ready"].tail(240))
    found = fleet.state
    assert found == "moves" or (found == "swings") == (len(late) == 2)
    if found == "rests":
        assert (
            late == {fleet.last}
            and (fleet.run["ready"][fleet.run["time"] >= fleet.rest] == fleet.last).all()
        )


# The picture


@pytest.mark.parametrize(
    "changes", [{}, {"start": 6, "base": 2.3}, {"upper": 0.9, "lower": 0.3, "base": 1.7}]
)
def test_the_rows_hold_the_run_of_every_place_of_both_thresholds(changes):
    fleet = replace(STORY, **changes)
    for line in utilization.thresholds(fleet):
        outcomes = utilization.outcomes(fleet, line)
        for percent in range(round(100 * line.least), round(100 * line.most) + 1):
            at = percent / 100
            held = [other for low, high, other in outcomes if low <= at < high]
            assert len(held) == 1
            assert held[0].run["ready"].equals(replace(fleet, **{line.knob: at}).run["ready"]), (
                line.knob,
                at,
            )
    assert len(outcomes) < 12


def test_the_runs_steps_are_named_by_their_replicas():
    frame = utilization.figure(STORY, Look()).frame
    held = frame[
        (frame["kind"] == "count")
        & (frame["line"] == 0)
        & (frame["start"] < 0.5)
        & (frame["stop"] > 0.5)
    ]
    assert held[["label", "y"]].values.tolist() == [["1 replica", 0.9], ["2 replicas", 0.45]]


def ending(fleet: Fleet, load: float, start: int) -> set[int]:
    """Replicas late in a long run under a steady load."""
    rule = Threshold(fleet.upper, fleet.lower)
    return set(simulate_autoscaler([load] * 400, rule, start=start)["ready"].tail(100).tolist())


@pytest.mark.parametrize("lower", [0.3, 0.4, 0.5, 0.7])
@pytest.mark.parametrize("upper", [0.55, 0.8, 0.95])
def test_the_sweep_is_what_runs_at_each_load_end_with(upper, lower):
    if lower > upper - 0.05:
        return
    fleet = replace(STORY, upper=upper, lower=lower)
    start = 0.0
    for replicas, low, high in fleet.sweep:
        if low > start:
            assert ending(fleet, (start + low) / 2, replicas) == {replicas}
        if high > low:
            assert ending(fleet, (low + high) / 2, replicas) == {replicas, replicas + 1}
        start = max(low, high)
    assert start == 6  # as its sentence says
    assert (fleet.restless == 0) == (lower <= upper / 2)


def test_the_picture_of_every_load_is_red_between_the_ends_of_an_oscillation_only():
    frame = flapping.figure(STORY, Look()).frame
    red = frame[frame["kind"] == "between"]
    assert red[["x", "y", "end"]].values.tolist() == [[0.8, 0.8, 0.4], [1.0, 1.0, 0.5]]
    assert STORY.restless == pytest.approx(0.2 / 6)
    assert (
        "At 3.33% of the loads in this picture, the fleet never settles"
        in flapping.verdict(STORY).text
    )
    calm = replace(STORY, lower=0.4)
    assert not (flapping.figure(calm, Look()).frame["kind"] == "between").any()
    assert flapping.verdict(calm).good
    larger = replace(STORY, start=4, lower=0.2)
    here = flapping.figure(larger, Look()).frame.query("role == 'here'")
    assert here["y"].tolist() == [0.9 / 4] and larger.last == 4  # as its words say: below the line


def test_each_step_of_the_tour_shows_its_cause():
    steps = [replace(STORY, **stop.settings) for stop in LESSON.tour]
    first = steps[0].run
    # The second replica serves one check and one cold start later.
    assert first["time"][first["ready"] == 2].iloc[0] == 15 + STORY.cold_start
    assert first["utilization"][first["ready"] == 2].iloc[0] == 0.9 / 2 < STORY.lower < STORY.upper
    slow = steps[2]
    # The removal comes as soon as the wait is over.
    removals = slow.run["time"][slow.run["wanted"] < slow.run["requested"]]
    orders = slow.run["time"][slow.run["wanted"] > slow.run["requested"]]
    assert removals.iloc[0] - orders.iloc[0] == slow.cool_down_down
    assert steps[3].state == "rests" and steps[3].last == 2
    assert not any(utilization.judge(fleet).good for fleet in steps)


@pytest.mark.parametrize(
    "changes", [{}, {"start": 4}, {"base": 6.0}, {"cold_start": 900, "base": 3.1}]
)
def test_the_film_is_the_run(changes):
    fleet = replace(STORY, **changes)
    played = film.run_film(fleet)
    run = fleet.run
    for step in range(0, len(run), 7):
        boxes, _ = seen_at(played, 15.0 * step + 7)
        size = (boxes["last"] - boxes["first"] + 1).groupby(boxes["kind"]).sum()
        row = run.iloc[step]
        lit = math.floor(20 * row["utilization"] + 0.5)
        assert size.get("busy", 0) == row["ready"] * lit and size.get("idle", 0) == row["ready"] * (
            20 - lit
        )
        assert size.get("starting", 0) == 20 * row["starting"]


# The challenge


def test_the_challenge_is_won_at_one_place_of_the_thresholds_only():
    places = [
        (upper, lower) for upper in range(30, 96) for lower in range(0, min(90, upper - 5) + 1)
    ]
    fleets = {(up, low): replace(STORY, upper=up / 100, lower=low / 100) for up, low in places}
    assert [place for place, fleet in fleets.items() if utilization.judge(fleet).good] == [(80, 40)]


def test_a_refusal_names_what_is_amiss():
    assert "can stay 90% busy" in utilization.judge(replace(STORY, upper=0.9)).text
    swings = utilization.judge(replace(STORY, lower=0.41))
    assert "a steady load of 0.81" in swings.text and not settles(0.81, 0.8, 0.41)
    assert "later than they need" in utilization.judge(replace(STORY, lower=0.39)).text
    assert utilization.judge(STORY).text.startswith("Not yet: ")


# Going further


def test_the_guess_is_the_first_order_of_kubernetes_rule():
    assert (STORY.first_fleet, STORY.first_order, STORY.enough) == (2, 4, 20)
    assert math.ceil(2 * 1.0 / 0.6) == 4 and math.ceil(12 / 0.6) == 20


def test_a_saturated_replica_hides_the_load_and_counting_requests_does_not():
    orders = [2]
    while orders[-1] < 12 / 0.6:  # saturated, n replicas ask for n / 0.6
        orders.append(math.ceil(min(orders[-1], 12) / 0.6 - 1e-9))
    asked = [say.written(f"{run}:orders", STORY) for run in ("hpa.run", "counted.run")]
    assert asked == [" → ".join(map(str, orders)), "2 → 20"] and asked[0] == "2 → 4 → 7 → 12 → 20"
    run = STORY.hpa.run
    before = run[(run["ready"] < 12) & (run["time"] >= JUMP)]
    assert (before["utilization"] == 1).all()
    assert STORY.hpa.lost_share == pytest.approx(run["lost"].sum() / (15 * run["load"].sum()))
    assert STORY.counted.lost_share < STORY.hpa.lost_share / 2
    overshoot = preset("overshoot")
    assert overshoot.hpa.most_requested == 40 > overshoot.counted.most_requested
    assert (Concurrency().stable, Concurrency().panic_share, Concurrency().threshold) == (
        60,
        0.1,
        2,
    )  # as Sources say


def test_saturation_is_blamed_only_where_saturated_replicas_order_too_few():
    verdict = LESSON.view("fleet").verdict
    sees = replace(STORY, base=4.5, peak=7.0, target=0.5)
    assert "77.8% busy" in verdict(sees).text and "saturated" not in verdict(sees).text
    seen = set()
    draw = np.random.default_rng(57)
    for _ in range(150):
        fleet = replace(
            STORY,
            base=int(draw.integers(1, 61)) / 10,
            peak=int(draw.integers(14, 41)) / 2,
            target=int(draw.integers(50, 91)) / 100,
            multiply=str(draw.choice(["ready", "requested"])),
        )
        text = verdict(fleet).text
        after = fleet.hpa.run[fleet.hpa.run["time"] >= JUMP]
        needed = math.ceil(fleet.peak / fleet.target - 1e-9)
        assert ("overshoots" in text) == (after["wanted"].max() > needed)
        if "saturated" in text:
            assert after["load"].iloc[0] > after["ready"].iloc[0]
            assert after["wanted"].iloc[0] < needed
            seen.add("saturated")
        elif "overshoots" in text:
            assert f"up to {after['wanted'].max()} replicas; {needed} would be enough" in text
            seen.add("overshoot")
    assert seen == {"saturated", "overshoot"}


def test_an_oscillation_that_the_half_hour_cannot_show_is_told_as_one_to_come():
    slow = replace(STORY, cool_down_down=1800)
    assert slow.swing == 1 and slow.changes == 1
    text = utilization.verdict(slow).text
    assert "will go back and forth" in text and "waits 30 min before it removes" in text
    assert "jumps between" not in utilization.figure(slow, Look()).alt
    for delay in range(0, 1801, 60):
        fleet = replace(STORY, cool_down_down=delay)
        if "show only" in utilization.verdict(fleet).text:
            assert fleet.changes < 3 and delay >= 600
        else:
            assert fleet.changes >= 3


def test_the_first_removal_is_not_said_to_wait_for_the_cool_down():
    story = fill(LESSON.prediction.option("a").test.found, WORDS)
    assert "because the first check removes one" in story
    run = replace(STORY, start=2).run
    assert run["ready"].tolist()[:2] == [2, 1] and STORY.cool_down_down == 300


def test_the_error_of_a_forecast_is_told_of_what_it_forecasts():
    ahead = replace(STORY, horizon=900)
    assert ahead.off == 0 and ahead.loads[0] == 0.9 and ahead.peaks[0][0] == 12
    text = LESSON.view("forecast").verdict(ahead).text
    assert "forecast of the highest load within 15 min is 0% off" in text


def test_no_target_lies_within_the_tolerance_of_a_saturated_fleet():
    assert (
        1 / k.HPA_TARGET.high - 1 > k.HPA_TOLERANCE and replace(STORY, target=0.9).hpa.changes > 0
    )


def test_a_forecast_is_in_time_from_the_cold_start_on():
    assert STORY.forecasted.slo_share == 1 and preset("forecast").forecasted.slo_share < 1
    met = [replace(STORY, horizon=horizon).forecasted.slo_share for horizon in (105.0, 120.0)]
    assert met[0] < 1 == met[1] and STORY.cold_start == 120
    verdict = LESSON.view("forecast").verdict
    assert verdict(STORY).good and not verdict(preset("forecast")).good


def test_as_yesterday_is_as_good_as_the_day_is_usual():
    usual = preset("usual")
    early = preset("surprise")
    assert usual.off == pytest.approx(0.05, abs=5e-3) and early.off > 5 * usual.off
    assert (
        early.loads[:100] == pytest.approx(usual.loads[720:820]) and k.SURPRISE_SHIFT == 3 * k.HOUR
    )
    assert Predictive().weights == (0.1, 0.0, 0.3)
    assert f"({WORDS['usual.off:share']} and {WORDS['early.off:share']})" in fill(
        LESSON.staff.thirty, WORDS
    )


def test_the_cheapest_reservation_is_the_newsvendors_quantile():
    costs = {level: STORY.bill_of(level / 100) for level in range(0, 1201)}
    assert min(costs, key=costs.get) / 100 == pytest.approx(STORY.reservation["best"], abs=0.06)
    # Of a sine day the load is above R for a share of 1/2 − asin((R − mean)/half the span)/π.
    assert STORY.reservation["best"] == pytest.approx(
        6.45 + 5.55 * math.sin(math.pi * 0.1), abs=0.01
    )
    assert (
        STORY.reservation["bill"] == 1
        and "would save money" in LESSON.view("reserve").verdict(preset("reserve")).text
    )
    assert (
        "would not save money" in LESSON.view("reserve").verdict(replace(STORY, reserved=9.0)).text
    )


def test_what_the_sources_name_are_the_constants():
    assert (k.HPA_SYNC, k.HPA_WINDOW, k.HPA_TOLERANCE, k.COOL_DOWN_DOWN) == (15, 300, 0.1, 300)
    told = "its tolerance of 10%, a check every 15 seconds, the 300-second window"
    assert any(told in one for one in LESSON.sources)
    assert (
        "twice the time of one request" in say("hpa_words", STORY)
        and k.LATENCY_TARGET == 2 * k.INFERENCE_TIME
    )


def test_a_batch_is_nearly_free_up_to_the_knee_and_utilization_does_not_see_it():
    alone = STORY
    many = replace(STORY, batch=16)
    assert (
        KV_BYTES == 2 * 32 * 32 * 128 * 2 == 524_288
        and alone.places == (80e9 - 13.48e9) // (1024 * 524_288) == 123
    )
    assert alone.serving["time"] == pytest.approx((13.48e9 + 1024 * 524_288) / 2.039e12)
    assert (
        many.serving["time"] < 1.7 * alone.serving["time"]
        and many.serving["tokens"] > 9 * alone.serving["tokens"]
    )
    assert (
        alone.step_time(alone.knee) <= 2 * alone.serving["time"] < alone.step_time(alone.knee + 1)
    )
    view = LESSON.view("batch")
    assert [LESSON.view("batch").speaker("metrics")(fleet)[2].value for fleet in (alone, many)] == [
        "100%",
        "100%",
    ]
    over = replace(STORY, batch=512)
    assert (
        over.serving["time"] == over.step_time(123)
        and "Only 123 requests" in view.verdict(over).text
    )


def test_a_second_metric_calms_the_fleet_or_unsettles_it():
    assert not several.oscillates(STORY) and several.verdict(STORY).good
    assert STORY.state == "swings" and set(several.run_of(STORY)["ready"].tail(40)) == {2}
    calm = replace(STORY, base=0.5, memory=0.9)
    assert calm.state == "rests" and several.oscillates(calm)
    assert set(several.run_of(calm)["ready"].tail(60)) == {1, 2}
    assert not several.verdict(calm).good


@pytest.mark.parametrize("base", [0.3, 0.9, 2.5])
@pytest.mark.parametrize("memory", [0.4, 0.85, 1.9, 3.3])
@pytest.mark.parametrize("lower", [0.3, 0.5, 0.7])
def test_two_metrics_are_said_to_oscillate_where_a_long_run_does(base, memory, lower):
    fleet = replace(STORY, base=base, memory=memory, lower=lower)
    long = simulate_metrics([[base] * 800, [memory] * 800], fleet.upper, lower, cool_down_down=0)
    assert several.oscillates(fleet) == (long["ready"].tail(200).nunique() == 2)


def test_growing_steps_are_soon_enough_and_steps_of_one_are_not():
    # The first step comes before the jump; then 2, 4 and 8 more, each after a check and a cold
    # start.
    assert backoff.enough_after(STORY, 1.0) is None
    assert backoff.enough_after(STORY, 2.0) == 3 * (STORY.cold_start + 15)
    assert "6.75 min after the jump" in backoff.verdict(STORY).text
    slow = replace(STORY, cold_start=900)
    assert not backoff.verdict(slow).good and "within 15 minutes" in backoff.verdict(slow).text
    values = {metric.label: metric for metric in backoff.metrics(STORY)}
    assert values["Peak replicas"].value == "16" and "15" in values["Peak replicas"].note
    day = values["Changes at a steady load"]
    assert int(day.value) < 20 < 400 < int(day.note.rpartition(" ")[2])
