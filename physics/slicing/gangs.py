"""A gang of whole nodes: the chance that enough nodes are free."""

import math

from physics.numerics.arrays import elementwise
from physics.numerics.checks import count, fraction, within_range


@elementwise
@within_range
def binomial_tail(successes: int, trials: int, probability: float) -> float:
    """Chance of at least a given number of successes in independent trials [1].

    Args:
        successes: k, at least this many.
        trials: n.
        probability: p, of a success in one trial [1].

    Σ_{i ≥ k} C(n, i) pⁱ (1 − p)ⁿ⁻ⁱ; 1 for k = 0, 0 for k > n. Small tails keep their relative accuracy.

    Source: Feller, *An Introduction to Probability Theory and Its Applications*, volume 1, 3rd edition, 1968, chapter
    VI.

    >>> binomial_tail(2, 2, 0.5), round(binomial_tail(1, 3, 0.5), 12)
    (0.25, 0.875)
    """
    k, n = count("successes", successes, 0), count("trials", trials, 0)
    p = fraction("probability", probability)
    if k == 0:
        return 1.0
    if k > n or p == 0:
        return 0.0
    if p == 1:
        return 1.0
    odds = p / (1 - p)
    if k > n * p:
        total, term = 0.0, binomial_term(k, n, p)
        while term > 1e-18 * total and k <= n:
            total, term, k = total + term, term * odds * (n - k) / (k + 1), k + 1
        return min(1.0, total)
    total, k = 0.0, k - 1
    term = binomial_term(k, n, p)
    while term > 1e-18 * total and k >= 0:
        total, term, k = total + term, term * k / (n - k + 1) / odds, k - 1
    return max(0.0, 1 - total)


@elementwise
@within_range
def gang_start_probability(free_probability: float, nodes: int, needed: int, block: int = 1) -> float:
    """Chance that enough nodes are free at once for a gang to start, P(at least n of N) [1].

    Args:
        free_probability: p, share of the time in which a node is free [1].
        nodes: N, nodes that the gang may run on.
        needed: n, nodes that it takes, all at the same time.
        block: b, nodes that are always free or busy together: a rack, or what one job held. 1 makes every node
            independent.

    The binomial tail for b = 1; 0 when n > N, 1 when n = 0.

    Blocks are independent of one another; nodes that do not fill a block are one smaller block. p^n, the chance of n
    *named* nodes, is N = n with b = 1. Any n free nodes will do: distance and cabling are not in the model.

    Source: Feller, *An Introduction to Probability Theory and Its Applications*, volume 1, 3rd edition, 1968, chapter
    VI.

    >>> round(gang_start_probability(0.2, 320, 64), 2), f"{gang_start_probability(0.2, 64, 64):.1e}"
    (0.52, '1.8e-45')
    >>> round(gang_start_probability(0.2, 320, 64, block=64), 3)  # one of five blocks
    0.672
    """
    p, nodes = fraction("free_probability", free_probability), count("nodes", nodes, 0)
    needed, block = count("needed", needed, 0), count("block", block)
    blocks, rest = divmod(nodes, block)
    without = binomial_tail(-(-needed // block), blocks, p)
    if not rest:
        return without
    return p * binomial_tail(-(-max(0, needed - rest) // block), blocks, p) + (1 - p) * without


def binomial_term(k: int, n: int, p: float) -> float:
    """C(n, k) p^k (1 − p)^(n − k), through logarithms."""
    choices = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(choices + k * math.log(p) + (n - k) * math.log1p(-p))
