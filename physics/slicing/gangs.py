"""A gang of whole nodes: the chance that enough nodes are free.

Source: Feller, *An Introduction to Probability Theory and Its Applications*, volume 1, 3rd edition, 1968, chapter VI.
"""

import math

from physics.arguments import Count, Share, Whole, elementwise


@elementwise
def binomial_tail(successes: Whole, trials: Whole, probability: Share) -> float:
    """Chance of at least a given number of successes in independent trials [1].

    Args:
        successes: k, at least this many.
        trials: n.
        probability: p, of a success in one trial [1].

    Σ_{i ≥ k} C(n, i) pⁱ (1 − p)ⁿ⁻ⁱ; 1 for k = 0, 0 for k > n. Small tails keep their relative accuracy.

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
    if k > trials * probability:
        total, term = 0.0, binomial_term(k, trials, probability)
        while term > 1e-18 * total and k <= trials:
            total, term, k = total + term, term * odds * (trials - k) / (k + 1), k + 1
        return min(1.0, total)
    total, k = 0.0, k - 1
    term = binomial_term(k, trials, probability)
    while term > 1e-18 * total and k >= 0:
        total, term, k = total + term, term * k / (trials - k + 1) / odds, k - 1
    return max(0.0, 1 - total)


@elementwise
def gang_start_probability(free_probability: Share, nodes: Whole, needed: Whole, block: Count = 1) -> float:
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

    >>> round(gang_start_probability(0.2, 320, 64), 2), f"{gang_start_probability(0.2, 64, 64):.1e}"
    (0.52, '1.8e-45')
    >>> round(gang_start_probability(0.2, 320, 64, block=64), 3)  # one of five blocks
    0.672
    """
    blocks, rest = divmod(nodes, block)
    beside, without = (
        binomial_tail(max(0, -(-least // block)), blocks, free_probability) for least in (needed - rest, needed)
    )
    return free_probability * beside + (1 - free_probability) * without if rest else without


def binomial_term(k: int, n: int, p: float) -> float:
    """C(n, k) p^k (1 − p)^(n − k), through logarithms."""
    choices = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(choices + k * math.log(p) + (n - k) * math.log1p(-p))
