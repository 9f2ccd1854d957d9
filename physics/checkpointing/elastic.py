"""Number of workers for a deadline, a budget, an efficiency, or the worth of one more.

The time of a training step on n workers is A + c/n + d·n with constants A, c and d (`physics.speedup`), so that every
"best n" is found exactly.
"""

import math
from collections.abc import Callable

from physics.numerics.arrays import elementwise
from physics.numerics.checks import count, fraction, non_negative, positive, within_range
from physics.speedup import speedup

__all__ = ["marginal_speedup", "workers_for", "workers_worth"]

_BEYOND_COUNTING = 2**62
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
    efficiency: float = 0.7,
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

    Let T(n) be the time of a step. n T(n) = A n + c + d n² never falls for n ≥ 1, since its slope A + 2dn is at least
    t s + 2G/B + 2α there. So the cost never falls with n and the efficiency t/(n T(n)) never rises: both can be
    searched by halving, and speed-up per cost, which is the efficiency over the price, is best at n = 1. T(n) itself
    falls until √(c/d) workers and rises after.

    Source: Amdahl (1967) and Patarasuk and Yuan (2009), see `speedup`; the choice of n is worked out above.

    >>> workers_for("knee", serial=0.05)
    9
    >>> workers_for("deadline", serial=0.05, work=100 * 3600, deadline=20 * 3600)
    7
    >>> workers_for("budget", serial=0.05, work=100 * 3600, budget=150, price=1 / 3600)
    11
    >>> workers_for("performance per cost", serial=0.05)
    1
    >>> print(workers_for("deadline", serial=0.05, work=100 * 3600, deadline=4 * 3600))  # 5 h are serial
    None
    """
    network = {"gradient_size": gradient_size, "bandwidth": bandwidth, "latency": latency, "step_time": step_time}
    positive("speed of one worker", speedup(1, serial, **network))  # refuses nonsense, whatever the objective

    def gain(n: int) -> float:
        return speedup(n, serial, **network)

    goal = str(objective).lower().replace("_", " ").replace("-", " ").strip()
    if goal == "performance per cost":
        return 1
    if goal in {"knee", "efficiency", "efficiency knee"}:
        least = fraction("efficiency", positive("efficiency", efficiency))
        return _most(lambda n: gain(n) >= least * n * (1 - _ROUNDING))
    fastest = _fastest(serial, gradient_size, bandwidth, latency, step_time)
    if goal == "deadline":
        work, deadline = _needed("work", work, goal), _needed("deadline", deadline, goal)
        return _fewest(lambda n: work <= gain(n) * deadline * (1 + _ROUNDING), fastest)
    if goal == "budget":
        work, budget, price = (
            _needed(name, value, goal) for name, value in (("work", work), ("budget", budget), ("price", price))
        )
        affordable = _most(lambda n: n * price * work <= gain(n) * budget * (1 + _ROUNDING))
        return None if affordable is None else min(affordable, fastest)
    raise ValueError(f"objective must be deadline, budget, knee or performance per cost, got {objective!r}")


@elementwise
@within_range
def marginal_speedup(
    n: int,
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

    It is 1 for the first worker, and negative where one more slows the job down. With the step A + c/n + d n of this
    module, S'' is negative up to the fastest n = √(c/d): the marginal curve falls there, and stays below 0 beyond.

    Source: Amdahl (1967) and Patarasuk and Yuan (2009), see `speedup`.

    >>> [round(marginal_speedup(n, serial=0.02), 3) for n in (1, 2, 8)]
    [1.0, 0.961, 0.768]
    """
    n = count("n", n)
    network = (serial, gradient_size, bandwidth, latency, step_time)
    gain = speedup(n, *network)
    if n == 1:
        return gain
    falling, rising = _slopes(*network)
    if not math.isfinite(falling + rising):
        raise OverflowError("slope of a step")
    return gain * speedup(n - 1, *network) / step_time * (falling / n / (n - 1) - rising)


@elementwise
@within_range
def workers_worth(
    price: float,
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

    Returns: The largest n with S(n) − S(n − 1) > c: the n that makes S(n) − c n greatest, the fewest of equals. 0 where
    even the first worker costs what it brings; `math.inf` where every further one is worth its price.

    The marginal curve crosses a price once (`marginal_speedup`), so n is found by halving. By Amdahl's law alone
    S'(n) = c gives n = (√((1 − s)/c) − (1 − s))/s, which is within one worker.

    Source: Peng, Bao, Chen, Wu and Guo, "Optimus: an efficient dynamic resource scheduler for deep learning clusters",
    EuroSys 2018: workers go where the marginal gain is greatest; here the other side of the margin is a price.

    >>> workers_worth(0.5, serial=0.02, gradient_size=2e9, bandwidth=50e9, latency=10e-6, step_time=2)
    7
    >>> workers_worth(1.0, serial=0.02)
    0
    """
    price = non_negative("price", price)
    network = (serial, gradient_size, bandwidth, latency, step_time)

    def pays(n: int) -> bool:
        return marginal_speedup(n, *network) > price * (1 + _ROUNDING)

    return _most(pays) or 0


def _needed(name: str, value: float | None, objective: str) -> float:
    """Return a quantity that this objective cannot do without, checked to be positive."""
    if value is None:
        raise ValueError(f"{name} is needed for the objective {objective}, got None")
    return positive(name, value)


def _fastest(serial: float, gradient_size: float, bandwidth: float, latency: float, step_time: float) -> int | float:
    """Return the n of the shortest step, the fewest of equals: the whole number next to √(c/d), or infinity."""
    falling, rising = _slopes(serial, gradient_size, bandwidth, latency, step_time)
    if falling <= 0:
        return 1
    if rising == 0 or falling / rising > _BEYOND_COUNTING:
        return math.inf
    below = max(1, math.floor(math.sqrt(falling / rising)))
    return min((below, below + 1), key=lambda n: speedup(n, serial, gradient_size, bandwidth, latency, step_time) ** -1)


def _slopes(
    serial: float, gradient_size: float, bandwidth: float, latency: float, step_time: float
) -> tuple[float, float]:
    """Return c and d of the step's time A + c/n + d·n [s]."""
    return step_time * (1 - serial) - 2 * gradient_size / bandwidth, 2 * latency if gradient_size else 0.0


def _most(suits: Callable[[int], bool]) -> int | float | None:
    """Return the largest n that suits, where all smaller ones do too; infinity if all suit, None if none does."""
    if not suits(1):
        return None
    high = 2
    while suits(high):
        high *= 2
        if high > _BEYOND_COUNTING:
            return math.inf
    return _between(high // 2, high, suits)


def _fewest(suits: Callable[[int], bool], most: int | float) -> int | None:
    """Return the smallest n up to `most` that suits, where all between it and `most` do too; None if none does."""
    if suits(1):
        return 1
    high = 2
    while high < most and not suits(high):
        high *= 2
        if high > _BEYOND_COUNTING:
            return None
    high = int(min(high, most))
    return _between(high // 2 if high > 1 else 0, high, lambda n: not suits(n)) + 1 if suits(high) else None


def _between(low: int, high: int, suits: Callable[[int], bool]) -> int:
    """Return the largest n that suits, known to lie from low (suits) to below high (does not)."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if suits(middle) else (low, middle)
    return low
