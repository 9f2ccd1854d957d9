"""Utilization trap: the challenge, the largest jobs that a busy fleet can start in time."""

from dataclasses import replace
from functools import lru_cache
from math import ceil

from lessons.utilization_trap.settings import TIE, Fleet
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.knobs.declared import knobs_of, moved

#: Wanted: at least this share of the GPUs busy.
BUSY = 0.9


def wanted() -> int:
    """GPUs that have to be busy on average."""
    return ceil(BUSY * Fleet().fleet)


def task() -> str:
    """The task in words."""
    return (
        f"Buy nothing. Keep at least {wanted()} of the {f.count(Fleet().fleet, 'GPU')} busy and the mean wait within "
        f"{f.duration(Fleet().target)}. How many GPUs can each job take?"
    )


def judge(fleet: Fleet) -> Verdict:
    """Say how far a fleet has come."""
    if labels := moved(fleet, ("gpus_per_job", "utilization")):
        return Verdict(f"Not yet: reset these settings first: {', '.join(labels)}.")
    jobs, busy = f"{f.count(fleet.gpus_per_job, 'GPU')} per job", f.significant(round(fleet.busy), 4)
    if fleet.busy < wanted() - TIE:
        return Verdict(f"Not yet: with {jobs}, only {busy} of the GPUs are busy.", False)
    if not fleet.on_target:
        return Verdict(f"Not yet: with {jobs}, the mean wait is {f.duration(fleet.now.mean_wait)}.", False)
    if fleet.gpus_per_job < largest():
        return Verdict(f"Not yet: {jobs} meets both goals, but larger jobs can, too.")
    return Verdict(
        f"Won: {jobs}, {busy} of the GPUs busy, mean wait {f.duration(fleet.now.mean_wait)}. No larger job does it.",
        True,
    )


@lru_cache(maxsize=1)
def largest() -> int:
    """GPUs of the largest job for which a position of the sliders meets both goals."""
    step, start = knobs_of(Fleet)["utilization"].step / 100, Fleet()

    def wins(size: int) -> bool:
        fleet = replace(start, gpus_per_job=size)
        least = wanted() / (fleet.servers * size)
        return replace(fleet, utilization=ceil(least / step - TIE) * step).on_target

    return next(size for size in range(start.fleet, 0, -1) if wins(size))
