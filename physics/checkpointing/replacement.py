"""Time that a job is stalled until every interrupted node is replaced."""

import math
from functools import lru_cache

import numpy as np

from physics.checkpointing.interruptions import NO_WAIT, Wait, expm1_or_inf
from physics.numerics.checks import count, non_negative, positive, within_range

_MOST_NODES = 256  # the law of more takes long to find
_RARE = 1e-12  # kinds of wait that are rarer are left out


@within_range
def gang_wait(delay: float, node_mtbf: float, nodes: int = 1, paid: bool = False) -> Wait:
    """Random time from an interruption until all nodes of the job are available again [s].

    Args:
        delay: D, mean time until a struck node is replaced [s].
        node_mtbf: M₁, mean time between interruptions of one node [s]; those that stand are struck as well.
        nodes: n, nodes in the gang.
        paid: Count only the share of the gang that is there and paid for, in time of the whole gang.

    Its mean is M ((1 + D/M₁)ⁿ − 1) with M = M₁/n, of which M ((1 + D/M₁)ⁿ⁻¹ − 1) is paid; infinite where a
    float cannot hold it.

    Each node is up for a share a = M₁/(M₁ + D) of the time, independently of the others, and so all of them for aⁿ: the
    run takes 1/aⁿ times as long as with replacements at once, and costs 1/aⁿ⁻¹ times as much, for any distribution of
    the delay.

    The distribution is that of exponential delays: the first passage of a birth and death process from one missing node
    to none, a mixture of exponentials, one for each eigenvalue; the slowest is found from the mean, which keeps its
    digits.

    Source: Barlow and Proschan, *Statistical Theory of Reliability and Life Testing*, 1975, chapter 7 (availability of
    series systems); Keilson, *Markov Chain Models: Rarity and Exponentiality*, 1979, chapter 5 (passage times).

    >>> round(gang_wait(delay=600, node_mtbf=18000, nodes=16).mean)
    776
    """
    delay, node_mtbf = non_negative("delay", delay), positive("node_mtbf", node_mtbf)
    nodes = count("nodes", nodes, most=_MOST_NODES)
    if not delay or (paid and nodes == 1):
        return NO_WAIT
    mean = node_mtbf / nodes * expm1_or_inf((nodes - bool(paid)) * math.log1p(delay / node_mtbf))
    if not math.isfinite(mean / delay):
        return Wait(mean=mean)
    shares, means = _passage(delay / node_mtbf, nodes, bool(paid), mean / delay)
    return Wait(mean, shares, tuple(delay * one for one in means))


@lru_cache(maxsize=256)
def _passage(ratio: float, nodes: int, paid: bool, mean: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Shares and means of the exponentials of the passage from one missing node to none, in units of the delay."""
    missing = np.arange(1, nodes + 1 - paid)
    pace = nodes / (nodes - missing) if paid else 1.0  # time that is paid runs slower, by the share of nodes there
    back, lost = missing * pace, (nodes - missing) * ratio * pace
    lost[-1] = 0.0  # nothing is left to be struck; or only what is replaced in no paid time
    beside = -np.sqrt(lost[:-1] * back[1:])
    rates, vectors = np.linalg.eigh(np.diag(back + lost) + np.diag(beside, 1) + np.diag(beside, -1))
    shares, means = back[0] * vectors[0, 1:] ** 2 / rates[1:], 1 / rates[1:]
    shares, means = shares[shares > _RARE], means[shares > _RARE]
    slow = 1 - float(shares.sum())
    slowest = (mean - float(shares @ means)) / slow
    return (slow, *shares.tolist()), (slowest, *means.tolist())
