"""The simulated cluster: free GPUs, running jobs, the queue, and the acts that every policy is made of.

Jobs are numbers here: job i is the i-th in the queue's static order (by arrival, or by class and arrival), so that a
queue is a sorted list of small integers. Everything that changes is a plain list, for speed;
`physics.scheduling.simulator` is the interface.

GPUs are counted in `room`: `room[0]` free shared ones, `room[k]` free ones of the k-th reservation. A job of group k
fits if its GPUs are at most room[0] + room[k], which is the shared-use formula
Σ max(0, used by k − reserved for k) ≤ capacity − Σ reserved, with group 0 reserving nothing.
"""

import math
from array import array
from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from physics.scheduling.fairshare import FairShare
from physics.scheduling.outages import Outages
from physics.scheduling.policy import Policy, Preemption


class LongWaits:
    """Waiting jobs that have waited `max_wait`, and those that will have.

    Args:
        max_wait: Time after which a job goes before all that have waited less [s].
        arrivals: Job numbers in order of arrival, which breaks ties.

    >>> line = LongWaits(10.0, [0, 1])
    >>> line.join(1, now=0.0), line.coming[0][0]
    (True, 10.0)
    >>> line.ripen(), line.aged
    (1, [(0.0, 1, 1)])
    """

    def __init__(self, max_wait: float, arrivals: list[int]) -> None:
        self.max_wait = max_wait
        self.place = {job: place for place, job in enumerate(arrivals)}
        self.since: dict[int, float] = {}
        self.aged: list[tuple[float, int, int]] = []  #: waiting since, place in order of arrival, job; sorted
        self.coming: list[tuple[float, int]] = []  #: when it will have waited that long, job; sorted

    def join(self, job: int, now: float) -> bool:
        """Let a job wait from now on; say whether its place is still that of the policy's order."""
        self.since[job] = now
        if now + self.max_wait > now:
            insort(self.coming, (now + self.max_wait, job))
            return True
        insort(self.aged, self._entry(job))
        return False

    def leave(self, job: int) -> bool:
        """Remove a job from those that wait; say whether it had waited for long."""
        place = bisect_left(self.aged, self._entry(job))
        if place < len(self.aged) and self.aged[place][-1] == job:
            del self.aged[place]
            return True
        del self.coming[bisect_left(self.coming, (self.since[job] + self.max_wait, job))]
        return False

    def ripen(self) -> int:
        """Move the next job among those that have waited for long, and return it."""
        job = self.coming.pop(0)[1]
        insort(self.aged, self._entry(job))
        return job

    def _entry(self, job: int) -> tuple[float, int, int]:
        return self.since[job], self.place[job], job


#: Queue length from which it is looked through as an array.
LONG = 64


@dataclass
class Workload:
    """The jobs that can run, in queue order, as plain lists; see `physics.scheduling.workload.prepare`."""

    submit: list[float]  #: [s]
    runtime: list[float]  #: [s]
    estimate: list[float]  #: [s]
    gpus: list[int]
    group: list[int]  #: reservation that the job may use, 0 for none
    rank: list[int]  #: place of the job's class in the priority order, 0 is highest
    line: list[int]  #: queue that the job stands in: always 0, or its class under fair share or with quotas
    arrivals: list[int]  #: job numbers in order of arrival
    shared: int  #: GPUs that nobody has reserved
    reserved: list[int]  #: GPUs of each group; the first is 0
    weights: list[float]  #: fair-share weight of each line
    quotas: list[int] | None  #: GPUs that the class of each line is entitled to
    exact: bool  #: whether every estimate equals its runtime, and nothing but jobs holds GPUs
    outages: list[tuple[float, float, int]] = field(default_factory=list)  #: begin, end, number: `gpus` knows its size


