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

from lessons.spot_training import LESSON, cost, failures, film, runs
from lessons.spot_training.laboratory import elastic, mix, workers
from lessons.spot_training.settings import CLUSTERS, INTERVALS, MTBFS, Plan, say
from physics import constants as k
from physics.checkpointing import (
    expected_breakdown,
    optimal_interval,
    play_run,
    replaced_at_once,
    speedup,
    spot_cost,
    waiting_share,
    young,
)
from ui.base import format as f
from ui.base.words import fill
from ui.charts.look import Look
from ui.films import message
from ui.knobs.declared import knobs_of

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
    ):
        assert words in LESSON.message


def test_40_minutes_is_right_and_costs_117_90():
    assert LESSON.prediction.right == "b" and optimal_interval(0.05, 5) * 60 == pytest.approx(
        40.45, abs=0.005
    )
    assert dollars(2 / 3) == pytest.approx(117.9, abs=0.05) == dollars(optimal_interval(0.05, 5))
    parts = expected_breakdown(interval=2 / 3, **STORY)
    assert (parts.dumps, parts.lost + parts.restarts) == pytest.approx((7.5, 10.4), abs=0.05)
    assert "7.5 h writing checkpoints, and 10.4 h on lost work and restarts" in answer("b")
    assert (
        "costs $118, which is more than the $100.10 of the notes and far less than $300 on demand"
        in answer("b")
    )
    rates = [Plan(interval=minutes * MINUTE) for minutes in (20, 30, 40, 50, 60)]
    assert all(a.where.dumps > b.where.dumps and a.redone < b.redone for a, b in pairwise(rates))


def test_the_other_answers_cost_what_their_feedback_says():
    assert "48.5% of its time writing checkpoints. It costs $206" in answer("a")
    parts = expected_breakdown(interval=0.05, **STORY)
    assert parts.dumps / parts.runtime == pytest.approx(0.485, abs=5e-4)
    assert dollars(0.05) == pytest.approx(206, abs=0.5)
    assert (
        parts.dumps > parts.lost + parts.restarts
    )  # "the checkpoints cost more than the interruptions"
    assert "only 36% of the 5-hour segments" in answer("c") and "$178 on average" in answer("c")
    assert math.exp(-5.05 / 5) == pytest.approx(0.364, abs=5e-4) and dollars(5) == pytest.approx(
        178, abs=0.5
    )
    assert "the expected bill is $2.5 billion" in answer(
        "d"
    ) and "every 24 hours the run costs $2,587" in answer("d")
    assert dollars(100) == pytest.approx(2.5e9, rel=0.01) and dollars(24) == pytest.approx(
        2587, abs=0.5
    )
    assert "only 0.81% of such segments" in answer("d") and math.exp(-24.05 / 5) == pytest.approx(
        0.0081, abs=5e-5
    )
    assert dollars(2) == pytest.approx(129, abs=0.5)
    for option in LESSON.prediction.options[:3]:
        assert said(option.test.found).endswith("compared with $129 at 2 hours")


def test_the_notes_count_one_restart_and_no_interval_costs_so_little():
    assert pytest.approx(100.10) == 100 + 0.1
    assert min(dollars(interval) for interval in np.geomspace(1e-3, 100, 500)) > 117.9
    assert expected_breakdown(interval=2 / 3, **STORY).interruptions == pytest.approx(
        23.6, abs=0.05
    )
    assert "you must expect 23.6 interruptions" in said(LESSON.reply)
    spot, crew = (said(row.found) for row in LESSON.corrections)
    assert "costs $118 at 40-minute intervals, near the best of 40.5 min, and $758 at 16 h" in spot
    assert dollars(16) == pytest.approx(758, abs=0.5)
    assert "cost $100.10, which is the cost with a single restart" in spot
    assert "6 workers meet a deadline of 24 h, and 17 workers are the fastest for $600" in crew


def test_the_takeaways_are_what_the_model_says():
    best = optimal_interval(0.05, 5)
    waste, flat, root = (said(text) for text in LESSON.takeaways)
    assert "cheapest at 40.5 min: $118" in waste and "at most 3.5% more" in flat
    assert max(dollars(best / 2), dollars(best * 2)) / dollars(best) - 1 == pytest.approx(
        0.035, abs=5e-4
    )
    assert "about half as long: 19.3 min" in root
    assert optimal_interval(0.05, 5 / 4) * 60 == pytest.approx(19.3, abs=0.05)


