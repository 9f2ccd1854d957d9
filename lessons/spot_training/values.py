"""Spot training: the numbers of a run on machines that are taken away, in words."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from lessons.spot_training.elastic import elastic_values
from lessons.spot_training.mix import mix_values
from lessons.spot_training.settings import BAND_RUNS, RUNS, Plan, hours
from lessons.spot_training.verdict import done
from lessons.spot_training.workers import crew_values
from physics import constants as k
from physics.checkpointing import daly, expected_runtime_short_tail, optimal_interval, young
from ui.base import format as f
from ui.base.lesson import Metric, Result


def metrics(plan: Plan) -> list[Metric]:
    """The four headline numbers."""
    saved = plan.on_demand_cost - plan.cost
    against = "under" if saved >= 0 else "over"
    late = f"by {hours(plan.p95 - plan.deadline)}" if math.isfinite(plan.p95) else "for good"
    time = f"meets {hours(plan.deadline)}" if plan.in_time else f"misses {hours(plan.deadline)} {late}"
    return [
        Metric("Expected cost", f.money(plan.cost), f"{f.money(abs(saved))} {against} on demand", plan.cheap),
        Metric("Expected time", hours(plan.runtime), f"{f.times(plan.runtime / plan.work, 3)} the work"),
        Metric("95 of 100 done in", hours(plan.p95), time, plan.in_time),
        Metric("Segments that get through", f.share(plan.through), _interrupted(plan)),
    ]


def _interrupted(plan: Plan) -> str:
    number = plan.where.interruptions
    return f.count(number, "interruption") if math.isfinite(number) else "interruptions without limit"


def best_words(plan: Plan) -> str:
    """The best interval, and that it is the whole work where it is."""
    if plan.saved_by_notice:
        return "the longest"
    return f"{hours(plan.best_interval)} or more" if plan.best_interval == plan.work else hours(plan.best_interval)


def results(plan: Plan) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    return [
        Result("Expected cost", plan.cost, f.money(plan.cost, 4)),
        Result("Expected time", plan.runtime, hours(plan.runtime)),
        Result("95 of 100 done in", plan.p95, hours(plan.p95)),
    ]


def derived_words(plan: Plan) -> str:
    """What follows from the knobs and is no knob itself."""
    segments = plan.work / plan.segment
    gang = f"M = {hours(plan.mtbf)} ÷ {plan.nodes} = " if plan.nodes > 1 else "M = "
    text = (
        f"{gang}{hours(plan.gang_mtbf)} between interruptions; T/τ = {f.count(segments, 'segment')} of "
        f"{hours(plan.segment + plan.dump)}; {_interrupted(plan)} expected. "
        f"{_delayed(plan)}Band: nine of ten of {BAND_RUNS} simulated runs."
    )
    if plan.interval > plan.work:
        text += (
            f" The interval is longer than the work, so that τ is {hours(plan.work)}: one segment, one dump at the end."
        )
    return text


def _delayed(plan: Plan) -> str:
    """What a delay adds to that."""
    return f"Each is followed by {hours(plan.wait.mean)} until all nodes are there. " if plan.delay else ""


@lru_cache(maxsize=1)
def _story() -> dict[str, str]:
    """The numbers of the message's own run, whatever the knobs say."""
    run = Plan()
    at = {minutes: replace(run, interval=minutes * 60.0) for minutes in (3, 40, 300, 960)}
    best, gang = run.best, replace(run, nodes=16)
    never = replace(run, interval=run.work)
    waiting = replace(run, nodes=4, mtbf=12 * k.HOUR, delay=30 * k.MINUTE)

    def at_ratio(ratio: float) -> float:
        return replace(run, interval=ratio * best.interval).cost / best.cost

    parts = at[40].where
    notes = (run.work + run.restart) / k.HOUR * run.price
    return {
        "story_best_interval": hours(best.interval),
        "story_best_cost": f.money(best.cost),
        "story_40_cost": f.money(at[40].cost),
        "story_40_time": hours(at[40].runtime),
        "story_40_done": done(at[40]),
        "story_40_interruptions": f.significant(parts.interruptions),
        "story_deadline": hours(run.deadline),
        "story_40_dumps": hours(parts.dumps, 2),
        "story_40_lost": hours(parts.lost, 2),
        "story_40_restarts": hours(parts.restarts, 2),
        "story_3_cost": f.money(at[3].cost),
        "story_3_dumps": f.share(at[3].where.dumps / at[3].runtime),
        "story_300_cost": f.money(at[300].cost),
        "story_300_through": f.share(math.exp(-(at[300].interval + run.dump) / run.gang_mtbf), 2),
        "story_960_cost": f.money(at[960].cost),
        "story_960_through": f.share(math.exp(-(at[960].interval + run.dump) / run.gang_mtbf), 2),
        "story_never_cost": f"${f.significant(never.cost / 1e9, 2)} billion",
        "story_on_demand": f.money(run.on_demand_cost),
        "story_flat": f.share(max(at_ratio(0.5), at_ratio(2.0)) - 1, 2),
        "story_wait_complete": f.share(waiting.complete),
        "story_wait_longer": f.times(1 / waiting.complete, 3),
        "notes_cost": f"${notes:.2f}",
        "story_gap": f.money(at[40].cost - notes),
        "gang_mtbf": hours(gang.gang_mtbf),
        "gang_best": hours(gang.best_interval),
        "gang_young": hours(young(gang.dump, gang.gang_mtbf)),
        "gang_best_cost": f.money(gang.best.cost),
        "gang_on_demand": f.money(gang.on_demand_cost),
        "gang_40_through": f.share(math.exp(-(2400 + gang.dump) / gang.gang_mtbf), 2),
        "gang_40_cost": f.money(replace(gang, interval=2400.0).cost),
        "gang_quarter_cost": f.money(replace(gang, interval=run.best_interval / 16).cost),
        "gang_long_through": f.share(math.exp(-(9600 + gang.dump) / gang.gang_mtbf), 2),
    }


