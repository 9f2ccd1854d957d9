"""An elastic job that grows and shrinks with a varying price, and a band within which it stays."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from physics.arguments import NonNegative, Positive, Series, Share, count, positive, within_range
from physics.checkpointing.elastic import marginal_speedup
from physics.speedup import speedup

_ROUNDING = 1e-12  # as in `physics.checkpointing.elastic`
_MOST_WORKERS = 100_000


@dataclass(frozen=True)
class ElasticRun:
    """An elastic job on a path of prices; money in time that one worker's speed is worth as much."""

    workers: np.ndarray  #: n at each tick [1]
    resizes: int  #: how often n changed
    work: float  #: done, in time of one worker; none during a restart [s]
    cost: float  #: paid for all workers, restarts included [s]

    @property
    def gain(self) -> float:
        """Worth of the work minus its cost [s]."""
        return self.work - self.cost


@within_range
def elastic_run(
    prices: Series,
    serial: float,
    gradient_size: float = 0.0,
    bandwidth: float = 1e9,
    latency: float = 0.0,
    step_time: float = 1.0,
    *,
    band: Share = 0.0,
    restart: NonNegative = 0.0,
    tick: Positive = 1.0,
    limit: int = 128,
) -> ElasticRun:
    """Workers, work and cost of a job that follows a path of prices and does not resize within a band [1, s].

    Args:
        prices: c at each tick, as in `workers_worth` [1].
        serial, gradient_size, bandwidth, latency, step_time: As in `speedup`.
        band: b: the job grows while the next worker brings more than c (1 + b), and shrinks while its last one brings
            less than c (1 − b), or just as much [1].
        restart: Time after a resize in which no work is done, but all workers are paid; a resize meanwhile begins it
            anew [s].
        tick: Time for which a price holds [s].
        limit: Most workers.

    The run begins with `workers_worth` at the first price. n moves to the nearest end of the range between the two
    thresholds, and no further; with b = 0 it follows `workers_worth` at every tick.

    Source: Dixit, "Entry and exit decisions under uncertainty", Journal of Political Economy 97(3), 1989: where a
    change costs, the best rule has a band in which nothing is done.

    >>> prices = [0.5, 0.45, 0.55, 0.45, 0.55]
    >>> [elastic_run(prices, serial=0.05, band=band).resizes for band in (0.0, 0.2)]
    [4, 0]
    """
    network = (serial, gradient_size, bandwidth, latency, step_time)
    positive("speed of one worker", speedup(1, *network))  # refuses nonsense before it is looked up
    speeds, margins = _speeds(tuple(map(float, network)), count("limit", limit, most=_MOST_WORKERS))

    def worth(share: float) -> list[int]:
        return [int((margins > level).sum()) for level in (prices * share * (1 + _ROUNDING)).tolist()]

    n, pause, work, workers = worth(1.0)[0], 0.0, 0.0, []
    for least, greatest in zip(worth(1 + band), worth(1 - band), strict=True):
        before, n = n, min(max(n, least), greatest)
        pause = pause if n == before else restart
        work += speeds[n] * (tick - min(pause, tick))
        pause -= min(pause, tick)
        workers.append(n)
    found = np.array(workers)
    cost = tick * float((prices * found).sum())
    if not math.isfinite(work + cost):
        raise OverflowError("work or cost")
    return ElasticRun(found, int((np.diff(found) != 0).sum()), work, cost)


@lru_cache(maxsize=8)
def _speeds(network: tuple[float, ...], limit: int) -> tuple[tuple[float, ...], np.ndarray]:
    """Speed of 0, 1, … workers, and what each adds: the same on every prices of prices."""
    ranks = range(1, limit + 1)
    speeds = (0.0, *(speedup(n, *network) for n in ranks))
    return speeds, np.array([marginal_speedup(n, *network) for n in ranks])
