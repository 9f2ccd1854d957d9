"""How much faster n workers train than one: Amdahl's law and a ring all-reduce of the gradient."""

import math

from physics.arguments import Count, NonNegative, Positive, PositiveShare, Share, elementwise

__all__ = ["all_reduce_time", "amdahl_knee", "speedup", "weak_scaling_efficiency"]


@elementwise
def all_reduce_time(n: Count, gradient_size: NonNegative, bandwidth: Positive, latency: NonNegative = 0.0) -> float:
    """Time for n workers to add up their gradients around a ring, 2 (n − 1) (α + G/(n B)) [s].

    Args:
        n: Workers.
        gradient_size: G, bytes that each worker contributes [B].
        bandwidth: B, of each link, in one direction [B/s].
        latency: α, to start one message [s].

    0 for one worker, and 0 without a gradient: no message is sent.

    n − 1 rounds of reduce-scatter and n − 1 of all-gather; in each round every worker sends one n-th of the gradient
    to its neighbor. The additions themselves are not counted, and nothing is hidden behind computing.

    Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", Journal of
    Parallel and Distributed Computing 69, 2009 (the ring and why none moves less); the cost α + bytes/B of a message as
    in Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", International
    Journal of High Performance Computing Applications 19, 2005.

    >>> all_reduce_time(4, gradient_size=2e9, bandwidth=50e9)
    0.06
    """
    # A ring of one sends nothing, over however slow a link.
    return 2 * (n - 1) * (latency + gradient_size / n / bandwidth) if gradient_size and n > 1 else 0.0


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

    Args:
        n: Workers.
        serial: s, share of a one-worker step that cannot be split [1].
        gradient_size, bandwidth, latency: Of the all-reduce after each step [B, B/s, s]; see `all_reduce_time`.
        step_time: t, time of a step on one worker [s].

    S(n) = t / (t s + t (1 − s)/n + 2 (n − 1)(α + G/(n B))), below 1 where communication costs more than it saves.

    Strong scaling: the batch stays as it is and is cut in n. With gradient_size 0 this is Amdahl's law alone.

    Source: Amdahl, "Validity of the single processor approach to achieving large scale computing capabilities", AFIPS
    Spring Joint Computer Conference, 1967; the all-reduce as in `all_reduce_time`.

    >>> round(speedup(8, serial=0.05), 3)  # 1 / (0.05 + 0.95/8)
    5.926
    >>> round(speedup(8, serial=0.05, gradient_size=2e9, bandwidth=50e9), 3)
    4.188
    """
    shared = step_time * (serial + (1 - serial) / n)
    return step_time / (shared + all_reduce_time(n, gradient_size, bandwidth, latency))


@elementwise
def weak_scaling_efficiency(
    n: int, gradient_size: float = 0.0, bandwidth: float = 1e9, latency: float = 0.0, step_time: Positive = 1.0
) -> float:
    """Share of their time in which n workers compute when each brings work of its own [1].

    Args:
        n: Workers, each with as much work as one had alone.
        gradient_size, bandwidth, latency, step_time: As in `speedup`.

    t / (t + 2 (n − 1)(α + G/(n B))). Weak scaling: n times the work in a step. What cannot be split costs every worker
    its own time and no more, so it does not appear. Whether a batch n times as large teaches as much is another
    question.

    Source: Gustafson, "Reevaluating Amdahl's law", Communications of the ACM 31(5), 1988; the all-reduce as in
    `all_reduce_time`.

    64 workers, 2 s a step, 2 GB over 50 GB/s and 10 µs; the same batch cut in 64 is used to 20.7%:

    >>> round(weak_scaling_efficiency(64, gradient_size=2e9, bandwidth=50e9, latency=10e-6, step_time=2), 3)
    0.962
    >>> round(speedup(64, 0.02, gradient_size=2e9, bandwidth=50e9, latency=10e-6, step_time=2) / 64, 3)
    0.207
    """
    return step_time / (step_time + all_reduce_time(n, gradient_size, bandwidth, latency))


@elementwise
def amdahl_knee(serial: Share, efficiency: PositiveShare = 0.7) -> float:
    """Number of workers at which Amdahl's law alone is down to an efficiency, 1 + (1/e − 1)/s [1].

    Args:
        serial: s, share that cannot be split [1].
        efficiency: e, least speed-up per worker wanted [1], above 0.

    S(n)/n = 1 / (1 + s (n − 1)), set equal to e and solved for n; not rounded, infinite when nothing is serial.

    Source: Amdahl (1967), see `speedup`; efficiency S(n)/n as in Eager, Zahorjan and Lazowska, "Speedup versus
    efficiency in parallel systems", IEEE Transactions on Computers 38, 1989.

    >>> round(amdahl_knee(0.05), 2)  # 1 + 0.4286 / 0.05
    9.57
    """
    idle = 1 / efficiency - 1
    return 1 + idle / serial if serial else math.inf
