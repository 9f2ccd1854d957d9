"""Scheduling from the head of the queue with user limits or placement on nodes.

A job that would take its user, or account, over the limit now is set aside: it is passed over, has
no reservation, blocks nobody and keeps its place. The head is the first that is not set aside and
does not fit. With EASY it has a reservation, which is GPUs at a time in a pool, and nodes until a
time where there are nodes: a job that would still run then is placed on the others.

Between two ends a waiting job can only lose its chance, unless a job that was backfilled since has
moved the reservation or set the head aside. So after an end, such a start, or a new head the whole
queue is looked through, else new arrivals alone.
"""

import math
from array import array
from bisect import bisect_left, insort
from collections.abc import Sequence

import numpy as np

from physics import pace
from physics.scheduling.floor import Nodes, Pool
from physics.scheduling.machine import LONG, Machine


class Limit:
    """Limit on the GPUs that the running jobs of one user or account may use together.

    Args:
        most: That limit [1].
        owners: Number of the user of each job.

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
        """Add a job's GPUs to its owner's use; negative numbers are returned GPUs."""
        self.in_use[self.owners[job]] += gpus

    def allows(self, job: int, gpus: int) -> bool:
        """Whether a job's owner may use this many more GPUs."""
        return self.in_use[self.owners[job]] + gpus <= self.most

    def those_allowed(self, jobs: np.ndarray, gpus: np.ndarray) -> np.ndarray:
        """Which of many jobs their owners may start now."""
        return np.array(self.in_use)[self.numbers[jobs]] + gpus <= self.most


def run_placed(
    machine: Machine, floor: Pool | Nodes, limits: Sequence[Limit], easy: bool
) -> list[tuple[float, int]]:
    """Simulate all jobs of the machine's workload until they end, with limits or placement on
    nodes.

    Returns: What is fragmented from a time on: time [s], idle GPUs [1] while the first waiting job
    that is not set aside would fit into them if nodes did not matter.
    """
    began = machine.began
    ended = machine.ended
    (times, arrivals) = machine.arrivals
    duration = machine.duration
    planned = machine.planned
    takes = floor.takes
    widths = np.array(takes, np.int64)
    ends = machine.ends
    plan = machine.plan
    outages = machine.outages
    exact = plan is ends
    queue = array("q")
    fragments: list[tuple[float, int]] = []
    lost = 0
    arrived = 0
    blocked = -1
    is_planned = moved = False
    shadow = math.inf

    def start(job: int, now: float) -> None:
        began[job] = now
        ended[job] = end = now + duration[job]
        insort(ends, (end, job))
        if not exact:
            insort(plan, (now + planned[job], job))
        for limit in limits:
            limit.use(job, floor.held_by(job))

    def is_allowed(job: int) -> bool:
        return all(limit.allows(job, takes[job]) for limit in limits)

    def allowed(jobs: Sequence[int]) -> Sequence[int]:
        """Jobs that are not excluded by a limit."""
        if not limits:
            return jobs
        if len(jobs) < LONG:
            return list(filter(is_allowed, jobs))
        numbers = np.array(jobs)
        for limit in limits:
            numbers = numbers[limit.those_allowed(numbers, widths[numbers])]
        return numbers.tolist()

    while True:
        pace.step()
        now = times[arrived]
        if ends and ends[0][0] < now:
            now = ends[0][0]
        if outages.next < now:
            now = outages.next
        if now == math.inf:
            return fragments
        whole = moved or blocked < 0
        while ends and ends[0][0] == now:
            job = ends.pop(0)[1]
            whole = True
            for limit in limits:
                limit.use(job, -floor.held_by(job))
            floor.give(job)
            if not exact:
                planned_end = began[job] + planned[job]
                del plan[bisect_left(plan, (planned_end, job))]
                if planned_end > now:
                    is_planned = False
        if outages.next == now:
            outages.turn(now)
            floor.fail(outages.over, outages.begun)
            whole = True
            is_planned = False
        first = arrived
        while times[arrived] == now:
            job = arrivals[arrived]
            arrived += 1
            whole = whole or job < blocked
            if not queue or job > queue[-1]:
                queue.append(job)
            else:
                insort(queue, job)
        moved = False
        candidates: Sequence[int]
        if whole:
            candidates = allowed(queue)
            before = blocked
            blocked = -1
            passed = 0
            gone_by: list[int] = []
            for job in candidates:
                if limits and gone_by and not is_allowed(job):
                    passed += 1
                    continue
                if not floor.fits(job):
                    blocked = job
                    break
                passed += 1
                floor.take(job)
                start(job, now)
                gone_by.append(job)
            if gone_by:
                is_planned = False
                if limits:
                    for job in gone_by:
                        del queue[bisect_left(queue, job)]
                else:
                    del queue[:passed]
            if blocked != before:
                is_planned = False
            candidates = candidates[passed + 1 :] if limits else queue[1:]
        else:
            candidates = allowed(sorted(arrivals[first:arrived]))
        if easy and blocked >= 0 and floor.idle > 0:
            candidates = floor.that_fit(candidates)
            if candidates and not is_planned:
                shadow = floor.reserve(blocked, plan)
                is_planned = True
            for job in candidates:
                if not floor.fits(job):
                    continue
                if limits and not is_allowed(job):
                    continue
                if now + planned[job] <= shadow:
                    floor.take(job)
                elif floor.take_beside(job):
                    # the reservation may be another now that this job will hold GPUs at its time
                    is_planned = not floor.nodes
                    moved = moved or floor.nodes
                else:
                    continue
                start(job, now)
                del queue[bisect_left(queue, job)]
                moved = moved or bool(limits)
        if floor.nodes:
            head = blocked
            if moved and limits:
                head = next(iter(allowed(queue)), -1)
            present = floor.idle if head >= 0 and takes[head] <= floor.idle else 0
            if present != lost:
                lost = present
                fragments.append((now, lost))
