"""Every sentence of Spot training that holds a number, quoted and proved."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

from lessons.spot_training import LESSON as ROOM
from lessons.spot_training import charts as spot_charts
from lessons.spot_training import values
from lessons.spot_training import verdict as spot_verdict
from lessons.spot_training import workers as spot_workers
from lessons.spot_training.settings import BAND_RUNS, BANDWIDTHS, INTERVALS, MTBFS, RUNS, Plan, band, hours, percentile
from physics import constants as k
from physics.checkpointing import (
    break_even_intervals,
    expected_breakdown,
    expected_runtime,
    optimal_interval,
    speedup,
    spot_cost,
    young,
)
from ui.base.words import fill, load
from ui.charts.look import Look
from ui.knobs.declared import read as read_settings
from ui.record.report import recompute

HOUR, MINUTE = 3600.0, 60.0
LESSON = load("spot_training")
WORDS = values.live_values(Plan())
STORY = {"work": 100.0, "dump": 0.05, "restart": 0.1, "mtbf": 5.0}  # hours


def said(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, WORDS).replace("\\$", "$")


def reflected(option: str) -> str:
    return fill(LESSON.reflection.option(option).feedback, WORDS).replace("\\$", "$")


def cost(interval: float, nodes: int = 1) -> float:
    """Dollars of the student's run at an interval in hours, from the model itself."""
    return spot_cost(interval=interval, price=nodes, **(STORY | {"mtbf": 5 / nodes}))


def test_the_message_and_the_models_constants_tell_the_same_story():
    assert (k.SPOT_WORK, k.SPOT_MTBF, k.SPOT_DUMP, k.SPOT_RESTART) == (100 * HOUR, 5 * HOUR, 3 * MINUTE, 6 * MINUTE)
    assert (k.SPOT_PRICE, k.SPOT_ON_DEMAND_PRICE) == (1, 3)
    for words in (
        "100 hours",
        "$3 an hour",
        "spot market $1",
        "every 5 hours",
        "takes 3 minutes",
        "6 minutes",
        "$100.10",
    ):
        assert words in LESSON.message


def test_about_40_minutes_is_right_and_costs_117_90():
    best = optimal_interval(0.05, 5)
    assert LESSON.prediction.right == "b"
    assert "least expected cost of the student's run is $118, at 40.5 min" in said("b")
    assert best * 60 == pytest.approx(40.45, abs=0.005)
    assert cost(best) == pytest.approx(117.9, abs=0.05) and cost(2 / 3) == pytest.approx(117.9, abs=0.05)
    parts = expected_breakdown(interval=2 / 3, **STORY)
    assert "the run takes 118 h on average: beyond the work 7.5 h of dumps, 8.1 h lost and 2.3 h of restarts" in said(
        "b"
    )
    assert (parts.dumps, parts.lost, parts.restarts) == pytest.approx((7.5, 8.09, 2.33), abs=0.01)
    assert "$17.8 more than the notes say, and still far below the $300 on demand" in said("b")
    assert cost(2 / 3) - 100.10 == pytest.approx(17.8, abs=0.05)


def test_three_minutes_spend_nearly_half_of_the_time_on_dumps():
    assert "spend 48.5 % of its time writing dumps, and costs $206 against $118" in said("a")
    parts = expected_breakdown(interval=0.05, **STORY)
    assert parts.dumps / parts.runtime == pytest.approx(0.485, abs=5e-4)
    assert cost(0.05) == pytest.approx(206.1, abs=0.05)


def test_of_5_hour_segments_36_percent_get_through():
    assert "only 36 % of the student's 5-hour segments get through" in said("c") and "cost $178." in said("c")
    assert math.exp(-5.05 / 5) == pytest.approx(0.364, abs=5e-4)
    assert cost(5) == pytest.approx(178.1, abs=0.05)


