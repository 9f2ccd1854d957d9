"""Number of workers for a deadline, a budget, an efficiency, the worth of one more, or a price that varies.

The time of a training step on n workers is A + c/n + d·n with constants A, c and d (`physics.speedup`, with its
sources), so that every "best n" is found exactly.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from physics.arguments import (
    Count,
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
from physics.speedup import speedup

_BEYOND_COUNTING = 2**40  # more workers than this are infinitely many
_ROUNDING = 1e-12  # a gang that meets its goal but for rounding, meets it; a worker worth its price is not worth more


@within_range
def workers_for(
    objective: str,
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
    """Best number of workers for one objective [1]; `math.inf` where every larger gang qualifies, None where none does.

    Args:
        objective: "deadline", "budget", "knee" or "performance per cost":
            - "deadline": the fewest, and so the cheapest, that end `work` by `deadline`;
            - "budget": the fastest, of equally fast ones the fewest, whose cost n·price·time is at most `budget`;
            - "knee" (or "efficiency", "efficiency knee"): the most whose speed-up per worker is at least `efficiency`;
            - "performance per cost": the most speed-up per dollar spent a second; always 1.
        serial, gradient_size, bandwidth, latency, step_time: As in `speedup`.
        work: Time the whole job takes on one worker [s]; needed for "deadline" and "budget".
        deadline, budget, price: [s], [$], price of one worker [$/s]; each for the objective that names it.
        efficiency: Least speed-up per worker [1], for the knee.

    With T(n) the time of a step, n T(n) never falls: so the cost never falls with n and the efficiency never rises.
    T(n) falls until √(c/d) workers and rises after. Both are searched by halving.

    >>> workers_for("knee", serial=0.05)
    9
    >>> workers_for("deadline", serial=0.05, work=100 * 3600, deadline=20 * 3600)
    7
    >>> workers_for("budget", serial=0.05, work=100 * 3600, budget=150, price=1 / 3600)
    11
    """
    network = (serial, gradient_size, bandwidth, latency, step_time)

    def gain(n: int) -> float:
        return speedup(n, *network)

    positive("speed of one worker", gain(1))  # refuses nonsense, whatever the objective
    goal = str(objective).lower().replace("_", " ").replace("-", " ").strip()
    if goal == "performance per cost":
        return 1
    if goal in {"knee", "efficiency", "efficiency knee"}:
        return _most(lambda n: gain(n) >= efficiency * n * (1 - _ROUNDING))
    fastest = workers_worth(0.0, *network)
    if goal == "deadline":
        work, deadline = _needed("work", work, goal), _needed("deadline", deadline, goal)
        fewest = _first(lambda n: work <= gain(n) * deadline * (1 + _ROUNDING), fastest)
        return fewest if fewest <= min(fastest, _BEYOND_COUNTING) else None
    if goal == "budget":
        work, budget, price = (
            _needed("work", work, goal),
            _needed("budget", budget, goal),
            _needed("price", price, goal),
        )
        affordable = _most(lambda n: n * price * work <= gain(n) * budget * (1 + _ROUNDING))
        return None if affordable is None else min(affordable, fastest)
    raise ValueError(f"objective must be deadline, budget, knee or performance per cost, got {objective!r}")


@elementwise
def marginal_speedup(
    n: Count,
    serial: float,
    gradient_size: float = 0.0,
    bandwidth: float = 1e9,
    latency: float = 0.0,
    step_time: float = 1.0,
) -> float:
    """Extra speed that the n-th worker brings, S(n) − S(n − 1) [1].

    Args:
        n: The worker, from 1.
        serial, gradient_size, bandwidth, latency, step_time: As in `speedup`.

    1 for the first worker, falling up to the fastest n = √(c/d), negative beyond.

    >>> [round(marginal_speedup(n, serial=0.02), 3) for n in (1, 2, 8)]
    [1.0, 0.961, 0.768]
    """
    network = (serial, gradient_size, bandwidth, latency, step_time)
    gain = speedup(n, *network)
    if n == 1:
        return gain
    falling, rising = _slopes(*network)
    if not math.isfinite(falling + rising):
        raise OverflowError
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

    Args:
        price: c, price of a worker ÷ worth of what one worker does in the same time [1].
        serial, gradient_size, bandwidth, latency, step_time: As in `speedup`.

    The largest n with S(n) − S(n − 1) > c, which makes S(n) − c n greatest: 0 where even the first worker costs what it
    brings, `math.inf` where every further one is worth its price.

    Source: Peng, Bao, Chen, Wu and Guo, "Optimus: an efficient dynamic resource scheduler for deep learning clusters",
    EuroSys 2018: workers go where the marginal gain is greatest; here the other side of the margin is a price.

    >>> workers_worth(0.5, serial=0.02, gradient_size=2e9, bandwidth=50e9, latency=10e-6, step_time=2)
    7
    """
    network = (serial, gradient_size, bandwidth, latency, step_time)
    return _most(lambda n: marginal_speedup(n, *network) > price * (1 + _ROUNDING)) or 0


