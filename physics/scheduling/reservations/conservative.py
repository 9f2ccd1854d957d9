"""Conservative backfill: every waiting job has a reservation.

In order of arrival, reservations persist: no later job may delay one. When a job ends before its
planned end, they move up, once each, in queue order. After a preemption, a start within a quota, or
an outage, all are made anew. In every other order they are made anew at every pass, in queue order
(Mu'alem and Feitelson 2001, section 2).

Even then the reservation of a job that has waited for long is kept: later passes may move it
earlier but not later, neither for the head of the queue nor by a preemption. Only a job within its
class's quota, or an outage, may do so; then all reservations are made anew.
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
    for _, early, arrived, has_outage in instants(machine, planner.due):
        planner.run_pass(arrived, early, has_outage)


def delays_nothing(
    machine: Machine, head: int, kept: dict[int, float], victims: Sequence[int] = ()
) -> bool:
    """Whether the head may start now, once the victims stop, without delaying a kept reservation.

    Args:
        kept: Starts [s] of the kept reservations, by job.
    """
    if not kept:
        return True
    profile = plan_of(machine, kept, except_job=head)
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
    """Reserve GPUs for a job, or move its reservation up; return its start, infinite without one.

    Args:
        kept: Starts [s] of the kept reservations, by job.
        horizon: Time from which on no new reservation may start [s].
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
    """Planner that makes reservations anew at every pass, except those of jobs that waited long.

    A pass plans no more jobs than it must to learn which start now. No job can run across the
    horizon, the first time at which too few GPUs are left for the narrowest waiting job. So jobs
    that cannot start before the horizon are left out. It comes closer with every reservation, and
    the pass is over once no waiting job can start now. With reserved GPUs a job of another class
    may run across the horizon, and a kept reservation may lie behind it: then all jobs are planned
    until none can start now.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.kept: dict[int, float] = {}  #: kept reservations: start [s] by job
        self.due: list[tuple[float, int]] = []  #: the same, sorted: start [s] and job

    def run_pass(
        self, arrived: list[int], early: list[tuple[float, int]], has_outage: bool
    ) -> None:
        """Run one scheduling pass."""
        machine = self.machine
        kept = self.kept
        if start_within(machine) or has_outage:
            kept.clear()
        self.start_heads()
        self.due.clear()
        aged = {job for _, _, job in machine.aged}
        if not machine.waiting or not (aged or machine.room.shared or any(machine.room.own)):
            return
        queue = machine.queue()[:]
        startable = machine.select_fitting(queue)
        if not (startable or aged):
            return
        profile = plan_of(machine, kept)
        horizon = math.inf
        narrowest = int(machine.arrays[0][queue].min())
        startable = self.select_startable(profile, startable)
        index = 0
        while startable or aged:
            pace.step()
            job = queue[index]
            index += 1
            start = reserve(profile, machine, job, kept, horizon)
            if start == math.inf:
                queue = self.drop_hopeless(queue[index:], profile, job, horizon)
                index = 0
                continue
            if start == machine.now:
                self.start(job)
            elif job in aged:
                kept[job] = start
                insort(self.due, (start, job))
            aged.discard(job)
            if machine.policy.max_wait is None and len(machine.room.spare) == 1:
                horizon = profile.until(0, narrowest)
            if startable and startable[0] == job:
                del startable[0]
            if startable and not self.can_start(profile, startable[0]):
                startable = self.select_startable(profile, startable)

    def drop_hopeless(
        self, queue: array, profile: PooledProfile, job: int, horizon: float
    ) -> array:
        """Return the queue without jobs that, like this one, cannot start before the horizon."""
        if len(queue) < LONG:
            return queue
        widths, lengths, groups = (values[queue] for values in self.machine.arrays)
        group = self.machine.group[job]
        gpus = self.machine.gpus[job]
        max_free = max(profile.rooms[group][: bisect_left(profile.times, horizon)])
        # The job is too wide whatever its length, or too long.
        too_long = self.machine.planned[job] if gpus <= max_free else 0.0
        may_start = (groups != group) | (widths < gpus) | (lengths < too_long)
        return array("q", np.array(queue)[may_start].tobytes())

    def select_startable(self, profile: PooledProfile, jobs: list[int]) -> list[int]:
        """Waiting jobs from the first on that could start now; later ones may turn out not to."""
        if len(jobs) < LONG or self.machine.policy.max_wait is not None:
            return list(dropwhile(lambda job: not self.can_start(profile, job), jobs))
        widths, lengths, groups = (values[jobs] for values in self.machine.arrays)
        latest_end = np.empty(len(jobs))
        for group in range(len(self.machine.room.spare)):
            in_group = groups == group
            min_free = np.minimum.accumulate(profile.rooms[group])
            index = np.searchsorted(-min_free, -widths[in_group], side="right")
            latest_end[in_group] = np.array([*profile.times, math.inf])[index]
        return np.array(jobs)[self.machine.now + lengths <= latest_end].tolist()

    def can_start(self, profile: PooledProfile, job: int) -> bool:
        """Whether a job could start now under the current plan."""
        machine = self.machine
        if machine.policy.max_wait is not None:
            # The plan is no bound: a kept reservation that moves up gives GPUs back.
            return machine.fits(job)
        return machine.now + machine.planned[job] <= profile.until(
            machine.group[job], machine.gpus[job]
        )

    def start_heads(self) -> None:
        """Start heads of the queue while this delays no kept reservation."""
        machine = self.machine
        kept = self.kept
        while (head := machine.head()) is not None:
            allowed = partial(delays_nothing, machine, head, kept)
            if not (allowed() if machine.fits(head) else preempt(machine, head, allowed)):
                return
            self.start(head)

    def start(self, job: int) -> None:
        """Start a waiting job, whose reservation is then no longer kept."""
        self.kept.pop(job, None)
        self.machine.start(job)


class Persistent:
    """Planner that keeps reservations between passes."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.reserved: dict[int, float] = {}  #: reservations: start [s] by job
        self.due: list[tuple[float, int]] = []  #: the same, sorted: start [s] and job
        #: By group and width: rising planned lengths [s], and the earliest starts of such jobs [s].
        self.shortcuts: dict[tuple[int, int], tuple[list[float], list[float]]] = {}
        self.aged: set[int] = set()  #: jobs beyond the longest wait at the last pass
        self.rebuild({})

    def run_pass(
        self, arrived: list[int], early: list[tuple[float, int]], has_outage: bool
    ) -> None:
        """Run one scheduling pass."""
        now = self.machine.now
        self.profile.trim(now)
        if start_within(self.machine) or has_outage:
            self.rebuild({})
        else:
            if early:
                self.shortcuts.clear()
                self.move_up(early)
            for job in arrived:
                self.reserve(job)
        self.preempt()
        while self.due and self.due[0][0] <= now:
            self.start(self.due[0][1])
        self.aged = {job for _, _, job in self.machine.aged}

    def reserve(self, job: int) -> None:
        """Give a job the earliest start that delays no other job.

        As long as no reservation is given back, the number of free GPUs at any time can only fall:
        a job that is as wide and at least as long as an earlier one cannot start before it.
        """
        pace.step()
        machine = self.machine
        group = machine.group[job]
        gpus = machine.gpus[job]
        length = machine.planned[job]
        now = machine.now
        lengths, starts = self.shortcuts.setdefault((group, gpus), ([], []))
        index = bisect_right(lengths, length)
        since = max(now, starts[index - 1]) if index else now
        start = self.profile.earliest(group, gpus, length, since)
        if index and lengths[index - 1] == length:
            starts[index - 1] = start
        else:
            lengths.insert(index, length)
            starts.insert(index, start)
            index += 1
        while index < len(starts) and starts[index] <= start:  # a longer job is no tighter bound
            del lengths[index], starts[index]
        self.profile.lay(start, start + length, group, gpus)
        self.reserved[job] = start
        insort(self.due, (start, job))
        if self.compressor.is_tracking:
            self.compressor.record(job, start)

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
            compressor.add_gap(now, planned_end, widths[job])
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
                earlier = compressor.find_start(job, start, now)
            else:
                earlier = profile.earlier(group, gpus, length, start)
            if earlier is not None and earlier < start:
                profile.lay(start, start + length, group, -gpus)
                profile.lay(earlier, earlier + length, group, gpus)
                del self.due[bisect_left(self.due, (start, job))]
                insort(self.due, (earlier, job))
                reserved[job] = earlier
                compressor.add_gap(max(earlier + length, start), start + length, gpus, job)

    def start(self, job: int) -> None:
        """Start a job whose reservation is due, and forget its earlier wait."""
        del self.due[bisect_left(self.due, (self.reserved.pop(job), job))]
        self.aged.discard(job)
        self.machine.start(job)

    def preempt(self) -> None:
        """Start heads of the queue that are due, or by preemption.

        A preemption rebuilds all reservations except those of jobs that have waited for long.
        """
        machine = self.machine
        while machine.policy.preemption is not None and (head := machine.head()) is not None:
            if self.reserved[head] <= machine.now:
                self.start(head)
                continue
            kept = {
                job: start
                for job, start in self.reserved.items()
                if job in self.aged and job != head
            }
            if not machine.fits(head) and preempt(
                machine, head, partial(delays_nothing, machine, head, kept)
            ):
                self.aged.discard(head)
                machine.start(head)
                self.rebuild(kept)
            else:
                return

    def rebuild(self, kept: dict[int, float]) -> None:
        """Rebuild all reservations in queue order, except those that are kept."""
        self.reserved.clear()
        self.due.clear()
        self.shortcuts.clear()
        self.profile = plan_of(self.machine, kept)
        self.compressor = Compressor(self.profile, self.machine, self.due)
        for job in self.machine.queue():
            if job in kept:
                self.reserved[job] = reserve(self.profile, self.machine, job, kept)
                insort(self.due, (self.reserved[job], job))
            else:
                self.reserve(job)
