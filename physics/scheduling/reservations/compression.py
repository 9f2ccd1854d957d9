"""Efficient search for reservations that can move up after an early end.

A sweep takes the waiting jobs in queue order and lets each move to the earliest start that is free,
its own place counted as free. Most of that search can be left out, and nothing changes:

- A job is *settled* when no start before its own is free: it has just got its reservation, or had
its turn in a sweep.
- From then on the plan changes by GPUs that are taken, which can make no start free, and by GPUs
that become free
  during some stretch of time, a *gap*. A start that is free now and was not when the job was
  settled needs a moment at which too few GPUs were free for the job then. At such a moment a gap
  made enough of what had been too few, later than the job's last turn: widths that were not short
  of GPUs in a gap have gained nothing by it.
- A start that is free lies in a run, a longest stretch of moments with enough GPUs, and so is the
run's beginning. The
  earliest free start therefore is the beginning of a run that meets such a gap.
- The run is as long as the job, or it reaches up to the job's present start. In the second case the
moment before the
  present start was short of GPUs when the job was settled, so that a gap ends at or after it: the
  job is *loose*.

So at its turn a job looks at gaps no older than its last turn whose run it may be short enough for
and, if it is loose, at the run that ends at its start. Most jobs have neither. After one round of
the queue a gap has been seen by all.
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
#: Steps walked from a gap before its run is taken for endless: the length of a run need only be an
#: upper bound.
FAR = 24
#: Sweeps after which the widths, shortest lengths and latest starts of waiting jobs are learned
#: anew.
RELEARN = 16


@dataclass(slots=True)
class Gap:
    """Stretch of time in which GPUs became free, for jobs of one width."""

    begin: float
    end: float
    longest: float  # no run that meets the gap holds a longer job [s]
    born: int  # turn at which it was opened


@dataclass(slots=True)
class Width:
    """Data about the waiting jobs of one width."""

    gaps: list[Gap] = field(default_factory=list)  # by age
    longest: float = -math.inf  # at least the `longest` of any gap [s]
    shortest: float = math.inf  # no job is shorter [s]
    latest: float = -math.inf  # none starts later


class Compressor:
    """Gaps in one pool of GPUs, and the jobs that can move up into them.

    Jobs are numbered in queue order.

    Args:
        profile: Free GPUs, all reservations laid.
        machine: With several pools of GPUs, or a longest wait, nothing is known of any gap.
        due: Reservations, sorted: start [s] and job.
    """

    def __init__(
        self, profile: PooledProfile, machine: Machine, due: list[tuple[float, int]]
    ) -> None:
        self.profile = profile
        self.gpus = machine.gpus
        self.planned = machine.planned
        self.due = due
        self.usable = len(machine.room.spare) == 1 and machine.policy.max_wait is None
        self.by_width: dict[int, Width] = defaultdict(Width)
        self.widths: list[int] = []  #: those of waiting jobs, rising
        self.loose: set[int] = set()
        self.sweeps = 0
        self.lap = len(self.gpus) + 1
        self.turn = 0  #: counted on from sweep to sweep
        self.kept = False  #: whether the gaps since every job's last turn are known

    def sweep(self, length: int) -> bool:
        """Begin a sweep through a queue of some length.

        Return whether known gaps determine the movable jobs.
        """
        self.sweeps += 1
        self.turn = self.sweeps * self.lap
        before = self.kept
        self.kept = self.usable and length >= (LONG // 2 if before else LONG)
        if not self.kept:
            self.by_width.clear()
            self.widths.clear()
            self.loose.clear()
        elif not before or self.sweeps % RELEARN == 0:
            self.learn()
        return before and self.kept

    def learn(self) -> None:
        """Collect the widths, lengths, and starts of all waiting jobs again."""
        self.widths.clear()
        for width_data in self.by_width.values():
            width_data.shortest = math.inf
            width_data.latest = -math.inf
        for start, job in self.due:
            self.note(job, start)

    def note(self, job: int, start: float) -> None:
        """Record the width, planned length, and reserved start of a waiting job."""
        width = self.gpus[job]
        length = self.planned[job]
        width_data = self.by_width[width]
        if width_data.shortest == math.inf:
            insort(self.widths, width)
        width_data.shortest = min(width_data.shortest, length)
        width_data.latest = max(width_data.latest, start)

    def movable(self, queue: Iterable[int]) -> Iterator[int]:
        """Yield the jobs of a queue that may move up, each checked only when it is reached."""
        by_width = self.by_width
        loose = self.loose
        gpus = self.gpus
        planned = self.planned
        for job in queue:
            if job in loose or planned[job] <= by_width[gpus[job]].longest:
                yield job

    def find(self, job: int, start: float, now: float) -> float:
        """Earliest start to which a job may move up; its current start if there is none."""
        width = self.gpus[job]
        length = self.planned[job]
        earliest = start
        if job in self.loose:
            self.loose.remove(job)
            earliest = self.slide(width, start)
        if length <= self.by_width[width].longest and earliest > now:
            earliest = self.jump(self.by_width[width], job, width, length, earliest)
        return earliest

    def slide(self, width: int, start: float) -> float:
        """Earliest start from which enough GPUs stay free up to `start`; else `start`."""
        free = self.profile.free
        index = bisect_left(self.profile.times, start)
        while index and free[index - 1] >= width:
            index -= 1
        return min(start, self.profile.times[index])

    def jump(
        self, width_data: Width, job: int, width: int, length: float, earliest: float
    ) -> float:
        """Earliest start before `earliest` of a long enough run of free GPUs that overlaps a gap;
        otherwise `earliest`.
        """
        gaps = width_data.gaps
        oldest = self.turn + 1 + job - self.lap
        longest = -math.inf
        while gaps and gaps[0].born < oldest:
            del gaps[0]
        for gap in gaps:
            if gap.longest >= length and gap.begin < earliest:
                earliest = self.look(gap, width, length, earliest)
            if gap.longest > longest:
                longest = gap.longest
        if longest < width_data.shortest:
            gaps.clear()
            longest = -math.inf
        width_data.longest = longest
        return earliest

    def look(self, gap: Gap, width: int, length: float, earliest: float) -> float:
        """Earliest start before `earliest` of a run of free GPUs that overlaps one gap.

        Without one, updates the gap's `longest`.
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

    def open(self, begin: float, end: float, gpus: int, job: int = -1) -> None:
        """Record GPUs that became free from begin to end, so that reservations may move up."""
        due = self.due
        times = self.profile.times
        free = self.profile.free
        if not self.kept or begin >= end:
            return
        index = bisect_right(due, (begin, math.inf))
        count = len(due)
        while index < count and due[index][0] <= end:
            self.loose.add(due[index][1])
            index += 1
        first = bisect_right(times, begin) - 1
        last = bisect_left(times, end)
        inside = free[first:last]
        gained = self.widths[
            bisect_right(self.widths, min(inside) - gpus) : bisect_right(self.widths, max(inside))
        ]
        count = len(free)
        slack = rounding(times[-1])
        lowest = max(0, first - FAR)
        highest = min(count - 1, last + FAR)
        for width in reversed(gained):
            width_data = self.by_width[width]
            while first > lowest and free[first - 1] >= width:
                first -= 1
            while last <= highest and free[last] >= width:
                last += 1
            endless = last > highest or (first == lowest and first and free[first - 1] >= width)
            longest = math.inf
            if not endless:
                longest = times[last] - times[first] + slack
            if longest >= width_data.shortest and begin < width_data.latest:
                width_data.gaps.append(Gap(begin, end, longest, self.turn + 1 + job))
                if longest > width_data.longest:
                    width_data.longest = longest


def rounding(time: float) -> float:
    """Bound on the rounding error in begin + length ≤ end for times up to this one."""
    return 2 * math.ulp(time)
