"""Scheduling from the head of the queue with user limits or placement on nodes.

A job that would take its user or account over the limit now is set aside: it is passed over, has no
reservation, blocks nobody, and stays where it is in the queue. The head is the first job that is
not set aside and does not fit. With EASY the head has a reservation: GPUs from a time on in a pool,
or nodes from a time on. A job that would still run then must use other GPUs or nodes.

Between two ends of jobs, a waiting job that could not start still cannot, unless a job that was
backfilled since has moved the reservation or set the head aside. So a pass goes through the whole
queue after an end, such a start, or a new head, and otherwise through new arrivals alone.
"""

import math
from array import array
from bisect import bisect_left, insort
from collections.abc import Sequence

import numpy as np

from physics import pace
from physics.scheduling.backfill import starter
from physics.scheduling.floor import Nodes, Pool
from physics.scheduling.machine import LONG, Machine


class Limit:
    """Limit on the GPUs that the running jobs of one user or account may use together.

    Args:
        most: The limit [1].
        owners: By job: number of its user or account.

    >>> limit = Limit(4, [0, 0, 1])
    >>> limit.use(0, 3)
    >>> limit.allows(1, 2), limit.allows(2, 2)
    (False, True)
    """

    def __init__(self, most: int, owners: Sequence[int]) -> None:
        self.most = most
        self.owners = owners
        self.numbers = np.array(owners, np.int64)
        self.in_use = [0] * (max(owners, default=0) + 1)

    def use(self, job: int, gpus: int) -> None:
        """Add a job's GPUs to its owner's use; a negative number returns GPUs."""
        self.in_use[self.owners[job]] += gpus

    def allows(self, job: int, gpus: int) -> bool:
        """Whether the owner of a job may use this many more GPUs."""
        return self.in_use[self.owners[job]] + gpus <= self.most

    def mask_allowed(self, jobs: np.ndarray, gpus: np.ndarray) -> np.ndarray:
        """Mask of the jobs whose owners may start them now."""
        return np.array(self.in_use)[self.numbers[jobs]] + gpus <= self.most


def run_placed(
    machine: Machine, floor: Pool | Nodes, limits: Sequence[Limit], easy: bool
) -> list[tuple[float, int]]:
    """Simulate all jobs of the machine's workload, with limits or placement on nodes.

    Returns: From each time on [s], the idle GPUs into which the first waiting job that is not set
    aside would fit if nodes did not matter, or 0 [1].
    """
    times, arrivals = machine.arrivals
    ends = machine.ends
    outages = machine.outages
    pause = pace.hook()
    run = _Run(machine, floor, limits)
    queue = run.queue
    fragments: list[tuple[float, int]] = []
    lost = 0
    arrived = 0
    while True:
        if pause is not None:
            pause()
        now = times[arrived]
        if ends and ends[0][0] < now:
            now = ends[0][0]
        if outages.next < now:
            now = outages.next
        if now == math.inf:
            return fragments
        is_whole = run.moved or run.blocked < 0
        if ends and ends[0][0] == now:
            run.end_jobs(now)
            is_whole = True
        if outages.next == now:
            outages.advance(now)
            floor.apply_outages(outages.just_over, outages.just_begun)
            is_whole = True
            run.is_planned = False
        first = arrived
        while times[arrived] == now:
            job = arrivals[arrived]
            arrived += 1
            is_whole = is_whole or job < run.blocked
            if not queue or job > queue[-1]:
                queue.append(job)
            else:
                insort(queue, job)
        run.moved = False
        if is_whole:
            candidates = run.start_first(now)
        else:
            candidates = sorted(arrivals[first:arrived])
            if limits:
                candidates = run.allowed(candidates)
        if easy and run.blocked >= 0 and floor.idle > 0:
            run.backfill(candidates, now)
        if floor.has_nodes:
            fragmented = run.fragmented()
            if fragmented != lost:
                lost = fragmented
                fragments.append((now, lost))


