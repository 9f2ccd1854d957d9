"""Utilization trap: the challenge, the largest jobs that a busy fleet can start in time."""

from dataclasses import replace
from functools import lru_cache
from math import ceil

from lessons.utilization_trap.settings import TIE, Fleet, say
from ui.base.lesson import Verdict
from ui.knobs.declared import knobs_of, moved


def judge(fleet: Fleet) -> Verdict:
    """Say how far a fleet has come."""
    if labels := moved(fleet, ("gpus_per_job", "utilization")):
        return Verdict(say("reset_first", fleet, labels=", ".join(labels)))
    if fleet.busy < fleet.goal - TIE:
        return Verdict(say("too_few_busy", fleet), False)
    if not fleet.on_target:
        return Verdict(say("too_long", fleet), False)
    if fleet.gpus_per_job < largest():
        return Verdict(say("larger_jobs_can", fleet))
    return Verdict(say("won", fleet), True)


@lru_cache(maxsize=1)
def largest() -> int:
    """GPUs of the largest job for which a position of the sliders meets both goals."""
    step, start = knobs_of(Fleet)["utilization"].step / 100, Fleet()

    def wins(size: int) -> bool:
        fleet = replace(start, gpus_per_job=size)
        least = fleet.goal / (fleet.servers * size)
        return replace(fleet, utilization=ceil(least / step - TIE) * step).on_target

    return next(size for size in range(start.fleet, 0, -1) if wins(size))