class Machine:
    """State of one simulation."""

    def __init__(self, work: Workload, policy: Policy) -> None:
        self.work, self.policy, count = work, policy, len(work.submit)
        self.room, self.used = [work.shared, *work.reserved[1:]], [0] * len(work.reserved)
        #: True and planned ends of running jobs, sorted.
        self.ends: list[tuple[float, int]] = []
        self.plan: list[tuple[float, int]] = self.ends if work.exact else []
        #: Start of the present or last run, NaN before the first, and its end.
        self.began, self.ended = [math.nan] * count, [math.nan] * count
        #: Length of the present or next run, and by the estimate.
        self.duration = list(work.runtime)
        self.planned = self.duration if work.exact else list(work.estimate)
        self.lines = [array("q") for _ in work.weights]  #: waiting jobs
        self.waiting = 0  #: length of the queue
        self.now, self.clear = 0.0, math.inf  #: the present instant, and by when a job that starts now must end
        self.outages = Outages(work.outages, work.gpus, self.plan)
        self.shrunk = False  #: whether an outage begins at the present instant
        self.in_rank = [0] * (max(work.rank, default=0) + 1)  #: running jobs of each rank
        self.in_use = [0] * len(work.weights)  #: GPUs of the running jobs of each line
        self.history: dict[int, History] = {}
        self.decisions: list[Decision] = []  #: preemptions weighed
        self._arrays: tuple[np.ndarray, ...] = ()
        self.fair = FairShare(work.weights, policy.half_life) if policy.order == "fair_share" else None
        self.long_waits = None if policy.max_wait is None else LongWaits(float(policy.max_wait), work.arrivals)

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """GPUs, planned length [s] and reservation of every job; made when first asked for."""
        if not self._arrays:  # no cached_property: it would make every attribute slower
            work = self.work
            self._arrays = np.array(work.gpus, np.int32), np.array(self.planned), np.array(work.group, np.int32)
        return self._arrays

    def head(self) -> int | None:
        """First job of the queue, None if it is empty."""
        if self.long_waits is not None and self.long_waits.aged:
            return self.long_waits.aged[0][-1]
        heads = [line[0] for line in self.lines if line]
        if len(heads) > 1 and self.fair is not None:
            for level in self.fair.levels(self.now):
                if heads := [self.lines[line][0] for line in level if self.lines[line]]:
                    return min(heads)
        return min(heads, default=None)

    def firsts(self) -> list[int]:
        """First waiting job of each line, in queue order."""
        line, found = self.work.line, {}
        for _, _, job in self.long_waits.aged if self.long_waits is not None else ():
            found.setdefault(line[job], job)
        ranks = self.ranks()
        others = [(ranks[one], jobs[0]) for one, jobs in enumerate(self.lines) if jobs and one not in found]
        return [*found.values(), *(job for _, job in sorted(others))]

    def queue(self) -> array:
        """All waiting jobs in queue order; look, do not change."""
        lines = [line for line in self.lines if line]
        if len(lines) == 1:
            found = lines[0]
        elif self.fair is None:
            found = array("q", sorted(chain(*lines)))
        else:
            found = array("q")
            for level in self.fair.levels(self.now):
                lines = [self.lines[line] for line in level]
                found += lines[0] if len(lines) == 1 else array("q", sorted(chain(*lines)))
        if self.long_waits is not None and self.long_waits.aged:
            return array("q", [job for _, _, job in self.long_waits.aged]) + found
        return found

    def in_order(self, jobs: Sequence[int]) -> Sequence[int]:
        """Put some waiting jobs into queue order."""
        if len(jobs) < 2:
            return jobs
        if self.long_waits is not None and self.long_waits.aged:
            some = set(jobs)
            return [job for job in self.queue() if job in some]
        ranks, line = self.ranks(), self.work.line
        return sorted(jobs, key=lambda job: (ranks[line[job]], job))

    def that_fit(self, jobs: Sequence[int]) -> list[int]:
        """Those for which enough GPUs are free now."""
        gpus, group, free = self.work.gpus, self.work.group, self.room[0]
        if len(self.room) == 1 and len(jobs) < LONG:
            return [job for job in jobs if gpus[job] <= free]
        limits = [free, *(free + own for own in self.room[1:])]
        if len(jobs) < LONG:
            return [job for job in jobs if gpus[job] <= limits[group[job]]]
        gpus, _, group = self.arrays
        jobs = np.array(jobs)
        return jobs[gpus[jobs] <= np.array(limits)[group[jobs]]].tolist()

    def ranks(self) -> list[int]:
        """Level of each line: the lower goes first, lines of one level are merged by arrival."""
        ranks = [0] * len(self.lines)
        for level, lines in enumerate(self.fair.levels(self.now) if self.fair is not None else ()):
            for line in lines:
                ranks[line] = level
        return ranks

    def join(self, job: int) -> None:
        """Put a job into the queue at its own place."""
        self.waiting += 1
        if self.long_waits is not None and not self.long_waits.join(job, self.now):
            return
        line = self.lines[self.work.line[job]]
        if not line or job > line[-1]:
            line.append(job)
        else:
            insort(line, job)

    def leave(self, job: int) -> None:
        """Take a job out of the queue."""
        self.waiting -= 1
        if self.long_waits is None or not self.long_waits.leave(job):
            self._drop(job)

    def ripen(self) -> None:
        """Move those that have waited long by now to the front."""
        while self.long_waits.coming and self.long_waits.coming[0][0] <= self.now:
            self._drop(self.long_waits.ripen())

    def _drop(self, job: int) -> None:
        """Take a job out of its line."""
        line = self.lines[self.work.line[job]]
        del line[bisect_left(line, job)]

    def fits(self, job: int) -> bool:
        """Whether enough GPUs are free for the job now, and for long enough."""
        group = self.work.group[job]
        wide = self.work.gpus[job] <= self.room[0] + (self.room[group] if group else 0)
        return wide and self.now + self.planned[job] <= self.clear

    def start(self, job: int) -> None:
        """Start a waiting job now."""
        self.leave(job)
        now = self.now
        take(self.room, self.used, self.work.reserved, self.work.group[job], self.work.gpus[job])
        self.in_rank[self.work.rank[job]] += 1
        self.in_use[self.work.line[job]] += self.work.gpus[job]
        self.began[job] = now
        insort(self.ends, (now + self.duration[job], job))
        if not self.work.exact:
            insort(self.plan, (now + self.planned[job], job))
        if self.fair is not None:
            self.fair.use(self.work.line[job], self.work.gpus[job], now)
        if job in self.history:
            self.history[job].requeued += now - self.history[job].stopped

    def finish(self) -> list[tuple[float, int]]:
        """End the jobs that are due; return those that ended before their planned ends, with these."""
        now, early = self.now, []
        while self.ends and self.ends[0][0] <= now:
            job = self.ends.pop(0)[1]
            self.ended[job] = now
            if job in self.history:
                self.history[job].lost += self.work.gpus[job] * self.history[job].restart
            planned_end = self.release(job)
            if planned_end > now:
                early.append((planned_end, job))
        return early

    def turn_outages(self) -> None:
        """Take GPUs out of service that an outage takes now, and put back those of one that ends."""
        gone, came = self.outages.turn(self.now)
        self.room[0] += came - gone
        self.shrunk = gone > 0

    def release(self, job: int) -> float:
        """Give a job's GPUs back and drop it from the plan; return its planned end."""
        give(self.room, self.used, self.work.reserved, self.work.group[job], self.work.gpus[job])
        if self.fair is not None:
            self.fair.use(self.work.line[job], -self.work.gpus[job], self.now)
        self.in_rank[self.work.rank[job]] -= 1
        self.in_use[self.work.line[job]] -= self.work.gpus[job]
        planned_end = self.began[job] + self.planned[job]
        if not self.work.exact:
            del self.plan[bisect_left(self.plan, (planned_end, job))]
        return planned_end

    @property
    def pause(self) -> Preemption:
        """Terms of preemption in force, which say what it costs a job to be stopped."""
        return self.policy.preemption or Preemption()

    def progress(self, job: int) -> tuple[float, float]:
        """Work that a running job has done, and the part of it that its last checkpoint holds [s]."""
        history, interval = self.history.get(job) or History(self.began[job]), self.pause.checkpoint_interval
        worked = history.saved + max(0.0, self.now - self.began[job] - history.restart)
        return worked, max(history.saved, math.floor(worked / interval) * float(interval))

    def stop(self, job: int) -> None:
        """Preempt a running job: keep its last checkpoint, count what is lost, put it back at its place."""
        history = self.history.setdefault(job, History(self.began[job]))
        del self.ends[bisect_left(self.ends, (self.began[job] + self.duration[job], job))]
        self.release(job)
        _, kept = self.progress(job)
        history.lost += self.work.gpus[job] * (self.now - self.began[job] - (kept - history.saved))
        history.saved, history.restart, history.stopped = kept, float(self.pause.restart_time), self.now
        history.runs.append((self.began[job], self.now))
        self.duration[job] = self.work.runtime[job] - kept + history.restart
        self.planned[job] = self.arrays[1][job] = self.work.estimate[job] - kept + history.restart
        self.join(job)


