"""Limit that a node's CPU cores set for its loader workers."""

import math

from physics.arguments import Count, NonNegative, Positive, elementwise, finite


@elementwise
def core_limit(cores: Positive, busy_time: NonNegative, accelerators: Count = 8) -> float:
    """Samples per second that a node's CPU cores allow per accelerator [1/s].

    n_c ÷ (g b): `cores` n_c of the node, `accelerators` g on it [1], and the time b, `busy_time`,
    for which one sample keeps a core busy [s], which is moving its bytes and decoding it. A worker
    that waits for a read leaves its core to another one, so more workers than cores still help
    where they mostly wait. Infinite where b is 0.

    Source: The utilization bound of Denning and Buzen, "The Operational Analysis of Queueing
    Network Models" (1978), section 5: a resource completes at most its number ÷ its demand.

    >>> core_limit(32, 4e-3)  # four cores for each of eight accelerators
    1000.0
    """
    if busy_time == 0:
        return math.inf
    return finite("the rate of the cores", cores / accelerators / busy_time)
