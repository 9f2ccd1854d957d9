"""Habits of a cluster that no queue order explains: emptied hours, and limits per user."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physics import constants as c
from physics.cluster.happened import WEEKDAYS
from physics.cluster.jobs import Log
from physics.cluster.machine.steps import Steps
from physics.cluster.say import written
from physics.scheduling.policy import Emptied, clock

DAY = float(c.DAY)
QUARTER = 900.0
WEEK = tuple(range(7))
WORKING = WEEK[:5]
WEEKEND = WEEK[5:]
#: An hour counts as emptied if the use past it is below this share of the usual use, and, with its
#: standard error, below the second share.
EMPTY = 0.4
SURELY = 0.5
#: Shares that differ by less count as equally low.
ALIKE = 0.05
#: Fewest days in each half of a log for an emptied hour, and fewest users for a limit.
LEAST_DAYS = 6
LEAST_USERS = 3
#: Shortest time limit that shows an emptied hour, and shortest wait that shows a user's limit [s].
SHORT = 300.0
BRIEF = 60.0
#: Rounding error of sums of sevenths of a GPU.
TINY = 1e-6


@dataclass(frozen=True)
class Habits:
    """Habits of a cluster that show in its log and that no policy explains."""

    emptied: Emptied | None = None  #: hours at which the machine is emptied
    #: use by jobs whose time limits run past these hours ÷ usual use, while jobs wait [1]
    running_past: float = 0.0
    #: most jobs that a user ever runs at once, although more wait and would fit
    user_jobs: int | None = None
    user_gpus: int | None = None  #: most GPUs, likewise
    unit: str = "GPU"  #: what a size counts

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on the habits found."""
        conditions = {
            "emptied": self.emptied and in_words(self.emptied),
            "user_limit_jobs": self.user_jobs,
            "user_limit": self.user_gpus,
        }
        return tuple(written(conditions, past=self.running_past, unit=self.unit))


def in_words(hours: Emptied) -> str:
    """Describe the hours at which the machine is emptied.

    >>> in_words(Emptied((25_200, 57_600))), in_words(Emptied((32_400,), (1,), 7200))
    ('at 7:00 and 16:00 (UTC) on working days', 'from 9:00 to 11:00 (UTC) on Tuesdays')
    """
    names = {WORKING: "on working days", WEEK: "every day"}
    days = (
        names.get(tuple(hours.days)) or f"on {_listed(f'{WEEKDAYS[day]}s' for day in hours.days)}"
    )
    times = [clock(time).removeprefix("0") for time in hours.times]
    if not hours.length:
        return f"at {_listed(times)} (UTC) {days}"
    ends = [clock((time + hours.length) % DAY).removeprefix("0") for time in hours.times]
    stretches = map("from {} to {}".format, times, ends)
    return f"{_listed(stretches)} (UTC) {days}"


def _listed(texts: Iterable[str]) -> str:
    """List of texts with commas and "and"."""
    *others, last = texts
    if others:
        return f"{', '.join(others)}{',' * (len(others) > 1)} and {last}"
    return last


def habits(log: Log, gpus: int) -> Habits:
    """Find habits in a log beyond the policies; none without recorded waits.

    An hour counts as emptied if in both halves of the log, on at least six days while jobs waited,
    fewer than 40% of the GPUs that are usual at other hours were held by jobs that could run on by
    their time limits. A limit of one user is the most jobs, or GPUs, that any user ever had, if in
    both halves three users at least waited mostly for it: with jobs for which enough GPUs were
    free, and with which they would have exceeded it.
    """
    emptied, past = emptied_hours(log)
    jobs = _limit(log, gpus, np.ones(len(log.gpus), np.int64))
    sizes = None
    if jobs is None:
        sizes = _limit(log, gpus, log.gpus)
    return Habits(emptied, past, jobs, sizes, log.unit)