@dataclass(frozen=True)
class Decision:
    """Whether it pays to stop running jobs for the head of the queue: GPU time against GPU time."""

    time: float  #: when it was weighed [s]
    head: int  #: position of the waiting job in the frame
    victims: tuple[int, ...]  #: positions of the jobs that would be stopped
    wait: float  #: time until the head could start if nothing is stopped and all lasts as estimated [s]
    waited: float  #: the head's GPUs times that wait [GPU·s]
    lost: float  #: work since the victims' checkpoints and their restarts, times their GPUs [GPU·s]

    @property
    def pays(self) -> bool:
        """Whether the head would lose more by waiting than the victims by being stopped."""
        return self.waited > self.lost


@dataclass
class History:
    """Effects of preemption on one job: what is saved, and what it has cost so far."""

    first_start: float
    saved: float = 0.0  #: work in the last checkpoint [s]
    restart: float = 0.0  #: restart time that the present run pays first [s]
    stopped: float = 0.0  #: last time it was stopped
    requeued: float = 0.0  #: time in the queue after a stop [s]
    lost: float = 0.0  #: work done again and restarts so far [GPU·s]
    runs: list[tuple[float, float]] = field(default_factory=list)


def take(room: list[int], used: list[int], reserved: list[int], group: int, gpus: int) -> None:
    """Use GPUs: first those that the group has reserved, then shared ones."""
    if group:
        used[group] += gpus
        own = min(gpus, room[group])
        room[group] -= own
        gpus -= own
    room[0] -= gpus


