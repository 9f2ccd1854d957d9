"""Moving reservations up after an early end, without looking at those that cannot move.

A sweep takes the waiting jobs in queue order and lets each move to the earliest start that is free, its own place
counted as free. Word by word that is a search through the whole plan for every job. Most of it can be left out, and
nothing changes:

- A job is *settled* when no start before its own is free: it has just got its reservation, or had its turn in a sweep.
- From then on the plan changes by GPUs that are taken, which can make no start free, and by GPUs that become free
  during some stretch of time, a *gap*. A start that is free now and was not when the job was settled needs a moment at
  which too few GPUs were free for the job then. At such a moment a gap made enough of what had been too few, later than
  the job's last turn: widths that were not short of GPUs in a gap have gained nothing by it.
- A start that is free lies in a run, a longest stretch of moments with enough GPUs, and so is the run's beginning. The
  earliest free start therefore is the beginning of a run that meets such a gap.
- The run is as long as the job, or it reaches up to the job's present start. In the second case the moment before the
  present start was short of GPUs when the job was settled, so that a gap ends at or after it: the job is *loose*.

So at its turn a job looks at gaps no older than its last turn whose run it may be short enough for and, if it is loose,
at the run that ends at its start. Most jobs have neither. After one round of the queue a gap has been seen by all.
"""

import math
from bisect import bisect_left, bisect_right, insort

from physics import pace
from physics.scheduling.reservations.profile import PooledProfile

__all__ = ["Compressor", "Gap", "Width", "rounding"]

#: Queue length from which the bookkeeping pays.
LONG = 48
#: Steps walked from a gap before its run is taken for endless: the length of a run need only be an upper bound.
FAR = 24
#: Sweeps after which the widths, shortest lengths and latest starts of waiting jobs are learned anew.
RELEARN = 16
#: Jobs of which most are passed over, before it is asked whether to go on.
ASKED = 64


class Gap:
    """A stretch of time in which GPUs became free, as jobs of one width see it."""

    __slots__ = ("begin", "born", "end", "longest")

    def __init__(self, begin: float, end: float, longest: float, born: int) -> None:
        self.begin, self.end = begin, end
        self.longest = longest  #: no run that meets the gap holds a longer job [s]
        self.born = born  #: turn at which it was opened


class Width:
    """Facts about the waiting jobs of one width."""

    __slots__ = ("gaps", "latest", "longest", "shortest")

    def __init__(self) -> None:
        self.gaps: list[Gap] = []  #: by age
        self.longest = -math.inf  #: at least the `longest` of any gap [s]
        self.shortest = math.inf  #: no job is shorter [s]
        self.latest = -math.inf  #: none starts later


