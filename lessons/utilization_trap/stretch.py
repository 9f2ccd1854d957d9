"""Utilization trap: one simulated stretch of time, shown next to the curve.

All settings share their random numbers: job n always has the same length, and the load only scales
the gap before it. The stretch begins when a certain job arrives, so two settings can be compared at
any time in it. A purchase changes no arrival.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import heapreplace

import numpy as np

from physics.films import in_lanes
from physics.queueing import simulate_queue

#: Chosen among 15,000 seeds: the queue grows, and its mean over 24 h is within 6% of the long run's
#: at 76, 80, 85, and 95%, and with 256 more GPUs.
SEED = 5204
#: Longest stretch in mean job lengths, and the most jobs that busy servers finish in a stretch.
DAY = 24.0
MAX_JOBS = 480
#: Fewest jobs before the stretch, and the number of its first job.
BEFORE = 1500
NUMBER = 100


@dataclass(frozen=True, eq=False)
class Stretch:
    """Jobs that wait or run in a stretch of time.

    Times count from its start, in hundredths of the mean job length.
    """

    number: np.ndarray  #: the same for the same job at every setting
    arrival: np.ndarray
    start: np.ndarray
    end: np.ndarray
    length: int
    servers: int

    @property
    def waits(self) -> np.ndarray:
        """Start and end of each wait, as two rows, in hundredths of the mean job length."""
        arrival, start = np.clip([self.arrival, self.start], 0, self.length)
        return np.stack([arrival, start])[:, start > arrival]

    @property
    def line(self) -> np.ndarray:
        """Number of waiting jobs at each time step of the stretch."""
        return self._jobs_between(self.arrival, self.start)

    @property
    def waiting(self) -> float:
        """Mean number of waiting jobs in the stretch."""
        return float(self.line.mean())

    @property
    def free(self) -> float:
        """Share of the stretch in which at least one server is free [1]."""
        return float((self._jobs_between(self.start, self.end) < self.servers).mean())

    def _jobs_between(self, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """Number of jobs that have started but not stopped at each time step of the stretch."""
        started, stopped = (
            np.bincount(times.clip(0, self.length), minlength=self.length + 1)
            for times in (starts, stops)
        )
        return np.cumsum(started - stopped)[:-1]

    @cached_property
    def lanes(self) -> list[int]:
        """Server of each job, the lowest free one first; -1 if the job only waits."""
        return in_lanes(self.start, self.end, self.servers, self.length).tolist()


def _overloaded(
    rate: float, servers: int, scv: float, first: int, gaps: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Arrival, start, and end of jobs on an overloaded fleet, in mean job lengths.

    `rate` counts arrivals per mean job length, `gaps` are exponential with mean 1, and `rng` draws
    the lengths. The jobs up to number `first` arrive as fast as the fleet can serve them. So the
    stretch begins with a fleet that is just full, and its queue is at least as long as at any lower
    load.
    """
    rates = np.full(len(gaps), rate)
    rates[: first + 1] = servers
    arrivals = np.cumsum(gaps / rates)
    lengths = np.ones(len(gaps))
    if scv:
        lengths = rng.gamma(1 / scv, scv, len(gaps))
    free_times = [0.0] * servers  # a heap
    starts = []
    for arrival, length in zip(arrivals.tolist(), lengths.tolist(), strict=True):
        start = max(arrival, free_times[0])
        heapreplace(free_times, start + length)
        starts.append(start)
    return np.column_stack([arrivals, starts, starts + lengths])


@lru_cache(maxsize=256)
def stretch_of(
    utilization: float, before: int, servers: int, scv: float, length: float = 0.0
) -> Stretch:
    """Simulate a stretch, given the servers before and after a purchase.

    The length in mean job lengths is by default that of the stretch next to the curve.
    """
    length = length or min(DAY, MAX_JOBS / before)
    first = max(BEFORE, 12 * before)
    jobs = first + int(1.5 * length * before) + 30
    rate = utilization * before
    gap_rng, length_rng = (np.random.default_rng([SEED, stream]) for stream in (0, 1))
    if rate < servers:
        records = simulate_queue(rate, 1.0, servers, scv, jobs, gap_rng, length_rng).to_numpy()
    else:
        gaps = gap_rng.exponential(size=jobs)
        records = _overloaded(rate, servers, scv, first, gaps, length_rng)
    times = np.round(100 * (records - records[first, 0])).astype(int).T
    arrival, start, end = times
    ticks = round(100 * length)
    inside = (end > 0) & (arrival < ticks) & (end > start)
    return Stretch(np.flatnonzero(inside) - first + NUMBER, *times[:, inside], ticks, servers)
