"""Conservative backfill: every waiting job has a reservation.

With arrival order reservations persist: none may be delayed by a later job, and when a job ends
before its planned end they move up, once each, in queue order; a preemption, a start within a
quota, or an outage has them made anew. With priority and fair share they are rebuilt from empty, in
queue order, at every pass (Mu'alem and Feitelson 2001, section 2).

Reservations that are rebuilt are kept where a job has waited for long: one that a pass has made for
such a job may move earlier, but no later pass moves it later, neither for the head of the queue,
nor by a preemption. Only a job within its class's quota, or an outage, may do so; then all are made
anew.
"""

import math
from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from functools import partial
from itertools import dropwhile

import numpy as np

from physics import pace
from physics.scheduling.backfill import instants
from physics.scheduling.machine import LONG, Machine
from physics.scheduling.preemption import preempt, start_within
from physics.scheduling.reservations.compression import Compressor
from physics.scheduling.reservations.profile import PooledProfile, plan_of


def run(machine: Machine) -> None:
    """Simulate all jobs of the machine's workload until they end, with conservative backfill."""
    planner: Persistent | Rebuilt = Rebuilt(machine)
    if machine.policy.order == "arrival":
        planner = Persistent(machine)
    for _, early, fresh, shrunk in instants(machine, planner.due):
        planner.plan(fresh, early, shrunk)


def free_beside(
    machine: Machine, head: int, kept: dict[int, float], victims: Sequence[int] = ()
) -> bool:
    """Whether preemptions let the head start now without delaying a kept reservation."""
    if not kept:
        return True
    profile = plan_of(machine, kept, without=head)
    group = machine.group
    gpus = machine.gpus
    for job in victims:
        profile.lay(
            machine.now, machine.run_start[job] + machine.planned[job], group[job], -gpus[job]
        )
    return (
        profile.earliest(group[head], gpus[head], machine.planned[head], machine.now) == machine.now
    )


def reserve(
    profile: PooledProfile,
    machine: Machine,
    job: int,
    kept: dict[int, float],
    horizon: float = math.inf,
) -> float:
    """Reserve GPUs for a job, or move its reservation up.

    Return its start, infinite beyond the horizon.
    """
    group = machine.group[job]
    gpus = machine.gpus[job]
    length = machine.planned[job]
    if job in kept:
        earlier = profile.earlier(group, gpus, length, kept[job])
        if earlier is None:
            return kept[job]
        profile.lay(kept[job], kept[job] + length, group, -gpus)
        start = earlier
    else:
        start = profile.earliest(group, gpus, length, machine.now, horizon)
    if start < math.inf:
        profile.lay(start, start + length, group, gpus)
    return start


