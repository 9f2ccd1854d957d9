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
    """Gaps in one pool of GPUs, and the jobs that can move up into them; jobs are numbered in queue
    order.

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
        self.known: dict[int, Width] = defaultdict(Width)
        self.widths: list[int] = []  #: those of waiting jobs, rising
        self.loose: set[int] = set()
        self.sweeps = 0
        self.lap = len(self.gpus) + 1
        self.turn = 0  #: counted on from sweep to sweep
        self.kept = False  #: whether the gaps since every job's last turn are known

    def sweep(self, length: int) -> bool:
        """Begin a sweep through a queue of some length; return whether known gaps determine the
        movable jobs.
        """
        self.sweeps += 1
        self.turn = self.sweeps * self.lap
        before = self.kept
        self.kept = self.usable and length >= (LONG // 2 if before else LONG)
        if not self.kept:
            self.known.clear()
            self.widths.clear()
            self.loose.clear()
        elif not before or self.sweeps % RELEARN == 0:
            self.learn()
        return before and self.kept

    def learn(self) -> None:
        """Collect the widths, lengths, and starts of all waiting jobs again."""
        self.widths.clear()
        for known in self.known.values():
            known.shortest = math.inf
            known.latest = -math.inf
        for start, job in self.due:
            self.note(job, start)

    def note(self, job: int, start: float) -> None:
        """Record a waiting job's width, length and start."""
        width = self.gpus[job]
        length = self.planned[job]
        known = self.known[width]
        if known.shortest == math.inf:
            insort(self.widths, width)
        known.shortest = min(known.shortest, length)
        known.latest = max(known.latest, start)

    def movable(self, queue: Iterable[int]) -> Iterator[int]:
        """Yield the jobs of a queue that may move up, evaluated when each is reached."""
        known = self.known
        loose = self.loose
        gpus = self.gpus
        planned = self.planned
        for job in queue:
            if job in loose or planned[job] <= known[gpus[job]].longest:
                yield job

    def find(self, job: int, start: float, now: float) -> float:
        """Earliest start to which a job may move up; its current start if there is none."""
        width = self.gpus[job]
        length = self.planned[job]
        found = start
        if job in self.loose:
            self.loose.remove(job)
            found = self.slide(width, start)
        if length <= self.known[width].longest and found > now:
            found = self.jump(self.known[width], job, width, length, found)
        return found

    def slide(self, width: int, start: float) -> float:
        """Start of the free run that ends at a time; that time if there is none."""
        free = self.profile.free
        place = bisect_left(self.profile.times, start)
        while place and free[place - 1] >= width:
            place -= 1
        return min(start, self.profile.times[place])

    def jump(self, known: Width, job: int, width: int, length: float, found: float) -> float:
        """Earliest start before `found` of a free run that meets a gap and is long enough;
        otherwise `found`.
        """
        gaps = known.gaps
        oldest = self.turn + 1 + job - self.lap
        longest = -math.inf
        while gaps and gaps[0].born < oldest:
            del gaps[0]
        for gap in gaps:
            if gap.longest >= length and gap.begin < found:
                found = self.look(gap, width, length, found)
            if gap.longest > longest:
                longest = gap.longest
        if longest < known.shortest:
            gaps.clear()
            longest = -math.inf
        known.longest = longest
        return found

    def look(self, gap: Gap, width: int, length: float, found: float) -> float:
        """Earliest start before `found` of a free run that meets one gap; updates its `longest` if
        there is none.
        """
        times = self.profile.times
        free = self.profile.free
        count = len(times)
        longest = -math.inf
        place = max(0, bisect_right(times, gap.begin) - 1)
        while place and free[place] >= width and free[place - 1] >= width:
            place -= 1
        while place < count and times[place] < gap.end:
            if free[place] < width:
                place += 1
                continue
            begin = times[place]
            if begin >= found:
                return found
            while place < count and free[place] >= width:
                place += 1
            if place < count:
                end = times[place]
            else:
                end = math.inf
            if begin + length <= end:
                return begin
            longest = max(longest, end - begin + rounding(end))
        gap.longest = longest
        return found

    def open(self, begin: float, end: float, gpus: int, job: int = -1) -> None:
        """Record that GPUs became free from begin to end, after a job's turn or before the
        first.
        """
        due = self.due
        times = self.profile.times
        free = self.profile.free
        if not self.kept or begin >= end:
            return
        place = bisect_right(due, (begin, math.inf))
        count = len(due)
        while place < count and due[place][0] <= end:
            self.loose.add(due[place][1])
            place += 1
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
            known = self.known[width]
            while first > lowest and free[first - 1] >= width:
                first -= 1
            while last <= highest and free[last] >= width:
                last += 1
            endless = last > highest or (first == lowest and first and free[first - 1] >= width)
            if endless:
                longest = math.inf
            else:
                longest = times[last] - times[first] + slack
            if longest >= known.shortest and begin < known.latest:
                known.gaps.append(Gap(begin, end, longest, self.turn + 1 + job))
                if longest > known.longest:
                    known.longest = longest


def rounding(time: float) -> float:
    """Bound on the rounding error of begin + length ≤ end for times up to this one."""
    return 2 * math.ulp(time)
