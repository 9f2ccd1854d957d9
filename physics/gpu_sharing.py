"""Several jobs on one GPU: demand of each, speed with spatial or time sharing, and the best pairs.

A demand is a `Demand` or a pair (compute, memory); a speed of 1 is that of a job alone.
"""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from physics.arguments import (
    Count,
    NonNegative,
    NonNegatives,
    Positive,
    fraction,
    non_negative,
    positive,
    several,
    within_range,
)

__all__ = ["Demand", "Pairing", "corun", "fits", "pairings", "roofline_demand", "time_slice"]

#: `pairings` looks at all ways of pairing; 12 jobs have 10,395.
MOST_PAIRED = 12


class Demand(NamedTuple):
    """Shares of a device's resources that a job uses when it runs alone at full speed."""

    compute: float  #: of the arithmetic rate [1]
    memory: float  #: of the memory bandwidth [1]


class Pairing(NamedTuple):
    """System throughput with two jobs per GPU: sum of all speeds relative to jobs alone [1]."""

    best: float  #: of the best way to pair
    worst: float  #: of the worst
    random: float  #: mean over all ways, each equally likely


@within_range
def roofline_demand(intensity: Positive, peak: Positive, bandwidth: Positive) -> Demand:
    """Shares of a device that a kernel of a given arithmetic intensity uses alone [1].

    compute = min(1, I/I*), memory = min(1, I*/I), I* = π ÷ β, for an intensity I [FLOP/B], an
    arithmetic rate π, `peak`, [FLOP/s] and a memory bandwidth β [B/s]. A bound: a kernel that does
    not reach the roofline, because of latency or few threads, uses less and shares better.

    Source: Williams, Waterman and Patterson, "Roofline: an insightful visual performance model for
    multicore architectures", 2009.

    >>> demand = roofline_demand(32, 989e12, 3.35e12)  # decoding 32 sequences on an H100 SXM
    >>> round(demand.compute, 3), demand.memory
    (0.108, 1.0)
    """
    ridge = positive("peak ÷ bandwidth", peak / bandwidth)
    return Demand(min(1.0, intensity / ridge), min(1.0, ridge / intensity))


def corun(demands: Iterable[Demand]) -> list[float]:
    """Speed of each job when all run concurrently on one device [1].

    Max-min fair by progressive filling: all speeds grow together until a resource is full; those
    that use it stop, the others go on, none above 1. A best case: caches, the order of kernels and
    all interference below the roofline are left out, so measured pairs are slower.

    Source: Bertsekas and Gallager, *Data Networks*, 2nd edition, 1992, section 6.5.2 (max-min flow
    control).

    Decoding (32 FLOP/B) beside training (1,000 FLOP/B) on an H100: each takes 1.295 times as long.

    >>> demands = [roofline_demand(intensity, 989e12, 3.35e12) for intensity in (32, 1000)]
    >>> [round(1 / speed, 3) for speed in corun(demands)]
    [1.295, 1.295]
    """
    demands = _demands(demands)
    speeds = [1.0] * len(demands)
    growing = set(range(len(demands)))
    level = 0.0
    while growing:
        ceilings = []
        for resource in range(2):
            needed = math.fsum(demands[i][resource] for i in growing)
            used = math.fsum(
                demands[i][resource] * speeds[i] for i in range(len(demands)) if i not in growing
            )
            ceilings.append(max(level, (1 - used) / needed) if needed else math.inf)
        level = min(ceilings)
        if level >= 1:
            break
        full = ceilings.index(level)
        for i in list(growing):
            if demands[i][full]:
                speeds[i] = level
                growing.discard(i)
    return speeds


