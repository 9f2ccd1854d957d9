"""Scheduling from the head of the queue: without backfill, and with EASY.

EASY (Lifka 1995; Mu'alem and Feitelson 2001): when the head of the queue cannot start, its
reservation is at the shadow time, the earliest at which enough GPUs will be free if running jobs
last as long as estimated. A later job may start now if it ends by then, or if it fits into the
extra GPUs that the head will leave over at that time.

Two things alone can let a waiting job start that could not at the last pass: GPUs that were freed,
as they are at the end of an emptied hour, and a new head (or an outage, which moves its
reservation). Otherwise only new arrivals are looked at. This holds with preemption too: to stop
what was backfilled since gives the head no more than was free before. Only whether it pays may
change with the time alone, so that this is asked at every pass. What quotas start or stop makes the
pass a whole one.
"""

import math
from array import array
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from physics import pace
from physics.scheduling.machine import LONG, Machine, Reservation
from physics.scheduling.preemption import preempt, start_within


def run(machine: Machine, easy: bool) -> None:
    """Simulate all jobs of the machine's workload until they end, without backfill or with EASY."""
    blocked: int | None = None
    plan: Reservation | None = None
    again = machine.policy.preemption is not None and machine.policy.preemption.rule == "pays"
    for freed, early, fresh, shrunk in instants(machine):
        if early or shrunk:  # the reservation counted on GPUs until their planned ends
            plan = None
        if start_within(machine):
            blocked = plan = None
        if not machine.waiting:
            blocked = plan = None
            continue
        head = machine.head()
        whole = freed or head != blocked
        if whole or again:
            while head is not None and (machine.fits(head) or preempt(machine, head)):
                machine.start(head)
                blocked = None
                head = machine.head()
            if head != blocked:
                blocked = head
                plan = None
                whole = True
        if not easy or machine.waiting < 2 or not (machine.room.shared or any(machine.room.own)):
            continue
        candidates = machine.that_fit(machine.queue() if whole else machine.in_order(fresh))
        if candidates:
            if plan is None and blocked is not None:
                plan = Reservation(machine, blocked)
            if plan is not None:
                backfill(machine, plan, candidates)


def instants(
    machine: Machine, due: Sequence[tuple[float, int]] = ()
) -> Iterator[tuple[bool, list[tuple[float, int]], list[int], bool]]:
    """Advance from one instant with events to the next, and apply all events of the instant.

    Yields whether jobs ended, an emptied hour did, or an outage began or ended, the jobs that ended
    before their planned ends (with these), those that arrived, and whether an outage began; `due`
    holds further instants at which something is planned, sorted.
    """
    ends = machine.ends
    (times, arrivals) = machine.arrivals
    coming = machine.coming
    patience = machine.policy.max_wait or 0.0
    outages = machine.outages
    hours = machine.policy.emptied
    reopens = math.inf
    # when what may start changes: at an emptied hour, or after it
    turns = math.inf
    if hours is not None:
        turns = -math.inf
    arrived = 0
    while True:
        pace.step()
        now = times[arrived]
        if ends and ends[0][0] < now:
            now = ends[0][0]
        if due and due[0][0] < now:
            now = due[0][0]
        if coming and coming[0][0] + patience < now:
            now = coming[0][0] + patience
        if outages.next < now:
            now = outages.next
        if machine.waiting and reopens < now:
            now = reopens
        if now == math.inf:
            return
        machine.now = now
        freed = bool(ends) and ends[0][0] == now
        early = machine.finish()
        shrunk = False
        if outages.next == now:
            gone, came = outages.turn(now)
            machine.room.use(0, gone - came)
            freed = True
            shrunk = gone > 0
        if hours is not None and now >= turns:
            freed = freed or now >= reopens
            machine.clear, reopens = hours.turns(now)
            turns = reopens
            if machine.clear > now:
                turns = machine.clear
        first = arrived
        while times[arrived] == now:
            machine.join(arrivals[arrived])
            arrived += 1
        if coming and coming[0][0] + patience <= now:
            machine.ripen()
        yield freed, early, arrivals[first:arrived], shrunk


def backfill(machine: Machine, plan: Reservation, candidates: list[int]) -> None:
    """Start later jobs, in queue order, that do not delay the head's reservation."""
    then = plan.room
    now = machine.now
    if len(candidates) >= LONG:
        gpus, lengths, groups = (each[candidates] for each in machine.arrays)
        beside = gpus <= np.array(then.limits())[groups]
        candidates = np.array(candidates)[beside | (now + lengths <= plan.shadow)].tolist()
    for job in candidates:
        if machine.fits(job):
            group = machine.group[job]
            width = machine.gpus[job]
            if now + machine.planned[job] > plan.shadow:  # it will still run when the head starts
                if width > then.shared + then.own[group]:
                    continue
                then.use(group, width)
            machine.start(job)


