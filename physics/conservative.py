"""Conservative backfill: every waiting job has a reservation.

With arrival order reservations persist: none may be delayed by a later job, and when a job ends before its planned end
they move up, once each, in queue order. With priority and fair share they are rebuilt from empty, in queue order, at
every pass (Mu'alem and Feitelson 2001, section 2).
"""

import math
from bisect import insort

from physics.backfill import start_heads
from physics.machine import Machine
from physics.preemption import preempt
from physics.profile import PooledProfile, ReservedProfile


def run(machine: Machine) -> None:
    """Run all jobs of the machine's workload to their ends."""
    planner = Persistent(machine) if machine.fair is None and machine.policy.order == "arrival" else Rebuilt(machine)
    work, fair, ends = machine.work, machine.fair, machine.ends
    arrivals = iter(work.arrivals)
    next_job = next(arrivals, None)
    upcoming = math.inf if next_job is None else work.submit[next_job]
    while ends or next_job is not None or planner.due:
        now = min(ends[0][0] if ends else math.inf, upcoming, planner.due[0][0] if planner.due else math.inf)
        if fair is not None:
            fair.advance(now)
        fresh, early = [], planner.finish(now)
        while upcoming <= now:
            machine.join(next_job)
            fresh.append(next_job)
            next_job = next(arrivals, None)
            upcoming = math.inf if next_job is None else work.submit[next_job]
        planner.plan(now, fresh, early)


def _empty_plan(machine: Machine, now: float) -> PooledProfile:
    """The profile with nothing but the running jobs."""
    work = machine.work
    kind = ReservedProfile if len(work.reserved) > 1 else PooledProfile
    profile = kind(now, work.shared, work.reserved)
    for end, job in machine.plan:
        profile.lay(now, end, work.group[job], work.gpus[job])
    return profile


class Rebuilt:
    """All reservations are made anew at every pass; only those that are due now outlive it."""

    due = ()

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def finish(self, now: float) -> bool:
        """End what is due."""
        return self.machine.finish(now)

    def plan(self, now: float, fresh: list[int], early: bool) -> None:
        """One scheduling pass."""
        machine, work = self.machine, self.machine.work
        queue = start_heads(machine, now)
        if not queue or not any(machine.room):
            return
        profile, started = _empty_plan(machine, now), []
        for job in queue:
            group, gpus, length = work.group[job], work.gpus[job], machine.planned[job]
            start = profile.earliest(group, gpus, length, now)
            profile.lay(start, start + length, group, gpus)
            if start == now:
                machine.begin(job, now)
                started.append(job)
        for job in started:
            machine.leave(job)


class Persistent:
    """Reservations are kept from pass to pass."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.profile = _empty_plan(machine, -math.inf)
        self.reserved: dict[int, float] = {}
        self.due: list[tuple[float, int]] = []  #: reservations, sorted

    def finish(self, now: float) -> bool:
        """End what is due, and free what had been planned beyond now."""
        machine, work = self.machine, self.machine.work
        self.profile.trim(now)
        ending = []
        for end, job in machine.ends:
            if end > now:
                break
            ending.append((job, machine.began[job] + machine.planned[job]))
        early = machine.finish(now)
        for job, planned_end in ending:
            if planned_end > now:
                self.profile.lay(now, planned_end, work.group[job], -work.gpus[job])
        return early

    def plan(self, now: float, fresh: list[int], early: bool) -> None:
        """One scheduling pass."""
        if early:
            self.move_up(now)
        for job in fresh:
            self.reserve(job, now)
        self.preempt(now)
        while self.due and self.due[0][0] <= now:
            self.start(self.due[0][1], now)

    def reserve(self, job: int, now: float) -> None:
        """Give a job the earliest start that delays nobody."""
        work, length = self.machine.work, self.machine.planned[job]
        start = self.profile.earliest(work.group[job], work.gpus[job], length, now)
        self.profile.lay(start, start + length, work.group[job], work.gpus[job])
        self.reserved[job] = start
        insort(self.due, (start, job))

    def move_up(self, now: float) -> None:
        """Let every reservation move to the earliest start that is now free, in queue order."""
        work = self.machine.work
        for job in self.machine.queue():
            start = self.reserved.get(job)
            if start is not None and start > now:
                length = self.machine.planned[job]
                self.profile.lay(start, start + length, work.group[job], -work.gpus[job])
                self.due.remove((start, job))
                self.reserve(job, now)

    def start(self, job: int, now: float) -> None:
        """Start a job whose reservation is due."""
        self.due.remove((self.reserved.pop(job), job))
        self.machine.leave(job)
        self.machine.begin(job, now)

    def preempt(self, now: float) -> None:
        """Start heads of the queue that are due, or by preemption; after a preemption all reservations are rebuilt."""
        machine = self.machine
        while machine.policy.preemption is not None and machine.queue():
            head = machine.queue()[0]
            if self.reserved[head] <= now:
                self.start(head, now)
            elif not machine.fits(head) and preempt(machine, head, now):
                machine.leave(head)
                machine.begin(head, now)
                self.reserved, self.due = {}, []
                self.profile = _empty_plan(machine, now)
                for job in machine.queue():
                    self.reserve(job, now)
            else:
                return
