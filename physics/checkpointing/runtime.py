"""Expected time, cost, and best interval of a checkpointed run on machines that are interrupted.

The model and its arguments are stated in `physics.checkpointing.interruptions`; times may be in any
one unit.

Source: Daly (2006), see `daly`: the complete cost function. Its parts follow from the mean of a
geometric number of attempts, the form with a notice from the same assumptions: each interruption
costs a dump, which the notice keeps from being interrupted, and a restart.
"""

import math
from collections.abc import Callable

from physics.arguments import Count, NonNegative, Positive, elementwise, within_range
from physics.checkpointing.interruptions import (
    NO_WAIT,
    RunTime,
    Wait,
    expm1_or_inf,
    notice_saves,
    split_segments,
)
from physics.numerics import one_plus_w0


@elementwise
def young(dump: NonNegative, mtbf: Positive) -> float:
    """Young's first-order estimate of the best interval between checkpoints, √(2 δ M) [s].

    Assumes δ ≪ M and no interruption during dumps and restarts; too long where dumps are not short
    compared with M.

    Source: Young, "A first order approximation to the optimum checkpoint interval", 1974.

    >>> round(young(dump=5 * 60, mtbf=24 * 3600) / 60, 6)  # minutes
    120.0
    """
    return math.sqrt(2 * dump) * math.sqrt(mtbf)


@elementwise
def daly(dump: NonNegative, mtbf: Positive) -> float:
    """Daly's higher-order estimate of the best interval between checkpoints [s].

    τ = √(2 δ M) · (1 + ⅓ √(δ/2M) + ⅑ · δ/2M) − δ for δ < 2 M, and M for δ ≥ 2 M.

    Source: Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps",
    2006, eq. 37.

    >>> [round(daly(dump=5, mtbf=mtbf), 2) for mtbf in (24 * 60, 6 * 60, 15)]  # minutes
    [116.69, 56.71, 9.14]
    """
    ratio = dump / mtbf / 2
    if ratio >= 1:
        return mtbf
    return young(dump, mtbf) * (1 + math.sqrt(ratio) / 3 + ratio / 9) - dump


@elementwise
def optimal_interval(dump: NonNegative, mtbf: Positive) -> float:
    """Best interval between checkpoints, exact in the complete model [s].

    τ = M (1 + W₀(−e^{−(δ/M + 1)})), where (1 − τ/M) e^{(τ+δ)/M} = 1: 0 when dumps take no time,
    never above M. Assumes whole segments and no notice; the restart time and the amount of work do
    not move it.

    Source: Daly (2006), see `daly`, solves the same equation by perturbation; W₀ as in Corless et
    al., "On the Lambert W function", 1996.

    >>> [round(optimal_interval(dump=5, mtbf=mtbf), 3) for mtbf in (24 * 60, 6 * 60, 15)]  # minutes
    [116.69, 56.714, 9.167]
    """
    ratio = dump / mtbf
    if math.isfinite(ratio):
        return mtbf * one_plus_w0(ratio)
    return mtbf


@elementwise
def expected_breakdown(
    work: Positive,
    interval: Positive,
    dump: NonNegative,
    restart: NonNegative,
    mtbf: Positive,
    notice: float = 0.0,
    wait: Wait = NO_WAIT,
) -> RunTime:
    """Mean time of a run by activity [s], and its interruptions [1]; infinite if they overflow.

    A segment of length L = τ + δ fails F = e^{L/M} − 1 times before it succeeds and loses M F − L;
    each failure is followed by a restart of M (e^{R/M} − 1). With a notice that suffices a segment
    is interrupted L/M times, each for a dump and a restart.

    >>> run = expected_breakdown(work=100, interval=2 / 3, dump=0.05, restart=0.1, mtbf=5)  # hours
    >>> [round(time, 1) for time in (run.work, run.dumps, run.lost, run.restarts, run.runtime)]
    [100.0, 7.5, 8.1, 2.3, 117.9]
    """
    segments = work / interval
    length = interval + dump
    one_restart = mtbf * expm1_or_inf(restart / mtbf)
    dumps = segments * dump
    if notice_saves(dump, notice):
        failures = segments * length / mtbf
        lost = 0.0
        if dump:
            dumps += failures * dump
    else:
        failures = segments * expm1_or_inf(length / mtbf)
        lost = segments * (mtbf * _expm1_excess(length / mtbf))
    restarts = failures * one_restart if restart else 0.0
    interruptions = failures * (1 + expm1_or_inf(restart / mtbf))
    return RunTime(
        work, dumps, lost, restarts, interruptions, interruptions * wait.mean if wait.mean else 0.0
    )


