"""Quotas with borrowing: what each class is entitled to starts first, then the rest is lent.

As in Kueue's cohorts and YARN's elastic queues. A pass begins with the quotas: as long as some class's first waiting
job fits into what its class has left, the first of these in the queue's order starts, if need be on GPUs that are taken
back from classes above their quotas. What is free after that is lent by order and backfill, as without quotas.
"""

from physics import pace
from physics.scheduling.machine import Machine
from physics.scheduling.preemption import latest_first


def start_within(machine: Machine) -> bool:
    """Start what fits into its class's quota; say whether anything did."""
    if machine.work.quotas is None:
        return False
    started = False
    while (job := _next_within(machine)) is not None:
        pace.step()
        take_back(machine, job)
        machine.start(job)
        started = True
    return started


def _next_within(machine: Machine) -> int | None:
    """First job, in queue order, that its class's quota lets start; each class offers its first one."""
    work, in_use = machine.work, machine.in_use
    taking = machine.policy.reclaim
    for job in machine.firsts():
        line = work.line[job]
        if in_use[line] + work.gpus[job] <= work.quotas[line] and (
            machine.fits(job) or (taking and _marked(machine, job)[1] <= 0)
        ):
            return job
    return None


def take_back(machine: Machine, job: int) -> None:
    """Stop jobs of classes above their quotas until the job fits: those that started last, and none in vain.

    But for an outage it always fits in the end: without what all other classes have beyond their quotas, which add up
    to at most the fleet, the job's own quota is free but for what its class uses.
    """
    work = machine.work
    marked, missing = _marked(machine, job)
    for one in reversed(marked):
        if missing + work.gpus[one] <= 0:
            missing += work.gpus[one]
        else:
            machine.stop(one)


def _marked(machine: Machine, job: int) -> tuple[list[int], int]:
    """Jobs above quotas that would have to be stopped, and GPUs that the job then still misses."""
    work, group = machine.work, machine.work.group[job]
    missing = work.gpus[job] - machine.room[0] - (machine.room[group] if group else 0)
    in_use, marked = machine.in_use[:], []
    lent = missing > 0 and machine.policy.borrowing  # else nobody holds what the class is entitled to
    for one in latest_first(machine, [running for _, running in machine.ends]) if lent else ():
        line = work.line[one]
        if in_use[line] > work.quotas[line]:
            marked.append(one)
            in_use[line] -= work.gpus[one]
            missing -= work.gpus[one]
            if missing <= 0:
                break
    return marked, missing
