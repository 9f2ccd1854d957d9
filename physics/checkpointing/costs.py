"""What training with checkpoints costs on machines that may be interrupted, and at which intervals that pays.

Times may be in any one unit, as long as all are in the same; elsewhere in the app that is the second. Run times are
those of Daly (2006), see `physics.checkpointing.daly`.
"""

import math
from collections.abc import Callable

from physics.arguments import Count, NonNegative, Positive, elementwise, within_range
from physics.checkpointing.interruptions import NO_WAIT, Wait, expm1_or_inf, notice_saves
from physics.checkpointing.intervals import optimal_interval
from physics.checkpointing.runtime import expected_runtime


@elementwise
def job_mtbf(node_mtbf: Positive, nodes: Count) -> float:
    """Mean time between interruptions of a job that stops when any node is lost: node_mtbf / nodes [s].

    Args:
        node_mtbf: Mean time between interruptions of one node [s].
        nodes: Nodes in the gang.

    Exact for independent exponential times; spot nodes that are reclaimed together are interrupted less often than
    that.

    Source: Ross, "Introduction to Probability Models", 11th edition, 2014, section 5.2.3 (minimum of exponentials).

    >>> job_mtbf(node_mtbf=40 * 3600, nodes=8) / 3600
    5.0
    """
    return node_mtbf / nodes


@elementwise
def spot_cost(
    work: float,
    interval: float,
    dump: float,
    restart: float,
    mtbf: float,
    price: NonNegative,
    notice: float = 0.0,
    wait: Wait = NO_WAIT,
) -> float:
    """Expected cost of the run, restarts and lost work included: price × E[T] [$].

    Args:
        work, interval, dump, restart, mtbf, notice: As in `expected_runtime`.
        price: Of the whole gang [$/s]; per hour if the times are in hours.
        wait: The part of each wait that is paid for: `gang_wait` with `paid`.

    Machines are paid for while they work, dump, redo lost work, restart, and wait because another one is missing.

    >>> round(spot_cost(work=100, interval=2 / 3, dump=0.05, restart=0.1, mtbf=5, price=1), 1)  # hours and $ an hour
    117.9
    """
    runtime = expected_runtime(work, interval, dump, restart, mtbf, notice, wait)
    return price * runtime if price else 0.0


@within_range
def break_even_intervals(
    dump: NonNegative,
    restart: NonNegative,
    mtbf: Positive,
    price: Positive,
    on_demand_price: Positive,
    notice: float = 0.0,
) -> tuple[float, float] | None:
    """Shortest and longest checkpoint interval at which spot costs no more than on-demand machines [s].

    Args:
        dump, restart, mtbf, notice: As in `expected_runtime`.
        price, on_demand_price: Of the gang on spot and on demand [$/s].

    The longer one is infinite with a notice that suffices; None when spot is more expensive at every interval. On
    demand the run takes its work and nothing else, no dumps either.

    >>> ends = break_even_intervals(dump=0.05, restart=0.1, mtbf=5, price=1, on_demand_price=3)  # hours
    >>> [round(end, 3) for end in ends]
    [0.026, 9.273]
    """
    allowed = on_demand_price / price

    def pays(interval: float) -> bool:
        return expected_runtime(1.0, interval, dump, restart, mtbf, notice) <= allowed

    if notice_saves(dump, notice):
        per_interruption = 1 + expm1_or_inf(restart / mtbf) + dump / mtbf
        if per_interruption >= allowed:
            return None
        return dump * per_interruption / (allowed - per_interruption), math.inf
    best = optimal_interval(dump, mtbf) or mtbf * 1e-12
    if not pays(best):
        return None
    shortest = _boundary(best, dump / allowed, pays) if dump else 0.0
    return shortest, _boundary(best, best + 750 * max(mtbf, best), pays)


def _boundary(inside: float, outside: float, pays: Callable[[float], bool]) -> float:
    """Return where `pays` turns false between a point inside and one outside, to a part in 10¹³."""
    for _ in range(60):
        middle = math.sqrt(inside) * math.sqrt(outside)
        inside, outside = (middle, outside) if pays(middle) else (inside, middle)
    return inside
