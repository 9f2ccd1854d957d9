"""Every sentence of Spot training that holds a number, quoted and proved, and its pictures at every
setting.
"""

import json
import math
import random
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from filmed import seen_at

from lessons.spot_training import LESSON, cost, film, following, runs
from lessons.spot_training.laboratory import elastic, mix, workers
from lessons.spot_training.settings import INTERVALS, Plan, say
from physics import constants as k
from physics.checkpointing import (
    expected_breakdown,
    optimal_interval,
    play_run,
    speedup,
    spot_cost,
    young,
)
from ui.base import format as f
from ui.base.words import fill
from ui.charts.look import Look
from ui.films import message
from ui.knobs.declared import knobs_of, read

HOUR = 3600.0
MINUTE = 60.0
LOOK = Look()
WORDS = LESSON.values(Plan())
STORY = {"work": 100.0, "dump": 0.05, "restart": 0.1, "mtbf": 5.0}  # hours


def said(text: str) -> str:
    return fill(text, WORDS).replace("\\$", "$")


def answer(option: str) -> str:
    return said(LESSON.prediction.option(option).feedback)


def dollars(interval: float, nodes: int = 1, dump: float = 0.05) -> float:
    """Dollars of the student's run at an interval in hours, from the model itself."""
    return spot_cost(interval=interval, price=nodes, **(STORY | {"mtbf": 5 / nodes, "dump": dump}))


def test_the_message_and_the_models_constants_tell_the_same_story():
    assert (k.SPOT_WORK, k.SPOT_MTBF, k.SPOT_DUMP, k.SPOT_RESTART) == (
        100 * HOUR,
        5 * HOUR,
        3 * MINUTE,
        6 * MINUTE,
    )
    assert (k.SPOT_PRICE, k.SPOT_ON_DEMAND_PRICE) == (1, 3)
    for words in (
        "100 hours",
        "$3 an hour",
        "costs $1",
        "every 5 hours",
        "takes 3 minutes",
        "6 minutes",
        "$100.10",
        "every 8 hours",
    ):
        assert words in LESSON.message
    assert Plan().interval == 8 * HOUR


def test_40_minutes_is_right_and_costs_117_90():
    assert LESSON.prediction.right == "b" and optimal_interval(0.05, 5) * 60 == pytest.approx(
        40.45, abs=0.005
    )
    assert dollars(2 / 3) == pytest.approx(117.9, abs=0.05) == dollars(optimal_interval(0.05, 5))
    parts = expected_breakdown(interval=2 / 3, **STORY)
    assert (parts.dumps, parts.lost + parts.restarts) == pytest.approx((7.5, 10.4), abs=0.05)
    assert "7.5 h writing checkpoints, and 10.4 h on lost work and restarts" in answer("b")
    assert (
        "costs $118, which is more than the $100.10 of the spreadsheet but far less than "
        "$300 on demand"
    ) in answer("b")
    rates = [Plan(interval=minutes * MINUTE) for minutes in (20, 30, 40, 50, 60)]
    assert all(a.where.dumps > b.where.dumps and a.redone < b.redone for a, b in pairwise(rates))


def test_the_other_answers_cost_what_their_feedback_says():
    ten = expected_breakdown(interval=1 / 6, **STORY)
    forty = expected_breakdown(interval=2 / 3, **STORY)
    assert "22.1% of its time writing checkpoints" in answer("a")
    assert ten.dumps / ten.runtime == pytest.approx(0.221, abs=5e-4)
    assert "write for 7.5 h instead of 30 h" in answer("a") and "costs $136" in answer("a")
    lost = [one.lost + one.restarts for one in (ten, forty)]
    assert lost[1] - lost[0] == pytest.approx(4.9, abs=0.05)  # "a few hours more"
    assert dollars(1 / 6) == pytest.approx(136, abs=0.5)
    assert "only 66% of such segments" in answer("d") and "costs $129" in answer("d")
    assert math.exp(-2.05 / 5) == pytest.approx(0.664, abs=5e-4)
    two = expected_breakdown(interval=2, **STORY)
    assert two.lost + two.restarts == pytest.approx(26.8, abs=0.05)
    assert "spends 26.8 h on lost work" in answer("d")
    failed = 100 / 2 * (math.exp(2.05 / 5) - 1)  # segments thrown away
    assert two.lost / failed == pytest.approx(1, abs=0.05)  # "loses about an hour"
    assert dollars(2) == pytest.approx(129, abs=0.5)
    assert "only 36% of the 5-hour segments" in answer("c") and "$178 on average" in answer("c")
    assert math.exp(-5.05 / 5) == pytest.approx(0.364, abs=5e-4)
    assert dollars(5) == pytest.approx(178, abs=0.5)
    assert dollars(8) == pytest.approx(255, abs=0.5)
    for option in LESSON.prediction.options:
        assert said(option.test.found).endswith("compared with $255 at 8 hours")


