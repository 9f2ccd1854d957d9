"""Notebook sharing: its results and the numbers of its words."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from lessons.notebook_sharing.heatmap import CROWDED, ahead
from lessons.notebook_sharing.settings import SCHEDULERS, Study
from lessons.notebook_sharing.think import think_words
from lessons.notebook_sharing.words import at_least, core_hours, seconds
from physics import constants as k
from physics.notebooks import ThinkTime, greatest_median, least_idle_share
from physics.notebooks.study import COMBINATIONS
from ui.base import format as f
from ui.base.lesson import Result


def results(study: Study) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    now = study.now
    return [
        Result("ANTT", now.antt, f.significant(now.antt)),
        Result("STP", now.stp, f.significant(now.stp)),
        Result("Last one ends", now.run.makespan, f.duration(now.run.makespan)),
        Result("Idle core-hours", now.run.idle / k.HOUR, core_hours(now.run.idle)),
    ]


@lru_cache(maxsize=1)
def _story() -> dict[str, str]:
    """The numbers of the questions' own cases, whatever the knobs say."""
    pair, four = Study(), replace(Study(), copies=2)
    naive, dynamic = pair.outcomes["naive"], pair.outcomes["dynamic"]
    law = ThinkTime()
    return {
        "pair_length": f.duration(k.NOTEBOOK_PAIR_CELL),
        "pair_first": f.duration(min(dynamic.run.end)),
        "pair_together": f.duration(min(naive.run.end)),
        "pair_last": f.duration(dynamic.run.makespan),
        "pair_work": f"{f.significant(sum(cell.work for book in pair.notebooks for cell in book))} core-seconds",
        "pair_antt_naive": f.significant(naive.antt),
        "pair_antt_dynamic": f.significant(dynamic.antt),
        "pair_stp_naive": f.significant(naive.stp),
        "pair_stp_dynamic": f.significant(dynamic.stp),
        "pair_break_even": f.duration(pair.break_even),
        "four_antt_naive": f.significant(four.outcomes["naive"].antt),
        "four_antt_dynamic": f.significant(four.outcomes["dynamic"].antt),
        "four_stp_naive": f.significant(four.outcomes["naive"].stp),
        "four_stp_dynamic": f.significant(four.outcomes["dynamic"].stp),
        "think_mean": f.duration(k.THINK_MEAN),
        "think_deviation": f.significant(k.THINK_DEVIATION) + " s",
        "think_maximum": f.significant(k.THINK_MAXIMUM) + " s",
        "median_bound": f.duration(greatest_median(), 2),
        "least_share": at_least(least_idle_share(k.HOUR)),
        "least_share_exact": at_least(least_idle_share(k.HOUR), 4),
        "above_twelve": f.share(k.THINK_MEAN / (12 * k.MINUTE), 2),
        "above_hour": f.share(k.THINK_MEAN / k.HOUR, 2),
        "mixture_median": seconds(law.median),
        "mixture_share": f.share(law.idle_share(k.HOUR)),
        "mixes": str(sum(len(names) > 1 for names in COMBINATIONS)),
        "naive_ahead_free": str(ahead(0.0, "naive")),
        "naive_ahead_lossy": str(ahead(CROWDED, "naive")),
        "naive_ahead_wide": str(ahead(0.0, "naive", int(k.NOTEBOOK_CORES.high))),
        "first_cores": str(pair.cores),
        "wide_cores": str(int(k.NOTEBOOK_CORES.high)),
        "crowded_loss": f.share(CROWDED),
        "mixture_gaps": f"1 in {f.rounded(1 / law.pause_share(k.HOUR), 2)}",
    }


def live_values(study: Study) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    now = study.now
    work = sum(cell.work for book in study.lived for cell in book)
    shown = [f"{label} {f.duration(time)}" for label, time in zip(study.labels, study.alone, strict=True)][:8]
    return _story() | {
        "think_words": think_words(study),
        "cores": str(study.cores),
        "alone_words": ", ".join(shown) + (", …" if len(study.names) > 8 else ""),
        "loss": f.share(study.loss),
        "measures_words": (
            f"With your settings ({SCHEDULERS[study.scheduler].lower()}): ANTT {f.significant(now.antt)}, "
            f"STP {f.significant(now.stp)} of at most {len(study.names)}."
        ),
        "work_words": _work_words(study, work),
        "break_even_words": _break_even_words(study),
    }


def _work_words(study: Study, work: float) -> str:
    least = f"With your settings {f.rounded(work, 3)} core-seconds on {f.count(study.cores, 'core')} take at least"
    start = f"{least} {f.duration(work / study.cores)}"
    if math.isinf(study.now.run.makespan):
        return f"{start}; {SCHEDULERS[study.scheduler].lower()} never comes to an end."
    apart = " The cores that the endless cell holds are not idle and come on top." if study.endless else ""
    return (
        f"{start}; {SCHEDULERS[study.scheduler].lower()} takes {f.duration(study.now.run.makespan)} and leaves "
        f"{f.rounded(study.now.run.idle, 3)} core-seconds without work.{apart}"
    )


def _break_even_words(study: Study) -> str:
    limit = study.break_even
    if limit == 0:
        return "For your notebooks dynamic scheduling is not ahead of both others even without overhead."
    if math.isinf(limit):
        ever = "at any overhead up to a minute a cell, tried second by second"
        return f"For your notebooks it is ahead of both others {ever}."
    below = f"below {f.duration(limit)} of overhead a cell, tried second by second"
    return f"For your notebooks it is ahead of both others {below}."