def live_values(plan: Plan) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    # The formulas of the derivation know no notice and no delay; what those change is said in steps of their own.
    unwarned = replace(plan, notice=False, delay=0.0)
    where, length = unwarned.where, plan.segment + plan.dump
    short_tail = expected_runtime_short_tail(
        plan.work, plan.segment, plan.dump, plan.restart, plan.gang_mtbf, plan.wait
    )
    exact = optimal_interval(plan.dump, plan.gang_mtbf)
    return (
        _story()
        | crew_values(plan.crew)
        | elastic_values(plan.elastic, Plan().elastic)
        | mix_values(plan.mix)
        | {
            "cost": f.money(unwarned.cost, 4),
            "runtime": hours(unwarned.runtime, 4),
            "gang_price": f"{f.money(plan.nodes * plan.price)} an hour",
            "interval": hours(plan.segment),
            "segment": hours(length),
            "segments": f.count(plan.work / plan.segment, "segment"),
            "through": f.share(math.exp(-length / plan.gang_mtbf)),
            "mtbf": hours(plan.gang_mtbf),
            "node_mtbf": hours(plan.mtbf),
            "nodes": f.count(plan.nodes, "node"),
            "young": hours(young(plan.dump, plan.gang_mtbf), 4),
            "daly": hours(daly(plan.dump, plan.gang_mtbf), 4),
            "exact": hours(exact, 4),
            "dump_share": f.significant(plan.dump / plan.gang_mtbf),
            "work": hours(where.work),
            "dumps": hours(where.dumps),
            "lost": hours(where.lost),
            "restarts": hours(where.restarts),
            "interruptions": f.significant(where.interruptions),
            "notice_words": _notice_step(plan),
            "delay_words": _delay_step(plan),
            "tail_words": _tail_words(plan, short_tail),
        }
    )


def _notice_step(plan: Plan) -> str:
    if plan.saved_by_notice:
        return f"It is at work in your settings, and your run takes {hours(plan.runtime, 4)}."
    noticed = replace(plan, notice=True)
    if noticed.saved_by_notice:
        return f"With the notice switched on your run would take {hours(noticed.runtime, 4)}."
    notice = hours(float(k.SPOT_NOTICE))
    return f"Your dumps of {hours(plan.dump)} do not fit into {notice}: half a dump saves nothing."


def _delay_step(plan: Plan) -> str:
    if not plan.delay:
        late = f.share(replace(plan, delay=10 * k.MINUTE).complete)
        return (
            f"At your settings a node is replaced at once; with 10 min instead, all would be there {late} of the time."
        )
    if not math.isfinite(plan.runtime):
        return f"At your settings all are there {f.share(plan.complete)} of the time, and time and cost have no limit."
    return (
        f"At your settings all are there {f.share(plan.complete)} of the time. The run stands for "
        f"{hours(plan.where.waits)}, takes {hours(plan.runtime, 4)} and costs {f.money(plan.cost)}."
    )


def _tail_words(plan: Plan, short_tail: float) -> str:
    if plan.saved_by_notice:
        return "With a notice that suffices only the number of dumps depends on it."
    if not math.isfinite(short_tail):
        return "At your settings both are without limit."
    off = f.share(abs(plan.runtime - short_tail) / short_tail, 2) if short_tail != plan.runtime else "0 %"
    return (
        f"A run that cuts its last segment short takes {hours(short_tail, 4)} at your settings: the two differ by "
        f"{off}."
    )


def finish_words(plan: Plan) -> str:
    """How sure the simulated percentile is: the 95 % interval of an order statistic."""
    half = 1.96 * math.sqrt(0.95 * 0.05 * RUNS)
    ends = (plan.finish_times[min(RUNS - 1, round(0.95 * RUNS + sign * half))] for sign in (-1, 1))
    low, high = (hours(float(end), 4) for end in ends)
    lies = f"is {low}" if low == high else f"lies between {low} and {high} with 95 % confidence"
    mean = float(np.mean(plan.finish_times))
    return (
        f"{f.significant(RUNS, 4)} simulated runs. Their 95th percentile {lies}; their mean is {hours(mean, 4)}, the "
        f"formula's {hours(plan.runtime, 4)}."
    )