def test_16_hours_cost_758_never_costs_billions_and_nothing_costs_100_10():
    assert "only 4 % of the student's segments get through, and the run costs $758" in said("d")
    assert "the expected bill is $2.5 billion" in said("d") and "never is the $100.10" in said("d")
    assert math.exp(-16.05 / 5) == pytest.approx(0.040, abs=5e-4)
    assert cost(16) == pytest.approx(758, abs=0.5) and cost(100) == pytest.approx(2.5e9, rel=0.01)
    assert min(cost(interval) for interval in np.geomspace(1e-3, 100, 500)) > 117.9 > 100.10
    assert pytest.approx(100.10) == 100 + 0.1  # one restart of 6 minutes at $1 an hour


def test_around_the_best_interval_the_cost_is_flat():
    best = optimal_interval(0.05, 5)
    assert WORDS["story_flat"] == "3.5 %"
    assert max(cost(best / 2), cost(best * 2)) / cost(best) - 1 == pytest.approx(0.035, abs=5e-4)


def test_a_gang_of_16_needs_a_checkpoint_about_every_9_minutes():
    best = optimal_interval(0.05, 5 / 16) * 60
    assert LESSON.reflection.right == "b" and best == pytest.approx(8.71, abs=0.005)
    assert "every 18.8 min" in reflected("b") and "10.6 min; the exact answer is 8.71 min" in reflected("b")
    assert 5 / 16 * 60 == 18.75
    assert young(3, 18.75) == pytest.approx(10.6, abs=0.05) and young(3, 300) / 4 == pytest.approx(young(3, 18.75))
    assert 40.45 / 5 < best < 40.45 / 4  # "a quarter or a little less"


def test_the_other_intervals_of_the_gang_cost_more():
    assert "only 10 % of the 40-minute segments get through: the run would cost $9,200" in reflected("a")
    assert "8.71 min, at $4,114; on demand the gang costs $4,800" in reflected("a")
    assert math.exp(-43 / 18.75) == pytest.approx(0.10, abs=0.005)
    assert cost(2 / 3, 16) == pytest.approx(9200, abs=0.5)
    assert cost(optimal_interval(0.05, 5 / 16), 16) == pytest.approx(4114, abs=0.5) and 16 * 300 == 4800
    assert "costs $5,604 against $4,114" in reflected("c")
    assert optimal_interval(0.05, 5) / 16 < 0.05  # more dumps than work
    assert cost(optimal_interval(0.05, 5) / 16, 16) == pytest.approx(5604, abs=0.5)
    assert "only 0.017 % of the segments get through" in reflected("d")
    assert math.exp(-163 / 18.75) == pytest.approx(0.00017, abs=5e-6)


def test_the_corrections_say_what_the_notes_got_wrong():
    spot, workers = (fill(row.found, WORDS).replace("\\$", "$") for row in LESSON.corrections)
    for words in ("$118 at 40-minute intervals", "best of 40.5 min", "$758 at 16 h", "at no interval the $100.10"):
        assert words in spot
    assert "always n = 1" in workers
    assert "6 workers meet a deadline of 24 h, 17 workers are the fastest for $600, and 8 workers" in workers


def test_the_second_acts_best_numbers_are_what_trying_all_of_them_finds():
    crew = Plan().crew
    time = {n: 100 / speedup(n, 0.02, 2e9, 50e9, 10e-6, 2) for n in range(1, 200)}
    assert min(n for n in time if time[n] <= 24) == crew.best["deadline"] == 6
    assert min((n for n in time if 3 * n * time[n] <= 600), key=time.get) == crew.best["budget"] == 17
    assert max(n for n in time if 100 / time[n] / n >= 0.7) == crew.best["knee"] == 8
    assert max(time, key=lambda n: 100 / time[n] / n) == crew.best["performance per cost"] == 1
    assert crew.time(12) == pytest.approx(time[12] * HOUR) and crew.cost(12) == pytest.approx(36 * time[12])


