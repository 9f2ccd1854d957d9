"""Simulated cluster: free GPUs, running jobs, the queue, and the basic actions of every policy.

Jobs are numbers here: job i is the i-th in the queue's fixed order (by arrival, or by class and
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

#: Queue length from which numpy goes through a queue faster than a loop does.
LONG = 64


@dataclass(eq=False)
class Machine:
    """Machine with its runnable jobs in queue order, from `physics.scheduling.workload.prepare`."""

    policy: Policy
    duration: list[float]  #: by job: length of its present or next run [s]
    planned: list[float]  #: by job: the same by its estimate [s]
    gpus: list[int]  #: by job, then by outage [1]
    group: list[int]  #: by job: reservation that it may use, 0 for none
    rank: list[int]  #: by job: position of its class in the priority order, 0 is highest
    #: by job: the line in which it waits, 0 or, under fair share or with quotas, that of its class
    line: list[int]
    #: GPUs [1], planned length [s] and group of every job
    arrays: tuple[np.ndarray, np.ndarray, np.ndarray]
    #: in order of arrival: times [s], with infinity at the end, and jobs
    arrivals: tuple[list[float], list[int]]
    empty_room: Room  #: GPUs of the empty machine
    quotas: list[int] | None  #: GPUs that the class of each line is entitled to
    weights: InitVar[list[float]]  #: fair-share weight of each line
    #: whether every estimate equals its runtime, and nothing but jobs holds GPUs
    exact: InitVar[bool]
    down: InitVar[list[tuple[float, float, int]]]  #: outages: begin [s], end [s], number

    def __post_init__(
        self, weights: list[float], exact: bool, down: list[tuple[float, float, int]]
    ) -> None:
        policy = self.policy
        count = len(self.duration)
        self.room = self.empty_room.copy()
        #: Actual and planned ends [s] of running jobs, sorted; one list if they are the same.
        self.ends: list[tuple[float, int]] = []
        self.planned_ends: list[tuple[float, int]] = self.ends if exact else []
        #: By job: start of its present or last run, NaN before the first, and end of it [s].
        self.run_start = [math.nan] * count
        self.run_end = [math.nan] * count
        #: By line: its waiting jobs, except those in `aged`.
        self.lines = [array("q") for _ in weights]
        self.waiting = 0  #: number of jobs in the queue
        self.now = 0.0  #: current time [s]
        self.latest_end = math.inf  #: when a job that starts now must have ended [s]
        self.outages = Outages(down, self.gpus, self.planned_ends)
        self.running_by_rank = [0] * (max(self.rank, default=0) + 1)
        self.in_use = [0] * len(weights)  #: by line: GPUs of its running jobs
        self.history: dict[int, History] = {}  #: of jobs that were preempted
        self.decisions: list[Decision] = []
        self.fair: FairShare | None = None
        if policy.order == "fair_share":
            self.fair = FairShare(weights, policy.half_life)
        #: With a longest wait, by job: since when it waits [s], its position in order of arrival,
        #: and its number.
        self.waits: dict[int, tuple[float, int, int]] = {}
        #: The values in `waits` of jobs that wait longer than that, sorted; they go first.
        self.aged: list[tuple[float, int, int]] = []
        self.aging: list[tuple[float, int, int]] = []  #: those of the other waiting jobs, sorted
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

    def line_heads(self) -> list[int]:
        """First waiting job of each queue line, in queue order."""
        front: dict[int, int] = {}
        for _, _, job in self.aged:
            front.setdefault(self.line[job], job)
        others = [jobs[0] for line, jobs in enumerate(self.lines) if jobs and line not in front]
        return [*front.values(), *self.sort_queue(others)]

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

    def sort_queue(self, jobs: list[int]) -> list[int]:
        """Sort waiting jobs into queue order; all or none of them must be past `max_wait`."""
        if len(jobs) < 2 or self.waited_long(jobs[0]):
            return jobs
        if self.fair is None:
            return sorted(jobs)
        ranks = self.ranks()
        return sorted(jobs, key=lambda job: (ranks[self.line[job]], job))

    def select_fitting(self, jobs: Sequence[int]) -> list[int]:
        """Which of these waiting jobs have enough free GPUs now."""
        gpus = self.gpus
        group = self.group
        limits = self.room.limits()
        if len(jobs) < LONG and len(limits) == 1:
            free = limits[0]
            return [job for job in jobs if gpus[job] <= free]
        if len(jobs) < LONG:
            return [job for job in jobs if gpus[job] <= limits[group[job]]]
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
            is_aged = self.waited_long(job)
            insort(self.aged if is_aged else self.aging, self.waits[job])
            if is_aged:
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
            is_aged = self.waited_long(job)
            waits = self.aged if is_aged else self.aging
            del waits[bisect_left(waits, self.waits[job])]
            if is_aged:
                return
        self._leave_line(job)

    def promote_aged(self) -> None:
        """Move jobs that have waited longer than the limit to the front."""
        while self.aging and self.waited_long(self.aging[0][-1]):
            insort(self.aged, self.aging[0])
            self._leave_line(self.aging.pop(0)[-1])

    def _leave_line(self, job: int) -> None:
        """Take a job out of its line."""
        line = self.lines[self.line[job]]
        del line[bisect_left(line, job)]

    def fits(self, job: int) -> bool:
        """Whether enough GPUs are free for the job now and for its planned length."""
        free = self.room.shared + self.room.own[self.group[job]]
        return self.gpus[job] <= free and self.now + self.planned[job] <= self.latest_end

    def missing(self, job: int) -> int:
        """Number of free GPUs that a job lacks, below zero if more are free [1]."""
        return self.gpus[job] - self.room.shared - self.room.own[self.group[job]]

    def count_use(self, job: int, sign: int) -> None:
        """Count a job's GPUs as used (1) or free again (−1)."""
        line = self.line[job]
        gpus = sign * self.gpus[job]
        self.room.use(self.group[job], gpus)
        self.running_by_rank[self.rank[job]] += sign
        self.in_use[line] += gpus
        if self.fair is not None:
            self.fair.use(line, gpus, self.now)

    def start(self, job: int) -> None:
        """Start a waiting job now."""
        self.leave(job)
        self.count_use(job, 1)
        now = self.now
        self.run_start[job] = now
        insort(self.ends, (now + self.duration[job], job))
        if self.planned_ends is not self.ends:
            insort(self.planned_ends, (now + self.planned[job], job))
        if job in self.history:
            self.history[job].requeued += now - self.history[job].stopped

    def finish(self) -> list[tuple[float, int]]:
        """End the jobs that are due; return the planned end [s] and job of those that end early."""
        now = self.now
        early = []
        while self.ends and self.ends[0][0] <= now:
            job = self.ends.pop(0)[1]
            self.run_end[job] = now
            if job in self.history:
                self.history[job].lost += self.gpus[job] * self.history[job].restart
            planned_end = self.release(job)
            if planned_end > now:
                early.append((planned_end, job))
        return early

    def release(self, job: int) -> float:
        """Free a running job's GPUs, and return its planned end [s]."""
        self.count_use(job, -1)
        return self.unplan(job)

    def unplan(self, job: int) -> float:
        """Remove a running job from the planned ends, and return its own [s]."""
        planned_end = self.run_start[job] + self.planned[job]
        if self.planned_ends is not self.ends:
            del self.planned_ends[bisect_left(self.planned_ends, (planned_end, job))]
        return planned_end

    @property
    def stop_rules(self) -> Preemption:
        """Rules and costs of preemption: those of the policy, or the default ones."""
        return self.policy.preemption or Preemption()

    def history_of(self, job: int) -> "History":
        """History of a running job, a new one if it has never been preempted."""
        return self.history.get(job) or History(
            self.run_start[job], self.duration[job], self.planned[job]
        )

    def progress(self, job: int) -> tuple[float, float]:
        """Work done by a running job, and the part saved by its last checkpoint [s]."""
        history = self.history_of(job)
        interval = self.stop_rules.checkpoint_interval
        worked = history.saved + max(0.0, self.now - self.run_start[job] - history.restart)
        return worked, max(history.saved, math.floor(worked / interval) * interval)

    def stop(self, job: int) -> None:
        """Preempt a running job: keep its last checkpoint, count the lost work, and requeue it."""
        history = self.history[job] = self.history_of(job)
        del self.ends[bisect_left(self.ends, (self.run_start[job] + self.duration[job], job))]
        self.release(job)
        _, saved = self.progress(job)
        history.lost += self.gpus[job] * (self.now - self.run_start[job] - (saved - history.saved))
        history.saved = saved
        history.restart = self.stop_rules.restart_time
        history.stopped = self.now
        history.runs.append((self.run_start[job], self.now))
        self.duration[job] = history.runtime - saved + history.restart
        self.planned[job] = self.arrays[1][job] = history.estimate - saved + history.restart
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

    first_start: float  #: time of the first start [s]
    runtime: float  #: run time without preemption [s]
    estimate: float  #: run time that the scheduler is told [s]
    saved: float = 0.0  #: work in the last checkpoint [s]
    restart: float = 0.0  #: restart time that the present run pays first [s]
    stopped: float = 0.0  #: when it was last stopped [s]
    requeued: float = 0.0  #: total time in the queue after stops [s]
    lost: float = 0.0  #: work done again and restarts so far [GPU·s]
    #: start and end of each stopped run [s]
    runs: list[tuple[float, float]] = field(default_factory=list)


