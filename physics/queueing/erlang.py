"""Erlang's delay formula for any number of servers, and when a load counts as filling them."""

import math
import sys

import numpy as np

from physics.arguments import Count, Positive, elementwise

#: λ = c / S times S may come out a rounding below c: a load this close to the servers is at the limit, not below it.
ROUNDING = 4 * sys.float_info.epsilon
#: Factors that are multiplied at once.
BLOCK = 4096


@elementwise
def erlang_c(servers: Count, offered_load: Positive) -> float:
    """Share of arrivals that find all servers busy and must queue, in an M/M/c queue [1].

    C(c, a) = 1 / (ρ + (1 − ρ) / B(c, a)), where 1 / B(c, a) = Σₖ (c/a) ((c−1)/a) … ((c−k+1)/a), k = 0 … c, is the
    inverse of Erlang's loss formula. Every term is positive, so nothing cancels and nothing overflows into a wrong
    answer: any number of servers gives twelve or more correct digits. Poisson arrivals, exponential service times, one
    line for all servers, nobody leaves.

    Args:
        servers: c [1].
        offered_load: a = λ S, the mean number of servers asked for [1].

    1.0 when a ≥ c, because the line then never empties for good.

    Source: Erlang, A. K., *Solution of some problems in the theory of probabilities of significance in automatic
    telephone exchanges*, 1917; Kleinrock, L., *Queueing Systems*, vol. 1, 1975, eq. 3.40.

    >>> round(erlang_c(servers=4, offered_load=3.8), 6)
    0.891419
    """
    return waiting_chance(servers, offered_load)


def full(utilization: float | np.ndarray) -> bool | np.ndarray:
    """Whether the offered load fills the servers, up to rounding."""
    return utilization >= 1 - ROUNDING


def waiting_chance(servers: int, load: float) -> float:
    if load >= servers:
        return 1.0
    if load == 0:
        return 0.0
    return min(1.0, servers / (load + (servers - load) * _inverse_erlang_b(servers, load)))


def waiting_chances(servers: int, loads: np.ndarray) -> np.ndarray:
    """`waiting_chance` of many loads, all above 0 and below the servers: the same to the last digit, but faster."""
    return np.minimum(1.0, servers / (loads + (servers - loads) * _inverse_erlang_bs(servers, loads)))


def _inverse_erlang_bs(servers: int, loads: np.ndarray) -> np.ndarray:
    if servers > BLOCK:
        return np.array([_inverse_erlang_b(servers, load) for load in loads.tolist()])
    with np.errstate(over="ignore", under="ignore"):
        factors = np.arange(servers, 0, -1.0) / loads[:, None]
        return 1.0 + np.cumprod(factors, axis=1).sum(axis=1)


def _inverse_erlang_b(servers: int, load: float) -> float:
    """1 / B(c, a), summed from its largest factors down until what is left cannot change the last digit."""
    total, term = 1.0, 1.0
    with np.errstate(over="ignore", under="ignore"):
        for top in range(servers, 0, -BLOCK):
            factors = np.arange(top, max(top - BLOCK, 0), -1.0) / load
            terms = term * np.cumprod(factors)
            total, term = total + float(terms.sum()), float(terms[-1])
            if math.isinf(total) or (factors[-1] < 1 and term * top < 1e-17 * total):
                break
    return total