def give(room: list[int], used: list[int], reserved: list[int], group: int, gpus: int) -> None:
    """Give GPUs back: shared ones first, as far as the group uses more than it has reserved."""
    if group:
        shared = min(gpus, max(0, used[group] - reserved[group]))
        used[group] -= gpus
        room[group] += gpus - shared
        gpus = shared
    room[0] += gpus


class Reservation:
    """The head's reservation: its shadow time, and what will be free once the head has started then."""

    def __init__(self, machine: Machine, head: int) -> None:
        work = machine.work
        self.room, self.used, self.shadow = machine.room[:], machine.used[:], -math.inf
        group, gpus = work.group[head], work.gpus[head]
        opening = -math.inf
        for end, job in machine.plan:
            if end > max(self.shadow, opening) and gpus <= self.room[0] + (self.room[group] if group else 0):
                opening = _opening(machine, head, self.shadow)
                if end > opening:
                    break
            give(self.room, self.used, work.reserved, work.group[job], work.gpus[job])
            self.shadow = end
        self.shadow = max(self.shadow, _opening(machine, head, self.shadow))
        take(self.room, self.used, work.reserved, group, gpus)


def _opening(machine: Machine, head: int, since: float) -> float:
    """First time at which the head would end before the machine is emptied; −infinity where that sets no limit."""
    start = max(machine.now, since)
    if start + machine.planned[head] <= machine.clear:
        return -math.inf
    return machine.policy.emptied.opening(start, machine.planned[head])