def test_the_tour_goes_from_one_end_to_the_other_to_the_lowest_point_and_to_eight_nodes():
    stages = [read(Plan, stop.settings)[0] for stop in LESSON.tour]
    eight_hours, three_minutes, lowest, eight_nodes = stages
    assert eight_hours.through < 0.5  # "an interruption usually comes first"
    assert three_minutes.where.dumps == three_minutes.where.work  # "about as long as it works"
    assert lowest.near and not lowest.nodes > 1
    assert eight_nodes.gang_mtbf == lowest.gang_mtbf / 8
    assert eight_nodes.interval > eight_nodes.best.interval  # "now too long"
    assert not any(cost.judge(stage).good for stage in stages)


def test_a_job_grows_with_its_nodes():
    assert Plan(nodes=8).on_demand == 8 * Plan().on_demand
    assert "grows with its nodes" in knobs_of(Plan)["nodes"].help
    assert "The job grows with its nodes" in say("task", Plan())


def test_the_guesses_offer_the_models_number_and_two_others():
    valley = LESSON.guesses["valley"]
    assert said(valley.model) == "3.5%" and said(valley.values[0]) == "3.5%"
    assert "writes for 15 h instead of 7.5 h" in said(valley.found)
    assert "take 6.94 h instead of 10.4 h" in said(valley.found)
    late = Plan(interval=80 * MINUTE)
    assert late.where.dumps < 7.5 * HOUR and late.redone > 10.5 * HOUR
    notice = LESSON.guesses["faster"]
    assert [said(value) for value in notice.values] == ["0%", "6.1%", "20%"]
    assert said(notice.model) == "0%"
    warned = Plan(interval=40 * MINUTE, warning=120.0)
    assert warned.cost == replace(warned, warning=0.0).cost
    assert "With 3 minutes of notice, the run would cost 6.1% less" in said(notice.found)


def test_the_notes_count_one_restart_and_no_interval_costs_so_little():
    assert pytest.approx(100.10) == 100 + 0.1
    assert min(dollars(interval) for interval in np.geomspace(1e-3, 100, 500)) > 117.9
    assert expected_breakdown(interval=2 / 3, **STORY).interruptions == pytest.approx(
        23.6, abs=0.05
    )
    assert "you must expect 23.6 interruptions" in said(LESSON.reply)
    spot, crew = (said(row.found) for row in LESSON.corrections)
    assert "near the best of 40.5 min, the run costs $118; at 16 h it costs $758" in spot
    assert dollars(16) == pytest.approx(758, abs=0.5)
    assert "cost $100.10, which is the cost with a single restart" in spot
    assert (
        "6 workers meet a deadline of 24 h, and 17 workers are the fastest that a budget of $600"
        in crew
    )


def test_the_takeaways_are_what_the_model_says():
    best = optimal_interval(0.05, 5)
    waste, flat, root = (said(text) for text in LESSON.takeaways)
    assert (
        "every 40.5 min: it then costs $118 instead of $255 at 8 hours" in waste
        and "at most 3.5% more" in flat
    )
    assert max(dollars(best / 2), dollars(best * 2)) / dollars(best) - 1 == pytest.approx(
        0.035, abs=5e-4
    )
    assert "about half as long: 19.3 min" in root
    assert optimal_interval(0.05, 5 / 4) * 60 == pytest.approx(19.3, abs=0.05)