def test_the_notes_knee_is_one_and_0_4286_over_the_serial_share():
    assert WORDS["notes_knee_slope"] == "0.4286"
    assert WORDS["crew_knee"] == "22.4" and pytest.approx(22.4, abs=0.05) == 1 + 0.428571 / 0.02


def test_the_formula_that_derives_performance_per_cost_is_the_model():
    s, t, g, b, alpha = 0.02, 2.0, 2e9, 50e9, 10e-6
    for n in (1, 2, 7, 64):
        spent = t * s * n + t * (1 - s) + 2 * (n - 1) * (alpha * n + g / b)
        assert speedup(n, s, g, b, alpha, t) / n == pytest.approx(t / spent)


def test_the_derivations_parts_are_the_breakdown():
    work, tau, dump, restart, mtbf = 100.0, 2.0, 0.05, 0.1, 5.0
    failures = math.expm1((tau + dump) / mtbf)
    parts = expected_breakdown(work, tau, dump, restart, mtbf)
    assert parts.lost == pytest.approx(work / tau * (mtbf * failures - (tau + dump)))
    assert parts.restarts == pytest.approx(work / tau * failures * mtbf * math.expm1(restart / mtbf))


def test_spot_pays_from_a_minute_and_a_half_to_nine_hours():
    shortest, longest = break_even_intervals(0.05, 0.1, 5, 1, 3)
    text = spot_verdict.break_even_words(Plan())
    assert text == "Spot pays from 1.56 min to 9.27 h."
    assert (shortest * 60, longest) == pytest.approx((1.56, 9.27), abs=0.005)


@pytest.mark.parametrize(
    ("change", "starts"),
    [
        ({"interval": 2400.0}, "Spot costs 39.3 % of on demand"),
        ({"interval": 960 * MINUTE}, "A checkpoint every 16 h is past break-even: too long, lost work eats more"),
        ({"interval": MINUTE}, "A checkpoint every 1 min is past break-even: too short, dumps eat more"),
        ({"nodes": 64}, "Spot is dearer than on demand at every interval"),
        ({"interval": 5 * HOUR}, "The deadline is missed: 5 of 100 runs take longer than"),
        ({"interval": 2400.0, "deadline": 90 * HOUR}, "The work alone takes 100 h, more than the 90 h of the deadline"),
    ],
)
def test_each_failure_is_named(change, starts):
    text = spot_verdict.verdict(replace(Plan(), **change)).text
    assert text.removeprefix(f"{spot_verdict.cost_words(replace(Plan(), **change))} ").startswith(starts)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"interval": 960 * MINUTE},
        {"interval": MINUTE},
        {"interval": 300 * MINUTE, "deadline": 130 * HOUR},
        {"nodes": 2, "deadline": 120 * HOUR, "interval": 1500.0},
        {"dump": 600.0, "interval": 3600.0},
        {"dump": 120.0, "interval": 4 * HOUR},
        {"nodes": 16},
    ],
)
def test_every_change_that_is_said_to_mend_the_run_mends_it(change):
    plan = replace(Plan(), **change)
    assert not plan.good
    text = spot_verdict.remedies(plan)
    assert "This mends it: " in text and spot_verdict.UNMENDED not in text
    text = text.partition("mends it: ")[2]
    tried = 0
    for words, make in (
        (
            r"every ([\d.]+ \w+) and agree on a deadline of ([\d,]+) h",
            lambda m: {"interval": read(m[1]), "deadline": hour(m[2])},
        ),
        (r"every ([\d.]+ \w+)(?:;|\.$)", lambda m: {"interval": read(m[1])}),
        (r"gang of (\d+) node", lambda m: {"nodes": int(m[1])}),
        (r"dumps down to ([\d.]+ \w+)", lambda m: {"dump": read(m[1])}),
        (r"(?:; or |^)agree on a deadline of ([\d,]+) h", lambda m: {"deadline": hour(m[1])}),
        (r"make use of the notice", lambda m: {"notice": True}),
    ):
        if match := re.search(words, text):
            assert replace(plan, **make(match)).good, match[0]
            tried += 1
    assert tried