@within_range
def fits(
    needs: NonNegatives, capacity: Positive, limits: Iterable[float] | None = None
) -> tuple[bool, ...]:
    """Which of several jobs get enough memory on one GPU, in their order of allocation.

    A job runs if its need [B] is at most its limit [B; None for none] and at most what those before
    it have left of the capacity [B]; one that fails ("out of memory") holds nothing. Memory is
    allocated once and kept; fragmentation and the driver's own memory are left out.

    >>> fits([45e9, 45e9, 30e9], 80e9), fits([45e9, 30e9], 80e9, [40e9, 40e9])
    ((True, False, True), (False, True))
    """
    bounds: list[float | None] = [None] * len(needs)
    if limits is not None:
        bounds = several("limits", limits)
    if len(bounds) != len(needs):
        raise ValueError(f"limits must be one for each of {len(needs)} needs, got {len(bounds)}")
    idle = capacity
    runs = []
    for need, limit in zip(needs, bounds, strict=True):
        allowed = idle
        if limit is not None:
            allowed = min(idle, non_negative("limits", limit))
        runs.append(need <= allowed)
        if need <= allowed:
            idle -= need
    return tuple(runs)


@within_range
def time_slice(quantum: Positive, switch: NonNegative, jobs: Count) -> tuple[float, float]:
    """Useful share of a device's time under time slicing [1], and the wait for a slice [s].

    q ÷ (q + s); and from the end of a job's turn to the start of its next, (n − 1) q + n s, for n
    jobs, turns of q, `quantum`, [s] and a switch of s [s]. Every job always has work and uses its
    whole turn; one alone is never switched: 1 and 0.

    Source: Tanenbaum and Bos, *Modern Operating Systems*, 4th edition, 2014, section 2.4.3 (round
    robin).

    >>> share, wait = time_slice(2e-3, 1e-3, 2)
    >>> round(share, 3), round(wait, 6)
    (0.667, 0.004)
    """
    if jobs == 1:
        return 1.0, 0.0
    return quantum / (quantum + switch), (jobs - 1) * quantum + jobs * switch


@within_range
def pairings(demands: Iterable[Demand], gpus: Count) -> Pairing:
    """System throughput [jobs alone] with two jobs per GPU: best, worst, and random pairing.

    Exact, for exactly two demands a GPU and at most 12 in all. At random every pair is as likely as
    any other, so the mean is the sum over all pairs ÷ (jobs − 1).

    Source: The measure is STP of Eyerman and Eeckhout, "System-level performance metrics for
    multiprogram workloads", 2008.

    Four decoding and four training jobs on four H100:

    >>> decoding = roofline_demand(32, 989e12, 3.35e12)
    >>> training = roofline_demand(1000, 989e12, 3.35e12)
    >>> [round(value, 2) for value in pairings([decoding] * 4 + [training] * 4, 4)]
    [6.18, 4.0, 5.24]
    """
    jobs = _demands(demands)
    n = 2 * gpus
    if len(jobs) != n or n > MOST_PAIRED:
        raise ValueError(
            f"demands must be exactly two a GPU and at most {MOST_PAIRED}, got {len(jobs)} on "
            f"{gpus} GPUs"
        )
    speed = {(i, j): math.fsum(corun([jobs[i], jobs[j]])) for j in range(n) for i in range(j)}

    totals = list(_pair_up(list(range(n)), speed))
    return Pairing(max(totals), min(totals), math.fsum(speed.values()) / (n - 1))


def _pair_up(jobs: list[int], speed: dict[tuple[int, int], float]) -> Iterator[float]:
    """Yield the throughput of every way to pair some jobs, from the speeds of all pairs."""
    if not jobs:
        yield 0.0
        return
    first, *others = jobs
    for other in others:
        unpaired = [job for job in others if job != other]
        for total in _pair_up(unpaired, speed):
            yield speed[first, other] + total


def _demands(demands: Iterable[Demand]) -> list[Demand]:
    """Return demands as checked pairs, or raise ValueError in one sentence."""
    pairs = [several("demands", pair) for pair in several("demands", demands)]
    for pair in pairs:
        if len(pair) != 2:
            raise ValueError(f"demands must be pairs of compute and memory, got {pair!r}")
    checked = []
    for compute, memory in pairs:
        checked.append(Demand(fraction("compute", compute), fraction("memory", memory)))
    return checked