class Rebuilt:
    """Planner that keeps only jobs that start now or have waited long, so that it plans fewer jobs.

    A job that starts now must end before the horizon, the first time at which too few GPUs are left
    for the narrowest job that waits; nothing can cross the horizon, so that jobs which cannot start
    before it are left out. It comes closer with every reservation. The pass is over once no job
    that waits fits now. With reserved GPUs a job of another class may cross, and a kept reservation
    may lie behind it: then everything is planned until no job fits now.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.kept: dict[int, float] = {}
        self.due: list[tuple[float, int]] = []  #: kept reservations, sorted

    def plan(self, fresh: list[int], early: list[tuple[float, int]], shrunk: bool) -> None:
        """Run one scheduling pass."""
        machine = self.machine
        kept = self.kept
        if start_within(machine) or shrunk:
            kept.clear()
        self.start_heads()
        self.due.clear()
        old = {job for _, _, job in machine.aged}
        if not machine.waiting or not (old or machine.room.shared or any(machine.room.own)):
            return
        queue = machine.queue()[:]
        able = machine.select_fitting(queue)
        if not (able or old):
            return
        profile = plan_of(machine, kept)
        horizon = math.inf
        narrowest = int(machine.arrays[0][queue].min())
        able = self.able(profile, able)
        index = 0
        while able or old:
            pace.step()
            job = queue[index]
            index += 1
            start = reserve(profile, machine, job, kept, horizon)
            if start == math.inf:
                queue = self.without(queue[index:], profile, job, horizon)
                index = 0
                continue
            if start == machine.now:
                self.start(job)
            elif job in old:
                kept[job] = start
                insort(self.due, (start, job))
            old.discard(job)
            if machine.policy.max_wait is None and len(machine.room.spare) == 1:
                horizon = profile.until(0, narrowest)
            if able and able[0] == job:
                del able[0]
            if able and not self.still(profile, able[0]):
                able = self.able(profile, able)

    def without(self, queue: array, profile: PooledProfile, job: int, horizon: float) -> array:
        """Return the queue without jobs that, like this one, cannot start before the horizon."""
        if len(queue) < LONG:
            return queue
        widths, lengths, groups = (each[queue] for each in self.machine.arrays)
        group = self.machine.group[job]
        gpus = self.machine.gpus[job]
        length = self.machine.planned[job]
        most = max(profile.rooms[group][: bisect_left(profile.times, horizon)])
        # too wide, or too long
        least = length if gpus <= most else 0.0
        left = (groups != group) | (widths < gpus) | (lengths < least)
        return array("q", np.array(queue)[left].tobytes())

    def able(self, profile: PooledProfile, jobs: list[int]) -> list[int]:
        """Waiting jobs from the first that could start now under the plan; later ones may not."""
        if len(jobs) < LONG or self.machine.policy.max_wait is not None:
            return list(dropwhile(lambda job: not self.still(profile, job), jobs))
        widths, lengths, groups = (each[jobs] for each in self.machine.arrays)
        until = np.empty(len(jobs))
        for group in range(len(self.machine.room.spare)):
            mine = groups == group
            least = np.minimum.accumulate(profile.rooms[group])
            index = np.searchsorted(-least, -widths[mine], side="right")
            until[mine] = np.array([*profile.times, math.inf])[index]
        return np.array(jobs)[self.machine.now + lengths <= until].tolist()

    def still(self, profile: PooledProfile, job: int) -> bool:
        """Whether a job could start now under the current plan."""
        machine = self.machine
        if machine.policy.max_wait is not None:  # a kept reservation that moves up gives GPUs back
            return machine.fits(job)
        return machine.now + machine.planned[job] <= profile.until(
            machine.group[job], machine.gpus[job]
        )

    def start_heads(self) -> None:
        """Start heads of the queue while this delays no kept reservation."""
        machine = self.machine
        kept = self.kept
        while (head := machine.head()) is not None:
            allowed = partial(free_beside, machine, head, kept)
            if not (allowed() if machine.fits(head) else preempt(machine, head, allowed)):
                return
            self.start(head)

    def start(self, job: int) -> None:
        """Start a waiting job."""
        self.kept.pop(job, None)
        self.machine.start(job)


class Persistent:
    """Planner that keeps reservations between passes."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.reserved: dict[int, float] = {}
        self.due: list[tuple[float, int]] = []  #: reservations, sorted
        #: By group and width: planned lengths, rising, and the starts found for them.
        self.placed: dict[tuple[int, int], tuple[list[float], list[float]]] = {}
        self.old: set[int] = set()  #: jobs that had waited for long at the last pass
        self.rebuild({})

    def plan(self, fresh: list[int], early: list[tuple[float, int]], shrunk: bool) -> None:
        """Run one scheduling pass."""
        now = self.machine.now
        self.profile.trim(now)
        if start_within(self.machine) or shrunk:
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
        self.old = {job for _, _, job in self.machine.aged}

    def reserve(self, job: int) -> None:
        """Give a job the earliest start that delays no other job.

        As long as no reservation is given back, the room at any time can only shrink: a job that is
        as wide and at least as long as an earlier one cannot start before it.
        """
        pace.step()
        machine = self.machine
        group = machine.group[job]
        gpus = machine.gpus[job]
        length = machine.planned[job]
        now = machine.now
        lengths, starts = self.placed.setdefault((group, gpus), ([], []))
        index = bisect_right(lengths, length)
        since = max(now, starts[index - 1]) if index else now
        start = self.profile.earliest(group, gpus, length, since)
        if index and lengths[index - 1] == length:
            starts[index - 1] = start
        else:
            lengths.insert(index, length)
            starts.insert(index, start)
            index += 1
        while index < len(starts) and starts[index] <= start:  # the longer one says no more
            del lengths[index], starts[index]
        self.profile.lay(start, start + length, group, gpus)
        self.reserved[job] = start
        insort(self.due, (start, job))
        if self.compressor.kept:
            self.compressor.note(job, start)

    def move_up(self, early: list[tuple[float, int]]) -> None:
        """Move every reservation to the earliest start that is now free, in queue order."""
        profile = self.profile
        reserved = self.reserved
        compressor = self.compressor
        now = self.machine.now
        widths = self.machine.gpus
        groups = self.machine.group
        lengths = self.machine.planned
        queue = self.machine.queue()
        by_gaps = compressor.sweep(len(queue))
        for planned_end, job in early:
            profile.lay(now, planned_end, groups[job], -widths[job])
            compressor.open(now, planned_end, widths[job])
        for job in compressor.movable(queue) if by_gaps else queue:
            pace.step()
            start = reserved.get(job, now)
            if start <= now:
                continue
            gpus = widths[job]
            group = groups[job]
            length = lengths[job]
            earlier: float | None
            if by_gaps:
                earlier = compressor.find(job, start, now)
            else:
                earlier = profile.earlier(group, gpus, length, start)
            if earlier is not None and earlier < start:
                profile.lay(start, start + length, group, -gpus)
                profile.lay(earlier, earlier + length, group, gpus)
                del self.due[bisect_left(self.due, (start, job))]
                insort(self.due, (earlier, job))
                reserved[job] = earlier
                compressor.open(max(earlier + length, start), start + length, gpus, job)

    def start(self, job: int) -> None:
        """Start a job whose reservation is due, and forget its earlier wait."""
        del self.due[bisect_left(self.due, (self.reserved.pop(job), job))]
        self.old.discard(job)
        self.machine.start(job)

    def preempt(self) -> None:
        """Start heads of the queue that are due, or by preemption, which rebuilds all reservations
        except kept ones.
        """
        machine = self.machine
        while machine.policy.preemption is not None and (head := machine.head()) is not None:
            if self.reserved[head] <= machine.now:
                self.start(head)
                continue
            kept = {
                job: start
                for job, start in self.reserved.items()
                if job in self.old and job != head
            }
            if not machine.fits(head) and preempt(
                machine, head, partial(free_beside, machine, head, kept)
            ):
                self.old.discard(head)
                machine.start(head)
                self.rebuild(kept)
            else:
                return

    def rebuild(self, kept: dict[int, float]) -> None:
        """Rebuild all reservations in queue order, except those that are kept."""
        self.reserved.clear()
        self.due.clear()
        self.placed.clear()
        self.profile = plan_of(self.machine, kept)
        self.compressor = Compressor(self.profile, self.machine, self.due)
        for job in self.machine.queue():
            if job in kept:
                self.reserved[job] = reserve(self.profile, self.machine, job, kept)
                insort(self.due, (self.reserved[job], job))
            else:
                self.reserve(job)