def test_a_quarter_of_the_time_for_a_checkpoint_makes_the_best_interval_half_as_long():
    best = optimal_interval(0.0125, 5)
    feedback = {option.id: said(option.feedback) for option in LESSON.reflection.options}
    assert LESSON.reflection.right == "b" and best * 60 == pytest.approx(20.7, abs=0.05)
    assert young(0.75, 300) == pytest.approx(young(3, 300) / 2) == pytest.approx(21.2, abs=0.05)
    assert "21.2 min by Young's formula, 20.7 min exactly" in feedback["b"]
    for option, minutes in (("a", 40), ("c", 10), ("d", 80)):
        worse, least = (f.money(dollars(x, dump=0.0125), 4) for x in (minutes / 60, best))
        told = f"At {minutes} minutes the run costs {worse}, and at the best interval, 20.7 min, {least}"
        assert told in feedback[option]
    ten, twenty = (expected_breakdown(100, minutes / 60, 0.0125, 0.1, 5) for minutes in (10, 20))
    assert (
        ten.dumps - twenty.dumps > twenty.lost - ten.lost > 0
    )  # "adds more writing than it saves in lost work"
    assert "dump" not in {
        knob for view in LESSON.pictures if not view.further for knob in view.knobs
    }


def test_four_nodes_win_the_challenge_at_intervals_that_are_neither_the_longest_nor_the_shortest():
    winning = [m for m in INTERVALS if dollars(m / 60, 4) <= 0.5 * 4 * 300]
    assert winning == [12, 15, 20, 25, 30] and cost.most() == 4
    assert min(dollars(m / 60, 5) for m in INTERVALS) > 0.505 * 5 * 300  # not by rounding
    won = cost.judge(Plan(nodes=4, interval=1200.0))
    assert won.good and won.text.startswith(
        "Won: 4 nodes with a checkpoint every 20 min cost 48.6% of on demand"
    )
    for change in (
        {},
        {"nodes": 4},
        {"nodes": 5, "interval": 1200.0},
        {"nodes": 4, "interval": 1200.0, "dump": 30.0},
    ):
        assert not cost.judge(Plan(**change)).good
    assert (
        "reset these settings first: Time to write a checkpoint (min)"
        in cost.judge(Plan(dump=30.0)).text
    )


def test_spot_pays_from_a_minute_and_a_half_to_nine_hours():
    words = cost.remedies(Plan())
    assert words.startswith("Spot costs less than on demand at intervals from 1.56 min to 9.27 h")
    for end, step in ((1.56 / 60, -1e-4), (9.27, 0.01)):
        assert dollars(end) == pytest.approx(300, rel=2e-3) and dollars(end + step) > 300
    assert cost.remedies(Plan(nodes=64)).startswith(
        "At every interval spot costs more than on demand"
    )


