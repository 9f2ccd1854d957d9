"""Notebook sharing: the lesson's settings, results, presets and the numbers of its words."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from lessons.notebook_sharing.settings import SCHEDULERS, Study
from lessons.notebook_sharing.words import at_least, core_hours, seconds
from physics import constants as k
from physics.notebooks import ThinkTime, greatest_median, least_idle_share
from ui.base import format as f
from ui.page.shell import Page
from ui.record.compare import Result

VIEWS = {
    "combinations": "All combinations",
    "overhead": "Overhead",
    "fit": "How many fit",
    "idle": "Idle core-hours",
}
PRESETS = {
    "The question's two notebooks": {},
    "All four, 20 % loss": {"combination": "ABCD", "loss": 0.2},
    "Attentive users": {"combination": "ABCD", "loss": 0.2, "think": "attentive"},
    "Left overnight": {"combination": "ABCD", "loss": 0.2, "think": "overnight"},
    "Overnight, culled after an hour": {"combination": "ABCD", "loss": 0.2, "think": "overnight", "cull": 3600},
    "Overhead above the gain": {"combination": "AC", "loss": 0.2, "overhead": 10, "view": "overhead"},
    "Rigid, behind a server left running": {"combination": "ABCD", "loss": 0.2, "moldable": False, "endless": 1},
}

#: What the knobs vary, by quantity: default and range of each.
KNOBS = {
    "copies": k.NOTEBOOK_COPIES,
    "cores": k.NOTEBOOK_CORES,
    "overhead": k.NOTEBOOK_OVERHEAD,
    "loss": k.NOTEBOOK_LOSS,
    "cull": k.NOTEBOOK_CULL,
    "bound": k.NOTEBOOK_ANTT_BOUND,
    "endless": k.NOTEBOOK_ENDLESS,
    "draw": k.NOTEBOOK_DRAW,
}


def defaults() -> Study:
    """Return the settings that the page opens with: the question's two notebooks."""
    return Study()


def settings(quantities: Mapping[str, float | str | bool]) -> Study:
    """Read the knobs, SI or id by quantity."""
    return Study(
        cores=int(quantities["cores"]),
        combination=str(quantities["combination"]),
        copies=int(quantities["copies"]),
        think=str(quantities["think"]),
        scheduler=str(quantities["scheduler"]),
        moldable=bool(quantities["moldable"]),
        overhead=float(quantities["overhead"]),
        loss=float(quantities["loss"]),
        cull=float(quantities["cull"]),
        bound=float(quantities["bound"]),
        endless=int(quantities["endless"]),
        draw=int(quantities["draw"]),
    )


def results(study: Study) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    now = study.now
    return [
        Result("ANTT", now.antt, f.significant(now.antt)),
        Result("STP", now.stp, f.significant(now.stp)),
        Result("Last one ends", now.run.makespan, f.duration(now.run.makespan)),
        Result("Idle core-hours", now.run.idle / k.HOUR, core_hours(now.run.idle)),
    ]


def told(page: Page, asked: bool) -> Page:
    """Leave out what is said about pauses as long as the second question is open."""
    if asked:
        return page
    lesson = page.lesson
    return replace(
        page,
        lesson=replace(
            lesson,
            derivation=tuple(step for step in lesson.derivation if not step.title.startswith("Pauses")),
            takeaways=tuple(text for text in lesson.takeaways if not text.startswith("Pauses")),
        ),
    )


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
        "mixture_gaps": f"1 in {f.significant(1 / law.pause_share(k.HOUR), 2)}",
    }


def live_values(study: Study) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    now = study.now
    work = sum(cell.work for book in study.lived for cell in book)
    shown = [f"{label} {f.duration(time)}" for label, time in zip(study.labels, study.alone, strict=True)][:8]
    return _story() | {
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
    least = f"With your settings {f.significant(work)} core-seconds on {f.count(study.cores, 'core')} take at least"
    start = f"{least} {f.duration(work / study.cores)}"
    if math.isinf(study.now.run.makespan):
        return f"{start}; {SCHEDULERS[study.scheduler].lower()} never comes to an end."
    apart = " The cores that the endless cell holds are not idle and come on top." if study.endless else ""
    return (
        f"{start}; {SCHEDULERS[study.scheduler].lower()} takes {f.duration(study.now.run.makespan)} and leaves "
        f"{f.significant(study.now.run.idle)} core-seconds without work.{apart}"
    )


def _break_even_words(study: Study) -> str:
    limit = study.break_even
    if limit == 0:
        return "For your notebooks dynamic scheduling is not ahead of both others even without overhead."
    if math.isinf(limit):
        return "For your notebooks it is ahead of both others at any overhead up to a minute a cell."
    return f"For your notebooks it is ahead of both others below {f.duration(limit)} of overhead a cell."