class _Run:
    """Queue, head and reservation of a run with limits or nodes."""

    def __init__(self, machine: Machine, floor: Pool | Nodes, limits: Sequence[Limit]) -> None:
        self.machine = machine
        self.floor = floor
        self.limits = limits
        self.usual_gpus = floor.usual_gpus
        self.widths = np.array(floor.usual_gpus, np.int64)
        self.queue = array("q")
        self.blocked = -1  #: head of the queue; −1 without one
        self.is_planned = False  #: whether the floor's reservation is that of the head
        self.shadow = math.inf  #: when the head starts by it [s]
        self.moved = False  #: whether a start may have moved the reservation or set the head aside
        self._start = starter(machine)

    def start(self, job: int, now: float) -> None:
        """Start a job that has been placed."""
        self._start(job, now)
        for limit in self.limits:
            limit.use(job, self.floor.allocated_to(job))

    def end_jobs(self, now: float) -> None:
        """End the jobs that are due."""
        machine = self.machine
        ends = machine.ends
        while ends and ends[0][0] == now:
            job = ends.pop(0)[1]
            for limit in self.limits:
                limit.use(job, -self.floor.allocated_to(job))
            self.floor.release(job)
            if machine.unplan(job) > now:
                self.is_planned = False

    def is_allowed(self, job: int) -> bool:
        """Whether no limit excludes a job now."""
        gpus = self.usual_gpus[job]
        for limit in self.limits:  # noqa: SIM110 -- faster than a generator
            if not limit.allows(job, gpus):
                return False
        return True

    def allowed(self, jobs: Sequence[int]) -> Sequence[int]:
        """Jobs that no limit excludes now."""
        if len(jobs) < LONG:
            return list(filter(self.is_allowed, jobs))
        numbers = np.array(jobs)
        for limit in self.limits:
            numbers = numbers[limit.mask_allowed(numbers, self.widths[numbers])]
        return numbers.tolist()

    def start_first(self, now: float) -> Sequence[int]:
        """Start jobs from the queue's front until one does not fit; return those behind it."""
        queue = self.queue
        floor = self.floor
        limits = self.limits
        candidates: Sequence[int] = queue
        if limits:
            candidates = self.allowed(queue)
        old_head = self.blocked
        self.blocked = -1
        passed = 0
        started: list[int] = []
        for job in candidates:
            if limits and started and not self.is_allowed(job):
                passed += 1
                continue
            if not floor.fits(job):
                self.blocked = job
                break
            passed += 1
            floor.allocate(job)
            self.start(job, now)
            started.append(job)
        if started or self.blocked != old_head:
            self.is_planned = False
        if not limits:
            del queue[:passed]
            return queue[1:]
        for job in started:
            del queue[bisect_left(queue, job)]
        return candidates[passed + 1 :]

    def backfill(self, candidates: Sequence[int], now: float) -> None:
        """Start later jobs that do not delay the head's reservation."""
        floor = self.floor
        limits = self.limits
        candidates = floor.select_fitting(candidates)
        if not candidates:
            return
        planned = self.machine.planned
        if not self.is_planned:
            self.shadow = floor.reserve(self.blocked, self.machine.planned_ends)
            self.is_planned = True
        for job in candidates:
            if not floor.fits(job):
                continue
            if limits and not self.is_allowed(job):
                continue
            if now + planned[job] <= self.shadow:
                floor.allocate(job)
            elif floor.allocate_beside(job):
                # the reservation may be another now that this job will hold GPUs at its time
                self.is_planned = not floor.has_nodes
                self.moved = self.moved or floor.has_nodes
            else:
                continue
            self.start(job, now)
            del self.queue[bisect_left(self.queue, job)]
            self.moved = self.moved or bool(limits)

    def fragmented(self) -> int:
        """Idle GPUs that the first waiting job that is not set aside would fit into [1]."""
        head = self.blocked
        if self.moved and self.limits:
            head = next(iter(self.allowed(self.queue)), -1)
        idle = self.floor.idle
        if head >= 0 and self.usual_gpus[head] <= idle:
            return idle
        return 0
