"""One server shared by priority classes, strict or aging, without preemption.

Lists have an entry a class: `arrival_rates` λ [1/s], `service_times` S [s], and `service_scvs`, the
squared coefficients of variation of service times [1]; exponential (1) when left out. Poisson
arrivals, any distributions of service times, first come first served within a class.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from operator import mul

from physics.arguments import NonNegatives, Positives, within_range
from physics.queueing.steady_state import full


@within_range
def priority_waits(
    arrival_rates: Positives, service_times: Positives, service_scvs: NonNegatives | None = None
) -> list[float]:
    """Mean waits of classes on one server under nonpreemptive priority, highest priority first [s].

    Wₖ = R / ((1 − σₖ₋₁) (1 − σₖ)), where σₖ is the load of class k and all above it and R = Σ λᵢ
    Sᵢ² (1 + SCVᵢ) / 2 the mean work left in service that an arrival finds. Infinite from the first
    class with σ ≥ 1 on: that class gets what is left of the server, those below it nothing, and
    only these shares count in R.

    Source: Cobham, A., *Priority assignment in waiting line problems*, 1954; Kleinrock, L.,
    *Queueing Systems*, vol. 2, 1976, eqs. 3.30 and 3.31.

    >>> [round(wait, 9) for wait in priority_waits([0.2, 0.3, 0.4], [1.0, 1.0, 1.0])]
    [1.125, 2.25, 18.0]
    """
    scvs = _scvs(service_scvs, arrival_rates=arrival_rates, service_times=service_times)
    loads = list(map(mul, arrival_rates, service_times))
    sigmas = [math.fsum(loads[:k]) for k in range(len(loads) + 1)]  # σ₀ = 0, σ₁, …
    served = []
    for load, above in zip(loads, sigmas, strict=False):
        served.append(min(load, max(0.0, 1 - above)))
    residual = _residual(served, service_times, scvs)
    waits = []
    for above, through in pairwise(sigmas):
        wait = math.inf
        if not full(through):
            wait = residual / ((1 - above) * (1 - through))
        waits.append(wait)
    return waits


@within_range
def aging_waits(
    arrival_rates: Positives,
    service_times: Positives,
    aging_rates: Positives,
    service_scvs: NonNegatives | None = None,
) -> list[float]:
    """Mean waits of classes on one server whose priority grows with the waiting time [s].

    A waiting job of class p has the priority bₚ × (time waited), bₚ its aging rate in any unit of
    priority [1/s]; the highest is served next and is not interrupted. With the classes sorted from
    the lowest b, Wₚ = (W₀ / (1 − ρ) − Σ_{i<p} ρᵢ Wᵢ (1 − bᵢ/bₚ)) / (1 − Σ_{i>p} ρᵢ (1 − bₚ/bᵢ)),
    with W₀ = Σ λᵢ Sᵢ² (1 + SCVᵢ) / 2. Exact. Only the ratios of the rates matter: equal ones are
    first come first served, ones far apart strict priority. At ρ ≥ 1 all waits are infinite, since
    even the slowest to age is served before younger ones in the end.

    Source: Kleinrock, L., *A delay dependent queue discipline*, 1964; *Queueing Systems*, vol. 2,
    1976, section 3.7.

    >>> [round(wait, 2) for wait in aging_waits([0.45, 0.45], [1.0, 1.0], [1.0, 10.0])]
    [15.13, 2.87]
    """
    aging = aging_rates
    scvs = _scvs(
        service_scvs, arrival_rates=arrival_rates, service_times=service_times, aging_rates=aging
    )
    loads = list(map(mul, arrival_rates, service_times))
    load = math.fsum(loads)
    if full(load):
        return [math.inf] * len(loads)
    residual = _residual(loads, service_times, scvs)
    waits = [0.0] * len(loads)
    for p in sorted(range(len(loads)), key=aging.__getitem__):
        slower = []
        faster = []
        for i, rate in enumerate(aging):
            if rate < aging[p]:
                slower.append(loads[i] * waits[i] * (1 - rate / aging[p]))
            elif rate > aging[p]:
                faster.append(loads[i] * (1 - aging[p] / rate))
        waits[p] = (residual / (1 - load) - math.fsum(slower)) / (1 - math.fsum(faster))
    return waits


def _residual(loads: Sequence[float], times: Sequence[float], scvs: Sequence[float]) -> float:
    """Mean work left in service that an arrival finds, Σ λᵢ Sᵢ² (1 + SCVᵢ) / 2 [s].

    λ S² as load times S: λ = 1e-300 and S = 1e300 make sense together.
    """
    rows = zip(loads, times, scvs, strict=True)
    return math.fsum(load * time * (1 + scv) / 2 for load, time, scv in rows)


def _scvs(service_scvs: Sequence[float] | None, **classes: Sequence[float]) -> Sequence[float]:
    """SCV of each class; refuses lists of unlike lengths, and no class."""
    number = len(classes["arrival_rates"])
    if not number:
        raise ValueError("arrival_rates must name at least one class, got none")
    scvs: Sequence[float] = [1.0] * number
    if service_scvs is not None:
        scvs = service_scvs
    for name, entries in (classes | {"service_scvs": scvs}).items():
        if len(entries) != number:
            raise ValueError(f"{name} must have one entry a class, {number}, got {len(entries)}")
    return scvs