def test_one_thirty_sixth_of_the_time_for_a_checkpoint_makes_the_best_interval_a_sixth_as_long():
    dump = 5 / 3600
    best = optimal_interval(dump, 5)
    feedback = {option.id: said(option.feedback) for option in LESSON.reflection.options}
    assert LESSON.reflection.right == "b" and best * 60 == pytest.approx(7.02, abs=0.005)
    assert young(5, 18000) == pytest.approx(young(180, 18000) / 6)
    assert "7.07 min by Young's formula and 7.02 min exactly" in feedback["b"]
    for option, minutes, written in (
        ("a", 40, "40 minutes"),
        ("c", 1, "1 minute"),
        ("d", 240, "4 hours"),
    ):
        worse, least = (f.money(dollars(x, dump=dump), 4) for x in (minutes / 60, best))
        told = (
            f"At {written} the run costs {worse}, and at the best interval, 7.02 min, it costs "
            f"{least}"
        )
        assert told in feedback[option]
    one, seven = (expected_breakdown(100, minutes / 60, dump, 0.1, 5) for minutes in (1, 7))
    assert one.dumps - seven.dumps > seven.lost - one.lost > 0
    assert k.SPOT_DUMP.low > 5  # no slider shows the reflection's case


def test_four_nodes_win_the_challenge_at_intervals_that_are_neither_the_longest_nor_the_shortest():
    winning = [s / 60 for s in INTERVALS if dollars(s / HOUR, 4) <= 0.5 * 4 * 300]
    assert winning == [12, 15, 20, 25, 30] and cost.max_nodes() == 4
    assert min(dollars(s / HOUR, 5) for s in INTERVALS) > 0.505 * 5 * 300  # not by rounding
    won = cost.judge(Plan(nodes=4, interval=1200.0))
    assert won.good and won.text.startswith(
        "Won: with 4 nodes and a checkpoint every 20 min, spot costs 48.6% of the on-demand cost"
    )
    for change in (
        {},
        {"nodes": 4},
        {"nodes": 5, "interval": 1200.0},
        {"nodes": 4, "interval": 1200.0, "dump": 30.0},
    ):
        assert not cost.judge(Plan(**change)).good
    assert "first reset Time to write a checkpoint (min)" in cost.judge(Plan(dump=30.0)).text


def test_spot_pays_from_a_minute_and_a_half_to_nine_hours():
    words = cost.remedies(Plan())
    assert words.startswith("Spot costs less than on demand at intervals from 1.56 min to 9.27 h")
    for end, step in ((1.56 / 60, -1e-4), (9.27, 0.01)):
        assert dollars(end) == pytest.approx(300, rel=2e-3) and dollars(end + step) > 300
    assert cost.remedies(Plan(nodes=64)).startswith(
        "At every interval, spot costs more than on demand"
    )


@pytest.mark.parametrize(
    ("change", "starts", "good"),
    [
        (
            {},
            "The interval is too long: lost work and restarts take 155 h, and the run costs 116% "
            "more",
            None,
        ),
        ({"interval": 600.0}, "The interval is too short: writing checkpoints takes 30 h", None),
        ({"interval": 2400.0}, "The interval is as good as the best", True),
        (
            {"interval": 960 * MINUTE},
            "Spot costs more than on demand, $758 instead of $300, because too few segments",
            False,
        ),
        (
            {"interval": MINUTE},
            "Spot costs more than on demand, $411 instead of $300, because writing checkpoints",
            False,
        ),
    ],
)
def test_each_kind_of_waste_is_named(change, starts, good):
    found = cost.verdict(Plan(**change))
    assert found.text.startswith(starts) and found.good is good


def test_the_verdict_names_the_side_on_which_the_best_interval_lies():
    for plan in at_random(200):
        if plan.cheap and not plan.near and not plan.saved_by_notice:
            text = cost.verdict(plan).text
            assert ("too long" in text) == (plan.interval > plan.best.interval)
            turned = replace(plan, interval=plan.interval * (0.99 if "too long" in text else 1.01))
            assert turned.cost < plan.cost


def test_a_notice_saves_the_work_only_if_a_checkpoint_fits_into_it():
    assert Plan(warning=120.0).cost == Plan().cost
    assert (
        Plan(warning=180.0, interval=4 * HOUR).where.lost == 0 < Plan(interval=4 * HOUR).where.lost
    )
    late, enough = (
        LESSON.view("faster").paragraph(Plan(warning=seconds)) for seconds in (120.0, 180.0)
    )
    assert "With 2 min of notice, work is still lost, because a checkpoint takes 3 min" in late
    assert "no work is lost" in enough and Plan(warning=180.0).through == 1


def at_random(number: int) -> list[Plan]:
    rng = random.Random(1)
    found = []
    for _ in range(number):
        plan = Plan()
        for name, knob in knobs_of(Plan).items():
            plan = replace(plan, **{name: rng.choice(knob.values(vars(plan)))})
        found.append(plan)
    return found


