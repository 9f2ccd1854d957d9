"""Sentences of Spot training at the knobs' ends, the presets, exact ties and random settings, against own counts."""

import math
import random
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from lessons.spot_training import LESSON as ROOM
from lessons.spot_training import charts as spot_charts
from lessons.spot_training import mix, values
from lessons.spot_training import verdict as spot_verdict
from lessons.spot_training import workers as spot_workers
from lessons.spot_training.settings import INTERVALS, MTBFS, Plan
from physics import constants as k
from ui.base import format as f
from ui.base.words import load
from ui.knobs.declared import knobs_of

LESSON = load("spot_training")
HOUR, MINUTE = 3600.0, 60.0
LONG = Plan(work=10 * HOUR, interval=24 * HOUR, mtbf=10 * HOUR, deadline=50 * HOUR)


def played(plan: Plan, rng: random.Random) -> float:
    """One run of a single segment without a notice, interruption by interruption [s]."""
    clock = 0.0
    while True:
        until = rng.expovariate(1 / plan.gang_mtbf)
        if until >= plan.work + plan.dump:
            return clock + plan.work + plan.dump
        clock += until
        while (until := rng.expovariate(1 / plan.gang_mtbf)) < plan.restart:
            clock += until
        clock += plan.restart


def test_an_interval_longer_than_the_work_costs_what_one_segment_of_the_work_costs():
    rng = random.Random(1)
    times = np.array([played(LONG, rng) for _ in range(20_000)])
    error = times.std() / math.sqrt(len(times))
    assert abs(times.mean() - LONG.runtime) < 4 * error
    assert LONG.cost == pytest.approx(17.49, abs=0.01) and LONG.p95 == pytest.approx(37 * HOUR, rel=0.06)
    assert abs(np.mean(times <= LONG.p95) - 0.95) < 4 * math.sqrt(0.95 * 0.05 * (1 / 2000 + 1 / 20_000))
    assert LONG.good and "one segment, one dump at the end" in values.derived_words(LONG)


def test_beyond_the_work_every_interval_is_as_good():
    for hours in (10, 12, 16, 20, 24):
        at = replace(LONG, interval=hours * HOUR)
        assert (at.cost, at.p95, at.where) == (LONG.cost, LONG.p95, LONG.where)
    assert replace(LONG, interval=8 * HOUR).cost != LONG.cost


def test_the_restart_is_named_where_it_is_the_cause():
    plan = Plan(nodes=4, mtbf=HOUR, restart=40 * MINUTE, dump=MINUTE, notice=True)
    assert "needs 40 min to restart each time" in spot_verdict.verdict(plan).text
    assert replace(plan, restart=0.0).best.cheap and not plan.best.cheap
    assert "restarts down to" in spot_verdict.remedies(plan) or spot_verdict.UNMENDED in spot_verdict.remedies(plan)


def test_the_first_screen_answers_for_the_cost_and_its_deadline_is_the_messages():
    assert f"within {float(k.SPOT_DEADLINE) / HOUR:g} hours" in LESSON.message
    words = spot_verdict.verdict(Plan()).text
    more = Plan().cost / Plan().best.cost - 1
    assert words.startswith("A checkpoint every 2 h costs $129 on average, 9.6")
    assert float(re.search(r"([\d.]+) % more than the cheapest", words)[1]) == pytest.approx(100 * more, abs=0.006)


def test_one_worker_is_called_a_tie_where_it_is_one():
    assert "tie" in LESSON.takeaways[-1]
    for latency in (0.0, 1e-3):
        tied = Plan(serial=0.0, gradient=0.0, latency=latency).crew
        costs = [tied.cost(n) for n in (1, 7, 128)]
        assert costs == pytest.approx([costs[0]] * 3)
        frame = spot_workers.worker_frame(tied, "efficiency").to_pandas()
        assert "1: as good as any" in set(frame.label) and "per cost" not in spot_workers.worker_alt(tied, "efficiency")
    assert "1: most per dollar" in set(spot_workers.worker_frame(Plan().crew, "efficiency").to_pandas().label)


def plan_of(rng: random.Random) -> Plan:
    """Random settings; each knob stands at its default, at an end or anywhere it can stand."""

    def anywhere(knob, step: float) -> float:
        low, high = float(knob.low), float(knob.high)
        return rng.choice([float(knob), low, high, low + step * rng.randint(0, round((high - low) / step))])

    return Plan(
        interval=rng.choice(INTERVALS) * MINUTE,
        mtbf=rng.choice(MTBFS) * HOUR,
        nodes=int(rng.choice([1, 1, 2, 4, anywhere(k.SPOT_NODES, 1)])),
        dump=anywhere(k.SPOT_DUMP, 30),
        restart=anywhere(k.SPOT_RESTART, 60),
        notice=rng.random() < 0.4,
        deadline=anywhere(k.SPOT_DEADLINE, 5 * HOUR),
        work=anywhere(k.SPOT_WORK, 10 * HOUR),
        price=round(anywhere(k.SPOT_PRICE, 0.1), 1),
        on_demand_price=round(anywhere(k.SPOT_ON_DEMAND_PRICE, 0.1), 1),
        delay=rng.choice([0.0, 60.0, anywhere(k.SPOT_DELAY, 60)]),
    )


