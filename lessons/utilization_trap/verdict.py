"""Utilization trap: what binds, and the smallest changes that mend it."""

import math
from dataclasses import replace

from lessons.utilization_trap.settings import ADDED_STEP, Fleet
from physics import constants as k
from ui.base import format as f

#: Steps of the knobs that no cure needs before these.
LENGTH_STEP, SCV_STEP = 0.1 * k.HOUR, 0.5


def target_words(fleet: Fleet) -> str:
    """Word the mean wait against the target."""
    wait = fleet.now.mean_wait
    if not fleet.now.stable:
        return f"misses {f.duration(fleet.target)} for good"
    if fleet.on_target:
        return f"meets {f.duration(fleet.target)}"
    return f"misses {f.duration(fleet.target)} by {f.duration(wait - fleet.target)}"


def cures(fleet: Fleet) -> list[str]:
    """Single-knob changes that meet the target, checked by the model: of load, purchase or job size, else any other."""
    return _nearest_cures(fleet) or _further_cures(fleet)


def _nearest_cures(fleet: Fleet) -> list[str]:
    """The smallest change of the utilization and of the purchase, and the largest job of 1, 2, 4, … GPUs."""
    found = []
    scale = fleet.servers / fleet.servers_before
    lowest, highest = k.TRAP_UTILIZATION.low, k.TRAP_UTILIZATION.high
    before = math.floor(fleet.knee * scale / 0.005 + 1e-9) * 0.005
    if lowest <= before <= highest and replace(fleet, utilization=before).on_target:
        found.append(f"lower the utilization to {f.share(before, 4)}" + (" before the purchase" if fleet.added else ""))
    for blocks in range(fleet.servers + 1, (fleet.gpus + int(k.TRAP_ADDED.high)) // fleet.gpus_per_job + 1):
        added = math.ceil((blocks * fleet.gpus_per_job - fleet.gpus) / ADDED_STEP) * ADDED_STEP
        if added <= k.TRAP_ADDED.high and replace(fleet, added=added).on_target:
            found.append(f"buy {f.significant(added)} GPUs" + (" in all" if fleet.added else ""))
            break
    size = 2 ** math.ceil(math.log2(fleet.gpus_per_job)) // 2
    while size >= 1 and not replace(fleet, gpus_per_job=size).on_target:
        size //= 2
    if size >= 1:
        found.append(
            f"run jobs of {f.count(size, 'GPU')} at the same utilization"
            + (" before the purchase" if fleet.added else "")
        )
    return found


def _further_cures(fleet: Fleet) -> list[str]:
    """The smallest change of any other knob, and of the job size to any that the knob has."""
    found = []
    at_same = "at the same utilization" + (" before the purchase" if fleet.added else "")
    # Sizes with the same servers before and after the purchase wait alike: the nearest stands for all.
    sizes = {}
    for size in range(1, fleet.gpus + 1):
        pair = (fleet.gpus // size, (fleet.gpus + fleet.added) // size)
        if pair not in sizes or abs(size - fleet.gpus_per_job) < abs(sizes[pair] - fleet.gpus_per_job):
            sizes[pair] = size
    by_distance = sorted(sizes.values(), key=lambda size: abs(size - fleet.gpus_per_job))
    if size := next((size for size in by_distance if replace(fleet, gpus_per_job=size).on_target), None):
        found.append(f"run jobs of {f.count(size, 'GPU')} {at_same}")
    fleets = range(fleet.gpus + ADDED_STEP, int(k.TRAP_FLEET.high) + 1, ADDED_STEP)
    if gpus := next((gpus for gpus in fleets if replace(fleet, gpus=gpus).on_target), None):
        found.append(f"have a fleet of {f.significant(gpus, 4)} GPUs {at_same}")
    if fleet.now.stable:
        # The wait is in proportion to the job length, and to 1 + SCV.
        factor = fleet.target / fleet.now.mean_wait
        length = math.floor(fleet.job_length * factor / LENGTH_STEP + 1e-9) * LENGTH_STEP
        if length >= k.TRAP_JOB_LENGTH.low and replace(fleet, job_length=length).on_target:
            found.append(f"run jobs of {f.duration(length)} {at_same}")
        scv = math.floor(((1 + fleet.scv) * factor - 1) / SCV_STEP + 1e-9) * SCV_STEP
        if scv >= k.TRAP_SCV.low and replace(fleet, scv=scv).on_target:
            found.append(f"bring the SCV of job lengths down to {f.significant(scv)}")
    return found


def verdict(fleet: Fleet) -> str:
    """One sentence: what binds, and the smallest changes that mend it."""
    now = fleet.now
    if fleet.overloaded:
        growth = f.significant(fleet.backlog_growth * k.DAY / k.HOUR, 5)
        start = f"Overload: the backlog grows by {growth} GPU-hours a day, and every wait with it."
    elif not now.stable:
        start = "At exactly 100 % the queue also grows without limit, only more slowly than in proportion to time."
    elif fleet.on_target:
        room = f.share(fleet.knee)
        return (
            f"{f.count(fleet.servers, 'server')} at {f.share(now.utilization)}: the mean wait is "
            f"{f.duration(now.mean_wait)} and stays within {f.duration(fleet.target)} up to {room}."
        )
    else:
        start = (
            f"{f.count(fleet.servers, 'server')} at {f.share(now.utilization)} busy: only "
            f"{f.share(1 - now.utilization)} is free to work off the queue."
        )
    found = cures(fleet)
    if not found:
        return f"{start} No single knob on this page meets {f.duration(fleet.target)}; turn two of them."
    which = "This" if len(found) == 1 else "Any one of these"
    return f"{start} {which} meets {f.duration(fleet.target)}: {'; '.join(found)}."


def derived_words(fleet: Fleet) -> str:
    """What follows from the knobs and is no knob itself."""
    text = (
        f"c = {f.count(fleet.servers, 'server')} of {f.count(fleet.gpus_per_job, 'GPU')}; arrivals λ = "
        f"{f.count(fleet.arrival_rate * k.HOUR, 'job')} an hour; ρ = λ S / c = {f.share(fleet.now.utilization)}"
    )
    if fleet.left_over:
        text += f"; {f.count(fleet.left_over, 'GPU')} left over, idle"
    if (fleet.gpus, fleet.gpus_per_job) != (int(k.TRAP_FLEET), int(k.TRAP_GPUS_PER_JOB)):
        held = f.share(fleet.utilization, 4)
        text += f". Arrivals scale with the fleet and the job size, so that ρ before buying stays at {held}"
    return f"{text}. Formula: {fleet.now.method}."
