"""Simulated cluster: free GPUs, running jobs, the queue, and the basic actions of every policy.

Jobs are numbers here: job i is the i-th in the queue's static order (by arrival, or by class and
arrival), so that a queue is a sorted list of small integers. Everything that changes is a plain
list, for speed; `physics.scheduling.simulator` is the interface.
"""

import math
from array import array
from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field
from itertools import chain

import numpy as np

from physics.scheduling.fairshare import FairShare
from physics.scheduling.policy import Policy, Preemption
from physics.scheduling.room import Outages, Room

#: Queue length from which it is looked through as an array.
LONG = 64


@dataclass(eq=False)
class Machine:
    """Machine with its runnable jobs in queue order, from `physics.scheduling.workload.prepare`."""

    policy: Policy
    duration: list[float]  #: length of the present or next run [s]
    planned: list[float]  #: the same by the estimate [s]
    gpus: list[int]  #: of jobs, then of outages
    group: list[int]  #: reservation that the job may use, 0 for none
    rank: list[int]  #: place of the job's class in the priority order, 0 is highest
    line: list[
        int
    ]  #: queue that the job stands in: always 0, or its class under fair share or with quotas
    arrays: tuple[
        np.ndarray, np.ndarray, np.ndarray
    ]  #: GPUs, planned length [s] and group of every job
    arrivals: tuple[
        list[float], list[int]
    ]  #: in order of arrival: times [s], with infinity at the end, and jobs
    whole: Room  #: GPUs of the empty machine
    quotas: list[int] | None  #: GPUs that the class of each line is entitled to
    weights: InitVar[list[float]]  #: fair-share weight of each line
    exact: InitVar[
        bool
    ]  #: whether every estimate equals its runtime, and nothing but jobs holds GPUs
    down: InitVar[list[tuple[float, float, int]]]  #: outages: begin [s], end [s], number

    def __post_init__(
        self, weights: list[float], exact: bool, down: list[tuple[float, float, int]]
    ) -> None:
        policy = self.policy
        count = len(self.duration)
        self.room = self.whole.copy()
        #: True and planned ends of running jobs, sorted; one list if they are the same.
        self.ends: list[tuple[float, int]] = []
        self.plan: list[tuple[float, int]] = self.ends if exact else []
        #: Start of the present or last run, NaN before the first, and its end.
        self.began = [math.nan] * count
        self.ended = [math.nan] * count
        self.lines = [
            array("q") for _ in weights
        ]  #: waiting jobs, but for those that have waited for long
        self.waiting = 0  #: length of the queue
        #: the present instant, and by when a job that starts now must end
        self.now = 0.0
        self.clear = math.inf
        self.outages = Outages(down, self.gpus, self.plan)
        self.in_rank = [0] * (max(self.rank, default=0) + 1)  #: running jobs of each rank
        self.in_use = [0] * len(weights)  #: GPUs of the running jobs of each line
        self.history: dict[int, History] = {}
        self.decisions: list[Decision] = []  #: preemptions weighed
        self.fair: FairShare | None = None
        if policy.order == "fair_share":
            self.fair = FairShare(weights, policy.half_life)
        #: With a longest wait: since when each job waits, its place in order of arrival, and the
        #: job; sorted, of those that have waited for long, and of those that will have.
        self.waits: dict[int, tuple[float, int, int]] = {}
        self.aged: list[tuple[float, int, int]] = []
        self.coming: list[tuple[float, int, int]] = []
        if policy.max_wait is not None:
            self.waits = {job: (math.nan, index, job) for index, job in enumerate(self.arrivals[1])}

    def levels(self) -> Sequence[Sequence[int]]:
        """Queue lines grouped by priority, highest priority first.

        Jobs in the lines of one group are served in order of arrival.
        """
        if self.fair is None:
            return [range(len(self.lines))]
        return self.fair.levels(self.now)

    def ranks(self) -> dict[int, int]:
        """Priority rank of each class's queue line; 0 goes first."""
        return {line: rank for rank, level in enumerate(self.levels()) for line in level}

    def head(self) -> int | None:
        """First job of the queue; None if the queue is empty."""
        if self.aged:
            return self.aged[0][-1]
        heads = [line[0] for line in self.lines if line]
        if len(heads) > 1 and self.fair is not None:
            for level in self.fair.levels(self.now):
                heads = [self.lines[line][0] for line in level if self.lines[line]]
                if heads:
                    break
        return min(heads, default=None)

    def firsts(self) -> list[int]:
        """First waiting job of each queue line, in queue order."""
        front: dict[int, int] = {}
        for _, _, job in self.aged:
            front.setdefault(self.line[job], job)
        others = [jobs[0] for line, jobs in enumerate(self.lines) if jobs and line not in front]
        return [*front.values(), *self.in_order(others)]

    def queue(self) -> array:
        """All waiting jobs in queue order, not to be modified."""
        lines = [line for line in self.lines if line]
        if len(lines) == 1 and not self.aged:
            return lines[0]
        jobs = array("q", [job for _, _, job in self.aged])
        for level in self.levels():
            lines = [self.lines[line] for line in level]
            if len(lines) == 1:
                jobs += lines[0]
            else:
                jobs += array("q", sorted(chain(*lines)))
        return jobs

    def in_order(self, jobs: list[int]) -> list[int]:
        """Sort waiting jobs into queue order; all or none of them must be past `max_wait`."""
        if len(jobs) < 2 or self.waited_long(jobs[0]):
            return jobs
        if self.fair is None:
            return sorted(jobs)
        ranks = self.ranks()
        return sorted(jobs, key=lambda job: (ranks[self.line[job]], job))

    def that_fit(self, jobs: Sequence[int]) -> list[int]:
        """Which of these waiting jobs have enough free GPUs now."""
        gpus = self.gpus
        group = self.group
        limits = self.room.limits()
        if len(jobs) < LONG:
            free = max(limits)
            narrow = [job for job in jobs if gpus[job] <= free]
            if len(limits) == 1:
                return narrow
            return [job for job in narrow if gpus[job] <= limits[group[job]]]
        widths, _, groups = self.arrays
        numbers = np.array(jobs)
        return numbers[widths[numbers] <= np.array(limits)[groups[numbers]]].tolist()

    def waited_long(self, job: int) -> bool:
        """Whether a job has waited longer than the limit, which moves it to the front."""
        max_wait = self.policy.max_wait
        if max_wait is None or job not in self.waits:
            return False
        return self.waits[job][0] + max_wait <= self.now

    def join(self, job: int) -> None:
        """Insert a job into the queue at its position."""
        self.waiting += 1
        if self.waits:
            self.waits[job] = self.now, *self.waits[job][1:]
            long = self.waited_long(job)
            insort(self.aged if long else self.coming, self.waits[job])
            if long:
                return
        line = self.lines[self.line[job]]
        if not line or job > line[-1]:
            line.append(job)
        else:
            insort(line, job)

    def leave(self, job: int) -> None:
        """Remove a job from the queue."""
        self.waiting -= 1
        if self.waits:
            long = self.waited_long(job)
            waits = self.aged if long else self.coming
            del waits[bisect_left(waits, self.waits[job])]
            if long:
                return
        self._drop(job)

    def ripen(self) -> None:
        """Move jobs that have waited longer than the limit to the front."""
        while self.coming and self.waited_long(self.coming[0][-1]):
            insort(self.aged, self.coming[0])
            self._drop(self.coming.pop(0)[-1])

    def _drop(self, job: int) -> None:
        """Take a job out of its line."""
        line = self.lines[self.line[job]]
        del line[bisect_left(line, job)]

    def fits(self, job: int) -> bool:
        """Whether enough GPUs are free for the job now and for its planned length."""
        wide = self.gpus[job] <= self.room.shared + self.room.own[self.group[job]]
        return wide and self.now + self.planned[job] <= self.clear

    def missing(self, job: int) -> int:
        """Number of free GPUs that a job lacks [1]."""
        return self.gpus[job] - self.room.shared - self.room.own[self.group[job]]

    def hold(self, job: int, sign: int) -> None:
        """Count a job's GPUs as used (1) or free again (−1)."""
        line = self.line[job]
        gpus = sign * self.gpus[job]
        self.room.use(self.group[job], gpus)
        self.in_rank[self.rank[job]] += sign
        self.in_use[line] += gpus
        if self.fair is not None:
            self.fair.use(line, gpus, self.now)

    def start(self, job: int) -> None:
        """Start a waiting job now."""
        self.leave(job)
        self.hold(job, 1)
        now = self.now
        self.began[job] = now
        insort(self.ends, (now + self.duration[job], job))
        if self.plan is not self.ends:
            insort(self.plan, (now + self.planned[job], job))
        if job in self.history:
            self.history[job].requeued += now - self.history[job].stopped

    def finish(self) -> list[tuple[float, int]]:
        """End the jobs that are due.

        Return those that ended before their planned ends, with these times.
        """
        now = self.now
        early = []
        while self.ends and self.ends[0][0] <= now:
            job = self.ends.pop(0)[1]
            self.ended[job] = now
            if job in self.history:
                self.history[job].lost += self.gpus[job] * self.history[job].restart
            planned_end = self.release(job)
            if planned_end > now:
                early.append((planned_end, job))
        return early

    def release(self, job: int) -> float:
        """Free a running job's GPUs, and remove it from the plan; return its planned end [s]."""
        self.hold(job, -1)
        planned_end = self.began[job] + self.planned[job]
        if self.plan is not self.ends:
            del self.plan[bisect_left(self.plan, (planned_end, job))]
        return planned_end

    @property
    def pause(self) -> Preemption:
        """Rules and costs of preemption: those of the policy, or the default ones.

        They include a preemption's cost.
        """
        return self.policy.preemption or Preemption()

    def past(self, job: int) -> "History":
        """History of a running job: its earlier preemptions, their costs, and the saved work."""
        return self.history.get(job) or History(
            self.began[job], self.duration[job], self.planned[job]
        )

    def progress(self, job: int) -> tuple[float, float]:
        """Work done by a running job, and the part saved by its last checkpoint [s]."""
        history = self.past(job)
        interval = self.pause.checkpoint_interval
        worked = history.saved + max(0.0, self.now - self.began[job] - history.restart)
        return worked, max(history.saved, math.floor(worked / interval) * interval)

    def stop(self, job: int) -> None:
        """Preempt a running job: keep its last checkpoint, count the lost work, and requeue it."""
        history = self.history[job] = self.past(job)
        del self.ends[bisect_left(self.ends, (self.began[job] + self.duration[job], job))]
        self.release(job)
        _, kept = self.progress(job)
        history.lost += self.gpus[job] * (self.now - self.began[job] - (kept - history.saved))
        history.saved = kept
        history.restart = self.pause.restart_time
        history.stopped = self.now
        history.runs.append((self.began[job], self.now))
        self.duration[job] = history.runtime - kept + history.restart
        self.planned[job] = self.arrays[1][job] = history.estimate - kept + history.restart
        self.join(job)


