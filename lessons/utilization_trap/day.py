"""Utilization trap: one simulated day of the fleet, the same at every setting, to stand beside the curve.

Common random numbers: job n is as long at every setting, and the gap before it is the same chance, stretched or shrunk
by the load. The day begins when the same job arrives, so what is seen at a moment of it can be compared. GPUs that are
bought change no arrival at all.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from lessons.utilization_trap.settings import Fleet, say
from physics.queueing import simulate_queue
from ui.base import format as f
from ui.base.device import on_phone
from ui.charts import Look

#: Chosen among 15,000 so that the mean line of the day is within 6 % of the long run's at 76, 80, 85 and 95 %
#: and with 256 GPUs bought, and that the line grows in it.
SEED = 5204
#: Length of the day in mean job lengths; with many servers fewer, so that it stays light.
DAY, MOST = 24.0, 480
#: Jobs that have come before, at least, and the number of the first job of the day.
BEFORE, NUMBER = 1500, 100
#: The moment at which it stands at first, as a share of the day.
STANDS = 10 / 24
#: Rows of places where a job is no row of its own.
ROWS = 8


@dataclass(frozen=True, eq=False)
class Day:
    """Jobs that wait or run on the day; times in whole hundredths of the mean job length since it begins."""

    number: np.ndarray  #: the same for the same job at every setting
    arrival: np.ndarray
    start: np.ndarray
    end: np.ndarray
    length: int
    servers: int

    @property
    def waiting(self) -> float:
        """Mean number that waits on the day."""
        come, start = self.waits
        return float((start - come).sum() / self.length)

    @property
    def waits(self) -> np.ndarray:
        """From when and until when jobs wait on the day: two rows."""
        come, start = np.clip([self.arrival, self.start], 0, self.length)
        return np.stack([come, start])[:, start > come]

    @property
    def highest(self) -> int:
        """Longest line of the day."""
        return int(_over_time(*self.waits)[1].max(initial=0))

    @property
    def free(self) -> float:
        """Share of the day on which a server is free."""
        times, busy = _over_time(*np.clip([self.start, self.end], 0, self.length))
        return 1 - float(np.diff(times)[busy[:-1] == self.servers].sum() / self.length)

    @cached_property
    def lanes(self) -> list[int]:
        """The server of each job that runs on the day, lowest free one first; -1 for those that only wait."""
        free = [-(10**9)] * self.servers
        found = []
        for start, end in zip(self.start.tolist(), self.end.tolist(), strict=True):
            lane = next((one for one, until in enumerate(free) if until <= start), -1) if start < self.length else -1
            if lane >= 0:
                free[lane] = end
            found.append(lane)
        return found


def _over_time(since: np.ndarray, until: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return when a number of jobs changes, and the number from each of these times on."""
    times, steps = np.concatenate([since, until]), np.repeat([1, -1], len(since))
    order = np.lexsort((steps, times))
    return times[order], np.cumsum(steps[order])


def of(fleet: Fleet, pieces: int = 1, length: float = 0.0) -> Day:
    """The day of a fleet whose jobs are cut into so many pieces each, or only so many job lengths of it."""
    before = fleet.servers_before * pieces
    return _day(fleet.utilization, before, fleet.servers * pieces, fleet.scv, length or min(DAY, MOST / before))


@lru_cache(maxsize=256)
def _day(utilization: float, before: int, servers: int, scv: float, length: float) -> Day:
    first = max(BEFORE, 12 * before)
    jobs, rate = first + int(1.5 * length * before) + 30, utilization * before
    gaps, lengths = (np.random.default_rng([SEED, stream]) for stream in (0, 1))
    stable = rate < servers
    if not stable:  # the day begins with an empty fleet, and with the same job
        gaps.exponential(size=first)
        if scv:
            lengths.gamma(1 / scv, size=first)
        jobs, first = jobs - first, 0
    records = simulate_queue(rate, 1.0, servers, scv, jobs, gaps, lengths)
    times = np.round(100 * (records.to_numpy() - records["arrival"][first])).astype(int).T
    day = round(100 * length)
    shown = (times[2] > 0) & (times[0] < day) & (times[2] > times[1])
    return Day(np.flatnonzero(shown) - first + NUMBER, *times[:, shown], day, servers)


def sent(fleet: Fleet, look: Look) -> dict:
    """The day as it is sent to the player."""
    day, least = of(fleet), of(replace(fleet, utilization=Fleet().utilization, added=0))  # the message's is a trace
    servers, rows = fleet.servers, fleet.servers <= 2 * ROWS
    each = max(1, fleet.gpus_per_job // 8) if rows else 1
    unit = fleet.job_length / 100
    return {
        "places": servers * each,
        "columns": each if rows else -(-servers // ROWS),
        "tall": (84 if on_phone() else 104) * (1.2 if look.present else 1),
        "tick": unit,
        "end": day.length * unit,
        "unit": 3600.0,
        "unitName": "h",
        "digits": 1,
        "each": each,
        "numbers": day.number.tolist() if each > 4 else [],
        "jobs": [day.lanes, day.arrival.tolist(), day.start.tolist(), day.end.tolist()],
        "ghost": None if day is least else least.waits.tolist(),
        "names": ["waiting", f"at {f.share(Fleet().utilization)}"],
        "colors": [look.accent, look.quiet],
        "top": max(8.0, 1.25 * least.highest),
        "mark": 9.0 * servers,
        "kinds": [["", look.accent], ["", look.tint]],
        "inks": [look.paper, look.ink],
        "faint": look.faint,
        "title": "One chosen day, the same jobs at every setting",
        "label": say("day", fleet, waiting=f.significant(day.waiting)),
    }
