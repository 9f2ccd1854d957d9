"""Training speed of n workers, and the best number for a deadline, a budget, or a price per worker.

Amdahl's law and a ring all-reduce of the gradient after each step. Strong scaling: the batch stays
as it is and is cut in n. A step on n workers takes A + c/n + d·n with constants A, c and d, so that
every "best n" is found exactly.

Arguments: `serial`, s, share of a one-worker step that cannot be split [1]; `gradient_size`, G,
bytes that each worker contributes [B]; `bandwidth`, B, of each link, in one direction [B/s];
`latency`, α, to start one message [s]; `step_time`, t, of a step on one worker [s].
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from physics.arguments import (
    Count,
    Finite,
    NonNegative,
    Positive,
    PositiveShare,
    Series,
    Share,
    count,
    elementwise,
    positive,
    within_range,
)

__all__ = [
    "ElasticRun",
    "all_reduce_time",
    "amdahl_knee",
    "elastic_run",
    "marginal_speedup",
    "speedup",
    "weak_scaling_efficiency",
    "workers_for",
    "workers_worth",
]

_BEYOND_COUNTING = 2**40  # more workers than this are infinitely many
_MOST_WORKERS = 100_000
# A gang that misses its goal only by rounding meets it, and a worker whose gain equals its price is
# not worth more.
_ROUNDING = 1e-12


@elementwise
def all_reduce_time(
    n: Count, gradient_size: NonNegative, bandwidth: Positive, latency: NonNegative = 0.0
) -> float:
    """Time of a ring all-reduce of gradients among n workers, 2 (n − 1) (α + G/(n B)) [s].

    0 for one worker, and 0 without a gradient: no message is sent. n − 1 rounds of reduce-scatter
    and n − 1 of all-gather; in each round every worker sends one n-th of the gradient to its
    neighbor. The additions themselves are not counted, and nothing is hidden behind computing.

    Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
    workstations", 2009 (the ring and why none moves less); the cost α + bytes/B of a message as in
    Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH",
    2005.

    >>> all_reduce_time(4, gradient_size=2e9, bandwidth=50e9)
    0.06
    """
    # A ring of one sends nothing, over however slow a link.
    if gradient_size and n > 1:
        return 2 * (n - 1) * (latency + gradient_size / n / bandwidth)
    return 0.0


@elementwise
def speedup(
    n: Count,
    serial: Share,
    gradient_size: float = 0.0,
    bandwidth: float = 1e9,
    latency: float = 0.0,
    step_time: Positive = 1.0,
) -> float:
    """Speed of n workers ÷ that of one, by Amdahl's law plus a ring all-reduce [1].

    S(n) = t / (t s + t (1 − s)/n + 2 (n − 1)(α + G/(n B))), below 1 where communication costs more
    than it saves. With gradient_size 0 this is Amdahl's law alone.

    Source: Amdahl, "Validity of the single processor approach to achieving large scale computing
    capabilities", 1967; the all-reduce as in `all_reduce_time`.

    >>> round(speedup(8, serial=0.05), 3)  # 1 / (0.05 + 0.95/8)
    5.926
    >>> round(speedup(8, serial=0.05, gradient_size=2e9, bandwidth=50e9), 3)
    4.188
    """
    shared = step_time * (serial + (1 - serial) / n)
    return step_time / (shared + all_reduce_time(n, gradient_size, bandwidth, latency))


@elementwise
def weak_scaling_efficiency(
    n: int,
    gradient_size: float = 0.0,
    bandwidth: float = 1e9,
    latency: float = 0.0,
    step_time: Positive = 1.0,
) -> float:
    """Computing share of n workers' time if each has as much work as one worker alone [1].

    t / (t + 2 (n − 1)(α + G/(n B))). Weak scaling: n times the work in a step. What cannot be split
    costs every worker its own time and no more, so it does not appear. Whether a batch n times as
    large teaches as much is another question.

    Source: Gustafson, "Reevaluating Amdahl's law", 1988; the all-reduce as in `all_reduce_time`.

    >>> round(weak_scaling_efficiency(64, 2e9, bandwidth=50e9, latency=10e-6, step_time=2), 3)
    0.962
    """
    return step_time / (step_time + all_reduce_time(n, gradient_size, bandwidth, latency))


@elementwise
def amdahl_knee(serial: Share, efficiency: PositiveShare = 0.7) -> float:
    """Number of workers at which the efficiency by Amdahl's law is e, 1 + (1/e − 1)/s [1].

    S(n)/n = 1 / (1 + s (n − 1)), set equal to e and solved for n; not rounded, infinite when
    nothing is serial.

    Source: Amdahl (1967), see `speedup`; efficiency S(n)/n as in Eager, Zahorjan and Lazowska,
    "Speedup versus efficiency in parallel systems", 1989.

    >>> round(amdahl_knee(0.05), 2)  # 1 + 0.4286 / 0.05
    9.57
    """
    idle = 1 / efficiency - 1
    if serial:
        return 1 + idle / serial
    return math.inf


@within_range
def workers_for(
    objective: Literal[
        "deadline", "budget", "knee", "efficiency", "efficiency knee", "performance per cost"
    ],
    *,
    serial: float,
    gradient_size: float = 0.0,
    bandwidth: float = 1e9,
    latency: float = 0.0,
    step_time: float = 1.0,
    work: float | None = None,
    deadline: float | None = None,
    budget: float | None = None,
    price: float | None = None,
    efficiency: PositiveShare = 0.7,
) -> int | float | None:
    """Best number of workers for one objective [1].

    `math.inf` if every larger gang qualifies, None if none does.

    Args:
        objective: "deadline": the fewest, and so the cheapest, that end `work` by `deadline`.
            "budget": the fastest, of equally fast ones the fewest, whose cost n·price·time is at
            most `budget`. "knee" (or "efficiency", "efficiency knee"): the most whose speed-up per
            worker is at least `efficiency`. "performance per cost": the most speed-up per dollar
            spent a second; always 1.
        work: Time the whole job takes on one worker [s]; needed for "deadline" and "budget".
        deadline, budget, price: [s], [$], price of one worker [$/s]; each for the objective that
            names it.
        efficiency: Least speed-up per worker [1], for the knee.

    With T(n) the time of a step, n T(n) never falls: so the cost never falls with n and the
    efficiency never rises. T(n) falls until √(c/d) workers and rises after. Both are searched by
    halving.

    >>> workers_for("knee", serial=0.05)
    9
    >>> workers_for("deadline", serial=0.05, work=100 * 3600, deadline=20 * 3600)
    7
    >>> workers_for("budget", serial=0.05, work=100 * 3600, budget=150, price=1 / 3600)
    11
    """
    network = (serial, gradient_size, bandwidth, latency, step_time)

    def gain(n: int) -> float:
        """Speed-up with n workers."""
        return speedup(n, *network)

    positive("speed of one worker", gain(1))  # refuses nonsense, whatever the objective
    if objective == "performance per cost":
        return 1
    if objective not in ("deadline", "budget"):
        return _largest(lambda n: gain(n) >= efficiency * n * (1 - _ROUNDING))
    fastest = workers_worth(0.0, *network)
    work = _needed("work", work, objective)
    if objective == "deadline":
        deadline = _needed("deadline", deadline, objective)
        fewest = _smallest(lambda n: work <= gain(n) * deadline * (1 + _ROUNDING), fastest)
        if fewest <= min(fastest, _BEYOND_COUNTING):
            return fewest
        return None
    budget = _needed("budget", budget, objective)
    price = _needed("price", price, objective)
    affordable = _largest(lambda n: n * price * work <= gain(n) * budget * (1 + _ROUNDING))
    if affordable is None:
        return None
    return min(affordable, fastest)


@elementwise
def marginal_speedup(
    n: Count,
    serial: float,
    gradient_size: float = 0.0,
    bandwidth: float = 1e9,
    latency: float = 0.0,
    step_time: float = 1.0,
) -> Finite:
    """Extra speed from the n-th worker, S(n) − S(n − 1) [1].

    1 for the first worker, falling up to the fastest n = √(c/d), negative beyond.

    >>> [round(marginal_speedup(n, serial=0.02), 3) for n in (1, 2, 8)]
    [1.0, 0.961, 0.768]
    """
    network = (serial, gradient_size, bandwidth, latency, step_time)
    gain = speedup(n, *network)
    if n == 1:
        return gain
    falling = step_time * (1 - serial) - 2 * gradient_size / bandwidth  # c of A + c/n + d·n, and d
    rising = 2 * latency if gradient_size else 0.0
    return gain * speedup(n - 1, *network) / step_time * (falling / n / (n - 1) - rising)


@elementwise
def workers_worth(
    price: NonNegative,
    serial: float,
    gradient_size: float = 0.0,
    bandwidth: float = 1e9,
    latency: float = 0.0,
    step_time: float = 1.0,
) -> int | float:
    """Number of workers up to which each one brings more than it costs [1].

    The largest n with S(n) − S(n − 1) > p, the price of a worker ÷ worth of what one worker does in
    the same time [1]. It makes S(n) − p n greatest: 0 where even the first worker costs what it
    brings, `math.inf` where every further one is worth its price.

    Source: Peng et al., "Optimus: an efficient dynamic resource scheduler for deep learning
    clusters", EuroSys 2018: workers go where the marginal gain is greatest; here the other side of
    the margin is a price.

    >>> workers_worth(0.5, 0.02, gradient_size=2e9, bandwidth=50e9, latency=10e-6, step_time=2)
    7
    """
    network = (serial, gradient_size, bandwidth, latency, step_time)
    return _largest(lambda n: marginal_speedup(n, *network) > price * (1 + _ROUNDING)) or 0


def _needed(name: str, value: float | None, objective: str) -> float:
    """Return an objective's argument checked, or raise ValueError if it was left out."""
    if value is None:
        raise ValueError(f"{name} is needed for the objective {objective}, got None")
    return positive(name, value)