@dataclass(frozen=True)
class Decision:
    """GPU time lost if running jobs are preempted, and if the head of the queue waits instead."""

    time: float  #: when it was weighed [s]
    head: int  #: position of the waiting job in the frame
    victims: tuple[int, ...]  #: positions of the jobs that would be stopped
    #: time until the head could start if nothing is stopped and all lasts as estimated [s]
    wait: float
    waited: float  #: the head's GPUs times that wait [GPU·s]
    lost: float  #: work since the victims' checkpoints and their restarts, times their GPUs [GPU·s]

    @property
    def pays(self) -> bool:
        """Whether the head would lose more by waiting than the victims by preemption."""
        return self.waited > self.lost


@dataclass
class History:
    """Effects of preemption on one job: saved work and costs so far."""

    first_start: float
    runtime: float  #: [s]
    estimate: float  #: [s]
    saved: float = 0.0  #: work in the last checkpoint [s]
    restart: float = 0.0  #: restart time that the present run pays first [s]
    stopped: float = 0.0  #: last time it was stopped
    requeued: float = 0.0  #: time in the queue after a stop [s]
    lost: float = 0.0  #: work done again and restarts so far [GPU·s]
    runs: list[tuple[float, float]] = field(default_factory=list)


class Reservation:
    """Reservation of the head: its shadow time, and the GPUs left free after its start."""

    def __init__(self, machine: Machine, head: int) -> None:
        self.room = machine.room.copy()
        self.shadow = -math.inf
        group = machine.group[head]
        gpus = machine.gpus[head]
        opening = -math.inf
        for end, job in machine.plan:
            if end > max(self.shadow, opening) and gpus <= self.room.shared + self.room.own[group]:
                opening = _opening(machine, head, self.shadow)
                if end > opening:
                    break
            self.room.use(machine.group[job], -machine.gpus[job])
            self.shadow = end
        self.shadow = max(self.shadow, _opening(machine, head, self.shadow))
        self.room.use(group, gpus)


def _opening(machine: Machine, head: int, since: float) -> float:
    """First time at which the head would end before the machine is emptied; −infinity where that
    sets no limit.
    """
    start = max(machine.now, since)
    emptied = machine.policy.emptied
    if emptied is None or start + machine.planned[head] <= machine.clear:
        return -math.inf
    return emptied.opening(start, machine.planned[head])