def read(text: str) -> float:
    number, unit = text.split()
    return float(number) * {"s": 1.0, "min": MINUTE, "h": HOUR}[unit]


def hour(text: str) -> float:
    return float(text.replace(",", "")) * HOUR


def test_the_notice_says_what_it_does():
    assert Plan().idle() == {"notice": "a dump of 3 min does not fit into 2 min"}
    assert Plan(dump=120.0).idle() == {}
    assert Plan(notice=True).cost == Plan().cost
    assert Plan(notice=True, dump=120.0, interval=14400.0).where.lost == 0


def test_the_simulated_runs_agree_with_the_formula_inside_their_interval():
    for plan in (Plan(), Plan(interval=2400.0), Plan(nodes=16, interval=600.0), Plan(notice=True, dump=60.0)):
        times = plan.finish_times
        half = 3.9 * times.std(ddof=1) / math.sqrt(RUNS)
        assert abs(times.mean() - plan.runtime) < half
        assert (times <= plan.p95).mean() >= 0.95 > (times < plan.p95).mean()


def test_the_band_holds_nine_of_ten_runs_and_the_expected_time_where_segments_are_many():
    for interval, low, high in band(Plan()):
        if interval <= HOUR:
            assert low < expected_runtime(100 * HOUR, interval, 180, 360, 5 * HOUR) < high
    assert f"nine of ten of {BAND_RUNS} simulated runs" in values.derived_words(Plan())
    assert percentile(np.arange(1.0, 101.0), 0.95) == 95


PLANS = (
    Plan(),
    Plan(interval=960 * MINUTE),
    Plan(interval=24 * HOUR),
    Plan(nodes=64),
    Plan(dump=120.0, notice=True),
    Plan(work=10 * HOUR, price=0.1, on_demand_price=10.0),
    Plan(deadline=1500 * HOUR),
    Plan(deadline=10 * HOUR),
)


@pytest.mark.parametrize("plan", PLANS)
def test_the_charts_stay_within_their_frame_and_mark_the_present_settings(plan):
    frame = spot_charts.cost_frame(plan, "d", True).to_pandas()
    assert frame.share.dropna().between(0, spot_charts.TOP * (1 + 1e-9)).all()
    assert frame.interval.dropna().between(1, 1440).all() and (frame.kind == "here").sum() == 1
    here = frame[frame.kind == "here"].iloc[0]
    assert (here.interval, here.share) == pytest.approx(
        (plan.interval / MINUTE, min(plan.cost / plan.on_demand_cost, spot_charts.TOP))
    )
    parts = spot_charts.money_frame(plan).to_pandas().query("kind == 'part'")
    assert (parts["low"] <= parts["high"] * (1 + 1e-12)).all()
    assert set(parts["label"]) <= {"work", "dumps", "restarts", "lost work"}
    totals = parts.groupby("interval")["high"].max()
    curve = frame.query("kind == 'curve'").set_index("interval")["share"]
    assert totals.to_numpy() == pytest.approx(curve[totals.index].to_numpy())
    if spot_charts.drawable(plan):
        finish = spot_charts.finish_frame(plan).to_pandas().query("kind != 'done'")
        assert finish.times.between(spot_charts.EARLY, spot_charts.LATE).all()


def test_the_axes_stand_still_whatever_the_knobs_say():
    look = Look()
    for draw in (spot_charts.cost_figure, spot_charts.money_figure, spot_charts.finish_figure):
        found = [draw(plan, look).spec for plan in PLANS]
        assert all(spec is found[0] for spec in found)
        assert json.dumps(found[0]).count('"domain": [') >= 2
    for one, other in zip(spot_workers.figures(PLANS[0], look), spot_workers.figures(PLANS[5], look), strict=True):
        assert one.spec is other.spec