ENDS = [
    Plan(interval=60.0),
    Plan(interval=24 * HOUR, mtbf=900.0, nodes=64, dump=1800.0, restart=HOUR),
    Plan(restart=0.0, dump=30.0, warning=300.0),
    Plan(mtbf=k.SPOT_MTBF.high),
    *(Plan(**preset.changes) for preset in LESSON.presets.values()),
]


def own(plan: Plan, number: int):
    """The run as the model plays it, past the lesson's own memory."""
    rng = np.random.default_rng([runs.SEED, number])
    times = (plan.interval, plan.dump, plan.restart, plan.gang_mtbf)
    return play_run(
        100 * HOUR, *times, rng, plan.warning, runs.MAX_HOURS * HOUR, runs.MAX_INTERRUPTIONS
    )


@pytest.mark.parametrize(
    "plan",
    [Plan(interval=2 * HOUR), Plan(interval=180.0), Plan(nodes=4, interval=1200.0)],
    ids=range(3),
)
def test_the_eight_bars_are_the_runs_that_were_played(plan):
    rows = runs.figure(plan, LOOK).frame
    for number in range(runs.RUNS):
        run = own(plan, number)
        mine = rows[rows.foot == number + 1 + runs.HALF_BAR].set_index("kind")
        work, strip, lost = (mine.loc[part] for part in runs.COLOR_INDEX)
        assert work.x == strip.x == pytest.approx(run.end / HOUR)
        share = (strip.foot - strip.y) / (work.foot - work.y)
        assert share == pytest.approx(plan.dump / (plan.interval + plan.dump))
        begins = lost.x[lost.y == work.y]
        ends = lost.x[lost.y == lost.foot]
        spans = run.rows[run.rows.kind.isin(("lost", "restart"))]
        assert ends.sum() - begins.sum() == pytest.approx((spans.end - spans.begin).sum() / HOUR)
        assert (begins.to_numpy() < ends.to_numpy()).all() and (
            begins.to_numpy()[1:] > ends.to_numpy()[:-1]
        ).all()
        label = rows[(rows.kind == "label") & (rows.y == number + 1)].label.iloc[0]
        assert label == f.money(plan.nodes * run.end / HOUR)


@pytest.mark.parametrize("plan", ENDS, ids=range(len(ENDS)))
def test_every_picture_can_be_drawn_within_its_frame_and_with_few_marks(plan):
    rows = runs.figure(plan, LOOK).frame
    assert (
        rows.x.dropna().between(0, runs.FRAME_HOURS).all()
        and rows.y.between(0.5, runs.RUNS + 0.5).all()
    )
    assert len(rows) <= runs.RUNS * (3 + 2 * runs.MAX_INTERRUPTIONS)
    for guess in "abcd":
        curve = cost.figure(plan, LOOK, guess, told=True)
        drawn = curve.frame
        assert drawn.y.dropna().between(0, cost.TOP * (1 + 1e-9)).all()
        assert drawn.x.dropna().between(0.999, 1440.001).all() and (drawn.role == "here").sum() == 1
        assert any("you said" in text for text in curve.labels)
    played = cost.figure(plan, LOOK, "a", told=True, playing=True)
    assert (played.frame.kind == "goal").sum() == 1 and "you said" not in played.labels
    crew = workers.figure(plan, LOOK).frame
    fleet = mix.figure(plan, LOOK).frame
    assert (
        crew.x.dropna().between(workers.SOON, workers.LATE).all()
        and fleet.y.dropna().between(0, mix.TOP).all()
    )
    sent = message(film.showing(plan), LOOK)
    assert sent["boxes"] and len(json.dumps(sent)) < 50_000


def test_the_curve_is_the_expected_cost_part_by_part_and_the_message_s_pictures_are_light():
    assert (
        runs.figure(Plan(), LOOK).rows.nbytes + cost.figure(Plan(), LOOK, "c").rows.nbytes < 30_000
    )
    rows = cost.figure(Plan(), LOOK).frame.query("kind in ('curve', 'beyond')").sort_values("x")
    assert (rows.x.iloc[0], rows.x.iloc[-1]) == pytest.approx((1, 1440))
    assert (rows.x.pct_change().dropna() < 0.13).all(), "straight lines would stand between them"
    for row in rows.itertuples():
        parts = expected_breakdown(interval=row.x / 60, **STORY)
        edges = [100, 100 + parts.dumps, parts.runtime]
        assert (row.work, row.written, row.y) == pytest.approx(
            [min(edge / 300, cost.TOP) for edge in edges]
        )


