"""Fleets under a changing load: loads, latency, cost, the cheapest fleet, and a run's summary.

Arguments: `load` and `loads`, a = λ S, and what is reserved are in replicas' worth of work; of
`loads` each value holds for as long as any other. `service_time` S [s] and `service_scv` [1] are
mean and squared coefficient of variation of a request's time on a replica; `price_ratio` is the
price of a reserved replica, used or not, ÷ that of one on demand [1].
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physics import constants as c
from physics.arguments import (
    MANY,
    Finite,
    NonNegative,
    Numbers,
    Positive,
    Series,
    Share,
    Whole,
    count,
    numbers,
    within_range,
)
from physics.queueing.steady_state import full, waiting_chances


@within_range
def latencies(
    load: Numbers, replicas: Numbers, service_time: Positive, service_scv: NonNegative = 1.0
) -> np.ndarray:
    """Mean response time at each load and number of replicas, as if the load were steady [s].

    W of M/G/c [s], exact for a load that does not change: S at no load, infinite from a load of all
    replicas on.

    Source: Green and Kolesar, "The pointwise stationary approximation for queues with nonstationary
    arrivals", 1991.

    >>> [float(round(w, 3)) for w in latencies([0.5, 0.9, 1.0], [1, 1, 1], service_time=0.2)]
    [0.4, 2.0, inf]
    """
    responses = np.where(load == 0, service_time, math.inf)
    below = (load > 0) & (load < replicas)
    for serving in np.unique(replicas[below]):
        rows = np.flatnonzero(below & (replicas == serving))
        busy = load[rows] / service_time * service_time  # rounded as in `physics.queueing.mgc`
        slack = ~full(busy / serving)
        busy = busy[slack]
        with np.errstate(over="ignore", divide="ignore"):  # with next to no load nobody waits
            chances = waiting_chances(count("replicas", serving), busy)
        waits = chances * service_time / (serving - busy) * (service_scv / 2 + 0.5)
        responses[rows[slack]] = waits + service_time
    return responses


@within_range
def least_replicas(
    load, latency_target: Positive, service_time: Positive, service_scv: float = 1.0
) -> np.ndarray:
    """Fewest replicas that keep the mean response time [s] at or below a target, for each load [1].

    0 where there is no load; infinite where the target is not above S.

    >>> least_replicas([0.0, 0.9, 4.0], latency_target=0.4, service_time=0.2)
    array([0, 2, 5])
    """
    loads = numbers("load", load, most=MANY)
    if latency_target <= service_time:
        return np.where(loads > 0, math.inf, 0.0)
    counts = np.floor(loads).astype(int)
    late = np.flatnonzero(loads > 0)
    while len(late):
        times = latencies(loads[late], counts[late], service_time, service_scv)
        late = late[times > latency_target]
        counts[late] += 1
    return counts


@within_range
def cheapest_fleet(needed, cold_steps: Whole) -> np.ndarray:
    """Replicas to pay for in each step so that those needed are ready, at the least cost [1].

    The highest need from each step to `cold_steps` later, the steps that a replica is paid for
    before it serves: keeping a replica over a gap costs less than starting it again just when the
    gap is shorter than the cold start. The load is known ahead; removing takes no time.

    >>> cheapest_fleet([1, 1, 1, 3, 1, 3, 1, 1], cold_steps=2)
    array([1, 3, 3, 3, 3, 3, 1, 1])
    """
    numbers("needed", needed, most=math.inf)
    need = np.asarray(needed)
    cold_steps = min(cold_steps, len(need))
    ahead = np.concatenate([need, np.zeros(cold_steps, dtype=need.dtype)])
    return np.lib.stride_tricks.sliding_window_view(ahead, cold_steps + 1).max(axis=1)


@within_range
def reserve(loads: Series, price_ratio: Share) -> float:
    """Level to reserve for a changing load so that the total cost is lowest [replicas].

    The lowest load that is exceeded for at most a share r, the price ratio, of the time: the (1 −
    r) quantile, at which r R + E[(load − R)⁺] is least.

    Source: Arrow, Harris and Marschak, "Optimal inventory policy", 1951 (the newsvendor's
    quantile).

    >>> day = 7 + 5 * np.sin(2 * np.pi * np.arange(1440) / 1440)
    >>> round(reserve(day, 0.4), 1)
    8.5
    """
    above = math.floor(price_ratio * len(loads) * (1 + 1e-12))
    return float(np.sort(loads)[::-1][min(above, len(loads) - 1)])


@dataclass(frozen=True)
class AutoscalerSummary:
    """Summary of one simulated run."""

    slo_share: float  #: share of the time with the latency at or below its target [1]
    cost: float  #: paid for replicas, starting or ready [USD]
    cheapest_cost: float  #: of the cheapest fleet that meets the target all the time [USD]
    #: cost ÷ cheapest cost; NaN when that fleet costs nothing or does not exist [1]
    cost_ratio: float
    changes: int  #: times the request was changed [1]
    most_requested: int  #: most replicas requested at once [1]
    lost_share: float  #: work turned away ÷ work offered [1]


def summarize_run(run: pd.DataFrame) -> AutoscalerSummary:
    """Summarize the table that `physics.autoscaling.simulate_autoscaler` returns."""
    if len(run) > 1:
        step = run["time"].iloc[1] - run["time"].iloc[0]
    else:
        step = 0.0
    cost = float(run["cost"].sum())
    cheapest = float(run["cheapest_cost"].sum())
    offered = float(run["load"].sum()) * step
    return AutoscalerSummary(
        slo_share=float(run["slo_met"].mean()),
        cost=cost,
        cheapest_cost=cheapest,
        cost_ratio=cost / cheapest if 0 < cheapest < math.inf else math.nan,
        changes=int((run["wanted"] != run["requested"]).sum()),
        most_requested=int(max(run["requested"].max(), run["wanted"].max())),
        lost_share=float(run["lost"].sum()) / offered if offered else 0.0,
    )


@within_range
def reservation_cost(loads: Series, reserved: NonNegative, price_ratio: Share) -> Finite:
    """Mean cost of a load with R reserved and the rest on demand [on-demand replicas].

    r R + E[(load − R)⁺], with the price ratio r.

    >>> reservation_cost([2.0, 6.0], reserved=4, price_ratio=0.5)  # 2 + (0 + 2) / 2
    3.0
    """
    return price_ratio * reserved + np.maximum(0.0, loads - reserved).mean()


@within_range
def step_load(
    before: NonNegative, after: NonNegative, at: NonNegative, duration: Positive
) -> np.ndarray:
    """Load that changes once, at the time `at` [s], with one value per 15 s [replicas].

    >>> step_load(2, 4, at=30, duration=60)
    array([2., 2., 4., 4.])
    """
    return np.where(_times(duration, float(c.HPA_SYNC)) < at, before, after)


@within_range
def daily_load(low: NonNegative, high: NonNegative, step: Positive = c.HPA_SYNC) -> np.ndarray:
    """Sinusoidal load of a day, lowest at its start and highest 12 hours later [replicas].

    One value per step.

    >>> daily_load(2, 10, step=21600)
    array([ 2.,  6., 10.,  6.])
    """
    return low + (high - low) * np.sin(math.pi * _times(c.DAY, step) / c.DAY) ** 2


def _times(duration: float, step: float) -> np.ndarray:
    """Beginnings of the whole steps of a duration [s], one at least."""
    steps = duration / step
    if steps > MANY:
        raise ValueError(f"duration must be at most {MANY:,} steps, got {steps:g}")
    return np.arange(max(1, round(steps))) * step
