"""Utilization trap: one simulated stretch of the fleet, to stand beside the curve, and the animation of two job sizes.

Common random numbers: job n is as long at every setting, and the gap before it is the same chance, stretched or shrunk
by the load. The stretch begins when the same job arrives, so what is seen at a moment of it can be compared. GPUs that
are bought change no arrival at all.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from lessons.utilization_trap.settings import Fleet, say
from physics.films import Film, film
from physics.queueing import simulate_queue
from ui.base import format as f
from ui.films import Kind, Showing

#: Chosen among 15,000 so that the mean line of the 24 h is within 6 % of the long run's at 76, 80, 85 and 95 %
#: and with 256 GPUs bought, and that the line grows in it.
SEED = 5204
#: Length of the stretch in mean job lengths; with many servers fewer, so that it stays light.
DAY, MOST = 24.0, 480
#: Jobs that have come before, at least, and the number of the first job of the stretch.
BEFORE, NUMBER = 1500, 100
#: The moment at which it stands at first, as a share of the stretch.
STANDS = 10 / 24
#: Rows of places where a job is no row of its own.
ROWS = 8
#: What jobs look like in the animation: as in the stretch beside the curve.
COLORS = {"waits": "accent", "runs": "tint"}
#: The animation's length in mean job lengths, and its small jobs side by side.
LONG, COLUMNS = 9.5, 32


@dataclass(frozen=True, eq=False)
class Day:
    """Jobs that wait or run in the stretch; times in whole hundredths of the mean job length since it begins."""

    number: np.ndarray  #: the same for the same job at every setting
    arrival: np.ndarray
    start: np.ndarray
    end: np.ndarray
    length: int
    servers: int

    @property
    def waits(self) -> np.ndarray:
        """From when and until when jobs wait in it: two rows."""
        come, start = np.clip([self.arrival, self.start], 0, self.length)
        return np.stack([come, start])[:, start > come]

    @property
    def line(self) -> np.ndarray:
        """Jobs that wait at each of its moments."""
        return self._number(self.arrival, self.start)

    @property
    def free(self) -> float:
        """Share of it in which a server is free."""
        return float((self._number(self.start, self.end) < self.servers).mean())

    def _number(self, since: np.ndarray, until: np.ndarray) -> np.ndarray:
        begun, ended = (np.bincount(times.clip(0, self.length), minlength=self.length + 1) for times in (since, until))
        return np.cumsum(begun - ended)[:-1]

    @cached_property
    def lanes(self) -> list[int]:
        """The server of each job that runs in it, lowest free one first; -1 for those that only wait."""
        free, found = [-(10**9)] * self.servers, []
        for start, end in zip(self.start.tolist(), self.end.tolist(), strict=True):
            lane = next((one for one, until in enumerate(free) if until <= start), -1) if start < self.length else -1
            if lane >= 0:
                free[lane] = end
            found.append(lane)
        return found


def of(fleet: Fleet, length: float = 0.0) -> Day:
    """The stretch of a fleet, or only so many job lengths of it."""
    before = fleet.servers_before
    return _day(fleet.utilization, before, fleet.servers, fleet.scv, length or min(DAY, MOST / before))


@lru_cache(maxsize=256)
def _day(utilization: float, before: int, servers: int, scv: float, length: float) -> Day:
    first = max(BEFORE, 12 * before)
    jobs, rate = first + int(1.5 * length * before) + 30, utilization * before
    gaps, lengths = (np.random.default_rng([SEED, stream]) for stream in (0, 1))
    if rate >= servers:  # it begins with an empty fleet, and with the same job
        gaps.exponential(size=first)
        if scv:
            lengths.gamma(1 / scv, size=first)
        jobs, first = jobs - first, 0
    records = simulate_queue(rate, 1.0, servers, scv, jobs, gaps, lengths)
    times = np.round(100 * (records.to_numpy() - records["arrival"][first])).astype(int).T
    day = round(100 * length)
    shown = (times[2] > 0) & (times[0] < day) & (times[2] > times[1])
    return Day(np.flatnonzero(shown) - first + NUMBER, *times[:, shown], day, servers)


def sent(fleet: Fleet) -> dict:
    """The stretch as it is sent to the player."""
    day, least = of(fleet), of(replace(fleet, utilization=Fleet().utilization, added=0))  # the message's is a trace
    servers, rows = fleet.servers, fleet.servers <= 2 * ROWS
    each = max(1, fleet.gpus_per_job // 8) if rows else 1
    unit = fleet.job_length / 100
    return {
        "places": servers * each,
        "columns": each if rows else -(-servers // ROWS),
        "tick": unit,
        "end": day.length * unit,
        "each": each,
        "numbers": day.number.tolist() if each > 4 else [],
        "jobs": [day.lanes, *(one.tolist() for one in (day.arrival, day.start, day.end))],
        "ghost": None if day is least else least.waits.tolist(),
        "names": ["waiting", f"at {f.share(Fleet().utilization)}"],
        "top": max(8.0, 1.25 * float(least.line.max())),
        "mark": 9.0 * servers,
        "title": say("day_title", fleet, **told(fleet)),
        "label": say("day", fleet, **told(fleet)),
    }


def told(fleet: Fleet) -> dict[str, str]:
    """How long the stretch is, and how many wait in it on average."""
    shown = of(fleet)
    return {
        "span": f.duration(shown.length * fleet.job_length / 100),
        "waiting": f.significant(float(shown.line.mean())),
    }


@lru_cache(maxsize=16)
def both(large: Fleet, small: Fleet) -> tuple[Film, list[float]]:
    """Both sizes one above the other, and the share of the time in which each has a place free."""
    tick, boxes, waiting, found = large.job_length / 100, [], [], [of(large, LONG), of(small, LONG)]
    places = -(-found[1].servers // COLUMNS) * COLUMNS
    for half, (one, width) in enumerate(zip(found, (COLUMNS, 1), strict=True)):
        for lane, start, until, number in zip(one.lanes, one.start, one.end, one.number, strict=True):
            if lane >= 0:
                first, words = half * places + lane * width, "" if half else f"job {number}"
                boxes.append((first, first + width - 1, start * tick, until * tick, f"runs {half}", words))
        waiting += [(width, come * tick, start * tick, f"waits {half}") for come, start in one.waits.T]
    return film(2 * places, 0.0, LONG * large.job_length, boxes, waiting), [one.free for one in found]


def showing(fleet: Fleet) -> Showing:
    """The animation: the beginning of the stretch with large jobs above, each a row, and with small ones below."""
    large, small = fleet.large_jobs, fleet.small_jobs
    played, shares = both(large, small)
    free = {name: f.share(round(share, 3)) for name, share in zip(("large", "small"), shares, strict=True)}
    return Showing(
        played,
        {f"{does} {half}": Kind(does, tone, half) for half in (0, 1) for does, tone in COLORS.items()},
        say("film" if large.now.stable else "film_overload", fleet, **free),
        alt=say("film_shows", fleet, **free),
        columns=COLUMNS,
        tall=210,
        lines=tuple(f"{one.gpus_per_job}-GPU jobs" for one in (large, small)),
    )
