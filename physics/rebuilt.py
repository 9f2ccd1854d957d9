"""Conservative backfill whose reservations are all made anew, in queue order, at every pass."""

import math
from bisect import bisect_right
from heapq import heapify, heappop, heappush

from physics.backfill import start_heads
from physics.machine import Machine
from physics.profile import PooledProfile, of_running
from physics.waiting import ANY, SLACK


class Rebuilt:
    """The planner that forgets everything but what starts now, and therefore need not plan everything.

    A job that starts now must end before the horizon, the first time at which too few GPUs are left for the narrowest
    job that waits; nothing can cross the horizon, so that jobs which cannot start before it are left out. It comes
    closer with every reservation. The pass is over once no job that waits fits now.

    With reserved GPUs a job of another class may cross, and everything is planned until no job fits now.
    """

    due = ()

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def plan(self, now: float, fresh: list[int], early: list[tuple[float, int]]) -> None:
        """One scheduling pass."""
        machine, work = self.machine, self.machine.work
        start_heads(machine, now)
        if not machine.waiting or not any(machine.room):
            return
        machine.watch()
        profile = of_running(machine, now)
        queue = Listed(machine, profile) if machine.index is None else Indexed(machine, profile)
        target, horizon = queue.next_that_fits(), math.inf
        while target is not None:
            job = queue.next(horizon)
            group, gpus, length = work.group[job], work.gpus[job], machine.planned[job]
            start = profile.earliest(group, gpus, length, now, horizon)
            if start is None:
                queue.failed(job)
                continue
            profile.lay(start, start + length, group, gpus)
            if start == now:
                machine.leave(job)
                machine.begin(job, now)
            if len(machine.room) == 1:
                horizon = profile.until(0, queue.narrowest)
            if job == target or now + machine.planned[target] > profile.until(work.group[target], work.gpus[target]):
                target = queue.next_that_fits()


class Listed:
    """A short queue, gone through job by job."""

    def __init__(self, machine: Machine, profile: PooledProfile) -> None:
        self.machine, self.profile = machine, profile
        self.jobs = machine.queue()[:]
        self.place = 0
        self.narrowest = min(machine.work.gpus[job] for job in self.jobs)

    def next(self, horizon: float) -> int:
        """Next job in queue order."""
        self.place += 1
        return self.jobs[self.place - 1]

    def failed(self, job: int) -> None:
        """Take note of a job that cannot start before the horizon."""

    def next_that_fits(self) -> int | None:
        """First job from here on that could start now, as far as is planned."""
        work, planned, profile = self.machine.work, self.machine.planned, self.profile
        now = profile.times[0]
        until: dict[tuple[int, int], float] = {}
        for job in self.jobs[self.place :]:
            key = work.group[job], work.gpus[job]
            if key not in until:
                until[key] = profile.until(*key)
            if now + planned[job] <= until[key]:
                return job
        return None


class Indexed:
    """A long queue, of which only jobs that may matter are looked at."""

    def __init__(self, machine: Machine, profile: PooledProfile) -> None:
        self.machine, self.profile, self.index = machine, profile, machine.index
        self.ranks = machine.ranks()
        self.present = [key for key in self.index.keys_by_size if self.index.trees[key][1] <= ANY]
        self.narrowest = self.present[0][0]
        self.heap = [self._entry(self.index.first(key, ANY), key) for key in self.present]
        heapify(self.heap)
        self.position = (-1, -1)
        self.failures: dict[int, list[tuple[int, float]]] = {}

    def _entry(self, job: int, key: tuple[int, int, int]) -> tuple[tuple[int, int], tuple[int, int, int]]:
        return (self.ranks[key[2]], job), key

    def next(self, horizon: float) -> int:
        """Next job in queue order that may start before the horizon."""
        most: dict[int, int] = {}
        while True:
            self.position, key = heappop(self.heap)
            gpus, group, _ = key
            if group not in most:
                most[group] = self.profile.most(group, horizon)
            if gpus > most[group]:
                continue  # nor can any other job as wide, at this pass
            job = self.position[1]
            limit = self._limit(gpus, group)
            after = self.index.first(key, limit, self.index.slot[job] + 1)
            if after is not None:
                heappush(self.heap, self._entry(after, key))
            if self.machine.planned[job] <= limit:
                return job

    def _limit(self, gpus: int, group: int) -> float:
        """Longest planned length for which a job of this width has not yet been ruled out."""
        lengths = (length for width, length in self.failures.get(group, ()) if width <= gpus)
        return min((math.nextafter(length, 0.0) for length in lengths), default=ANY)

    def failed(self, job: int) -> None:
        """Take note of a job that cannot start before the horizon: no wider and longer one can, at this pass."""
        work, length = self.machine.work, self.machine.planned[job]
        known = self.failures.setdefault(work.group[job], [])
        known[:] = [(width, most) for width, most in known if width < work.gpus[job] or most < length]
        known.append((work.gpus[job], length))

    def next_that_fits(self) -> int | None:
        """First job from here on that could start now, as far as is planned."""
        index, now, best = self.index, self.profile.times[0], None
        for key in self.present:
            gpus, group, lane = key
            until = self.profile.until(group, gpus)
            if until <= now or self.ranks[lane] < self.position[0]:
                continue
            slot = 0
            if self.ranks[lane] == self.position[0]:
                slot = bisect_right(index.members[key], self.position[1])
            longest = ANY if until == math.inf else (until - now) * (1 + SLACK)
            job = index.first(key, longest, slot)
            while job is not None and now + self.machine.planned[job] > until:
                job = index.first(key, longest, index.slot[job] + 1)
            if job is not None and (best is None or (self.ranks[lane], job) < best):
                best = self.ranks[lane], job
        return None if best is None else best[1]
