"""Saturation load of a policy, which is less than 1 because gangs leave GPUs idle."""

import math
from collections.abc import Iterable

import numpy as np
import pandas as pd

from physics.arguments import MANY, count, within_range
from physics.jobs import JobClass, listed, sample_jobs
from physics.scheduling.policy import Policy
from physics.scheduling.simulator import simulate

#: Offered load of the first try, beyond the capacity of any machine.
OVERLOAD = 1.2
#: Share of the simulated jobs that wait from the start, and share of the time that is not measured.
BACKLOG = 0.1
WARM_UP = 0.2
#: Tries: far above, at what that one carried, and where the line through the two meets "carried =
#: offered".
TRIES = 3


@within_range
def saturation_load(
    classes: Iterable[JobClass],
    capacity: int,
    policy: Policy,
    rng: np.random.Generator,
    jobs: int = 12_000,
) -> float:
    """Return the highest offered load at which the queue stays stable under the policy [1].

    Above it the queue grows as long as jobs are submitted, though GPUs are idle. It is the offered
    load x at which the work done, U(x), equals the work offered while jobs always wait. x counts
    all jobs, so that it compares with `physics.jobs.offered_load`; jobs that can never start do
    nothing, and work lost to preemption is not work done.

    U(x) is simulated with Poisson arrivals and a backlog of 10% of the jobs at the start, without
    the first fifth of the time, on the same random jobs at three loads: 120%, then U(120%), then
    where the line through both meets U(x) = x. With EASY in order of arrival U creeps towards 1 as
    the queue gets longer, so that the value belongs to this backlog.

    Args:
        classes: The mix; only the ratios of the arrival rates matter.
        capacity: C, GPUs of the fleet [1].
        rng: Source of chance; different ones differ by about one point.
        jobs: Jobs simulated at each of the three loads; four times as many halve the error.

    Returns: Saturation load [1]; 0 if no job of the mix can ever start.

    Raises ValueError for no class that arrives, or fewer than 100 jobs.

    One class as wide as half the fleet wastes nothing; two thirds wide, a third of it.

    >>> half, wide = (JobClass("job", gpus=gpus, runtime=60, arrival_rate=1) for gpus in (6, 8))
    >>> rng = np.random.default_rng(1)
    >>> [round(saturation_load([kind], 12, Policy(), rng, jobs=500), 3) for kind in (half, wide)]
    [1.0, 0.667]
    """
    classes = listed(classes)
    jobs = count("jobs", jobs, least=100, most=MANY)
    rate = sum(job_class.arrival_rate for job_class in classes)
    if not rate > 0:
        raise ValueError(f"arrival_rate must be positive for at least one class, got {rate}")
    horizon = jobs / rate
    rng = np.random.default_rng(rng)
    backlog = sample_jobs(classes, BACKLOG * horizon, rng).assign(submit=0.0)
    stream = sample_jobs(classes, horizon, rng)
    mix = pd.concat([backlog, stream], ignore_index=True)
    if mix.empty:
        return 0.0
    return _fixed_point(mix, horizon, capacity, policy)


def _fixed_point(mix: pd.DataFrame, horizon: float, capacity: int, policy: Policy) -> float:
    """Find the load at which the work done equals the work offered, as a fraction of the fleet."""
    work = (mix["gpus"] * mix["runtime"]).to_numpy()
    together = mix.assign(submit=0.0, runtime=1.0, estimate=1.0)
    can_start = simulate(together, capacity, policy).jobs["can_start"].to_numpy()
    if not can_start.any():
        return 0.0
    share = work[can_start].sum() / work.sum()
    offered = work[can_start & (mix["submit"] > 0)].sum() / capacity / horizon
    load = OVERLOAD
    last_load = math.nan
    last_carried = math.nan
    for _ in range(TRIES):
        carried = _carried(mix, horizon * offered / load, offered / load, capacity, policy)
        slope = 0.0
        if load != last_load:
            slope = (carried - last_carried) / (load - last_load)
        last_load = load
        last_carried = carried
        # Where U(x) = x, by the line through the last two, or by the last value alone.
        if 0 < slope < 0.9:
            load = load + (carried - load) / (1 - slope)
        else:
            load = carried
    return float(carried / share)


def _carried(mix: pd.DataFrame, span: float, scale: float, capacity: int, policy: Policy) -> float:
    """Share of the fleet that does useful work in the measured part of a span of submissions.

    Args:
        span: Time of the submissions [s].
        scale: Factor that brings the submissions of the mix into the span.
    """
    schedule = simulate(mix.assign(submit=mix["submit"] * scale), capacity, policy)
    runs = schedule.runs
    first = WARM_UP * span
    inside = (runs["end"].clip(upper=span) - runs["start"].clip(lower=first)).clip(lower=0)
    useful = 1 - schedule.jobs["lost"].sum() / schedule.executed
    return float((inside * runs["gpus"]).sum() / capacity / (span - first) * useful)