@pytest.mark.parametrize(
    ("change", "starts", "good"),
    [
        (
            {},
            "The interval is too long: lost work and restarts take 26.8 h, and the run costs 9.62% more",
            None,
        ),
        ({"interval": 600.0}, "The interval is too short: writing checkpoints takes 30 h", None),
        ({"interval": 2400.0}, "The interval is as good as the best", True),
        (
            {"interval": 960 * MINUTE},
            "Spot costs more than on demand because too few segments",
            False,
        ),
        (
            {"interval": MINUTE},
            "Spot costs more than on demand because writing checkpoints takes 73%",
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
    Plan(mtbf=MTBFS[-1] * HOUR),
    *(Plan(**preset.changes) for preset in LESSON.presets.values()),
]


def own(plan: Plan, number: int):
    """The run as the model plays it, past the lesson's own memory."""
    rng = np.random.default_rng([runs.SEED, number])
    times = (plan.interval, plan.dump, plan.restart, plan.gang_mtbf)
    return play_run(100 * HOUR, *times, rng, plan.warning, runs.END * HOUR, runs.MOST)


@pytest.mark.parametrize(
    "plan", [Plan(), Plan(interval=180.0), Plan(nodes=4, interval=1200.0)], ids=range(3)
)
def test_the_eight_bars_are_the_runs_that_were_played(plan):
    rows = runs.figure(plan, LOOK).frame
    for number in range(runs.RUNS):
        run = own(plan, number)
        mine = rows[rows.foot == number + 1 + runs.HALF].set_index("kind")
        work, strip, lost = (mine.loc[part] for part in runs.PARTS)
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
    assert rows.x.dropna().between(0, runs.END).all() and rows.y.between(0.5, runs.RUNS + 0.5).all()
    assert len(rows) <= runs.RUNS * (3 + 2 * runs.MOST)
    for guess in "abcd":
        curve = cost.figure(plan, LOOK, guess, told=True, playing=True)
        drawn = curve.frame
        assert drawn.y.dropna().between(0, cost.TOP * (1 + 1e-9)).all()
        assert drawn.x.dropna().between(0.999, 1440.001).all() and (drawn.role == "here").sum() == 1
        assert (drawn.kind == "goal").sum() == 1 and any(
            "you said" in text for text in curve.labels
        )
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


@pytest.mark.parametrize(("option", "hours"), [("a", 0.05), ("b", 2 / 3), ("c", 5)])
def test_the_guess_is_on_the_chart_at_its_interval_and_its_cost(option, hours):
    rows = cost.figure(Plan(), LOOK, option).frame
    row = rows[rows.label == "you said"].iloc[0]
    assert (row.x, row.y) == pytest.approx((hours * 60, dollars(hours) / 300))
    assert not cost.figure(Plan(), LOOK, option).frame.label.str.contains("best").any()
    best = cost.figure(Plan(), LOOK, option, told=True).frame.query("shape == 'diamond'").iloc[0]
    assert best.x == pytest.approx(40.45, abs=0.01)
    assert "you said ↑" in set(cost.figure(Plan(), LOOK, "d").frame.label.dropna())


@pytest.mark.parametrize("plan", [Plan(), Plan(interval=2400.0), Plan(nodes=3)], ids=range(3))
def test_the_animation_shows_the_run_that_was_played_and_its_bill(plan):
    played = film.struck(plan)
    rows = own(plan, film.SHOWN).rows
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
    assert "takes at least 6 workers" in workers.verdict(Plan()).text
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
    assert elastic.verdict(Plan()).text.startswith("Never resizing gains most")
    assert elastic.verdict(Plan(restart=0.0)).text.startswith("Following every price gains most")
    assert elastic.verdict(Plan(restart=60.0)).text.startswith("The band gains most")


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
        "Ask for 12 spot replicas" in text
        and "$11.4 an hour; all on demand, it would cost $24." in text
    )
    for held in range(9):
        assert Plan().fleet_price(held) == pytest.approx(3 * held + 0.95 * Plan().spot(held))
    assert (
        mix.verdict(Plan(base=8)).text
        == "All 8 replicas are on demand for $24 an hour, so none is interrupted."
    )
    assert not mix.verdict(Plan(up=0.5, target=0.99999, block=16)).good


def test_failures_at_scale_are_those_that_were_published_and_follow_the_same_law():
    assert pytest.approx(3.1, abs=0.05) == k.SPOT_PUBLISHED_SPAN / k.SPOT_PUBLISHED_FAILURES / HOUR
    assert k.SPOT_CLUSTER_NODES * 8 == 16384
    mtbf = k.SPOT_PUBLISHED_SPAN * k.SPOT_CLUSTER_NODES / k.SPOT_PUBLISHED_FAILURES
    assert pytest.approx(mtbf, rel=1e-3) == k.SPOT_CLUSTER_MTBF
    shown = {one.label: one for one in LESSON.view("failures").speaker("metrics")(Plan())}
    assert (
        shown["One failure every"].value == "3.09 h" and shown["Best interval"].value == "18.6 min"
    )
    assert optimal_interval(60, mtbf / 2048) / 60 == pytest.approx(18.6, abs=0.05)
    assert shown["Best interval"].note == "19.3 min by Young's formula"
    assert math.sqrt(2 * 60 * mtbf / 2048) / 60 == pytest.approx(19.3, abs=0.05)
    assert shown["Useful time"].good is False
    # minutes; the derivation's formula
    mtbf = 264 * 24 * 60 / 2048
    tau = 18.6
    share = tau / (mtbf * math.exp(10 / mtbf) * math.expm1((tau + 1) / mtbf))
    assert Plan().large["useful"] == pytest.approx(share, abs=1e-4)
    quick = replace(Plan(), **LESSON.presets["quick"].changes)
    assert quick.large["useful"] > 0.9  # the published run: "over 90%"


@pytest.mark.parametrize(
    "change",
    [{}, {"cluster_nodes": 4096, "cluster_mtbf": 24 * HOUR}, {"cluster_mtbf": 36500 * 86400.0}],
)
def test_useful_time_and_what_is_lost_add_up_at_every_scale(change):
    plan = Plan(**change)
    curve = [replace(plan, cluster_nodes=nodes).large for nodes in failures.SIZES]
    for one in curve:
        assert one["useful"] + one["guarding"] + one["restarting"] == pytest.approx(1)
    useful = [one["useful"] for one in curve]
    assert useful == sorted(useful, reverse=True) and failures.SIZES[-1] == 4096
    assert min(plan.twice_as_fast.values()) > plan.large["useful"]


def test_as_many_spares_as_are_said_replace_99_percent_of_the_faulty_nodes_at_once():
    plan = Plan()
    # Erlang's loss formula, term by term, with 2,048 nodes that each break every 383 days.
    a = 2048 * (289 / 419) / 264
    terms = [1.0]
    for number in range(1, 15):
        terms.append(terms[-1] * a / number)
    loss = [term / sum(terms[: number + 1]) for number, term in enumerate(terms)]
    spares = plan.spares["enough"]
    assert spares == 12 and loss[spares] <= 0.01 < loss[spares - 1]
    assert plan.spares["waiting"] == pytest.approx(loss[spares + 1])
    assert plan.spares["without"] == pytest.approx(a / (1 + a))
    text = say("failures_words", plan)
    assert "With 12 spare nodes, 99% of the node failures find one ready" in text
    small = Plan(cluster_nodes=512, cluster_mtbf=3650 * 86400.0)
    assert small.spares["enough"] > 0  # without one, no failure finds a spare


@pytest.mark.parametrize("seed", range(3))
def test_a_simulated_run_finds_spares_and_waits_as_often_as_the_page_says(seed):
    """Nodes that fail while the run goes on, repairs of a constant day, and a run that stands still
    while more nodes are in repair than there are spares.
    """
    plan = Plan(cluster_nodes=1024, cluster_mtbf=264 * 86400.0)
    spares = plan.spares["enough"] - 4
    every = 264 * 419 / 289 / 1024
    rng = np.random.default_rng([57, seed])
    now = waited = 0.0
    unready = 0
    back: list[float] = []
    failures_seen = 40_000
    for gap in rng.exponential(every, failures_seen).tolist():
        now += gap
        back = [moment for moment in back if moment > now]
        unready += len(back) >= spares
        back.append(now + 1.0)
        if len(back) > spares:
            first = min(back)
            waited += first - now
            now = first
    failing = {"nodes": 1024, "spares": spares, "node_mtbf": every * 1024, "repair": 1.0}
    assert unready / failures_seen == pytest.approx(1 - replaced_at_once(**failing), abs=0.01)
    assert waited / now == pytest.approx(waiting_share(**failing), abs=0.01)


def test_what_would_raise_the_useful_share_is_told_only_where_it_changes_the_number():
    seen = set()
    for nodes in CLUSTERS:
        for days in (1, 264, 3650, 36500):
            for save in (1, 60, 600):
                plan = Plan(cluster_nodes=nodes, cluster_mtbf=days * 86400.0, save=save)
                text = failures.verdict(plan).text
                now = f.share(plan.large["useful"])
                assert f"raise it to {now}" not in text and f"fast to {now}" not in text
                seen.add("hardly" in text)
    assert seen == {True, False}


def test_half_or_twice_the_best_interval_is_priced_for_the_run_that_is_named():
    assert Plan().flat == pytest.approx(0.035, abs=5e-4)
    assert Plan(nodes=64).flat > 0.2  # so it is no rule for every run
    assert "for the message's run" in said(LESSON.takeaways[1])


def test_what_staff_say_about_four_nodes_and_spares_is_what_the_page_finds():
    plans = said(LESSON.staff.ten) + said(LESSON.staff.thirty)
    assert "$206 at 3 minutes, $118 at 40, $758 at 16 hours" in plans and "(19.3 min)" in plans
    assert "eight need (12)" in plans and "interrupted together (16)" in plans
    assert re.search("19.3 min, not 10 minutes", said(LESSON.staff.heard[2])) and say(
        "task", Plan()
    ).endswith("?")
