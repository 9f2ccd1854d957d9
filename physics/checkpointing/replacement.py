"""Time that a job is stalled until every interrupted node is replaced."""

import math

from physics.checkpointing.interruptions import Wait, expm1_or_inf
from physics.numerics.checks import count, non_negative, positive, within_range


@within_range
def gang_wait(delay: float, node_mtbf: float, nodes: int = 1, paid: bool = False) -> Wait:
    """Mean time from an interruption until all nodes of the job are available again [s].

    Args:
        delay: D, mean time until a struck node is replaced [s].
        node_mtbf: M₁, mean time between interruptions of one node [s]; those that stand are struck as well.
        nodes: n, nodes in the gang.
        paid: Count only the share of the gang that is there and paid for, in time of the whole gang.

    M ((1 + D/M₁)ⁿ − 1) with M = M₁/n, of which M ((1 + D/M₁)ⁿ⁻¹ − 1) is paid; infinite where a
    float cannot hold it.

    Each node is up for a share a = M₁/(M₁ + D) of the time, independently of the others, and so all of them for aⁿ: the
    run takes 1/aⁿ times as long as with replacements at once, and costs 1/aⁿ⁻¹ times as much, for any distribution of
    the delay.

    Source: Barlow and Proschan, *Statistical Theory of Reliability and Life Testing*, 1975, chapter 7 (availability of
    series systems).

    >>> round(gang_wait(delay=600, node_mtbf=18000, nodes=16).mean)
    776
    """
    delay, node_mtbf = non_negative("delay", delay), positive("node_mtbf", node_mtbf)
    nodes = count("nodes", nodes)
    return Wait(node_mtbf / nodes * expm1_or_inf((nodes - bool(paid)) * math.log1p(delay / node_mtbf)))
