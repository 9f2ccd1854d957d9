"""The expected time of a checkpointed run on machines that are taken away at random, and where the time goes.

The model is stated in `physics.checkpointing.interruptions`. All times in one unit, in this app seconds.

Source: Daly (2006), see `physics.checkpointing.daly`: the complete cost function. Its parts follow from the mean of a
geometric number of attempts, the form with a notice from the same assumptions: each interruption costs a dump, which
the notice keeps from being interrupted, and a restart.
"""

import math

from physics.arguments import NonNegative, Positive, elementwise
from physics.checkpointing.interruptions import NO_WAIT, RunTime, Wait, expm1_or_inf, notice_saves


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
    """Mean time of a run by what it is spent on [s], and its interruptions [1].

    Args:
        work, interval, dump, restart, mtbf, notice, wait: As in `expected_runtime`.

    The times are infinite where a float cannot hold them.

    A segment of length L = τ + δ fails F = e^{L/M} − 1 times before it succeeds and loses M F − L; each failure is
    followed by a restart of M (e^{R/M} − 1). With a notice that suffices a segment is interrupted L/M times, each for a
    dump and a restart.

    >>> where = expected_breakdown(work=100, interval=2 / 3, dump=0.05, restart=0.1, mtbf=5)  # hours
    >>> [round(part, 1) for part in (where.work, where.dumps, where.lost, where.restarts, where.runtime)]
    [100.0, 7.5, 8.1, 2.3, 117.9]
    """
    segments, length = work / interval, interval + dump
    one_restart = mtbf * expm1_or_inf(restart / mtbf)
    if notice_saves(dump, notice):
        failures, lost, dumps = segments * length / mtbf, 0.0, segments * dump
        dumps += failures * dump if dump else 0.0
    else:
        failures = segments * expm1_or_inf(length / mtbf)
        lost, dumps = segments * (mtbf * _expm1_excess(length / mtbf)), segments * dump
    restarts = failures * one_restart if restart else 0.0
    interruptions = failures * (1 + expm1_or_inf(restart / mtbf))
    return RunTime(work, dumps, lost, restarts, interruptions, interruptions * wait.mean if wait.mean else 0.0)


@elementwise
def expected_runtime(
    work: float, interval: float, dump: float, restart: float, mtbf: float, notice: float = 0.0, wait: Wait = NO_WAIT
) -> float:
    """Expected time to finish a checkpointed run that is interrupted at random [s].

    Args:
        work: T, work to do [s].
        interval: τ, work between two dumps [s].
        dump: δ, time to write a checkpoint [s].
        restart: R, time from an interruption until work goes on [s].
        mtbf: M, mean time between interruptions of the whole job [s].
        notice: Time between the notice and the interruption [s]; 0 is no notice.
        wait: What follows each interruption before the restart, W on average, as from `gang_wait`; nothing if left out.

    (M + W) e^{R/M} (e^{(τ+δ)/M} − 1) T/τ; infinite where that is beyond the range of a float. With a notice of at least
    δ: T/τ · (τ + δ) · (e^{R/M} (1 + W/M) + δ/M).

    Each of the T/τ segments ends with a dump, the last one too; when T/τ is not whole the last segment is charged in
    proportion. Of the waits only the mean counts (Wald's identity).

    >>> hours = dict(work=100, dump=0.05, restart=0.1, mtbf=5)
    >>> [round(expected_runtime(interval=interval, **hours), 1) for interval in (2 / 3, 16)]
    [117.9, 758.1]
    """
    return expected_breakdown(work, interval, dump, restart, mtbf, notice, wait).runtime


@elementwise
def expected_runtime_short_tail(work: Positive, interval: Positive, dump: float, restart: float, mtbf: float) -> float:
    """Expected time when the last segment is only as long as the work that is left [s].

    Args:
        work, interval, dump, restart, mtbf: As in `expected_runtime`.

    ⌊T/τ⌋ full segments and one of T − ⌊T/τ⌋ τ (none if that is below 10⁻⁹ of an interval), each followed by a dump: how
    far the published formula is off for a run of few segments.

    >>> hours = dict(work=100, dump=0.05, restart=0.1, mtbf=5)
    >>> [round(expected_runtime_short_tail(interval=interval, **hours), 1) for interval in (2 / 3, 16)]
    [117.9, 734.1]
    """
    tail, whole = math.modf(work / interval)
    if tail > 1 - 1e-9:
        tail, whole = 0.0, whole + 1
    full = expected_runtime(whole * interval, interval, dump, restart, mtbf) if whole else 0.0
    left = tail * interval
    return full + (expected_runtime(left, left, dump, restart, mtbf) if tail > 1e-9 else 0.0)


def _expm1_excess(x: float) -> float:
    """Return eˣ − 1 − x without cancellation at small x; infinite where a float cannot hold it."""
    if x < 0.1:
        return math.fsum(x**k / math.factorial(k) for k in range(2, 13))
    return expm1_or_inf(x) - x if math.isfinite(x) else math.inf
