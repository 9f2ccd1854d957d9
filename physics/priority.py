"""One server shared by priority classes, without interrupting a job in service."""

import math
from collections.abc import Sequence
from itertools import pairwise

from physics import checks
from physics.erlang import full


def priority_waits(
    arrival_rates: Sequence[float], service_times: Sequence[float], service_scvs: Sequence[float] | None = None
) -> list[float]:
    """Mean waits of classes that share one server, highest priority first; a job in service is not interrupted.

    Wₖ = R / ((1 − σₖ₋₁) (1 − σₖ)), where σₖ is the load of class k and all above it and R = Σ λᵢ Sᵢ² (1 + SCVᵢ) / 2
    the mean work left in service that an arrival finds. Poisson arrivals, first come first served within a class, any
    distributions of service times. When the classes together ask for more than the server has, the first class that
    does not fit gets what is left of the server, those below it nothing, and only these count in R.

    Parameters
    ----------
    arrival_rates : sequence of float
        λ of each class [1/s].
    service_times : sequence of float
        S of each class [s].
    service_scvs : sequence of float, optional
        Squared coefficient of variation of each class's service times; exponential (1) when left out [1].

    Returns
    -------
    list of float
        Wq of each class [s]; infinite from the first class with σ ≥ 1 on, finite above it.

    Raises
    ------
    ValueError
        If there is no class, the lists differ in length, or an entry is zero, negative (an SCV may be zero) or not a
        finite number.

    References
    ----------
    Cobham, A., *Priority assignment in waiting line problems*, 1954; Kleinrock, L., *Queueing Systems*, vol. 2, 1976,
    eqs. 3.30 and 3.31.

    Examples
    --------
    >>> [round(wait, 9) for wait in priority_waits([0.2, 0.3, 0.4], [1.0, 1.0, 1.0])]
    [1.125, 2.25, 18.0]
    >>> [round(wait, 9) for wait in priority_waits([0.5, 0.7], [1.0, 1.0])]  # 120 % load
    [2.0, inf]
    """
    rates = [checks.positive("arrival_rates", rate) for rate in checks.several("arrival_rates", arrival_rates)]
    times = [checks.positive("service_times", time) for time in checks.several("service_times", service_times)]
    given = [1.0] * len(rates) if service_scvs is None else checks.several("service_scvs", service_scvs)
    scvs = [checks.non_negative("service_scvs", scv) for scv in given]
    if not rates:
        raise ValueError("arrival_rates must name at least one class, got none")
    for name, entries in (("service_times", times), ("service_scvs", scvs)):
        if len(entries) != len(rates):
            raise ValueError(f"{name} must have one entry a class, {len(rates)}, got {len(entries)}")
    loads = [rate * time for rate, time in zip(rates, times, strict=True)]
    above = [math.fsum(loads[:k]) for k in range(len(loads) + 1)]
    served = [min(load, max(0.0, 1 - before)) for load, before in zip(loads, above, strict=False)]
    residual = math.fsum(x * time * (1 + scv) / 2 for x, time, scv in zip(served, times, scvs, strict=True))
    return [math.inf if full(below) else residual / ((1 - before) * (1 - below)) for before, below in pairwise(above)]
