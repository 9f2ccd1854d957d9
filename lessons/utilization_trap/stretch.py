"""Utilization trap: one simulated stretch of time, shown next to the curve.

Common random numbers: job n is as long at every setting, and the gap before it is the same chance,
stretched or shrunk by the load. The stretch begins when the same job arrives, so what is seen at a
moment of it can be compared. GPUs that are bought change no arrival at all.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import heapreplace

import numpy as np

from physics.films import in_lanes
from physics.queueing import simulate_queue

#: Chosen among 15,000 so that the mean line of the 24 h is within 6% of the long run's at 76, 80,
#: 85 and 95% and with 256 GPUs bought, and that the line grows in it.
SEED = 5204
#: Length of the stretch in mean job lengths; with many servers fewer, so that it stays light.
DAY = 24.0
MOST = 480
#: Jobs that have come before, at least, and the number of the first job of the stretch.
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
        come, start = np.clip([self.arrival, self.start], 0, self.length)
        return np.stack([come, start])[:, start > come]

    @property
    def line(self) -> np.ndarray:
        """Number of waiting jobs at each time step of the stretch."""
        return self._number(self.arrival, self.start)

    @property
    def waiting(self) -> float:
        """Mean number of waiting jobs in the stretch."""
        return float(self.line.mean())

    @property
    def free(self) -> float:
        """Share of the stretch in which at least one server is free [1]."""
        return float((self._number(self.start, self.end) < self.servers).mean())

    def _number(self, since: np.ndarray, until: np.ndarray) -> np.ndarray:
        begun, ended = (
            np.bincount(times.clip(0, self.length), minlength=self.length + 1)
            for times in (since, until)
        )
        return np.cumsum(begun - ended)[:-1]

    @cached_property
    def lanes(self) -> list[int]:
        """Server index of each job of the stretch, lowest free server first.

        -1 for jobs that only wait.
        """
        return in_lanes(self.start, self.end, self.servers, self.length).tolist()


def _overloaded(
    rate: float,
    servers: int,
    scv: float,
    first: int,
    gaps: np.ndarray,
    lengths: np.random.Generator,
) -> np.ndarray:
    """Arrival, start and end of jobs of which the first ask for exactly the fleet, and only those
    after them for more.

    So the stretch begins as that of a fleet which is just full, with a line at least as long as
    at any lower load, and not with an empty fleet.
    """
    rates = np.full(len(gaps), rate)
    rates[: first + 1] = servers
    arrivals = np.cumsum(gaps / rates)
    works = np.ones(len(gaps))
    if scv:
        works = lengths.gamma(1 / scv, scv, len(gaps))
    free = [0.0] * servers
    starts = []
    for arrival, work in zip(arrivals.tolist(), works.tolist(), strict=True):
        start = max(arrival, free[0])
        heapreplace(free, start + work)
        starts.append(start)
    return np.column_stack([arrivals, starts, starts + works])


@lru_cache(maxsize=256)
def stretch_of(
    utilization: float, before: int, servers: int, scv: float, length: float = 0.0
) -> Stretch:
    """Simulate a stretch, given the servers before and after a purchase."""
    length = length or min(DAY, MOST / before)
    first = max(BEFORE, 12 * before)
    jobs = first + int(1.5 * length * before) + 30
    rate = utilization * before
    gaps, lengths = (np.random.default_rng([SEED, stream]) for stream in (0, 1))
    if rate < servers:
        records = simulate_queue(rate, 1.0, servers, scv, jobs, gaps, lengths).to_numpy()
    else:
        records = _overloaded(rate, servers, scv, first, gaps.exponential(size=jobs), lengths)
    times = np.round(100 * (records - records[first, 0])).astype(int).T
    whole = round(100 * length)
    shown = (times[2] > 0) & (times[0] < whole) & (times[2] > times[1])
    return Stretch(np.flatnonzero(shown) - first + NUMBER, *times[:, shown], whole, servers)
