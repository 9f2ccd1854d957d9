"""Conservative backfill: every waiting job has a reservation.

With arrival order reservations persist: none may be delayed by a later job, and when a job ends before its planned end
they move up, once each, in queue order; a preemption, a start within a quota, or an outage has them made anew. With
priority and fair share they are rebuilt from empty, in queue order, at every pass (Mu'alem and Feitelson 2001,
section 2).
"""

import math
from bisect import bisect_left, bisect_right, insort

from physics import pace
from physics.scheduling import quotas
from physics.scheduling.backfill import instants
from physics.scheduling.machine import Machine
from physics.scheduling.reservations.compression import Compressor
from physics.scheduling.reservations.profile import of_running
from physics.scheduling.reservations.rebuilt import Rebuilt, preempt_for, profile_with, reserve


def run(machine: Machine) -> None:
    """Run all jobs of the machine's workload to their ends."""
    planner = Persistent(machine) if machine.policy.order == "arrival" else Rebuilt(machine)
    for _, early, fresh in instants(machine, planner.due):
        planner.plan(fresh, early)


class Persistent:
    """Reservations are kept from pass to pass."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.profile = of_running(machine, -math.inf)
        self.reserved: dict[int, float] = {}
        self.due: list[tuple[float, int]] = []  #: reservations, sorted
        #: By group and width: planned lengths, rising, and the starts found for them.
        self.placed: dict[tuple[int, int], tuple[list[float], list[float]]] = {}
        self.compressor = self.compress()
        self.old: set[int] = set()  #: jobs that had waited for long at the last pass

    def compress(self) -> Compressor | None:
        """What moves reservations up: with one pool of GPUs it need not look at all of them."""
        if len(self.machine.room) > 1 or self.machine.long_waits is not None:
            return None
        return Compressor(self.profile, self.machine.work.gpus, self.machine.planned, self.due)

    def plan(self, fresh: list[int], early: list[tuple[float, int]]) -> None:
        """One scheduling pass."""
        now = self.machine.now
        self.profile.trim(now)
        if quotas.start_within(self.machine) or self.machine.shrunk:
            self.rebuild({})
        else:
            if early:
                self.placed.clear()
                self.move_up(early)
            for job in fresh:
                self.reserve(job)
        self.preempt()
        while self.due and self.due[0][0] <= now:
            self.start(self.due[0][1])
        if self.machine.long_waits is not None:
            self.old = {job for _, _, job in self.machine.long_waits.aged}

    def reserve(self, job: int) -> None:
        """Give a job the earliest start that delays nobody.

        As long as no reservation is given back, the room at any time can only shrink: a job that is as wide and at
        least as long as an earlier one cannot start before it.
        """
        pace.step()
        work, length, now = self.machine.work, self.machine.planned[job], self.machine.now
        group, gpus = work.group[job], work.gpus[job]
        lengths, starts = self.placed.setdefault((group, gpus), ([], []))
        place = bisect_right(lengths, length)
        since = starts[place - 1] if place else now
        start = self.profile.earliest(group, gpus, length, since if since > now else now)
        if place and lengths[place - 1] == length:
            starts[place - 1] = start
        else:
            lengths.insert(place, length)
            starts.insert(place, start)
            place += 1
        while place < len(starts) and starts[place] <= start:  # the longer one says no more
            del lengths[place], starts[place]
        self.profile.lay(start, start + length, group, gpus)
        self.reserved[job] = start
        insort(self.due, (start, job))
        if self.compressor is not None and self.compressor.kept:
            self.compressor.note(job, start)

    def move_up(self, early: list[tuple[float, int]]) -> None:
        """Let every reservation move to the earliest start that is now free, in queue order."""
        profile, planned, reserved, known = self.profile, self.machine.planned, self.reserved, self.compressor
        now = self.machine.now
        widths, groups, queue = self.machine.work.gpus, self.machine.work.group, self.machine.queue()
        by_gaps = known is not None and known.sweep(len(queue))
        for planned_end, job in early:
            profile.lay(now, planned_end, groups[job], -widths[job])
            if by_gaps:
                known.open(now, planned_end, widths[job])
        for job in known.movable(queue) if by_gaps else queue:
            pace.step()
            start = reserved.get(job, now)
            if start <= now:
                continue
            gpus, group, length = widths[job], groups[job], planned[job]
            found = known.find(job, start, now) if by_gaps else profile.earlier(group, gpus, length, start)
            if found is not None and found < start:
                profile.lay(start, start + length, group, -gpus)
                profile.lay(found, found + length, group, gpus)
                del self.due[bisect_left(self.due, (start, job))]
                insort(self.due, (found, job))
                reserved[job] = found
                if known is not None:
                    known.open(max(found + length, start), start + length, gpus, job)

    def start(self, job: int) -> None:
        """Start a job whose reservation is due; should it be stopped again, it no longer waits from before."""
        del self.due[bisect_left(self.due, (self.reserved.pop(job), job))]
        self.old.discard(job)
        self.machine.start(job)

    def preempt(self) -> None:
        """Start heads of the queue that are due, or by preemption, which rebuilds all reservations but kept ones."""
        machine = self.machine
        while machine.policy.preemption is not None and (head := machine.head()) is not None:
            if self.reserved[head] <= machine.now:
                self.start(head)
                continue
            kept = {job: start for job, start in self.reserved.items() if job in self.old and job != head}
            if not machine.fits(head) and preempt_for(machine, head, kept):
                self.old.discard(head)
                machine.start(head)
                self.rebuild(kept)
            else:
                return

    def rebuild(self, kept: dict[int, float]) -> None:
        """Rebuild all reservations in queue order, except those that are kept."""
        self.reserved.clear(), self.due.clear(), self.placed.clear()
        self.profile = profile_with(self.machine, kept)
        self.compressor = self.compress()
        for job in self.machine.queue():
            if job in kept:
                self.reserved[job] = reserve(self.profile, self.machine, job, kept)
                insort(self.due, (self.reserved[job], job))
            else:
                self.reserve(job)
