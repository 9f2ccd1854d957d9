"""Fair queueing on one server, memory of past use under fair share, and lottery scheduling."""

import math
from heapq import heappop, heappush
from statistics import NormalDist
from typing import Literal

import numpy as np
import pandas as pd

from physics.arguments import (
    Finite,
    InnerShare,
    NonNegative,
    Positive,
    PositiveOrInfinite,
    PositivesByName,
    PositiveShare,
    Share,
    Whole,
    elementwise,
    within_range,
)
from physics.scheduling.workload import numbers, refuse, require

__all__ = ["catch_up_time", "lottery_draws", "lottery_drought", "serve"]


@elementwise
def catch_up_time(
    alone: NonNegative, half_life: PositiveOrInfinite, weight_ratio: Positive = 1.0
) -> Finite:
    """Time for which an account that ran alone gets nothing after another account returns [s].

    Two accounts under fair share by decayed usage, both with endless work from the return on: the
    one that ran alone for T, `alone`, [s] has used U (1 − 2^(−T/h)) and forgets it with the
    half-life h [s], infinite if nothing is ever forgotten; the other runs alone until its usage ÷
    weight is as large. With r, the weight of the account that returns ÷ the other's, τ = h log₂(1 +
    r (1 − 2^(−T/h))): at most one half-life with equal weights, r T if nothing is forgotten.

    A fluid limit: jobs are short compared with h. Jobs of the first account that still run at the
    return are charged until they end, which makes τ longer: with T of 30 days and h of 7 days, 7.3,
    8.3 and 10.5 days with jobs of 1, 3 and 7 days in place of 6.7.

    Source: The usage is that of SchedMD, Slurm Workload Manager, "Multifactor Priority Plugin"
    (PriorityDecayHalfLife).

    >>> round(catch_up_time(30.0, 7.0, 1.0), 2), round(catch_up_time(30.0, 7.0, 3.0), 2)  # in days
    (6.74, 13.6)
    """
    halvings = alone / half_life
    if max(halvings, weight_ratio * halvings) < 1e-12:
        return weight_ratio * alone
    return half_life / math.log(2) * math.log1p(-weight_ratio * math.expm1(-halvings * math.log(2)))


@within_range
def serve(
    jobs: pd.DataFrame,
    weights: PositivesByName | None = None,
    discipline: Literal["fifo", "sfq", "banked"] = "sfq",
) -> pd.DataFrame:
    """Table of jobs of several flows, served one after the other on one server of speed 1 [s].

    "fifo": by arrival. "sfq", start-time fair queueing: on arrival a job gets the start tag S =
    max(v, F of its flow's previous job) and the finish tag F = S + length ÷ weight; the smallest S
    is served next. Virtual time v is the S of the job in service, and after a busy period the
    largest F served so far. "banked": the same with S = F of the flow's previous job, 0 at first,
    so that a flow that was idle has saved up its turn. Ties go by arrival, then by row. All
    arrivals of one instant are tagged before the server takes its next job; one at the very moment
    a job ends still finds v = that job's S.

    Args:
        jobs: One row a job: flow, arrival [s], length [s]. Any index, any order, any further
            columns.
        weights: Weight of each flow [1]; a flow that is not named weighs 1.

    The rows come back with start [s], end [s], start_tag and finish_tag [s per unit of weight; NaN
    under "fifo"].

    Source: Goyal, P., Vin, H. M. and Cheng, H., *Start-time Fair Queuing: a scheduling algorithm
    for integrated services packet switching networks*, SIGCOMM 1996: while two flows are
    backlogged, what they are served differs, over their weights, by at most l_f/r_f + l_m/r_m,
    their longest jobs over their weights. There is no such bound for "banked".

    Flow a works alone for two jobs, then b arrives with three.

    >>> jobs = pd.DataFrame({"flow": list("aaaabbb"), "arrival": [0] * 4 + [2] * 3, "length": 1.0})
    >>> for discipline in ("fifo", "sfq", "banked"):
    ...     print("".join(serve(jobs, discipline=discipline).sort_values("start")["flow"]))
    aaaabbb
    aababab
    aabbaba
    """
    require("jobs", jobs, "flow", "arrival", "length")
    if jobs["flow"].ndim > 1:
        raise ValueError(f"jobs must have one column named flow, got {jobs['flow'].shape[1]}")
    arrival = numbers(jobs, "arrival")
    length = numbers(jobs, "length")
    refuse(jobs, length <= 0, "length must be positive", length)
    try:
        codes, names = pd.factorize(jobs["flow"], use_na_sentinel=False)
    except TypeError:
        raise ValueError(
            "flow must be names or numbers, got something that cannot be told apart"
        ) from None
    weight = [(weights or {}).get(name, 1.0) for name in names]
    times = _serve_in_turn(arrival.tolist(), length.tolist(), codes.tolist(), weight, discipline)
    if not np.isfinite(times).all():
        raise OverflowError
    if discipline == "fifo":
        times[2:] = np.nan
    return jobs.assign(start=times[0], end=times[1], start_tag=times[2], finish_tag=times[3])