@pytest.mark.parametrize(("option", "hours"), [("a", 1 / 6), ("b", 2 / 3), ("c", 5), ("d", 2)])
def test_the_guess_is_on_the_chart_at_its_interval_and_its_cost(option, hours):
    rows = cost.figure(Plan(), LOOK, option).frame
    row = rows[rows.label == "you said"].iloc[0]
    assert (row.x, row.y) == pytest.approx((hours * 60, dollars(hours) / 300))
    assert not cost.figure(Plan(), LOOK, option).frame.label.str.contains("best").any()
    best = cost.figure(Plan(), LOOK, option, told=True).frame.query("shape == 'diamond'").iloc[0]
    assert best.x == pytest.approx(40.45, abs=0.01)
    often = Plan(mtbf=900.0, nodes=8)
    assert "you said ↑" in set(cost.figure(often, LOOK, "c").frame.label.dropna())


@pytest.mark.parametrize("plan", [Plan(), Plan(interval=2400.0), Plan(nodes=3)], ids=range(3))
def test_the_animation_shows_the_run_that_was_played_and_its_bill(plan):
    played = film.film_of(plan)
    rows = own(plan, film.RUN).rows
    for moment in np.linspace(played.begin, played.end, 101)[:-1] + 1e-3:
        boxes, _ = seen_at(played, moment)
        span = rows[(rows.begin <= moment) & (moment < rows.end)].iloc[0]
        each = (span.end - span.begin) / (span["last"] - span["first"] + 1)
        past = int((moment - span.begin) / each)
        assert (boxes.kind == "saved").sum() == span["first"] + past
        now = boxes[boxes.kind.isin(("now", "restart"))].iloc[0]
        assert now["first"] - film.COLUMNS == span["first"] + past
        assert (now.kind == "restart") == (span.kind == "restart")
        bill = f.money(plan.nodes * (span.begin + past * each) / HOUR, 4)
        assert boxes.words[boxes.kind == "bill"].iloc[0] == f"bill so far: {bill}"


def test_the_best_numbers_of_workers_are_what_trying_all_of_them_finds():
    best = Plan().best_crew
    time = {n: 100 / speedup(n, 0.02, 2e9, 50e9, 10e-6, 2) for n in range(1, 200)}
    assert min(n for n in time if time[n] <= 24) == best["deadline"] == 6
    assert min((n for n in time if 3 * n * time[n] <= 600), key=time.get) == best["budget"] == 17
    assert Plan().on_workers(12) == pytest.approx((time[12] * HOUR, 36 * time[12]))
    assert max(time, key=lambda n: 1 / time[n] / n) == 1  # "per dollar is highest with 1 worker"
    assert "needs at least 6 workers" in workers.verdict(Plan()).text
    hopeless = workers.verdict(Plan(train_deadline=HOUR, serial=0.5)).text
    assert hopeless.startswith("No number of workers meets the deadline of 1 h.")


def test_what_following_a_price_gains_is_the_work_less_its_cost_tick_by_tick():
    plan = Plan()
    prices = Plan().prices
    speeds = [0.0] + [speedup(n, 0.02, 2e9, 50e9, 10e-6, 2.0) for n in range(1, 129)]
    for way in ("plain", "banded"):
        dollars = 0.0
        before = None
        for n, price in zip(plan.ways[way].workers.tolist(), prices.tolist(), strict=True):
            worked = 0.25 - (
                0.1 if before not in (None, n) else 0.0
            )  # hours; a restart takes 6 minutes
            dollars += 2 * (speeds[n] * worked - price * n * 0.25)
            before = n
        assert plan.gains[way] == pytest.approx(dollars)
    still = sum(2 * (speeds[7] - price * 7) / 4 for price in prices)
    assert plan.still == 7 and plan.gains["still"] == pytest.approx(still)
    plain = plan.ways["plain"]
    assert plan.ways["banded"].resizes < plain.resizes == (np.diff(plain.workers) != 0).sum()
    assert elastic.verdict(Plan()).text.startswith("Never resizing gains the most")
    assert elastic.verdict(Plan(restart=0.0)).text.startswith(
        "Following every price gains the most"
    )
    assert elastic.verdict(Plan(restart=60.0)).text.startswith("The band gains the most")


