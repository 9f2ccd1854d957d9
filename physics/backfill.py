"""Scheduling from the head of the queue: no backfill, and EASY.

EASY (Lifka 1995; Mu'alem and Feitelson 2001): when the head of the queue cannot start, its reservation is at the
shadow time, the earliest at which enough GPUs will be free if running jobs last as long as estimated. A later job may
start now if it ends by then, or if it fits into the extra GPUs that the head will leave over at that time.
"""

import math

from physics.machine import Machine, give, take
from physics.preemption import preempt


def run(machine: Machine, easy: bool) -> None:
    """Run all jobs of the machine's workload to their ends."""
    work, fair, ends = machine.work, machine.fair, machine.ends
    arrivals = iter(work.arrivals)
    next_job = next(arrivals, None)
    upcoming = math.inf if next_job is None else work.submit[next_job]
    while ends or next_job is not None:
        now = min(ends[0][0], upcoming) if ends else upcoming
        if fair is not None:
            fair.advance(now)
        machine.finish(now)
        while upcoming <= now:
            machine.join(next_job)
            next_job = next(arrivals, None)
            upcoming = math.inf if next_job is None else work.submit[next_job]
        queue = start_heads(machine, now)
        if easy and len(queue) > 1:
            backfill(machine, queue, now)


def start_heads(machine: Machine, now: float) -> list[int]:
    """Start the head of the queue while it can, by preemption if need be; return what still waits, in order."""
    queue, place = machine.queue(), 0
    while place < len(queue):
        head = queue[place]
        if machine.fits(head):
            place += 1
        else:
            queue = _drop(machine, queue, place)
            place = 0
            if not preempt(machine, head, now):
                return queue
            machine.leave(head)
            machine.begin(head, now)
            queue = machine.queue()
            continue
        machine.begin(head, now)
    return _drop(machine, queue, place)


def _drop(machine: Machine, queue: list[int], count: int) -> list[int]:
    """Take the first jobs out of the queue."""
    if machine.fair is None:
        del queue[:count]
        return queue
    for job in queue[:count]:
        machine.leave(job)
    return queue[count:]


def backfill(machine: Machine, queue: list[int], now: float) -> None:
    """Start later jobs that do not delay the head's reservation."""
    work, room = machine.work, machine.room
    if not any(room):
        return
    shadow, room_then, used_then = reservation(machine, queue[0])
    started = []
    for job in queue[1:]:
        if machine.fits(job):
            group, gpus = work.group[job], work.gpus[job]
            if now + machine.planned[job] > shadow:
                if gpus > room_then[0] + (room_then[group] if group else 0):
                    continue
                take(room_then, used_then, work.reserved, group, gpus)
            machine.begin(job, now)
            started.append(job)
    for job in started:
        machine.leave(job)


def reservation(machine: Machine, head: int) -> tuple[float, list[int], list[int]]:
    """Shadow time of the head, and the GPUs free and used at that time once it has started."""
    work, room, used = machine.work, machine.room[:], machine.used[:]
    group, gpus, shadow = work.group[head], work.gpus[head], -math.inf
    for end, job in machine.plan:
        if end > shadow and gpus <= room[0] + (room[group] if group else 0):
            break
        give(room, used, work.reserved, work.group[job], work.gpus[job])
        shadow = end
    take(room, used, work.reserved, group, gpus)
    return shadow, room, used