def _serve_in_turn(
    arrival: list[float],
    length: list[float],
    flow: list[int],
    weight: list[float],
    discipline: str,
) -> np.ndarray:
    """Starts and ends of all jobs, and their start and finish tags, one a row."""
    count = len(arrival)
    order = np.argsort(arrival, kind="stable").tolist()
    start = [0.0] * count
    end = [0.0] * count
    start_tag = [0.0] * count
    finish_tag = [0.0] * count
    previous: dict[int, float] = {}  # finish tag of each flow's latest job
    waiting: list[tuple[float, int, int]] = []  # start tag, rank by arrival, row
    clock = -math.inf
    arrived = 0
    virtual = 0.0
    largest = 0.0
    while waiting or arrived < count:
        if not waiting and arrival[order[arrived]] > clock:  # a busy period has ended
            clock = arrival[order[arrived]]
            virtual = largest
        while arrived < count and arrival[order[arrived]] <= clock:
            row = order[arrived]
            if discipline != "fifo":
                tag = previous.get(flow[row], 0.0)
                if discipline == "sfq":
                    tag = max(virtual, tag)
                start_tag[row] = tag
                finish_tag[row] = previous[flow[row]] = tag + length[row] / weight[flow[row]]
            heappush(waiting, (start_tag[row], arrived, row))
            arrived += 1
        row = heappop(waiting)[2]
        virtual = start_tag[row]
        largest = max(largest, finish_tag[row])
        start[row] = clock
        # What arrives while the job is served, up to its very end, finds its tag.
        clock += length[row]
        end[row] = clock
    return np.array([start, end, start_tag, finish_tag])


@elementwise
def lottery_draws(share: PositiveShare, tolerance: Positive, confidence: InnerShare = 0.95) -> int:
    """Number of draws until a lottery's share won is close to the tickets' share [1].

    0 with all tickets; otherwise n = ⌈z² (1 − p) ÷ (p ε²)⌉, p the share of the tickets, ε the
    tolerance relative to it, z the two-sided normal quantile of the confidence: the normal
    approximation of the binomial, good where n p and n (1 − p) are ten or more.

    Source: Waldspurger, C. A. and Weihl, W. E., *Lottery scheduling: flexible proportional-share
    resource management*, OSDI 1994, section 2.2 (the share won is binomial).

    >>> lottery_draws(0.1, 0.1)
    3458
    """
    z = -NormalDist().inv_cdf((1 - confidence) / 2)
    return math.ceil((z / tolerance) ** 2 * (1 - share) / share)


@elementwise
def lottery_drought(share: Share, draws: Whole) -> float:
    """Probability that a share p of the tickets wins none of the next n draws, (1 − p)ⁿ [1].

    >>> round(lottery_drought(0.1, 10), 3)
    0.349
    """
    if share == 1:
        return float(draws == 0)
    return math.exp(draws * math.log1p(-share))