def test_what_leaves_the_frame_leaves_through_its_edge_with_an_arrow_and_its_number():
    labels = set(spot_charts.cost_frame(Plan(interval=960 * MINUTE)).to_pandas().label.dropna())
    assert "you are here: $758 ↑" in labels
    assert "you said: $2,587 ↑" in set(spot_charts.cost_frame(Plan(), "d").to_pandas().label.dropna())
    assert cost(24) == pytest.approx(2587, abs=0.5)
    assert "you: $3,778 ↑" in set(
        spot_workers.worker_frame(Plan(workers=128, serial=0.05).crew, "cost").to_pandas().label.dropna()
    )
    assert 128 * 300 / speedup(128, 0.05, 2e9, 50e9, 10e-6, 2) == pytest.approx(3778, abs=0.5)


def test_the_guess_is_on_the_chart_at_its_interval_and_its_cost():
    for option, hours_between, words in (("a", 0.05, "$206"), ("b", 2 / 3, "$118"), ("c", 5, "$178")):
        frame = spot_charts.cost_frame(Plan(), option).to_pandas()
        row = frame[frame.label == f"you said: {words}"].iloc[0]
        assert (row.interval, row.share) == pytest.approx((hours_between * 60, cost(hours_between) / 300))
    assert not spot_charts.cost_frame(Plan(), None).to_pandas().label.str.contains("you said").any()


def test_where_no_interval_is_near_the_price_on_demand_the_chart_says_so():
    frame = spot_charts.cost_frame(Plan(mtbf=900.0, nodes=64, dump=1800.0)).to_pandas()
    assert "The curve lies above this frame." in set(frame.label) and not (frame.kind == "curve").any()


def test_the_finish_chart_names_a_deadline_that_is_far_away_at_its_edge():
    far = spot_charts.finish_frame(Plan(deadline=1500 * HOUR)).to_pandas()
    assert "deadline met: 1,500 h →" in set(far.label)
    near = spot_charts.finish_frame(Plan(deadline=10 * HOUR)).to_pandas()
    assert "← deadline missed: 10 h" in set(near.label)


def test_the_challenge_is_won_by_the_largest_gang_only_and_not_by_the_ends_of_the_knobs():
    judge = ROOM.challenge.judge
    sizes = {
        nodes: min(cost(minutes / 60, nodes) / (300 * nodes) for minutes in INTERVALS) for nodes in (*range(1, 7), 64)
    }
    most = max(nodes for nodes, share in sizes.items() if share <= 0.5)
    best = [minutes * MINUTE for minutes in INTERVALS if cost(minutes / 60, most) / (300 * most) <= 0.5]
    assert judge(Plan(nodes=most, interval=best[0])).good and str(most) not in ROOM.challenge.task()
    assert "A larger gang can do it too" in judge(Plan(interval=2400.0)).text
    for interval in (60.0, 24 * HOUR):
        assert not any(judge(Plan(nodes=nodes, interval=interval)).good for nodes in (1, most, 64))
    assert judge(Plan(nodes=most, interval=best[0], dump=30.0)).text == "Put back first: Dump (min)."


def test_a_run_of_centuries_is_not_drawn():
    assert spot_charts.drawable(Plan())
    assert not spot_charts.drawable(Plan(interval=24 * HOUR, mtbf=900.0))


def test_the_answers_of_the_second_act_name_goals_that_are_out_of_reach():
    text = " ".join(spot_workers.answers(Plan(train_deadline=HOUR, budget=50.0).crew))
    assert "no number of workers meets it" in text and "even one worker costs more" in text
    free = " ".join(spot_workers.answers(Plan(serial=0.0, gradient=0.0).crew))
    assert "the more the better" in free


def test_each_worker_chart_marks_its_goal_and_its_best():
    for field in spot_workers.CHARTS:
        frame = spot_workers.worker_frame(Plan().crew, field).to_pandas()
        marked = frame[frame["shape"] == "diamond"]
        assert {"curve", "goal"} <= set(frame.kind) and len(marked) == (2 if field == "efficiency" else 1)
        assert frame.label.str.startswith("you: ").sum() == 1
    assert "the best for the knee is 8" in spot_workers.worker_alt(Plan().crew, "efficiency")


