"""Steady states of queues with one waiting line: M/M/c, M/G/1 and G/G/c.

Symbols and arguments: `arrival_rate` λ [1/s], mean `service_time` S [s], `servers` c [1], offered
load a = λ S, utilization ρ = a / c; `service_scv` and `arrival_scv` are squared coefficients of
variation (variance over squared mean) of service times and of times between arrivals; 0 is
constant, 1 exponential. A wait never includes the service; a response does. Jobs wait as long as it
takes and are served first come first served.
"""

import math
import sys
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from physics.arguments import (
    Count,
    LimitedCount,
    LimitedWhole,
    NonNegative,
    Positive,
    elements,
    elementwise,
    number_that,
    refusing,
)
from physics.numerics import rising_root

#: c / S times S may differ from c by rounding, so a load this close to the servers is at the limit.
ROUNDING = 4 * sys.float_info.epsilon
Below1 = Annotated[float, number_that("be from 0 to below 1", lambda number: 0 <= number < 1)]
#: Factors that are multiplied at once.
BLOCK = 4096


@elementwise
def erlang_c(servers: Count, offered_load: Positive) -> float:
    """Probability that an arrival finds all servers busy and must queue, in an M/M/c queue [1].

    The result is 1.0 when a ≥ c.

    C(c, a) = 1 / (ρ + (1 − ρ) / B(c, a)), where 1 / B(c, a) = Σₖ (c/a) ((c−1)/a) … ((c−k+1)/a), k =
    0 … c, is the inverse of Erlang's loss formula. Every term is positive, so nothing cancels: any
    number of servers gives twelve or more correct digits. Nobody leaves the line.

    Source: Erlang, A. K., *Solution of some problems in the theory of probabilities of significance
    in automatic telephone exchanges*, 1917; Kleinrock, L., *Queueing Systems*, vol. 1, 1975, eq.
    3.40.

    >>> round(erlang_c(servers=4, offered_load=3.8), 6)
    0.891419
    """
    return waiting_chance(servers, offered_load)


@elementwise
def erlang_b(servers: LimitedWhole, offered_load: NonNegative) -> float:
    """Share of arrivals lost because all servers are busy, without a queue [1].

    B(c, a) = (aᶜ / c!) / Σₖ aᵏ / k!, k = 0 … c; also the share of the time in which all servers are
    busy. Arrivals are Poisson; service times may have any distribution with a mean. 1 without
    servers, and never 1 with them, however large the load.

    Source: Erlang, see `erlang_c`; Sevastyanov, "An ergodic theorem for Markov processes and its
    application to telephone systems with refusals", 1957 (any distribution of service times).

    >>> round(erlang_b(servers=2, offered_load=1.0), 12)
    0.2
    """
    if servers == 0:
        return 1.0
    if offered_load == 0:
        return 0.0
    return 1 / inverse_loss(servers, offered_load)


def full(utilization: float | np.ndarray) -> bool | np.ndarray:
    """Whether the offered load fills the servers, up to rounding."""
    return utilization >= 1 - ROUNDING


def waiting_chance(servers: int, load: float) -> float:
    """`erlang_c` for arguments that are already checked."""
    if load >= servers:
        return 1.0
    if load == 0:
        return 0.0
    return min(1.0, servers / (load + (servers - load) * inverse_loss(servers, load)))


def inverse_loss(servers: int, load: float) -> float:
    """1 / B(c, a) of Erlang's loss formula for a load above 0, infinite on overflow [1].

    Summed from its largest factors down until what is left cannot change the last digit.
    """
    inverse = 1.0
    term = 1.0
    with np.errstate(over="ignore", under="ignore"):
        for top in range(servers, 0, -BLOCK):
            factors = np.arange(top, max(top - BLOCK, 0), -1.0) / load
            terms = term * np.cumprod(factors)
            inverse = inverse + float(terms.sum())
            term = float(terms[-1])
            if math.isinf(inverse) or (factors[-1] < 1 and term * top < 1e-17 * inverse):
                break
    return inverse


def waiting_chances(servers: int, loads: np.ndarray) -> np.ndarray:
    """Vectorized `waiting_chance`, equal to the last digit, for loads between 0 and `servers`."""
    if servers > BLOCK:
        return np.array([waiting_chance(servers, load) for load in loads.tolist()])
    with np.errstate(over="ignore", under="ignore"):
        factors = np.arange(servers, 0, -1.0) / loads[:, None]
        inverse = 1.0 + np.cumprod(factors, axis=1).sum(axis=1)
    return np.minimum(1.0, servers / (loads + (servers - loads) * inverse))


MARKOV = "M/M/c exact"
POLLACZEK = "Pollaczek–Khinchine exact"
ALLEN = "Allen–Cunneen approximation"


