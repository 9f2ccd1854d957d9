"""Notebook sharing: settings in words, under the charts and beside the headline numbers."""

import math

from lessons.notebook_sharing.settings import PAIR, SCHEDULERS, Study
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Metric

#: What the four notebooks are, in sight wherever they are named.
WHAT = (
    "The notebooks are synthetic: A alternates cells of one core and of all cores, B and D use mostly one core, C "
    "mostly all."
)
LABELED = 6  # lanes of the Gantt chart that are high enough for a name and for every change of cores


def metrics(study: Study) -> list[Metric]:
    """Return the four headline numbers."""
    now, others = study.now, [name for name in SCHEDULERS if name != study.scheduler]
    count = len(study.names)
    beside = "; ".join(f"{SCHEDULERS[name].lower()} {f.significant(study.outcomes[name].antt)}" for name in others)
    ends = "others: " + "; ".join(f.duration(study.outcomes[name].run.makespan) for name in others)
    return [
        Metric(
            "Mean slowdown (ANTT)", f.significant(now.antt), beside, study.good, "Time together ÷ time alone, mean."
        ),
        Metric("Throughput (STP)", f.significant(now.stp), f"of at most {count}", help="Sum of time alone ÷ together."),
        Metric("Last one ends", f.duration(now.run.makespan), ends),
        Metric("Idle core-hours", core_hours(now.run.idle), f"a node each: {core_hours(study.own.idle)}"),
    ]


def seconds(time: float) -> str:
    """Write a short time in seconds, also below one, so that it can be compared with others."""
    return f"{f.significant(time, 2)} s"


def at_least(share: float, digits: int = 3) -> str:
    """Write a lower bound above 10 %: rounded down, or it would claim more than is known."""
    scale = 10**digits
    return f.share(math.floor(share * scale) / scale, digits)


def core_hours(core_seconds: float) -> str:
    """Write core-seconds as core-hours."""
    if math.isinf(core_seconds):
        return "without limit"
    # What is left of cores × time − work after rounding is nothing.
    return f.significant(core_seconds / k.HOUR if core_seconds > 1e-6 else 0.0)


def derived_words(study: Study) -> str:
    """What follows from the knobs and is no knob itself, and how to read the chart."""
    work = sum(cell.work for book in study.notebooks for cell in book) / k.HOUR
    count = sum(len(book) for book in study.notebooks)
    crowded = len(study.names) > LABELED
    thick = " on average" if crowded else ""
    lanes = f" Lanes from the top: {study.labels[0]}, {study.labels[1]}, … {study.labels[-1]}." if crowded else ""
    return (
        f"{f.count(len(study.names), 'notebook')}, {f.count(count, 'cell')}, {f.significant(work)} core-hours of work. "
        f"A bar is a cell, the thicker the more of the {study.cores} cores it holds{thick}; hollow: overhead; dotted: "
        f"waits for cores; thin gray line: pause.{lanes} {WHAT if study.combination != PAIR else ''}"
    )
