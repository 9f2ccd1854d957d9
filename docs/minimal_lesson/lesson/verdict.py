"""Minimal lesson: what its numbers say, what would mend them, and the task."""

from lessons.minimal_lesson.settings import Fleet
from lessons.minimal_lesson.values import hourly
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Metric, Verdict
from ui.knobs import remedies as search

#: Jobs an hour that the task asks for, and the most GPUs that it may take.
TARGET, MOST_GPUS = 2000, 1024


def metrics(fleet: Fleet) -> list[Metric]:
    """The headline numbers."""
    note = f"{f.count(fleet.fleet, 'GPU')}, {f.duration(fleet.job_length)} each"
    return [Metric("Jobs an hour", hourly(fleet), note)]


def verdict(fleet: Fleet) -> Verdict:
    """Say what binds: which of the two numbers the throughput follows from."""
    return Verdict(f"{f.count(fleet.fleet, 'GPU')} ÷ {f.duration(fleet.job_length)} = {hourly(fleet)} jobs an hour.")


def enough(fleet: Fleet) -> bool:
    """Whether the throughput meets the task's target."""
    return fleet.throughput * k.HOUR >= TARGET


def remedies(fleet: Fleet) -> str:
    """The smallest change of each knob that alone meets the target, in words; "" where it is met."""
    found = search.remedies(fleet, enough)
    return "" if enough(fleet) else f"To reach {f.significant(TARGET)} jobs an hour: {search.listed(found)}."


def task() -> str:
    """What the visitor is to reach."""
    return f"Let {f.significant(TARGET)} jobs an hour leave a fleet of at most {f.count(MOST_GPUS, 'GPU')}."


def judge(fleet: Fleet) -> Verdict:
    """Say whether the task is done, and by how much it is missed."""
    if fleet.fleet > MOST_GPUS:
        return Verdict(f"{f.count(fleet.fleet, 'GPU')} are more than {f.significant(MOST_GPUS)}.", False)
    return Verdict(f"{hourly(fleet)} of {f.significant(TARGET)} jobs an hour.", enough(fleet))