class Reservation:
    """Reservation of the queue's head: its planned start, and the GPUs that stay free then.

    The start is called the shadow time, the term of the literature on EASY backfill.
    """

    def __init__(self, machine: Machine, head: int) -> None:
        self.room = machine.room.copy()
        self.shadow = -math.inf
        group = machine.group[head]
        gpus = machine.gpus[head]
        opening = -math.inf
        for end, job in machine.planned_ends:
            if end > max(self.shadow, opening) and gpus <= self.room.shared + self.room.own[group]:
                opening = _opening(machine, head, self.shadow)
                if end > opening:
                    break
            self.room.use(machine.group[job], -machine.gpus[job])
            self.shadow = end
        self.shadow = max(self.shadow, _opening(machine, head, self.shadow))
        self.room.use(group, gpus)


def _opening(machine: Machine, head: int, earliest: float) -> float:
    """First start at which the head ends before the machine is emptied; −infinity without limit."""
    start = max(machine.now, earliest)
    emptied = machine.policy.emptied
    if emptied is None or start + machine.planned[head] <= machine.latest_end:
        return -math.inf
    return emptied.opening(start, machine.planned[head])


def shadow_of(
    need: int, free: int, gpus: Sequence[int], planned_ends: Sequence[tuple[float, int]]
) -> tuple[float, int]:
    """First planned end at which enough GPUs of one pool are free [s], and how many more are then.

    Several ends at that instant all count.
    """
    shadow = -math.inf
    for end, job in planned_ends:
        if free >= need and end > shadow:
            break
        free += gpus[job]
        shadow = end
    return shadow, free - need