@dataclass(frozen=True)
class SteadyState:
    """Long-run averages of one queue, or of several as arrays.

    Waits and queue lengths are infinite if unstable.
    """

    utilization: float  #: ρ, busy fraction of each server; at 1 and above the offered one [1]
    prob_wait: float  #: C(c, a), share of arrivals that must queue [1]
    mean_wait: float  #: Wq, time in queue, service not included [s]
    #: W, time in queue and in service; "sojourn time" in much of the literature [s]
    mean_response: float
    mean_in_queue: float  #: Lq, jobs waiting [1]
    mean_in_system: float  #: L, jobs waiting or in service [1]
    stable: bool  #: whether ρ < 1, so that averages exist
    servers: int  #: c [1]
    service_time: float  #: S, mean time in service [s]
    method: str  #: the formula in use, exact or approximate, by its name

    @property
    def exact(self) -> bool:
        """Whether the means are exact under the model's assumptions."""
        return self.method != ALLEN

    @property
    def percentile_method(self) -> str:
        """Name of the method that computes the wait's percentiles."""
        if np.all(self.method == MARKOV):
            return MARKOV
        return "exponential-tail approximation"

    @refusing
    def wait_percentile(self, q: Below1 = 0.99) -> float:
        """Wait that a share q of the jobs does not exceed [s].

        The result is 0 if at most 1 − q of them wait, infinite if unstable.

        P(wait > t) = C exp(−C t / Wq), exact in M/M/c (Kleinrock, *Queueing Systems*, vol. 1, 1975,
        section 3.5 with FCFS). Otherwise the same tail with the mean of that queue: an
        approximation, exact only in heavy traffic (Kingman, *On queues in heavy traffic*, 1962);
        `physics.queueing.errors` holds how far off it is.

        >>> round(mmc(0.95, 1.0).wait_percentile(0.99), 1)  # M/M/1: 91.1 S, 4.79 Wq
        91.1
        """
        if np.ndim(self.utilization):
            return self._of_each("wait_percentile", q)
        beyond = 1 - q
        if not self.stable:
            return math.inf
        if self.prob_wait <= beyond:
            return 0.0
        return self.mean_wait / self.prob_wait * math.log(self.prob_wait / beyond)

    @refusing
    def response_percentile(self, q: Below1 = 0.99) -> float | None:
        """Time in system that a share q of the jobs does not exceed [s].

        The result is None unless M/M/c, infinite if unstable.

        The response is an exponential service after the wait. With x = t / S and d = c − a,
        P(response > t) = exp(−x) + C (exp(−x) − exp(−d x)) / (d − 1), and exp(−x) (1 + C x) where d
        = 1 (Gross, Shortle, Thompson and Harris, *Fundamentals of Queueing Theory*, 2008, section
        2.4), solved for t.
        """
        if np.ndim(self.utilization):
            return self._of_each("response_percentile", q)
        beyond = 1 - q
        if not self.stable:
            return math.inf
        if self.method != MARKOV:
            return None
        if self.servers == 1:
            return self.mean_response * abs(math.log(beyond))
        # Wq = C S / d; where C underflows to zero d has no effect.
        chance = self.prob_wait
        d = float(self.servers)
        if self.mean_wait > 0:
            d = chance * self.service_time / self.mean_wait
        slower = min(d, 1.0)
        apart = abs(d - 1)

        def excess(x: float) -> float:
            """How far the share of jobs that have left by x service times exceeds q."""
            lag = -math.expm1(-apart * x) / apart if apart > 0 else x
            return beyond - math.exp(-x) - chance * math.exp(-slower * x) * lag

        low = abs(math.log(beyond))
        high = math.log(2 / beyond) + max(0.0, math.log(max(2 * chance / beyond, 1.0))) / d
        return self.service_time * rising_root(excess, low, high)

    def _of_each(self, percentile: str, q: float) -> Any:
        """Percentile of each state, by the name of its method [s]."""
        values = [getattr(state, percentile)(q) for state in elements(self)]
        return np.reshape(values, np.shape(self.utilization))


def mmc(arrival_rate: float, service_time: float, servers: int = 1) -> SteadyState:
    """Steady state of M/M/c: Poisson arrivals, exponential service times, c servers, and one line.

    Wq = C(c, a) S / (c − a); W = Wq + S; Lq = λ Wq and L = λ W by Little's law. Exact. Waits are
    infinite and `stable` is False when ρ ≥ 1; at exactly 1 the line also grows without limit, only
    slower than linearly.

    Source: Kleinrock, L., *Queueing Systems*, vol. 1, 1975, eqs. 3.37 to 3.40 and section 2.1
    (Little's law).

    >>> # 256-GPU jobs on 1,024 GPUs at 95%
    >>> round(mmc(arrival_rate=3.8, service_time=1.0, servers=4).mean_wait, 3)
    4.457
    >>> mmc(np.array([2.0, 3.0, 4.0]), 1.0, servers=4).mean_wait.round(3)
    array([0.087, 0.509,   inf])
    """
    return mgc(arrival_rate, service_time, servers)