def emptied_hours(log: Log) -> tuple[Emptied | None, float]:
    """Hours at which the machine is emptied, or None, and use during them ÷ usual use [1]."""
    recorded = log.recorded
    long = recorded & (log.estimate > SHORT)
    times = np.arange(np.ceil(log.begin / DAY) * DAY, log.end, QUARTER)
    # Use at a time is by jobs that started before it and whose limits run at least a minute past
    # it, since a log's times may be off.
    ends = log.start + log.estimate - BRIEF
    used = Steps.of(log.start[long] + 0.5, ends[long], log.gpus[long])
    waited = recorded & (log.wait > 2 * BRIEF)
    submit = log.submit[waited]
    queue = Steps.of(submit + BRIEF, log.start[waited] - BRIEF, np.ones(len(submit)))
    slots = pd.DataFrame(
        {
            "late": times >= (log.begin + log.end) / 2,
            "quarter": times % DAY // QUARTER,
            "used": used.heights(times),
            "day": (times // DAY + 3) % 7,
        }
    )[queue.heights(times) > 0]
    low: dict[tuple[int, ...], dict[int, float]] = {WORKING: _low(slots, WORKING)}
    if not low[WORKING]:
        low = {(day,): _low(slots, (day,)) for day in WEEK}
    elif low[WORKING].keys() <= _low(slots, WEEKEND).keys():
        low = {WEEK: low[WORKING]}
    # Days may differ: the hours that most days share are reported.
    alike: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for days, shares in low.items():
        if shares:
            alike.setdefault(tuple(shares), []).append(days)
    if not alike:
        return None, 0.0
    quarters, groups = max(alike.items(), key=lambda item: len(item[1]))
    starts, length = _stretches(list(quarters))
    hours = Emptied(starts, sorted(day for days in groups for day in days), length)
    return hours, max(low[groups[0]].values())


def _low(slots: pd.DataFrame, days: Sequence[int]) -> dict[int, float]:
    """Use ÷ usual use of each quarter hour at which the machine is emptied on some weekdays [1]."""
    used = slots[slots["day"].isin(days)].groupby(["late", "quarter"])["used"]
    number = used.size()
    mean = used.mean()
    error = used.std(ddof=0)
    mean = mean[number >= LEAST_DAYS]
    usual = mean.groupby("late").transform("median")
    surely = mean + 2 * error[mean.index] / np.sqrt(number[mean.index]) < SURELY * usual
    halves = (mean / usual).where(surely).unstack("late")
    if halves.shape[1] < 2:
        return {}
    worst = halves.max(axis=1, skipna=False)
    low = {int(quarter): share for quarter, share in worst[worst < EMPTY].items()}
    # Use falls shortly before an emptied hour, too, so of neighbors only the lowest count.
    lowest = {}
    for run in _runs(sorted(low)):
        least = min(low[quarter] for quarter in run)
        for quarter in run:
            if low[quarter] < least + ALIKE:
                lowest[quarter] = low[quarter]
    return lowest


def _runs(quarters: list[int]) -> list[list[int]]:
    """Groups of quarters that follow each other.

    >>> _runs([3, 4, 9])
    [[3, 4], [9]]
    """
    runs: list[list[int]] = []
    for quarter in quarters:
        if runs and runs[-1][-1] == quarter - 1:
            runs[-1].append(quarter)
        else:
            runs.append([quarter])
    return runs


def _stretches(quarters: list[int]) -> tuple[list[float], float]:
    """Starts of stretches of quarters, and the length of the shortest one, 0 for a quarter [s]."""
    runs = _runs(quarters)
    length = min(run[-1] - run[0] for run in runs)
    return [QUARTER * run[0] for run in runs], QUARTER * length


def _limit(log: Log, gpus: int, weights: np.ndarray) -> int | None:
    """Most weight (jobs or GPUs) that a user ever had at once, if it is a limit; None if not."""
    jobs = log.recorded & (log.user != "")
    if not jobs.any():
        return None
    codes = pd.factorize(log.user[jobs])[0]
    start = log.start[jobs]
    weight = weights[jobs]
    end = start + log.runtime[jobs]
    width = log.gpus[jobs]
    wait = log.wait[jobs]
    # All users share one axis of time, on which their stretches follow each other.
    line = codes * 4.0 * (log.end - log.submit[0] + 1.0) - log.submit[0]
    middle = start - wait / 2
    steps = Steps.of(line + start, line + end, weight)
    most = math.ceil(steps.height.max())
    used = steps.heights(line + middle)
    busy = Steps.of(start, end, width).heights(middle)
    fits = (wait > BRIEF) & (width <= gpus - busy + TINY)
    late = middle >= (log.begin + log.end) / 2
    for half in (fits & ~late, fits & late):
        waited = np.bincount(codes[half], wait[half])
        at_limit = np.bincount(codes[half], (wait * (used + weight > most))[half])
        if np.count_nonzero(at_limit > waited / 2) < LEAST_USERS:
            return None
    return most
