"""A gang of whole nodes: the chance that enough nodes are free, and free GPUs that no job can use."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from physics.numerics.arrays import elementwise
from physics.numerics.checks import count, fraction, within_range

__all__ = ["Fragmentation", "binomial_tail", "fragmentation", "gang_start_probability"]


@dataclass(frozen=True)
class Fragmentation:
    """Free GPUs on nodes, and what jobs that must stay on one node each can use of them."""

    free: float  #: free GPUs [1]
    jobs: float  #: jobs that can start [1]
    usable: float  #: GPUs that these jobs take [1]

    @property
    def stranded(self) -> float:
        """Free GPUs that no job can use."""
        return self.free - self.usable

    @property
    def share(self) -> float:
        """Stranded share of the free GPUs; 0 when none is free."""
        return self.stranded / self.free if self.free else 0.0


@elementwise
@within_range
def binomial_tail(successes: int, trials: int, probability: float) -> float:
    """Chance of at least a given number of successes in independent trials [1].

    Args:
        successes: k, at least this many.
        trials: n.
        probability: p, of a success in one trial [1].

    Σ_{i ≥ k} C(n, i) pⁱ (1 − p)ⁿ⁻ⁱ; 1 for k = 0, 0 for k > n. Small tails keep their relative accuracy.

    Above the mean the tail is summed upwards from its largest term, otherwise what is missing from 1 is summed
    downwards. A term follows from the one before by C(n, i+1)/C(n, i) = (n − i)/(i + 1).

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
        total, term = 0.0, _term(k, n, p)
        while term > 1e-18 * total and k <= n:
            total, term, k = total + term, term * odds * (n - k) / (k + 1), k + 1
        return min(1.0, total)
    total, k = 0.0, k - 1
    term = _term(k, n, p)
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

    Blocks are independent of one another, nodes within a block are not. Nodes that do not fill a block are one
    smaller block. The mean number of free nodes, N p, is the same for every b; the variance grows with b. Blocks mostly
    help a gang that needs far more than is free on average, and mostly hurt one that needs far less; near the mean and
    with few blocks either may happen, since whole blocks have to be counted. p^n, the chance of n *named*
    nodes, is the special case N = n, b = 1. Any n free nodes will do: distance and cabling are not in the model.

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


def fragmentation(free_gpus: Iterable[int], gpus_per_job: int) -> Fragmentation:
    """Free GPUs, and those that jobs which each stay on one node can use [GPUs].

    Args:
        free_gpus: Free GPUs of each node.
        gpus_per_job: g, GPUs that a job takes, all on the same node.

    Of f free GPUs on a node g ⌊f/g⌋ can be used.

    Source: Weng et al., "Beware of fragmentation: scheduling GPU-sharing workloads with fragmentation gradient
    descent", USENIX ATC 2023.

    >>> left = fragmentation([3, 3, 2], gpus_per_job=4)
    >>> left.free, left.jobs, left.stranded  # eight GPUs are free, and no job of four can start
    (8, 0, 8)
    """
    gpus_per_job = count("gpus_per_job", gpus_per_job)
    free = [count("free_gpus", number, 0) for number in free_gpus]
    jobs = sum(number // gpus_per_job for number in free)
    return Fragmentation(sum(free), jobs, jobs * gpus_per_job)


def _term(k: int, n: int, p: float) -> float:
    """C(n, k) p^k (1 − p)^(n − k), through logarithms."""
    choices = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(choices + k * math.log(p) + (n - k) * math.log1p(-p))
