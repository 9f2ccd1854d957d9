"""Probabilities that a number of independent nodes, replicas, or jobs are up or busy at once.

Source: Feller, *An Introduction to Probability Theory and Its Applications*, volume 1, 3rd edition,
1968, chapter VI.
"""

import math
from bisect import bisect_left
from typing import Literal

from physics.arguments import (
    MANY,
    Count,
    LimitedCount,
    LimitedWhole,
    Share,
    Whole,
    count,
    elementwise,
    within_range,
)


@elementwise
def binomial_tail(successes: Whole, trials: Whole, probability: Share) -> float:
    """Probability of at least k successes in n independent trials of probability p [1].

    Σ_{i ≥ k} C(n, i) pⁱ (1 − p)ⁿ⁻ⁱ; 1 for k = 0, 0 for k > n. Small tails keep their relative
    accuracy.

    >>> binomial_tail(2, 2, 0.5), round(binomial_tail(1, 3, 0.5), 12)
    (0.25, 0.875)
    """
    k = successes
    if k == 0:
        return 1.0
    if k > trials or probability == 0:
        return 0.0
    if probability == 1:
        return 1.0
    odds = probability / (1 - probability)
    total = 0.0
    if k > trials * probability:
        term = binomial_term(k, trials, probability)
        while term > 1e-18 * total:
            total += term
            term = term * odds * (trials - k) / (k + 1)
            k += 1
        return min(1.0, total)
    k -= 1
    term = binomial_term(k, trials, probability)
    while term > 1e-18 * total:
        total += term
        term = term * k / (trials - k + 1) / odds
        k -= 1
    return max(0.0, 1 - total)


@elementwise
def gang_start_probability(
    free_probability: Share, nodes: Whole, needed: Whole, block: Count = 1
) -> float:
    """Probability that enough nodes for a gang are free at the same time, P(at least n of N) [1].

    Each of N nodes, `nodes`, is free for a share p of the time; n are `needed`, all at the same
    time. Nodes come in blocks of b that are always free or busy together, a rack, or what one job
    held; blocks are independent of one another, and nodes that do not fill a block are one smaller
    block. The binomial tail for b = 1. p^n, the chance of n *named* nodes, is N = n with b = 1. Any
    n free nodes will do: distance and cabling are not in the model.

    >>> round(gang_start_probability(0.2, 320, 64), 2), f"{gang_start_probability(0.2, 64, 64):.1e}"
    (0.52, '1.8e-45')
    >>> round(gang_start_probability(0.2, 320, 64, block=64), 3)  # one of five blocks
    0.672
    """
    blocks, remainder = divmod(nodes, block)
    # the chance with the smaller block free, and with it busy
    with_it, without = (
        binomial_tail(max(0, -(-number // block)), blocks, free_probability)
        for number in (needed - remainder, needed)
    )
    if remainder:
        return free_probability * with_it + (1 - free_probability) * without
    return without


def binomial_term(k: int, n: int, p: float) -> float:
    """Binomial probability C(n, k) p^k (1 − p)^(n − k), computed through logarithms [1]."""
    choices = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(choices + k * math.log(p) + (n - k) * math.log1p(-p))


@elementwise
def replicas_for(needed: LimitedCount, up: Share, target: Share, block: LimitedCount = 1) -> int:
    """Fewest replicas of which at least n are up with the `target` probability [1].

    The least multiple of b so that P(at least n up) ≥ target, or equal to it but for rounding.
    Blocks of b replicas, a machine or a zone of spot capacity, vanish together; each is up for a
    share p of the time, independently of the others. Raises ValueError if no number up to a
    thousand million blocks reaches the target.

    Source: k-out-of-n systems, as in Barlow and Proschan, *Statistical Theory of Reliability and
    Life Testing*, 1975, section 2.1.

    >>> replicas_for(8, up=0.95, target=0.999), replicas_for(8, up=0.95, target=0.999, block=4)
    (12, 16)
    """
    up_blocks = blocks = math.ceil(needed / block)
    if target == 0:
        return 0
    allowed = (1 - target) * (1 + 1e-9) + 1e-16

    def enough(number: int) -> bool:
        """Whether `up_blocks` of this number of blocks are up with the target probability."""
        return binomial_tail(number - up_blocks + 1, number, 1 - up) <= allowed

    reachable = up > 0 and (target < 1 or up == 1)
    while not reachable or not enough(blocks):
        if blocks >= MANY or not reachable:
            raise ValueError(
                f"target must be one that some number of replicas reaches, got {target} with up = "
                f"{up}"
            )
        blocks = min(2 * blocks, MANY)
    return block * bisect_left(range(blocks), True, lo=max(up_blocks, blocks // 2), key=enough)


@elementwise
def writing_at_once(jobs: LimitedWhole, share: Share, at_least: Whole) -> float:
    """Probability that at least k of n jobs write checkpoints at the same time [1].

    The jobs' phases are random and independent. Each job spends a `share` of its time writing [1].
    Writing longer because others write too is left out.

    >>> round(writing_at_once(20, 3 / 43, at_least=4), 3)  # 20 jobs that write 3 of 43 minutes
    0.047
    """
    return binomial_tail(at_least, jobs, share)


@within_range
def writing_shares(
    jobs: int, share: Share, phases: Literal["random", "aligned", "staggered"] = "random"
) -> list[float]:
    """Shares of time in which exactly 0, 1, … n of n checkpointing jobs, at most 10,000, write [1].

    Each job spends a share p of its time writing [1]. With "random" phases, independent starts, the
    shares are C(n, k) pᵏ (1 − p)ⁿ⁻ᵏ. "aligned" jobs write all at once: p for n and 1 − p for 0.
    "staggered" ones begin an n-th of the interval apart: n p lies between two neighboring numbers,
    and the time is divided between these. Writing longer because others write too is left out.

    Source: N. H. Vaidya, "Staggered Consistent Checkpointing", 1999, for staggering against
    contention at the storage.

    >>> [round(part, 3) for part in writing_shares(20, 3 / 43, "staggered")[:4]]
    [0.0, 0.605, 0.395, 0.0]
    """
    n = count("jobs", jobs, most=10_000)
    shares = [0.0] * (n + 1)
    if phases == "aligned" or share in (0, 1):
        shares[0], shares[n] = 1 - share, share
    elif phases == "staggered":
        low = min(math.floor(n * share), n - 1)
        shares[low + 1] = n * share - low
        shares[low] = 1 - shares[low + 1]
    else:
        shares = [binomial_term(i, n, share) for i in range(n + 1)]
    return shares