@elementwise
def expected_runtime(
    work: float,
    interval: float,
    dump: float,
    restart: float,
    mtbf: float,
    notice: float = 0.0,
    wait: Wait = NO_WAIT,
) -> float:
    """Expected time to finish a checkpointed run with random interruptions [s].

    The result is infinite if it overflows.

    (M + W) e^{R/M} (e^{(τ+δ)/M} − 1) T/τ. With a notice of at least δ: T/τ · (τ + δ) · (e^{R/M} (1
    + W/M) + δ/M). W is the mean of `wait`, which follows each interruption before the restart, as
    from `gang_wait`; of the waits only the mean counts (Wald's identity).

    >>> hours = dict(work=100, dump=0.05, restart=0.1, mtbf=5)
    >>> [round(expected_runtime(interval=interval, **hours), 1) for interval in (2 / 3, 16)]
    [117.9, 758.1]
    """
    return expected_breakdown(work, interval, dump, restart, mtbf, notice, wait).runtime


@elementwise
def expected_runtime_short_tail(
    work: Positive, interval: Positive, dump: float, restart: float, mtbf: float
) -> float:
    """Expected time if the last segment is only as long as the remaining work [s].

    ⌊T/τ⌋ full segments and one of T − ⌊T/τ⌋ τ (none if that is below 10⁻⁹ of an interval), each
    followed by a dump: how far the published formula is off for a run of few segments.

    >>> hours = dict(work=100, dump=0.05, restart=0.1, mtbf=5)
    >>> [round(expected_runtime_short_tail(interval=tau, **hours), 1) for tau in (2 / 3, 16)]
    [117.9, 734.1]
    """
    full, tail = split_segments(work, interval)
    total = 0.0
    if full:
        total += expected_runtime(full * interval, interval, dump, restart, mtbf)
    if tail:
        total += expected_runtime(tail * interval, tail * interval, dump, restart, mtbf)
    return total


def _expm1_excess(x: float) -> float:
    """Return eˣ − 1 − x without cancellation at small x; infinite where a float cannot hold it."""
    if x < 0.1:
        return math.fsum(x**k / math.factorial(k) for k in range(2, 13))
    if math.isfinite(x):
        return expm1_or_inf(x) - x
    return math.inf


@elementwise
def job_mtbf(node_mtbf: Positive, nodes: Count) -> float:
    """Mean time between interruptions of a job that any lost node stops: node_mtbf / nodes [s].

    Exact for independent exponential times; spot nodes that are reclaimed together are interrupted
    less often than that.

    Source: Ross, "Introduction to Probability Models", 11th edition, 2014, section 5.2.3 (minimum
    of exponentials).

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
    """Expected cost of the run, including restarts and lost work: price × E[T] [$].

    Args:
        price: Of the whole gang [$/s]; per hour if the times are in hours.
        wait: The part of each wait that is paid for: `gang_wait` with `paid`.

    Machines are paid for while they work, dump, redo lost work, restart, and wait because another
    one is missing.

    >>> # hours and $ an hour
    >>> round(spot_cost(work=100, interval=2 / 3, dump=0.05, restart=0.1, mtbf=5, price=1), 1)
    117.9
    """
    runtime = expected_runtime(work, interval, dump, restart, mtbf, notice, wait)
    if price:
        return price * runtime
    return 0.0


@within_range
def break_even_intervals(
    dump: NonNegative,
    restart: NonNegative,
    mtbf: Positive,
    price: Positive,
    on_demand_price: Positive,
    notice: float = 0.0,
) -> tuple[float, float] | None:
    """Shortest and longest checkpoint interval at which spot costs no more than on demand [s].

    The longer one is infinite with a notice that suffices; None when spot is more expensive at
    every interval. On demand the run takes its work and nothing else, no dumps either. Both prices
    are those of the gang [$/s].

    >>> # hours
    >>> ends = break_even_intervals(dump=0.05, restart=0.1, mtbf=5, price=1, on_demand_price=3)
    >>> [round(end, 3) for end in ends]
    [0.026, 9.273]
    """
    allowed = on_demand_price / price

    def pays(interval: float) -> bool:
        """Whether spot costs no more at an interval."""
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
    """Point where `pays` turns false, between one where it is true and another, to 1 in 10¹³."""
    for _ in range(60):
        middle = math.sqrt(inside) * math.sqrt(outside)
        if pays(middle):
            inside = middle
        else:
            outside = middle
    return inside