def enough(blocks: int, least: int, up: float) -> float:
    """Chance that at least so many of the blocks are up, summed term by term."""
    return sum(
        math.comb(blocks, i) * up**i * (1 - up) ** (blocks - i) for i in range(least, blocks + 1)
    )


def test_eight_replicas_take_12_spot_ones_alone_and_16_in_blocks_of_four():
    assert enough(11, 8, 0.95) < 0.999 <= enough(12, 8, 0.95) and enough(
        3, 2, 0.95
    ) < 0.999 <= enough(4, 2, 0.95)
    assert Plan().spot(0) == 12 and Plan(block=4).spot(0) == 16
    # 12 at $1, paid for 95% of the time; on demand 8 at $3.
    text = mix.verdict(Plan()).text
    assert (
        "With 12 spot replicas" in text
        and "$11.40 per hour; with all replicas on demand, it would cost $24." in text
    )
    for held in range(9):
        assert Plan().fleet_price(held) == pytest.approx(3 * held + 0.95 * Plan().spot(held))
    assert (
        mix.verdict(Plan(base=8)).text
        == "With all replicas on demand, none is interrupted, and the fleet costs $24 per hour."
    )
    assert not mix.verdict(Plan(up=0.5, target=0.99999, block=16)).good


def test_half_or_twice_the_best_interval_is_priced_for_the_run_that_is_named():
    assert Plan().flat == pytest.approx(0.035, abs=5e-4)
    assert Plan(nodes=64).flat > 0.2  # so it is no rule for every run
    assert "For the message's run" in said(LESSON.takeaways[1])


def test_what_staff_say_about_four_nodes_and_spares_is_what_the_page_finds():
    plans = said(LESSON.staff.ten) + said(LESSON.staff.thirty)
    assert (
        "$206 at 3 minutes, $118 at 40 minutes, and $758 at 16 hours" in plans
        and "(19.3 min)" in plans
    )
    assert "eight are up (12)" in plans and "interrupted together (16)" in plans
    assert re.search("19.3 min, not 10 minutes", said(LESSON.staff.heard[2])) and say(
        "task", Plan()
    ).endswith("?")


def test_a_run_that_ends_beyond_the_picture_has_its_price_and_no_share():
    late = []
    for hours in (5, 8):
        plan = Plan(interval=hours * HOUR, nodes=2 if hours == 5 else 1)
        rows = runs.figure(plan, LOOK).rows.to_pylist()
        words = [row["label"] for row in rows if row.get("label")]
        for number, label in enumerate(words):
            run = runs.play(plan, number)
            assert label.startswith("$") == run.done and "100%" not in label
            assert label.endswith("→") == (not run.done or run.end > runs.MAX_HOURS * HOUR)
            late.append(run.done and run.end > runs.MAX_HOURS * HOUR)
    assert any(late), "no run meets the case"


@pytest.mark.parametrize(
    "plan",
    [Plan(), Plan(nodes=4, interval=1200.0), Plan(warning=180.0, interval=7200.0)],
    ids=["message", "four", "notice"],
)
def test_the_stretches_from_which_the_browser_draws_are_those_of_the_runs(plan):
    rows = following.stretches(plan).to_pandas()
    for number in range(runs.RUNS):
        run = runs.play(plan, number)
        mine = rows[rows.y == number + 1]
        struck = run.rows[run.rows.kind.isin(("lost", "part"))].end.to_numpy() / HOUR
        if plan.saved_by_notice:
            struck = struck - plan.dump / HOUR
        assert all((mine.until - time).abs().min() < 1e-6 for time in struck)
        assert (mine.x.to_numpy()[1:] >= mine.until.to_numpy()[:-1] - 1e-9).all()


def test_the_browser_needs_less_than_70_kb_to_draw_the_message_s_runs_at_any_interval():
    drawn = following.figure(Plan(), LOOK)
    assert drawn.rows.nbytes < 70_000 and drawn.frame.kind.eq("stretch").any()
    near = following.figure(Plan(interval=2400.0), LOOK).frame
    stretches = [
        frame[frame.kind == "stretch"].until_text.tolist() for frame in (drawn.frame, near)
    ]
    assert stretches[0] == stretches[1], "an interruption comes at the same time at any interval"