@elementwise
def mgc(
    arrival_rate: Positive,
    service_time: Positive,
    servers: Count = 1,
    service_scv: NonNegative = 1.0,
    arrival_scv: NonNegative = 1.0,
) -> SteadyState:
    """Steady state of a queue with given SCVs of service times and of times between arrivals.

    Both SCVs 1: `mmc`. One server and Poisson arrivals (arrival_scv 1): Wq = ρ S (1 + SCV) / (2 (1
    − ρ)), exact by Pollaczek and Khinchine for any distribution of service times. Otherwise Allen
    and Cunneen: the wait of M/M/c times (arrival_scv + service_scv) / 2, an approximation, and
    `prob_wait` is that of M/M/c. With Poisson arrivals its error grows with c and with the tail,
    which an SCV does not tell. At service SCV 4 and ρ = 0.95 it is 1 to 3% high at c = 4; at c =
    128 it is about 6% high for gamma service times, 21% for hyperexponential ones with balanced
    means, 32% for log-normal ones, and more for heavier tails. Below SCV 1 it is low, at c = 128
    and ρ = 0.85 by a quarter; `physics.queueing.errors` holds what was measured. Waits are infinite
    and `stable` is False when ρ ≥ 1.

    Source: Pollaczek 1930 and Khinchine 1932 as in Kleinrock, L., *Queueing Systems*, vol. 1, 1975,
    eq. 5.63; Allen, A. O., *Probability, Statistics, and Queueing Theory*, 2nd ed., 1990, chapter
    5, the Allen–Cunneen formula for G/G/c.

    >>> # M/D/1 waits half as long as M/M/1
    >>> mgc(arrival_rate=0.5, service_time=1.0, service_scv=0.0).mean_wait
    0.5
    >>> mgc(3.8, 1.0, servers=4, service_scv=4.0).method
    'Allen–Cunneen approximation'
    """
    method = ALLEN
    if arrival_scv == service_scv == 1:
        method = MARKOV
    elif arrival_scv == servers == 1:
        method = POLLACZEK
    load = arrival_rate * service_time
    variability = service_scv / 2 + arrival_scv / 2
    utilization = load / servers
    chance = 1.0
    wait = math.inf
    stable = not full(utilization)
    if stable:
        # Constant gaps and constant services never collide.
        chance = waiting_chance(servers, load) if variability > 0 else 0.0
        wait = chance * service_time / (servers - load) * variability
    return SteadyState(
        utilization=utilization if stable else max(utilization, 1.0),
        prob_wait=chance,
        mean_wait=wait,
        mean_response=wait + service_time,
        mean_in_queue=arrival_rate * wait,
        mean_in_system=arrival_rate * wait + load,
        stable=stable,
        servers=servers,
        service_time=service_time,
        method=method,
    )


@elementwise
def highest_utilization(
    target_wait: Positive,
    service_time: Positive,
    servers: LimitedCount = 1,
    service_scv: NonNegative = 1.0,
) -> float:
    """Highest utilization ρ at which the mean wait meets a target [1].

    The inverse of `mgc` with Poisson arrivals. For one server it is T / (T + S (1 + SCV) / 2), T
    the mean wait wanted [s]; for more, `mgc` is solved on a logit scale, where ρ is found to 1e-12
    at both ends. It is above 0 and below 1; a target beyond what floating point can tell from ρ = 1
    gives the largest ρ that still counts as stable.

    >>> [round(highest_utilization(1800.0, 3600.0, c), 3) for c in (1, 4, 8, 128)]
    [0.333, 0.747, 0.854, 0.987]
    """
    scale = service_time * (1 + service_scv) / 2
    if servers == 1:
        return min(target_wait / (target_wait + scale), 1 - 2 * ROUNDING)
    goal = math.log(target_wait) - math.log(scale)

    def excess(logit: float) -> float:
        """Logarithm of the mean wait at a load, relative to the target."""
        load = servers / (1 + math.exp(-logit))
        return math.log(max(waiting_chance(servers, load) / (servers - load), 5e-324)) - goal

    # C ≤ ρ, so the load must be at least that of one server c times as fast; from there up in
    # growing steps.
    steepest = -math.log(2 * ROUNDING)
    low = high = min(math.log(servers) + goal, steepest)
    step = 1.0
    while high < steepest and excess(high) < 0:
        low = high
        high = min(high + step, steepest)
        step = 2 * step
    return 1 / (1 + math.exp(-rising_root(excess, max(low, -700.0), max(high, -700.0))))
