"""How many jobs write their checkpoints at the same time: started at random, all together, or evenly staggered."""

import math
from typing import Literal

from physics.numerics.checks import count, fraction

__all__ = ["Phases", "writing_shares"]

Phases = Literal["random", "aligned", "staggered"]


def writing_shares(jobs: int, share: float, phases: Phases = "random") -> list[float]:
    """Shares of the time in which exactly 0, 1, … n of n checkpointing jobs write [1].

    Args:
        jobs: n, jobs with the same interval [1], at most 10,000.
        share: p, of the time that a job spends writing [1].
        phases: "random" (independent starts), "aligned" (all at once) or "staggered" (an n-th of the interval apart).

    Their mean is n p. Random: C(n, k) pᵏ (1 − p)ⁿ⁻ᵏ. Aligned: p for n and 1 − p for 0. Staggered: n p is between two
    neighboring numbers, and the time is divided between these. Writing for longer because others write too is left out.

    Source: N. H. Vaidya, "Staggered Consistent Checkpointing", IEEE Transactions on Parallel and Distributed Systems
    10(7), 1999, for staggering against contention at the storage.

    20 jobs that write 3 of 43 minutes each; staggered evenly never more than 2 write:

    >>> [round(part, 3) for part in writing_shares(20, 3 / 43, "staggered")[:4]]
    [0.0, 0.605, 0.395, 0.0]
    >>> round(sum(writing_shares(20, 3 / 43)[4:]), 3)
    0.047
    """
    n, p = count("jobs", jobs), fraction("share", share)
    if n > 10_000:
        raise ValueError(f"jobs must be at most 10,000, got {jobs}")
    if phases not in ("random", "aligned", "staggered"):
        raise ValueError(f"phases must be random, aligned or staggered, got {phases!r}")
    found = [0.0] * (n + 1)
    if phases == "aligned" or p in (0, 1):
        found[0], found[n] = 1 - p, p
    elif phases == "staggered":
        low = min(math.floor(n * p), n - 1)
        found[low + 1] = n * p - low
        found[low] = 1 - found[low + 1]
    else:
        logs = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in range(n + 1)]
        found = [math.exp(log + i * math.log(p) + (n - i) * math.log1p(-p)) for i, log in enumerate(logs)]
    return found
