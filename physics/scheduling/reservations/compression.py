"""Efficient search for reservations that can move up after an early end.

A sweep takes the waiting jobs in queue order and moves each to its earliest free start; the job's
own reservation counts as free. Most of that search can be left out without changing the result:

- A job is *settled* when no start before its own is free: it has just got its reservation, or has
  had its turn in a sweep.
- Since then two kinds of changes have happened. Reserved GPUs can make no start free. GPUs that
  became free during some stretch of time, a *gap*, can. A start that is free now and was not when
  the job was settled needs a moment at which too few GPUs were free for the job then, and a later
  gap that made them enough. A gap changes nothing for widths that were not short of GPUs in it.
- A free start lies in a run: a longest stretch of moments with enough GPUs. The run's beginning is
  then free as well. So the earliest free start is the beginning of a run that overlaps such a gap.
- The run is as long as the job, or it reaches up to the job's present start. In the second case the
  moment before the present start was short of GPUs when the job was settled, so a gap ends at or
  after that start: the job is *loose*.

So a job's turn checks the gaps since its last turn whose runs may be long enough and, if the job is
loose, the run that ends at its start. Most jobs have neither. After one round of the queue, every
job has seen a gap.
"""

import math
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from physics.scheduling.machine import Machine
from physics.scheduling.reservations.profile import PooledProfile

#: Queue length from which the bookkeeping pays.
LONG = 48
#: Steps beyond a gap after which its run counts as endless: a run's length need only be an upper
#: bound.
FAR = 24
#: Sweeps after which the widths, shortest lengths and latest starts of waiting jobs are collected
#: anew.
RELEARN = 16


@dataclass(slots=True)
class Gap:
    """Stretch of time in which GPUs became free, for jobs of one width."""

    begin: float  #: start of the stretch [s]
    end: float  #: end of the stretch [s]
    longest: float  #: no run that overlaps the gap has room for a longer job [s]
    turn: int  #: turn at which it arose


@dataclass(slots=True)
class Width:
    """Data about the waiting jobs of one width."""

    gaps: list[Gap] = field(default_factory=list)  #: oldest first
    longest: float = -math.inf  #: at least the `longest` of any gap [s]
    shortest: float = math.inf  #: no job is shorter [s]
    latest: float = -math.inf  #: no reservation starts later [s]


