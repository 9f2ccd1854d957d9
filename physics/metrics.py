"""Measures that compare schedulers: utilization, throughput, fairness, fragmentation, a score.

Source of utilization and throughput: Feitelson, "Metrics for parallel job scheduling and their
convergence", JSSPP 2001.
"""

from collections.abc import Mapping

from physics import placement  # as a module: it may be half imported, by way of the schedulers
from physics.arguments import Finite, NonNegatives, NonNegativesByName, Wholes, within_range
from physics.fairness import jain_index as jain
from physics.scheduling.schedule import Schedule

__all__ = ["balance", "composite", "fragmentation", "jain", "throughput", "utilization"]


@within_range
def utilization(schedule: Schedule) -> float:
    """Share of the fleet's GPU time in use, from the first submission to the last finish [1].

    Restarts and work done twice are work; jobs that can never start are left out. A measure of the
    whole record: its empty beginning and its last long job lower it.
    """
    return schedule.executed / (schedule.capacity * _span(schedule))


@within_range
def throughput(schedule: Schedule) -> float:
    """Jobs completed ÷ (last finish − first submission) [1/s]."""
    return int(schedule.jobs["can_start"].sum()) / _span(schedule)


@within_range
def balance(values: NonNegatives) -> float:
    """Smallest of several shares ÷ the largest one [1]; 1 if all are zero.

    Source: The min-max ratio, as in Shi et al., "Fairness in wireless networks: issues, measures
    and challenges", 2014.

    One user of a hundred who gets nothing hardly shows in Jain's index; this sees nothing else:

    >>> round(jain([1] * 99 + [0]), 2), balance([1] * 99 + [0])
    (0.99, 0.0)
    """
    if not values:
        raise ValueError("values must hold at least one number, got none")
    if max(values):
        return min(values) / max(values)
    return 1.0


@within_range
def fragmentation(free: Wholes, mix: Mapping[int, float]) -> float:
    """Share of the free GPUs that a job drawn from a mix cannot use [1]; 0 if none is free.

    See `placement.unusable`.

    >>> fragmentation([1, 3, 4], {1: 0.5, 4: 0.5})  # half of the jobs cannot use 4 of 8
    0.25
    """
    lost = placement.unusable(free, mix)
    if any(free):
        return lost / sum(free)
    return 0.0


@within_range
def composite(
    completed: NonNegativesByName,
    weights: NonNegativesByName,
    penalties: NonNegativesByName | None = None,
) -> Finite:
    """Weighted number of completed jobs minus penalties, Σ weight × completed − Σ penalty [1].

    What is `completed` of each class, jobs or GPU time, counts with the class's weight, 0 if it is
    not named; penalties have names of their own. The weights are a choice, not a measurement: turn
    them and the ranking of two schedules may turn.

    Source: The weighted sum of Fishburn, "Additive utilities with incomplete product sets", 1967.

    >>> weights = {"search": 1, "training": 20}
    >>> composite({"search": 100, "training": 4}, weights, {"missed deadlines": 30})
    150.0
    """
    unknown = [name for name in weights if name not in completed]
    if unknown:
        raise ValueError(f"weights must be of classes among those completed, got {unknown[0]!r}")
    worth = sum(weights.get(name, 0.0) * number for name, number in completed.items())
    return worth - sum((penalties or {}).values())


def _span(schedule: Schedule) -> float:
    """Time from the first submission to the last end of jobs that ran."""
    ran = schedule.jobs[schedule.jobs["can_start"].to_numpy(bool)]
    if ran.empty:
        raise ValueError("schedule must hold at least one job that can start, got none")
    return float(ran["end"].max()) - float(ran["submit"].min())
