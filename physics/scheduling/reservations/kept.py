"""Conservative backfill for jobs that have waited for long: their reservations are kept from pass to pass.

A reservation that a pass has made for such a job may move earlier, but no later pass moves it later: neither for the
head of the queue, nor by a preemption. Only a job within its class's quota, or an outage, may do so; then all are made
anew.
"""

from bisect import insort

from physics.scheduling import quotas
from physics.scheduling.machine import Machine
from physics.scheduling.preemption import preempt
from physics.scheduling.reservations.profile import PooledProfile, of_running

__all__ = ["Kept", "earliest", "lay", "preempt_for", "profile_with", "reserve"]


def profile_with(machine: Machine, kept: dict[int, float], without: int | None = None) -> PooledProfile:
    """Plan the running jobs and all kept reservations except one."""
    profile = of_running(machine, machine.now)
    for job, start in kept.items():
        if job != without:
            lay(profile, machine, job, start)
    return profile


def lay(profile: PooledProfile, machine: Machine, job: int, start: float) -> None:
    """Plan a job from a start on."""
    profile.lay(start, start + machine.planned[job], machine.work.group[job], machine.work.gpus[job])


def earliest(profile: PooledProfile, machine: Machine, job: int) -> float:
    """First start of a job that the plan leaves room for."""
    return profile.earliest(machine.work.group[job], machine.work.gpus[job], machine.planned[job], machine.now)


def reserve(profile: PooledProfile, machine: Machine, job: int, kept: dict[int, float]) -> float:
    """Reserve GPUs for a job, or move its reservation up; return its start."""
    group, gpus, length = machine.work.group[job], machine.work.gpus[job], machine.planned[job]
    if job in kept:
        found = profile.earlier(group, gpus, length, kept[job])
        if found is None:
            return kept[job]
        profile.lay(kept[job], kept[job] + length, group, -gpus)
    else:
        found = earliest(profile, machine, job)
    lay(profile, machine, job, found)
    return found


def preempt_for(machine: Machine, head: int, kept: dict[int, float]) -> bool:
    """Stop running jobs for the head, unless it would then delay a kept reservation; say whether it now can start."""

    def allowed(victims: list[int]) -> bool:
        profile = profile_with(machine, kept, without=head)
        for job in victims:
            end = machine.began[job] + machine.planned[job]
            profile.lay(machine.now, end, machine.work.group[job], -machine.work.gpus[job])
        return earliest(profile, machine, head) == machine.now

    return preempt(machine, head, machine.now, allowed)


class Kept:
    """Planner that rebuilds reservations at every pass, except those of jobs that have waited for long."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.kept: dict[int, float] = {}
        self.due: list[tuple[float, int]] = []  #: kept reservations, sorted

    def plan(self, now: float, fresh: list[int], early: list[tuple[float, int]]) -> None:
        """One scheduling pass."""
        machine, kept = self.machine, self.kept
        if quotas.start_within(machine, now) or machine.shrunk:
            kept.clear()
        self._start_heads()
        profile, queue = profile_with(machine, kept), machine.queue()[:]
        old = {job for _, _, job in machine.long_waits.aged}
        last = self._last_of_interest(queue, old)
        self.due.clear()
        for place, job in enumerate(queue):
            if place > last:
                break
            start = reserve(profile, machine, job, kept)
            if start == now:
                self._start(job)
                last = self._last_of_interest(queue, old)
            elif job in old:
                kept[job] = start
                insort(self.due, (start, job))

    def _start_heads(self) -> None:
        """Start the head of the queue while it can without delaying a kept reservation."""
        machine = self.machine
        while (head := machine.head()) is not None:
            if machine.fits(head):
                if earliest(profile_with(machine, self.kept, without=head), machine, head) > machine.now:
                    return
            elif not preempt_for(machine, head, self.kept):
                return
            self._start(head)

    def _start(self, job: int) -> None:
        self.kept.pop(job, None)
        self.machine.leave(job)
        self.machine.begin(job, self.machine.now)

    def _last_of_interest(self, queue: list[int], old: set[int]) -> int:
        """Place of the last job that could start now or whose reservation is kept."""
        places = range(len(queue) - 1, -1, -1)
        return next((place for place in places if queue[place] in old or self.machine.fits(queue[place])), -1)
