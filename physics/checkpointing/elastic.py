"""Number of workers for a deadline, a budget, an efficiency, or the worth of one more.

The time of a training step on n workers is A + c/n + d·n with constants A, c and d (`physics.speedup`, with its
sources), so that every "best n" is found exactly.
"""

import math
from bisect import bisect_left
from collections.abc import Callable

from physics.arguments import Count, NonNegative, PositiveShare, elementwise, positive, within_range
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
    network = {"gradient_size": gradient_size, "bandwidth": bandwidth, "latency": latency, "step_time": step_time}
    positive("speed of one worker", speedup(1, serial, **network))  # refuses nonsense, whatever the objective

    def gain(n: int) -> float:
        return speedup(n, serial, **network)

    goal = str(objective).lower().replace("_", " ").replace("-", " ").strip()
    if goal == "performance per cost":
        return 1
    if goal in {"knee", "efficiency", "efficiency knee"}:
        least = efficiency
        return _most(lambda n: gain(n) >= least * n * (1 - _ROUNDING))
    fastest = workers_worth(0.0, serial, **network)
    if goal == "deadline":
        work, deadline = _needed("work", work, goal), _needed("deadline", deadline, goal)
        fewest = _first(lambda n: work <= gain(n) * deadline * (1 + _ROUNDING), fastest)
        return fewest if fewest <= min(fastest, _BEYOND_COUNTING) else None
    if goal == "budget":
        work, budget, price = (
            _needed(name, value, goal) for name, value in (("work", work), ("budget", budget), ("price", price))
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
        raise OverflowError("slope of a step")
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

    def pays(n: int) -> bool:
        return marginal_speedup(n, *network) > price * (1 + _ROUNDING)

    return _most(pays) or 0


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