def cost(plan: Plan, interval: float) -> float:
    """Expected cost at an interval, written out [$]."""
    tau, mtbf = min(interval, plan.work), plan.mtbf / plan.nodes
    try:
        grown = math.exp(plan.restart / mtbf)
        if plan.notice and plan.dump <= 120:
            stands = (1 + plan.delay / plan.mtbf) ** (plan.nodes - 1)
            time = plan.work / tau * (tau + plan.dump) * (grown * stands + plan.dump / mtbf)
        else:
            stands = (1 + plan.delay / plan.mtbf) ** (plan.nodes - 1)
            time = stands * mtbf * grown * math.expm1((tau + plan.dump) / mtbf) * plan.work / tau
    except OverflowError:
        return math.inf
    return plan.nodes * plan.price * time / HOUR


def seconds(text: str) -> float:
    number, unit = text.replace(",", "").split()
    return float(number) * {"s": 1.0, "min": MINUTE, "h": HOUR, "days": 24 * HOUR}[unit]


def check(plan: Plan) -> None:
    """Compare every kind of sentence with the formula written out, or with the plan that it speaks of."""
    words = f"{spot_verdict.verdict(plan).text} {spot_verdict.remedies(plan)}"
    assert "nan" not in words
    fine = np.geomspace(60, 24 * HOUR, 60)
    best = min(cost(plan, float(interval)) for interval in fine)
    demand = plan.nodes * plan.on_demand_price * plan.work / HOUR
    if math.isfinite(plan.cost):
        assert plan.cost == pytest.approx(cost(plan, plan.interval), rel=1e-9)
    assert plan.best.cost <= best * (1 + 1e-9) and plan.best.cost <= plan.cost * (1 + 1e-9)
    if "at every interval: at best" in words:
        assert best > demand * (1 - 1e-12)
    if "and needs" in words and "to restart each time" in words:
        assert min(cost(replace(plan, restart=0), float(interval)) for interval in fine) <= demand * 1.01
    if plan.break_even:
        low, high = plan.break_even
        for interval in (low * 1.001, min(high * 0.999, 24 * HOUR)):
            assert cost(plan, interval) <= demand * (1 + 1e-6) or interval < low
        assert cost(plan, low * 0.99) > demand * (1 - 1e-9)
        assert math.isinf(high) or cost(plan, high * 1.01) > demand
    elif "Spot pays at no interval" in words:
        assert best > demand * (1 - 1e-9)
    check_cures(plan, words)
    assert "τ is" in values.derived_words(plan) or plan.interval <= plan.work
    if "The deadline is missed" in words:
        assert np.mean(plan.finish_times > plan.deadline) > 0.05
    frame = spot_charts.cost_frame(plan).to_pandas()
    curve = frame[frame.kind == "curve"]
    assert curve.share.to_numpy() == pytest.approx([cost(plan, x * 60) / demand for x in curve.interval], rel=1e-9)


def check_cures(plan: Plan, words: str) -> None:
    """Try each single change that is said to mend the run, and those that are said not to."""
    cures = words.partition("mends it: ")[2] if spot_verdict.UNMENDED not in words else ""
    patterns = {
        r"(?:^|; or )write a checkpoint every ([\d.,]+ \w+)(?:;|\.$)": lambda m: {"interval": seconds(m[1])},
        r"gang of (\d+) node": lambda m: {"nodes": int(m[1])},
        r"dumps down to ([\d.]+ \w+)": lambda m: {"dump": seconds(m[1])},
        r"restarts down to ([\d.]+ \w+)": lambda m: {"restart": seconds(m[1])},
        r"restarts down to no time at all": lambda m: {"restart": 0.0},
        r"(?:^|; or )agree on a deadline of ([\d,.]+ \w+)": lambda m: {"deadline": seconds(m[1])},
        r"make use of the notice": lambda m: {"notice": True},
        r"replacements down to ([\d.]+ \w+)": lambda m: {"delay": seconds(m[1])},
        r"replacements down to no time at all": lambda m: {"delay": 0.0},
    }
    for pattern, change in patterns.items():
        if match := re.search(pattern, cures):
            assert replace(plan, **change(match)).good, (match[0], plan)
    if spot_verdict.UNMENDED in words:
        changes = [{"interval": minutes * MINUTE} for minutes in INTERVALS[::4]]
        changes += [
            {"nodes": 1},
            {"delay": 0.0},
            {"dump": 30.0},
            {"restart": 0.0},
            {"notice": True},
            {"deadline": 1500 * HOUR},
        ]
        assert not any(replace(plan, **change).good for change in changes)