def _needed(name: str, value: float | None, objective: str) -> float:
    """Return a quantity that this objective cannot do without, checked to be positive."""
    if value is None:
        raise ValueError(f"{name} is needed for the objective {objective}, got None")
    return positive(name, value)


def _slopes(
    serial: float, gradient_size: float, bandwidth: float, latency: float, step_time: float
) -> tuple[float, float]:
    """Return c and d of the step's time A + c/n + d·n [s]."""
    return step_time * (1 - serial) - 2 * gradient_size / bandwidth, 2 * latency if gradient_size else 0.0


def _first(holds: Callable[[int], bool], most: int | float = math.inf) -> int:
    """Return the smallest n at which a condition begins to hold; one more than the most if it never does."""
    return bisect_left(range(1, int(min(most, _BEYOND_COUNTING)) + 1), True, key=holds) + 1


def _most(suits: Callable[[int], bool]) -> int | float | None:
    """Return the largest n that suits, where all smaller ones do too; infinity if all suit, None if none does."""
    n = _first(lambda n: not suits(n)) - 1
    return math.inf if n == _BEYOND_COUNTING else n or None


_MOST_WORKERS = 100_000


@dataclass(frozen=True)
class ElasticRun:
    """An elastic job on a path of prices; money in time that one worker's speed is worth as much."""

    workers: np.ndarray  #: n at each tick [1]
    resizes: int  #: how often n changed
    work: float  #: done, in time of one worker; none during a restart [s]
    cost: float  #: paid for all workers, restarts included [s]

    @property
    def gain(self) -> float:
        """Worth of the work minus its cost [s]."""
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
    """Workers, work and cost of a job that follows a path of prices and does not resize within a band [1, s].

    Args:
        prices: c at each tick, as in `workers_worth` [1].
        serial, gradient_size, bandwidth, latency, step_time: As in `speedup`.
        band: b: the job grows while the next worker brings more than c (1 + b), and shrinks while its last one brings
            less than c (1 − b), or just as much [1].
        restart: Time after a resize in which no work is done, but all workers are paid; a resize meanwhile begins it
            anew [s].
        tick: Time for which a price holds [s].
        limit: Most workers.

    The run begins with `workers_worth` at the first price. n moves to the nearest end of the range between the two
    thresholds, and no further; with b = 0 it follows `workers_worth` at every tick.

    Source: Dixit, "Entry and exit decisions under uncertainty", Journal of Political Economy 97(3), 1989: where a
    change costs, the best rule has a band in which nothing is done.

    >>> prices = [0.5, 0.45, 0.55, 0.45, 0.55]
    >>> [elastic_run(prices, serial=0.05, band=band).resizes for band in (0.0, 0.2)]
    [4, 0]
    """
    network = (serial, gradient_size, bandwidth, latency, step_time)
    positive("speed of one worker", speedup(1, *network))  # refuses nonsense before it is looked up
    speeds, margins = _speeds(tuple(map(float, network)), count("limit", limit, most=_MOST_WORKERS))

    def worth(share: float) -> list[int]:
        return [int((margins > level).sum()) for level in (prices * share * (1 + _ROUNDING)).tolist()]

    n, pause, work, workers = worth(1.0)[0], 0.0, 0.0, []
    for least, greatest in zip(worth(1 + band), worth(1 - band), strict=True):
        before, n = n, min(max(n, least), greatest)
        pause = pause if n == before else restart
        work += speeds[n] * (tick - min(pause, tick))
        pause -= min(pause, tick)
        workers.append(n)
    found = np.array(workers)
    cost = tick * float((prices * found).sum())
    if not math.isfinite(work + cost):
        raise OverflowError
    return ElasticRun(found, int((np.diff(found) != 0).sum()), work, cost)


@lru_cache(maxsize=8)
def _speeds(network: tuple[float, ...], limit: int) -> tuple[tuple[float, ...], np.ndarray]:
    """Speed of 0, 1, … workers, and what each adds: the same on every path of prices."""
    ranks = range(1, limit + 1)
    speeds = (0.0, *(speedup(n, *network) for n in ranks))
    return speeds, np.array([marginal_speedup(n, *network) for n in ranks])
