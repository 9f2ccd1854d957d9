"""Scheduling from the head of the queue: without backfill, and with EASY.

EASY (Lifka 1995; Mu'alem and Feitelson 2001): when the head of the queue cannot start, its
reservation is at the shadow time, the earliest at which enough GPUs will be free if running jobs
last as long as estimated. A later job may start now if it ends by then, or if it fits into the
extra GPUs that the head will leave over at that time.

Only two events can let a job start that could not at the last pass: GPUs were freed (the end of an
emptied hour counts as well), or the queue has a new head, whose reservation is another one. An
outage counts as such an event because it moves the reservation. Otherwise a pass checks new
arrivals alone. This holds with preemption too: to stop what was backfilled since gives the head no
more GPUs than were free before. Only whether preemption pays may change with time alone, so it is
checked at every pass. Jobs that quotas start or stop require a whole pass, too.
"""

import math
from array import array
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from physics import pace
from physics.scheduling.machine import LONG, Machine, Reservation, shadow_of
from physics.scheduling.preemption import preempt, start_within


def run(machine: Machine, easy: bool) -> None:
    """Simulate all jobs of the machine's workload until they end, without backfill or with EASY."""
    blocked: int | None = None
    reservation: Reservation | None = None
    rules = machine.policy.preemption
    may_pay_later = rules is not None and rules.rule == "pays"
    for has_freed, early, arrived, has_outage in instants(machine):
        if early or has_outage:  # the reservation counted on GPUs until their planned ends
            reservation = None
        if start_within(machine) or not machine.waiting:
            blocked = reservation = None
        if not machine.waiting:
            continue
        head = machine.head()
        is_whole = has_freed or head != blocked
        if is_whole or may_pay_later:
            while head is not None and (machine.fits(head) or preempt(machine, head)):
                machine.start(head)
                blocked = None
                head = machine.head()
            if head != blocked:
                blocked = head
                reservation = None
                is_whole = True
        if not easy or machine.waiting < 2 or not (machine.room.shared or any(machine.room.own)):
            continue
        queue = machine.queue() if is_whole else machine.sort_queue(arrived)
        candidates = machine.select_fitting(queue)
        if candidates and blocked is not None:
            reservation = reservation or Reservation(machine, blocked)
            backfill(machine, reservation, candidates)


def instants(
    machine: Machine, due: Sequence[tuple[float, int]] = ()
) -> Iterator[tuple[bool, list[tuple[float, int]], list[int], bool]]:
    """Advance from one instant with events to the next, and apply all events of the instant.

    Args:
        due: Further instants [s] at which something is planned, each with its job, sorted.

    Yields: Whether GPUs may have been freed (jobs or an emptied hour ended, or an outage began or
    ended); the planned end [s] and job of each that ended before it; the jobs that arrived; and
    whether an outage began.
    """
    ends = machine.ends
    times, arrivals = machine.arrivals
    aging = machine.aging
    max_wait = machine.policy.max_wait or 0.0
    outages = machine.outages
    emptied = machine.policy.emptied
    reopens = math.inf
    # when an emptied hour, or use after it, begins next
    next_turn = math.inf if emptied is None else -math.inf
    arrived = 0
    while True:
        pace.step()
        now = times[arrived]
        if outages.next < now:
            now = outages.next
        if ends and ends[0][0] < now:
            now = ends[0][0]
        if due and due[0][0] < now:
            now = due[0][0]
        if aging and aging[0][0] + max_wait < now:
            now = aging[0][0] + max_wait
        if machine.waiting and reopens < now:
            now = reopens
        if now == math.inf:
            return
        machine.now = now
        has_freed = bool(ends) and ends[0][0] == now
        early = machine.finish()
        has_outage = False
        if outages.next == now:
            machine.room.use(0, -outages.advance(now))
            has_freed = True
            has_outage = bool(outages.just_begun)
        if emptied is not None and now >= next_turn:
            has_freed = has_freed or now >= reopens
            machine.latest_end, reopens = emptied.turns(now)
            next_turn = reopens
            if machine.latest_end > now:
                next_turn = machine.latest_end
        first = arrived
        while times[arrived] == now:
            machine.join(arrivals[arrived])
            arrived += 1
        if aging and aging[0][0] + max_wait <= now:
            machine.promote_aged()
        yield has_freed, early, arrivals[first:arrived], has_outage