def test_a_gang_that_waits_for_nodes_is_told_how_long_and_that_those_who_stand_are_paid():
    plan = Plan(nodes=16, interval=9 * MINUTE, delay=10 * MINUTE)
    there = (18000 / 18600) ** 16
    stands = replace(plan, delay=0.0).runtime * (1 / there - 1)
    assert plan.complete == pytest.approx(there) and plan.where.waits == pytest.approx(stands)
    assert f"stands for {stands / HOUR:.0f} h, waiting for nodes" in spot_verdict.verdict(plan).text
    assert plan.cost == pytest.approx(replace(plan, delay=0.0).cost * (18600 / 18000) ** 15)
    dear = replace(plan, delay=HOUR)
    assert replace(dear, delay=0.0).best.cheap and "are paid" in spot_verdict.verdict(dear).text
    assert (
        "waiting" not in spot_verdict.verdict(Plan()).text and "stands for" in values.live_values(plan)["delay_words"]
    )
    alone = replace(Plan(), delay=HOUR)
    assert alone.cost == Plan().cost and alone.runtime == pytest.approx(1.2 * Plan().runtime)
    assert np.mean(alone.finish_times) == pytest.approx(alone.runtime, rel=0.02)


@pytest.mark.parametrize("name", list(ROOM.presets))
def test_no_sentence_of_a_preset_is_contradicted(name):
    check(replace(Plan(), **ROOM.presets[name].changes))


def test_no_sentence_at_random_settings_is_contradicted():
    rng = random.Random(20250303)
    for _ in range(12):
        check(plan_of(rng))


@pytest.mark.parametrize("end", ["low", "high"])
def test_no_sentence_at_the_end_of_a_knob_is_contradicted(end):
    names = ("interval", "mtbf", "nodes", "dump", "restart", "deadline", "work", "price", "on_demand_price", "delay")
    for name in names:
        value = float(getattr(knobs_of(Plan)[name].constant, end))
        check(replace(Plan(), **{name: int(value) if name == "nodes" else value}))


def test_a_deadline_that_the_95th_run_just_meets_is_met():
    plan = Plan(interval=2400.0)
    tie = replace(plan, deadline=plan.p95)
    assert tie.in_time and "The deadline is missed" not in spot_verdict.verdict(tie).text
    assert not replace(plan, deadline=plan.p95 * (1 - 1e-9)).in_time


@pytest.mark.parametrize(
    "plan", [Plan(notice=True, dump=MINUTE), Plan(nodes=4, delay=30 * MINUTE), Plan(nodes=4, dump=MINUTE, notice=True)]
)
def test_the_cost_of_the_derivation_is_the_price_times_the_time_that_it_names(plan):
    words = values.live_values(plan)
    plain = replace(plan, notice=False, delay=0.0)
    assert words["cost"] == f.money(plan.nodes * plan.price * plain.runtime / HOUR, 4) != f.money(plan.cost, 4)
    assert "without a notice {cost} in all" in next(one.text for one in LESSON.derivation if one.title == "The cost")


def test_one_segment_one_interruption_and_one_replica_are_written_as_one():
    assert "T/τ = 1 segment of" in values.derived_words(Plan(work=10 * HOUR, interval=24 * HOUR))
    text = mix.answers(replace(Plan(), needed=1).mix)[0]
    assert "at least 1 replica is up for" in text
    alone = mix.answers(replace(Plan(), needed=1, base=1).mix)
    assert alone == ["All on demand, 1 replica for $3 an hour: nothing vanishes."]


def test_what_a_further_worker_brings_falls_as_long_as_it_is_positive():
    dice = random.Random(148)
    names = ("serial", "gradient", "bandwidth", "latency")
    constants = {name: knobs_of(Plan)[name].constant for name in names}
    rises = 0
    for _ in range(60):
        drawn = {
            name: dice.choice([one.low, one.high, dice.uniform(one.low, one.high)]) for name, one in constants.items()
        }
        crew = replace(Plan(), **drawn).crew
        gains = np.diff([0.0, *(crew.speedup(n) for n in range(1, 130))])
        assert all(after <= before + 1e-12 for before, after in pairwise(gains) if before > 0)
        rises += any(after > before + 1e-9 for before, after in pairwise(gains))
    assert rises  # where one more brings less than nothing, it need not fall any more
    assert any("While it is positive it falls with n" in one.text for one in LESSON.derivation)


def test_a_run_that_never_ends_is_said_to_have_no_limit_rather_than_to_stand_for_one():
    endless = Plan(mtbf=MTBFS[0] * HOUR, nodes=20, delay=30 * MINUTE, interval=20 * HOUR)
    assert values.live_values(endless)["delay_words"].endswith("of the time, and time and cost have no limit.")


def test_runs_that_are_too_long_to_tell_apart_have_no_interval_around_their_percentile():
    endless = Plan(work=1e4 * HOUR, interval=24 * HOUR, mtbf=0.25 * HOUR, nodes=64)
    said = values.finish_words(endless)
    assert "between" not in said and re.search(r"Their 95th percentile is (over 10¹⁰ years|without limit);", said)
    assert "lies between" in values.finish_words(Plan())
