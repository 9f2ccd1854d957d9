"""Fair queueing: the lesson's numbers in words."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from lessons.fair_queueing import aging, flows, lottery
from lessons.fair_queueing.memory import days
from lessons.fair_queueing.settings import Turns, written
from physics import constants as k
from physics.fair_queueing import lottery_draws, lottery_drought
from ui.base import format as f
from ui.base.lesson import Result


def results(turns: Turns) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    urgent, patient = turns.waits
    return [
        Result("A's next job starts", turns.locked_out, days(turns.locked_out)),
        Result("Share won", lottery.won(turns), f.share(lottery.won(turns))),
        Result("Urgent jobs wait", urgent, f.duration(urgent)),
        Result("Patient jobs wait", patient, f.duration(patient)),
    ]


def counts_as(turns: Turns) -> float:
    """Use that is remembered of the time alone: (h ÷ ln 2) (1 − 2^(−T/h)) [s]."""
    if turns.remembered == math.inf:
        return turns.alone
    return -turns.remembered / math.log(2) * math.expm1(-turns.alone / turns.remembered * math.log(2))


@lru_cache(maxsize=1)
def _story() -> dict[str, str]:
    """The numbers of the message's own case and of the second question, whatever the knobs say."""
    turns = Turns()
    p = turns.tickets
    (urgent, patient), (least, most) = turns.waits, aging.strict(turns.load)
    return {
        "story_alone": days(turns.alone),
        "story_half_life": written(turns.remembered),
        "story_wait": days(turns.locked_out),
        "story_simulated": days(flows.simulated(turns.alone, turns.remembered, 1.0)[0]),
        "story_counts": days(counts_as(turns)),
        "story_day": days(replace(turns, half_life="1d").locked_out),
        "story_never": days(replace(turns, half_life="never").locked_out),
        "story_longest": days(turns.longest),
        "story_banked": f.count(flows.served(turns, "banked").wait("A") / k.FAIR_FLOW_JOB, "job"),
        "story_sfq": f.count(flows.served(turns, "sfq").wait("A") / k.FAIR_FLOW_JOB, "job"),
        "story_tickets": f.share(p),
        "story_needed": f.rounded(lottery_draws(p, float(k.FAIR_TOLERANCE))),
        "story_drought": f.share(lottery_drought(p, 10)),
        "story_hundred": f.share(lottery.spread(p, 100), 2),
        "story_some": f.share(lottery.spread(p, 350), 2),
        "story_load": f.share(turns.load),
        "story_fifo": f.duration(turns.in_order),
        "story_urgent": f.duration(urgent),
        "story_patient": f.duration(patient),
        "story_least": f.duration(least),
        "story_most": f.duration(most),
        "batch_least": f.duration(float(k.FAIR_BATCH_DECAY.low or 0)),
        "batch_most": f.significant(k.FAIR_BATCH_DECAY, 6),
        "kueue": f"{f.significant(k.FAIR_KUEUE_HALF_LIFE / k.HOUR)} h",
    }


def live_values(turns: Turns) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    urgent, patient = turns.waits
    p, n = turns.tickets, turns.draws
    kept = "in full" if turns.remembered == math.inf else f"as {days(counts_as(turns))}"
    decay = (
        "nothing is forgotten"
        if turns.remembered == math.inf
        else f"it fades with a half-life of {written(turns.remembered)}"
    )
    return _story() | {
        "alone": days(turns.alone),
        "kept": kept,
        "decay": decay,
        "ratio": f.significant(turns.weight_ratio),
        "wait": days(turns.locked_out),
        "longest_words": _longest_words(turns),
        "banked": days(flows.missed_turns(turns)),
        "sfq": days(flows.one_turn(turns)),
        "tickets": f.share(p),
        "draws": f.count(n, "draw"),
        "wins": f.significant(n * p),
        "spread": f.share(lottery.spread(p, n), 2),
        "drought": f.share(lottery_drought(p, n)),
        "needed": f.significant(lottery_draws(p, float(k.FAIR_TOLERANCE)), 6),
        "load": f.share(turns.load),
        "aging_ratio": f.significant(turns.aging_ratio),
        "urgent": f.duration(urgent),
        "patient": f.duration(patient),
        "in_order": f.duration(turns.in_order),
    }


def _longest_words(turns: Turns) -> str:
    if turns.remembered == math.inf:
        return "there is no limit at your half-life: nothing is forgotten"
    return f"it would be at most {days(turns.longest)} at your half-life and weights"