class Compressor:
    """Reservations in one pool of GPUs that move up in queue order; jobs are numbered in that order.

    Args:
        profile: Free GPUs, all reservations laid.
        gpus, planned: Width and planned length [s] of every job.
        due: Reservations, sorted: start [s] and job.
        reserved: The same by job.
    """

    def __init__(
        self,
        profile: PooledProfile,
        gpus: list[int],
        planned: list[float],
        due: list[tuple[float, int]],
        reserved: dict[int, float],
    ) -> None:
        self.profile, self.gpus, self.planned, self.due, self.reserved = profile, gpus, planned, due, reserved
        self.known: dict[int, Width] = {width: Width() for width in gpus}
        self.widths: list[int] = []  #: those of waiting jobs, rising
        self.loose: set[int] = set()
        self.sweeps, self.lap = 0, len(gpus) + 1  #: turns are counted on from sweep to sweep
        self.kept = False  #: whether the gaps since every job's last turn are known

    def settle(self, job: int) -> None:
        """Take note of a job that has just got its reservation."""
        if self.kept:
            self.note(job)

    def note(self, job: int) -> None:
        """Record a waiting job's width, length and start."""
        width, length, start = self.gpus[job], self.planned[job], self.reserved[job]
        known = self.known[width]
        if known.shortest == math.inf:
            insort(self.widths, width)
        if length < known.shortest:
            known.shortest = length
        if start > known.latest:
            known.latest = start

    def learn(self) -> None:
        """Collect all widths, lengths and starts of the waiting jobs again."""
        for width in self.widths:
            self.known[width].shortest, self.known[width].latest = math.inf, -math.inf
        self.widths.clear()
        for _, job in self.due:
            self.note(job)

    def sweep(self, queue: list[int], early: list[tuple[float, float, int]]) -> None:
        """Give back some GPUs, each from a beginning to an end, and let each job of the queue move up once."""
        self.sweeps += 1
        before, whole = self.sweeps * self.lap, not self.kept
        if whole:
            self.kept = len(queue) >= LONG
        if self.kept and (whole or self.sweeps % RELEARN == 0):
            self.learn()
        for begin, end, gpus in early:
            self.profile.lay(begin, end, 0, -gpus)
            if not whole:
                self.open(begin, end, gpus, before)
        if whole:
            self.search(queue, before)
        else:
            self.skim(queue, before)
            if len(queue) < LONG // 2:
                self.forget()

    def search(self, queue: list[int], before: int) -> None:
        """Word by word: search the whole plan for every job."""
        earlier, widths, lengths, reserved = self.profile.earlier, self.gpus, self.planned, self.reserved
        now = self.profile.times[0]
        for job in queue:
            pace.step()
            start = reserved.get(job, now)
            if start > now:
                found = earlier(0, widths[job], lengths[job], start)
                if found is not None:
                    self.move(job, start, found, before + 1 + job)

    def skim(self, queue: list[int], before: int) -> None:
        """Look at gaps instead of the whole plan."""
        now, reserved, loose = self.profile.times[0], self.reserved, self.loose
        known, widths, lengths = self.known, self.gpus, self.planned
        for number, job in enumerate(queue):
            if not number % ASKED:
                pace.step()
            width = widths[job]
            may_jump = lengths[job] <= known[width].longest
            if may_jump or job in loose:
                start = found = reserved.get(job, now)
                if job in loose:
                    loose.remove(job)
                    found = self.slide(width, start)
                turn = before + 1 + job
                if may_jump and found > now:
                    found = self.jump(known[width], turn, width, lengths[job], found)
                if found < start:
                    self.move(job, start, found, turn)

    def forget(self) -> None:
        """Keep no gaps until the queue is long again."""
        self.kept = False
        self.loose.clear()
        for known in self.known.values():
            known.gaps.clear()
            known.longest = -math.inf

    def slide(self, width: int, start: float) -> float:
        """Beginning of the run that ends at a start; the start itself if there is none."""
        free = self.profile.free
        place = bisect_left(self.profile.times, start)
        while place and free[place - 1] >= width:
            place -= 1
        return min(start, self.profile.times[place])

    def jump(self, known: Width, turn: int, width: int, length: float, found: float) -> float:
        """Earliest beginning, before `found`, of a run that meets a gap and is long enough; `found` if none is."""
        gaps, oldest, dead, longest = known.gaps, turn - self.lap, 0, -math.inf
        for gap in gaps:
            if gap.born < oldest:
                dead += 1
                continue
            if gap.longest >= length and gap.begin < found:
                found = self.look(gap, width, length, found)
            if gap.longest > longest:
                longest = gap.longest
        known.longest = longest
        if longest < known.shortest:
            gaps.clear()
            known.longest = -math.inf
        elif dead:
            del gaps[:dead]
        return found

    def look(self, gap: Gap, width: int, length: float, found: float) -> float:
        """The same for one gap, whose `longest` is made exact if none is."""
        times, free = self.profile.times, self.profile.free
        count, longest = len(times), -math.inf
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
            end = times[place] if place < count else math.inf
            if begin + length <= end:
                return begin
            longest = max(longest, end - begin + rounding(end))
        gap.longest = longest
        return found

    def move(self, job: int, start: float, found: float, turn: int) -> None:
        """Move a reservation up; note what becomes free."""
        width, length, due = self.gpus[job], self.planned[job], self.due
        del due[bisect_left(due, (start, job))]
        insort(due, (found, job))
        self.reserved[job] = found
        new_end, old_end = found + length, start + length
        kept = new_end > start
        self.profile.lay(found, start if kept else new_end, 0, width)
        freed = new_end if kept else start
        if freed < old_end:
            self.profile.lay(freed, old_end, 0, -width)
            if self.kept:
                self.open(freed, old_end, width, turn)

    def open(self, begin: float, end: float, gpus: int, turn: int) -> None:
        """Take note that GPUs became free from begin to end."""
        due, times, free = self.due, self.profile.times, self.profile.free
        place, count = bisect_right(due, (begin, math.inf)), len(due)
        while place < count and due[place][0] <= end:
            self.loose.add(due[place][1])
            place += 1
        first, last = bisect_right(times, begin) - 1, bisect_left(times, end)
        least = most = free[first]
        if last - first > 1:
            inside = free[first:last]
            least, most = min(inside), max(inside)
        widths = self.widths
        gained = widths[bisect_right(widths, least - gpus) : bisect_right(widths, most)]
        if not gained:
            return
        count, slack = len(free), rounding(times[-1])
        lowest, highest = max(0, first - FAR), min(count - 1, last + FAR)
        for width in reversed(gained):
            known = self.known[width]
            while first > lowest and free[first - 1] >= width:
                first -= 1
            while last <= highest and free[last] >= width:
                last += 1
            endless = last > highest or (first == lowest and first and free[first - 1] >= width)
            longest = math.inf if endless else times[last] - times[first] + slack
            if longest >= known.shortest and begin < known.latest:
                known.gaps.append(Gap(begin, end, longest, turn))
                if longest > known.longest:
                    known.longest = longest


def rounding(time: float) -> float:
    """Bound on what rounding adds to begin + length ≤ end for times up to this one."""
    return 2 * math.ulp(time)