def run_pooled(machine: Machine, easy: bool) -> None:
    """Fast version of `run` for one pool of GPUs, a fixed queue order, and no preemption."""
    (times, arrivals) = machine.arrivals
    began = machine.began
    planned = machine.planned
    gpus = machine.gpus
    free = machine.room.shared
    ends = machine.ends
    plan = machine.plan
    outages = machine.outages
    exact = plan is ends
    start = starter(machine)
    pause = pace.hook()
    # an array is looked through faster, a list is changed faster
    queue: array | list[int] = []
    if easy:
        queue = array("q")
    arrived = 0
    upcoming = times[0]
    blocked = -1
    shadow = _Shadow()

    while True:
        if pause is not None:
            pause()
        now = upcoming
        if ends and ends[0][0] < now:
            now = ends[0][0]
        if outages.next < now:
            now = outages.next
        if now == math.inf:
            return
        freed = False
        # All ends of an instant count before its arrivals: a job that comes then finds the GPUs
        # free.
        while ends and ends[0][0] == now:
            job = ends.pop(0)[1]
            free += gpus[job]
            freed = True
            if not exact:
                planned_end = began[job] + planned[job]
                del plan[bisect_left(plan, (planned_end, job))]
                if planned_end > now:  # earlier than planned: the head may start earlier, too
                    shadow.is_planned = False
        if outages.next == now:
            gone, came = outages.turn(now)
            free = free + came - gone
            freed = True
            shadow.is_planned = False
        first = arrived
        while upcoming == now:
            job = arrivals[arrived]
            arrived += 1
            upcoming = times[arrived]
            # Jobs are numbered in queue order, so that numbers compare as positions.
            if not queue or job > queue[-1]:
                queue.append(job)
            else:
                insort(queue, job)
        if not queue:
            continue
        whole = freed or queue[0] != blocked
        if whole:
            started = 0
            for job in queue:
                if gpus[job] > free:
                    break
                started += 1
                free -= gpus[job]
                start(job, now)
            if started:
                del queue[:started]
                shadow.is_planned = False
                if not queue:
                    blocked = -1
                    continue
            if queue[0] != blocked:
                blocked = queue[0]
                shadow.is_planned = False
        if not easy or not free:
            continue
        candidates = queue if whole else sorted(arrivals[first:arrived])
        free = _backfill_pool(machine, queue, candidates, free, shadow, start, now)


def starter(machine: Machine) -> Callable[[int, float], None]:
    """Return a fast function that starts a job at a given time when nothing can stop it."""
    began = machine.began
    ended = machine.ended
    duration = machine.duration
    planned = machine.planned
    ends = machine.ends
    plan = machine.plan
    exact = plan is ends

    def start(job: int, now: float) -> None:
        """Start a job that will not be stopped."""
        began[job] = now
        ended[job] = end = now + duration[job]
        insort(ends, (end, job))
        if not exact:
            insort(plan, (now + planned[job], job))

    return start


def _that_fit(machine: Machine, jobs: Sequence[int], free: int) -> Sequence[int] | np.ndarray:
    """Jobs with enough free GPUs: few are looked through, many as an array."""
    if len(jobs) < LONG:
        gpus = machine.gpus
        return [job for job in jobs if gpus[job] <= free]
    numbers = np.array(jobs)
    return numbers[machine.arrays[0][numbers] <= free]


@dataclass(slots=True)
class _Shadow:
    """When the head of a pool's queue will start by planned ends, and what it will leave over."""

    is_planned: bool = False  #: whether what follows is that of the present head and plan
    time: float = math.inf  #: [s]
    extra: int = 0  #: GPUs that are left over [1]

    def plan(self, machine: Machine, head: int, free: int) -> None:
        """Find the first planned end at which the head fits, with all ends of that instant."""
        gpus = machine.gpus
        need = gpus[head]
        shadow = -math.inf
        for end, job in machine.plan:
            if free >= need and end > shadow:
                break
            free += gpus[job]
            shadow = end
        self.is_planned = True
        self.time = shadow
        self.extra = free - need


def _backfill_pool(
    machine: Machine,
    queue: array | list[int],
    candidates: Sequence[int],
    free: int,
    shadow: _Shadow,
    start: Callable[[int, float], None],
    now: float,
) -> int:
    """Start later jobs that leave the head its GPUs at the shadow time; return what stays free."""
    fitting = _that_fit(machine, candidates, free)
    if not len(fitting):
        return free
    if not shadow.is_planned:
        shadow.plan(machine, queue[0], free)
    if isinstance(fitting, np.ndarray):
        widths, lengths, _ = machine.arrays
        in_time = now + lengths[fitting] <= shadow.time
        fitting = fitting[in_time | (widths[fitting] <= shadow.extra)].tolist()
    for job in fitting:
        width = machine.gpus[job]
        if width > free:
            continue
        if now + machine.planned[job] > shadow.time:
            if width > shadow.extra:  # it would hold GPUs that the head needs at the shadow time
                continue
            shadow.extra -= width
        free -= width
        start(job, now)
        del queue[bisect_left(queue, job)]
        if not free:
            break
    return free
