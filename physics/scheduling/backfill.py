"""Scheduling from the head of the queue: no backfill, and EASY.

EASY (Lifka 1995; Mu'alem and Feitelson 2001): when the head of the queue cannot start, its reservation is at the
shadow time, the earliest at which enough GPUs will be free if running jobs last as long as estimated. A later job may
start now if it ends by then, or if it fits into the extra GPUs that the head will leave over at that time.

Two things alone can let a waiting job start that could not at the last pass: GPUs that were freed, as they are at the
end of an emptied hour, and a new head (or an outage, which moves its reservation). Otherwise only new arrivals are
looked at. This holds with preemption too: to stop what was backfilled since gives the head no more than was free
before. Only whether it pays may change with the time alone, so that this is asked at every pass. What quotas start or
stop makes the pass a whole one.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

from physics import pace
from physics.scheduling import quotas
from physics.scheduling.machine import Machine, take
from physics.scheduling.preemption import preempt
from physics.scheduling.reservations.shadow import Reservation
from physics.scheduling.waiting import ANY, longest_between

__all__ = ["backfill", "instants", "run", "start_heads"]


def run(machine: Machine, easy: bool) -> None:
    """Run all jobs of the machine's workload to their ends."""
    blocked: int | None = None
    plan: Reservation | None = None
    again = machine.policy.preemption is not None and machine.policy.preemption.rule == "pays"
    for now, freed, early, fresh in instants(machine):
        if early or machine.shrunk:  # the reservation counted on GPUs until their planned ends
            plan = None
        if quotas.start_within(machine, now):
            blocked = plan = None
        if not machine.waiting:
            blocked = plan = None
            continue
        head = machine.head()
        whole = freed or head != blocked
        if whole or again:
            started, head = start_heads(machine, head, now)
            if started or head != blocked:
                blocked, plan, whole = head, None, True
        if not easy or machine.waiting < 2 or not any(machine.room):
            continue
        machine.watch()
        # A whole pass over a long queue asks the index; looking at every waiting job would cost the queue's length.
        if machine.index is None or not whole:
            candidates = _that_fit(machine, machine.queue() if whole else _in_order(machine, fresh))
            if not candidates:
                continue
        plan = plan or Reservation(machine, blocked)
        if machine.index is not None and whole:
            candidates = _from_index(machine, plan, now)
        backfill(machine, plan, candidates, now)


def instants(
    machine: Machine, due: Sequence[tuple[float, int]] = ()
) -> Iterator[tuple[float, bool, list[tuple[float, int]], list[int]]]:
    """Go from event to event and apply all of an instant.

    Yields the time, whether jobs ended, an emptied hour did, or an outage began or ended, the jobs that ended before
    their planned ends (with these), and those that arrived; `due` holds further instants at which something is planned,
    sorted.
    """
    work, ends, arrivals, patience = machine.work, machine.ends, machine.work.arrivals, machine.long_waits
    outages, hours, reopens = machine.outages, machine.policy.emptied, math.inf
    turns = math.inf if hours is None else -math.inf  # when what may start changes: at an emptied hour, or after it
    times = [*(work.submit[job] for job in arrivals), math.inf]
    arrived = 0
    while True:
        pace.step()
        now = ends[0][0] if ends else math.inf
        if due and due[0][0] < now:
            now = due[0][0]
        if times[arrived] < now:
            now = times[arrived]
        if patience is not None and patience.coming and patience.coming[0][0] < now:
            now = patience.coming[0][0]
        if outages.next < now:
            now = outages.next
        if machine.waiting and reopens < now:
            now = reopens
        if now == math.inf:
            return
        machine.now = now
        freed = bool(ends) and ends[0][0] == now
        early = machine.finish(now) if freed else []
        machine.shrunk = False
        if outages.next == now:
            machine.turn_outages(now)
            freed = True
        if now >= turns:
            freed = freed or now >= reopens
            machine.clear, reopens = hours.until(now), hours.reopens(now)
            turns = machine.clear if machine.clear > now else reopens
        first = arrived
        while times[arrived] == now:
            machine.join(arrivals[arrived])
            arrived += 1
        if patience is not None:
            machine.ripen()
        yield now, freed, early, arrivals[first:arrived]


def start_heads(machine: Machine, head: int | None, now: float) -> tuple[bool, int | None]:
    """Start the head of the queue while it can, by preemption if need be; say whether one did, and who is head now."""
    started = False
    while head is not None and (machine.fits(head) or preempt(machine, head, now)):
        machine.leave(head)
        machine.begin(head, now)
        started, head = True, machine.head()
    return started, head


def backfill(machine: Machine, plan: Reservation, candidates: Iterable[int], now: float) -> None:
    """Start those later jobs, in queue order, that do not delay the head's reservation."""
    work, then = machine.work, plan.room
    for job in candidates:
        if machine.fits(job):
            group, gpus = work.group[job], work.gpus[job]
            if now + machine.planned[job] > plan.shadow:  # it will still run when the head starts
                if gpus > then[0] + (then[group] if group else 0):
                    continue
                take(then, plan.used, work.reserved, group, gpus)
            machine.leave(job)
            machine.begin(job, now)


def _that_fit(machine: Machine, jobs: Iterable[int]) -> list[int]:
    """Those for which enough GPUs are free now."""
    gpus, group, room = machine.work.gpus, machine.work.group, machine.room
    if len(room) == 1:
        free = room[0]
        return [job for job in jobs if gpus[job] <= free]
    limits = [room[0], *(room[0] + own for own in room[1:])]
    return [job for job in jobs if gpus[job] <= limits[group[job]]]


def _in_order(machine: Machine, jobs: list[int]) -> list[int]:
    """Put some waiting jobs into queue order."""
    if len(jobs) < 2:
        return jobs
    if machine.long_waits is not None:
        return [job for job in machine.queue() if job in set(jobs)]
    ranks, line = machine.ranks(), machine.work.line
    return sorted(jobs, key=lambda job: (ranks[line[job]], job))


def _from_index(machine: Machine, plan: Reservation, now: float) -> Iterator[int]:
    """Yield the jobs that may start, in queue order, while the caller starts them."""
    index, room, then, ranks = machine.index, machine.room, plan.room, machine.ranks()
    any_length = min(ANY, longest_between(now, machine.clear))
    longest = min(any_length, longest_between(now, plan.shadow))
    after: dict[tuple[int, int, int], int] = {}
    while True:
        best = None
        for key in index.keys_by_size:
            gpus, group, line = key
            if gpus > room[0] + (room[group] if group else 0):
                continue
            extra = then[0] + (then[group] if group else 0)
            job = index.first(key, any_length if gpus <= extra else longest, after.get(key, 0))
            if job is not None and (best is None or (ranks[line], job) < best[0]):
                best = (ranks[line], job), key
        if best is None:
            return
        (_, job), key = best
        after[key] = index.slot[job] + 1  # what it passed over stays too large: room only shrinks
        yield job