def backfill(machine: Machine, reservation: Reservation, candidates: list[int]) -> None:
    """Start later jobs, in queue order, that do not delay the head's reservation."""
    room = reservation.room
    now = machine.now
    if len(candidates) >= LONG:
        gpus, lengths, groups = (values[candidates] for values in machine.arrays)
        fits_beside = gpus <= np.array(room.limits())[groups]
        ends_before = now + lengths <= reservation.shadow
        candidates = np.array(candidates)[fits_beside | ends_before].tolist()
    for job in candidates:
        if machine.fits(job):
            group = machine.group[job]
            width = machine.gpus[job]
            if now + machine.planned[job] > reservation.shadow:  # still runs when the head starts
                if width > room.shared + room.own[group]:
                    continue
                room.use(group, width)
            machine.start(job)


def run_pooled(machine: Machine, easy: bool) -> None:
    """Fast version of `run` for one pool of GPUs, a fixed queue order, and no preemption."""
    times, arrivals = machine.arrivals
    gpus = machine.gpus
    free = machine.room.shared
    ends = machine.ends
    outages = machine.outages
    is_exact = machine.planned_ends is ends
    start = starter(machine)
    pause = pace.hook()
    # An array is converted to numpy faster, a list is changed faster.
    queue: array | list[int] = array("q") if easy else []
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
        # All ends of an instant count before its arrivals: a job that arrives then finds the GPUs
        # free.
        is_whole = False
        while ends and ends[0][0] == now:
            job = ends.pop(0)[1]
            free += gpus[job]
            is_whole = True
            if not is_exact and machine.unplan(job) > now:  # the head may start earlier, too
                shadow.is_planned = False
        if outages.next == now:
            free += outages.advance(now)
            is_whole = True
            shadow.is_planned = False
        first = arrived
        while upcoming == now:
            # Jobs are numbered in queue order, so that numbers compare as positions.
            job = arrivals[arrived]
            arrived += 1
            upcoming = times[arrived]
            if not queue or job > queue[-1]:
                queue.append(job)
            else:
                insort(queue, job)
        if not queue:
            continue
        is_whole = is_whole or queue[0] != blocked
        if is_whole:
            if gpus[queue[0]] <= free:
                free = _start_front(queue, gpus, free, start, now)
                shadow.is_planned = False
                if not queue:
                    blocked = -1
                    continue
            if queue[0] != blocked:
                blocked = queue[0]
                shadow.is_planned = False
        if easy and free:
            candidates = queue if is_whole else sorted(arrivals[first:arrived])
            free = _backfill_pool(machine, queue, candidates, free, shadow, start, now)


def starter(machine: Machine) -> Callable[[int, float], None]:
    """Return a fast function that starts a job at a given time when nothing can stop it."""
    run_start = machine.run_start
    run_end = machine.run_end
    duration = machine.duration
    planned = machine.planned
    ends = machine.ends
    planned_ends = machine.planned_ends
    is_exact = planned_ends is ends

    def start(job: int, now: float) -> None:
        """Start a job that will not be stopped."""
        run_start[job] = now
        run_end[job] = end = now + duration[job]
        insort(ends, (end, job))
        if not is_exact:
            insort(planned_ends, (now + planned[job], job))

    return start


def _start_front(
    queue: array | list[int],
    gpus: Sequence[int],
    free: int,
    start: Callable[[int, float], None],
    now: float,
) -> int:
    """Start jobs from the front of a queue until one does not fit; return the GPUs still free."""
    started = 0
    for job in queue:
        if gpus[job] > free:
            break
        started += 1
        free -= gpus[job]
        start(job, now)
    del queue[:started]
    return free


@dataclass(slots=True)
class _Shadow:
    """Reservation of the head of a pool's queue, at the shadow time of EASY backfill."""

    is_planned: bool = False  #: whether the values are those of the present head and planned ends
    time: float = math.inf  #: when the head will start by planned ends [s]
    extra: int = 0  #: GPUs that it will leave over then [1]


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
    gpus = machine.gpus
    widths, lengths, _ = machine.arrays
    fitting: Sequence[int] | np.ndarray
    if len(candidates) < LONG:
        fitting = [job for job in candidates if gpus[job] <= free]
    else:
        numbers = np.array(candidates)
        fitting = numbers[widths[numbers] <= free]
    if not len(fitting):
        return free
    if not shadow.is_planned:
        shadow.time, shadow.extra = shadow_of(gpus[queue[0]], free, gpus, machine.planned_ends)
        shadow.is_planned = True
    if isinstance(fitting, np.ndarray):
        in_time = now + lengths[fitting] <= shadow.time
        fitting = fitting[in_time | (widths[fitting] <= shadow.extra)].tolist()
    for job in fitting:
        width = gpus[job]
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