class Compressor:
    """Gaps in one pool of GPUs, and the jobs that can move up into them.

    Jobs are numbered in queue order.

    Args:
        profile: Free GPUs beside all reservations.
        machine: With reserved GPUs, or a longest wait, gaps are not tracked.
        due: Reservations, sorted: start [s] and job.
    """

    def __init__(
        self, profile: PooledProfile, machine: Machine, due: list[tuple[float, int]]
    ) -> None:
        self.profile = profile
        self.gpus = machine.gpus
        self.planned = machine.planned
        self.due = due
        self.can_track = len(machine.room.spare) == 1 and machine.policy.max_wait is None
        self.by_width: dict[int, Width] = defaultdict(Width)
        self.widths: list[int] = []  #: those of waiting jobs, rising
        self.loose: set[int] = set()
        self.sweeps = 0  #: sweeps so far
        self.lap = len(self.gpus) + 1  #: turns of one sweep
        self.turn = 0  #: first turn of the present sweep, counted from the first sweep on
        self.is_tracking = False  #: whether all gaps since each job's last turn are recorded

    def sweep(self, length: int) -> bool:
        """Begin a sweep through a queue; return whether the gaps tell which jobs may move up.

        Args:
            length: Jobs in the queue [1].
        """
        self.sweeps += 1
        self.turn = self.sweeps * self.lap
        was_tracking = self.is_tracking
        self.is_tracking = self.can_track and length >= (LONG // 2 if was_tracking else LONG)
        if not self.is_tracking:
            self.by_width.clear()
            self.widths.clear()
            self.loose.clear()
        elif not was_tracking or self.sweeps % RELEARN == 0:
            self.learn()
        return was_tracking and self.is_tracking

    def learn(self) -> None:
        """Collect the widths, lengths, and starts of all waiting jobs again."""
        self.widths.clear()
        for jobs_of_width in self.by_width.values():
            jobs_of_width.shortest = math.inf
            jobs_of_width.latest = -math.inf
        for start, job in self.due:
            self.record(job, start)

    def record(self, job: int, start: float) -> None:
        """Record the width, planned length, and reserved start of a waiting job."""
        width = self.gpus[job]
        length = self.planned[job]
        jobs_of_width = self.by_width[width]
        if jobs_of_width.shortest == math.inf:
            insort(self.widths, width)
        jobs_of_width.shortest = min(jobs_of_width.shortest, length)
        jobs_of_width.latest = max(jobs_of_width.latest, start)

    def movable(self, queue: Iterable[int]) -> Iterator[int]:
        """Yield the jobs of a queue that may move up, each checked only when it is reached."""
        by_width = self.by_width
        loose = self.loose
        gpus = self.gpus
        planned = self.planned
        for job in queue:
            if job in loose or planned[job] <= by_width[gpus[job]].longest:
                yield job

    def find_start(self, job: int, start: float, now: float) -> float:
        """Earliest start to which a job may move up; its current start if there is none."""
        width = self.gpus[job]
        length = self.planned[job]
        earliest = start
        if job in self.loose:
            self.loose.remove(job)
            earliest = self.slide_back(width, start)
        if length <= self.by_width[width].longest and earliest > now:
            earliest = self.search_gaps(self.by_width[width], job, width, length, earliest)
        return earliest

    def slide_back(self, width: int, start: float) -> float:
        """Earliest start from which enough GPUs stay free up to `start`; else `start`."""
        free = self.profile.free
        index = bisect_left(self.profile.times, start)
        while index and free[index - 1] >= width:
            index -= 1
        return min(start, self.profile.times[index])

    def search_gaps(
        self, jobs_of_width: Width, job: int, width: int, length: float, earliest: float
    ) -> float:
        """Earliest start before `earliest` of a run that overlaps a gap and has room for the job.

        Without one, `earliest`.
        """
        gaps = jobs_of_width.gaps
        last_turn = self.turn + 1 + job - self.lap  # of this job, in the sweep before
        longest = -math.inf
        while gaps and gaps[0].turn < last_turn:
            del gaps[0]
        for gap in gaps:
            if gap.longest >= length and gap.begin < earliest:
                earliest = self.search_gap(gap, width, length, earliest)
            if gap.longest > longest:
                longest = gap.longest
        if longest < jobs_of_width.shortest:
            gaps.clear()
            longest = -math.inf
        jobs_of_width.longest = longest
        return earliest

    def search_gap(self, gap: Gap, width: int, length: float, earliest: float) -> float:
        """Earliest start before `earliest` of a run that overlaps one gap and has room for the job.

        Without one, `earliest`; the gap's `longest` is then updated.
        """
        times = self.profile.times
        free = self.profile.free
        count = len(times)
        longest = -math.inf
        index = max(0, bisect_right(times, gap.begin) - 1)
        while index and free[index] >= width and free[index - 1] >= width:
            index -= 1
        while index < count and times[index] < gap.end:
            if free[index] < width:
                index += 1
                continue
            begin = times[index]
            if begin >= earliest:
                return earliest
            while index < count and free[index] >= width:
                index += 1
            end = times[index] if index < count else math.inf
            if begin + length <= end:
                return begin
            longest = max(longest, end - begin + rounding(end))
        gap.longest = longest
        return earliest

    def add_gap(self, begin: float, end: float, gpus: int, job: int = -1) -> None:
        """Record GPUs that became free from begin to end, so that reservations may move up.

        Args:
            job: Job whose turn it is, −1 before the first one's.
        """
        due = self.due
        times = self.profile.times
        free = self.profile.free
        if not self.is_tracking or begin >= end:
            return
        index = bisect_right(due, (begin, math.inf))
        count = len(due)
        while index < count and due[index][0] <= end:
            self.loose.add(due[index][1])
            index += 1
        first = bisect_right(times, begin) - 1
        last = bisect_left(times, end)
        inside = free[first:last]
        narrowest = bisect_right(self.widths, min(inside) - gpus)
        widest = bisect_right(self.widths, max(inside))
        count = len(free)
        slack = rounding(times[-1])
        lowest = max(0, first - FAR)
        highest = min(count - 1, last + FAR)
        for width in reversed(self.widths[narrowest:widest]):
            jobs_of_width = self.by_width[width]
            while first > lowest and free[first - 1] >= width:
                first -= 1
            while last <= highest and free[last] >= width:
                last += 1
            endless = last > highest or (first == lowest and first and free[first - 1] >= width)
            longest = math.inf
            if not endless:
                longest = times[last] - times[first] + slack
            if longest >= jobs_of_width.shortest and begin < jobs_of_width.latest:
                jobs_of_width.gaps.append(Gap(begin, end, longest, self.turn + 1 + job))
                if longest > jobs_of_width.longest:
                    jobs_of_width.longest = longest


def rounding(time: float) -> float:
    """Bound on the rounding error in begin + length ≤ end for times up to this one."""
    return 2 * math.ulp(time)
