"""Utilization trap: what binds, and the smallest changes that mend it."""

from lessons.utilization_trap import day
from lessons.utilization_trap.settings import Fleet
from lessons.utilization_trap.values import load_note, percentile, percentile_note
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Metric, Verdict
from ui.knobs import remedies as search


def target_words(fleet: Fleet) -> str:
    """Word the mean wait against the target."""
    wait = fleet.now.mean_wait
    if not fleet.now.stable:
        return f"misses {f.duration(fleet.target)} for good"
    if fleet.on_target:
        return f"meets {f.duration(fleet.target)}"
    return f"misses {f.duration(fleet.target)} by {f.duration(wait - fleet.target)}"


def verdict(fleet: Fleet) -> Verdict:
    """Say what binds."""
    now = fleet.now
    if fleet.overloaded:
        growth = f.rounded(fleet.backlog_growth * k.DAY / k.HOUR, 3)
        return Verdict(f"Overload: the backlog grows by {growth} GPU-hours a day, and every wait with it.", False)
    if not now.stable:
        return Verdict(
            "At exactly 100 % the queue also grows without limit, only more slowly than in proportion to time.", False
        )
    held = f"Room for {f.count(fleet.servers, 'job')} at once"
    busy = f"{held}, {f.share(now.utilization)} busy"
    if fleet.on_target:
        return Verdict(
            f"{busy}: the mean wait is {f.duration(now.mean_wait)}, within {f.duration(fleet.target)}.", True
        )
    return Verdict(f"{busy}: only {f.share(1 - now.utilization)} is free to work off the queue.", False)


def remedies(fleet: Fleet) -> str:
    """List the smallest change of each knob that meets the target by itself: load, purchase and job size first."""
    if fleet.on_target:
        return ""
    nearest = ("utilization", "added", "gpus_per_job")
    found = search.remedies(fleet, _meets, nearest) or search.remedies(fleet, _meets, ("fleet", "job_length", "scv"))
    if not found:
        return f"No single setting of this page meets {f.duration(fleet.target)}; change two of them."
    return f"Meets {f.duration(fleet.target)}: {search.listed(found)}."


def _meets(fleet: Fleet) -> bool:
    return fleet.on_target


def metrics(fleet: Fleet, day_below: bool = True) -> list[Metric]:
    """The four headline numbers: of the long run, with the day's own beside the one that the day shows."""
    now, gpus = fleet.now, fleet.fleet + fleet.added
    on_day = f"{f.significant(day.of(fleet).waiting)} on the day below" if day_below else None
    return [
        Metric("Mean wait, long run", f.duration(now.mean_wait), target_words(fleet), fleet.on_target),
        Metric("Jobs waiting, long run", f.significant(now.mean_in_queue), on_day),
        Metric(
            "GPUs busy",
            f.significant(round(fleet.busy), 4),
            f"of {f.significant(gpus, 4)}: {f.share(fleet.busy / gpus)}",
        ),
        Metric("Jobs at once", f.significant(fleet.servers, 4), f"of {f.count(fleet.gpus_per_job, 'GPU')} each"),
    ]


def spread_metrics(fleet: Fleet) -> list[Metric]:
    """The numbers beside the variability of job lengths."""
    now = fleet.now
    return [
        Metric("Mean wait", f.duration(now.mean_wait), target_words(fleet), fleet.on_target),
        Metric("P99 wait", percentile(fleet), percentile_note(fleet)),
        Metric("Wait ÷ job length", f.significant(now.mean_wait / fleet.job_length), load_note(fleet)),
    ]


def derived_words(fleet: Fleet) -> str:
    """What follows from the knobs and is no knob itself."""
    text = (
        f"c = {f.count(fleet.servers, 'server')} of {f.count(fleet.gpus_per_job, 'GPU')}; arrivals λ = "
        f"{f.count(fleet.arrival_rate * k.HOUR, 'job')} an hour; ρ = λ S / c = {f.share(fleet.now.utilization)}"
    )
    if fleet.left_over:
        text += f"; {f.count(fleet.left_over, 'GPU')} left over, idle"
    low, high = fleet.alike
    if low < high:
        text += f". Jobs of {f.significant(low)} to {f.count(high, 'GPU')} make as many servers, so they wait as long"
    if (fleet.fleet, fleet.gpus_per_job) != (int(k.TRAP_FLEET), int(k.TRAP_GPUS_PER_JOB)):
        held = f.share(fleet.utilization, 4)
        text += f". Arrivals scale with the fleet and the job size, so that ρ before buying stays at {held}"
    return f"{text}. Formula: {fleet.now.method}."