def test_hours_stay_hours_where_an_hour_is_a_dollar():
    assert hours(100 * HOUR) == "100 h" and hours(2400) == "40 min" and hours(4000 * HOUR) == "167 days"


def test_select_sliders_hold_the_intervals_of_the_story():
    assert {3, 40, 120, 300, 960} <= set(INTERVALS) and 5 in MTBFS and 50 in BANDWIDTHS
    assert min(INTERVALS) * MINUTE == k.SPOT_INTERVAL.low and max(INTERVALS) * MINUTE == k.SPOT_INTERVAL.high
    assert min(MTBFS) * HOUR == k.SPOT_MTBF.low and max(MTBFS) * HOUR == k.SPOT_MTBF.high


@pytest.mark.parametrize(
    ("quantities", "sentence"),
    [
        ({"interval": "x"}, "interval must be a number, got 'x'"),
        ({"notice": 1}, "notice must be true or false, got '1'"),
        ({"mtbf": math.inf}, "mtbf must be a number"),
    ],
)
def test_settings_that_no_knob_can_have_are_refused(quantities, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_settings(Plan, quantities)


def test_a_kept_record_is_computed_again_and_one_out_of_range_is_bounded():
    record = {"settings": {"interval": 2400.0, "mtbf": 18000.0, "nodes": 1}, "results": {"Expected cost": "$117.9"}}
    rows = {row.label: row for row in recompute(ROOM, record)}
    assert rows["Expected cost"].same
    wild = recompute(ROOM, {"settings": {"interval": 1e30, "nodes": 1e9, "work": 1e300}, "results": {}})
    assert {row.label for row in wild} == {"Expected cost", "Expected time", "95 of 100 done in"}


def test_settings_that_are_missing_have_their_defaults():
    assert read_settings(Plan, {})[0] == Plan() and Plan().crew.train_deadline == k.SPOT_TRAIN_DEADLINE
    assert read_settings(Plan, {"mtbf": 7200.0, "notice": True})[0] == Plan(mtbf=7200.0, notice=True)
    crew = read_settings(Plan, {"train_deadline": 7200.0, "on_demand_price": 2.0})[0].crew
    assert (crew.train_deadline, crew.on_demand_price, crew.work) == (7200.0, 2.0, k.SPOT_WORK)


def test_a_spot_price_that_is_no_lower_is_named_as_the_reason():
    assert "since a node costs no less on the spot market" in spot_verdict.verdict(Plan(price=3.0)).text
    dear = spot_verdict.verdict(Plan(nodes=64)).text
    assert "since the gang is interrupted every 4.69 min" in dear and "no less" not in dear


def test_the_derivation_of_a_run_without_a_notice_stays_true_with_one():
    plan = Plan(notice=True, dump=60.0)
    words, plain = values.live_values(plan), values.live_values(replace(plan, notice=False))
    for name in ("runtime", "work", "dumps", "lost", "restarts", "interruptions"):
        assert words[name] == plain[name]
    # M = 5 h, T = 100 h, τ = 2 h, δ = 1 min, R = 6 min, in hours.
    by_hand = 5 * math.exp(0.1 / 5) * math.expm1((2 + 1 / 60) / 5) * 100 / 2
    assert words["runtime"] == hours(by_hand * HOUR, 4) and plan.runtime < by_hand * HOUR
    assert words["notice_words"] == f"It is at work in your settings, and your run takes {hours(plan.runtime, 4)}."


def test_performance_per_cost_is_a_tie_where_nothing_is_serial_and_nothing_is_sent():
    free = Plan(serial=0.0, gradient=0.0).crew
    assert free.cost(1) == pytest.approx(free.cost(64)) and "a tie" in spot_workers.answers(free)[3]
    assert "1 worker, whatever the network" in spot_workers.answers(Plan(serial=0.0).crew)[3]