def _smallest(holds: Callable[[int], bool], limit: int | float = math.inf) -> int:
    """Return the smallest n at which a condition begins to hold.

    One more than the limit if it never does.
    """
    return bisect_left(range(1, int(min(limit, _BEYOND_COUNTING)) + 1), True, key=holds) + 1


def _largest(suits: Callable[[int], bool]) -> int | float | None:
    """Return the largest n that suits, where all smaller ones do too.

    Infinity if all suit, None if none does.
    """
    n = _smallest(lambda n: not suits(n)) - 1
    if n == _BEYOND_COUNTING:
        return math.inf
    return n or None


@dataclass(frozen=True)
class ElasticRun:
    """Run of an elastic job on a price path.

    Costs are in units of one worker's value per second.
    """

    workers: np.ndarray  #: n at each tick [1]
    resizes: int  #: how often n changed
    work: float  #: done, in time of one worker; none during a restart [s]
    cost: float  #: paid for all workers, restarts included [s]

    @property
    def gain(self) -> float:
        """Value of the work minus its cost, in units of one worker's value per second [s]."""
        return self.work - self.cost


@within_range
def elastic_run(
    prices: Series,
    serial: float,
    gradient_size: float = 0.0,
    bandwidth: float = 1e9,
    latency: float = 0.0,
    step_time: float = 1.0,
    *,
    band: Share = 0.0,
    restart: NonNegative = 0.0,
    tick: Positive = 1.0,
    limit: int = 128,
) -> ElasticRun:
    """Workers [1], work, and cost [s] of a job resized with the price, except within a band.

    Args:
        prices, tick: p, as in `workers_worth` [1], each for the time of a tick [s].
        band: b: the job grows while the next worker brings more than p (1 + b), and shrinks while
            its last one brings less than p (1 − b), or just as much [1].
        restart: Time after a resize in which no work is done, but all workers are paid; another
            resize begins it anew [s].
        limit: Most workers.

    The run begins with `workers_worth` at the first price. n moves to the nearest end of the range
    between the two thresholds, and no further; with b = 0 it follows `workers_worth` at every tick.

    Source: Dixit, "Entry and exit decisions under uncertainty", 1989: where a change costs, the
    best rule has a band in which nothing is done.

    >>> prices = [0.5, 0.45, 0.55, 0.45, 0.55]
    >>> [elastic_run(prices, serial=0.05, band=band).resizes for band in (0.0, 0.2)]
    [4, 0]
    """
    network = (serial, gradient_size, bandwidth, latency, step_time)
    positive("speed of one worker", speedup(1, *network))  # refuses nonsense before the cache does
    speeds, margins = _speeds(tuple(map(float, network)), count("limit", limit, most=_MOST_WORKERS))

    fewest = _worth(margins, prices * (1 + band))
    greatest = _worth(margins, prices * (1 - band))
    n = _worth(margins, prices[:1])[0]
    pause = 0.0
    work = 0.0
    workers = []
    for low, high in zip(fewest, greatest, strict=True):
        before = n
        n = min(max(n, low), high)
        if n != before:
            pause = restart
        work += speeds[n] * (tick - min(pause, tick))
        pause -= min(pause, tick)
        workers.append(n)
    counts = np.array(workers)
    cost = tick * float((prices * counts).sum())
    if not math.isfinite(work + cost):
        raise OverflowError
    return ElasticRun(counts, int((np.diff(counts) != 0).sum()), work, cost)


def _worth(margins: np.ndarray, prices: np.ndarray) -> list[int]:
    """Number of workers that each bring more than a price, for each of several prices [1]."""
    return [int((margins > price).sum()) for price in (prices * (1 + _ROUNDING)).tolist()]


@lru_cache(maxsize=8)
def _speeds(network: tuple[float, ...], limit: int) -> tuple[tuple[float, ...], np.ndarray]:
    """Speed of 0, 1, … workers, and what each adds: the same on every path of prices."""
    ranks = range(1, limit + 1)
    speeds = (0.0, *(speedup(n, *network) for n in ranks))
    return speeds, np.array([marginal_speedup(n, *network) for n in ranks])
