"""Conservative backfill whose reservations are all made anew, in queue order, at every pass."""

import math
from bisect import bisect_right
from heapq import heapify, heappop, heappush

from physics import pace
from physics.scheduling import quotas
from physics.scheduling.backfill import start_heads
from physics.scheduling.machine import Machine
from physics.scheduling.reservations.profile import PooledProfile, of_running
from physics.scheduling.waiting import ANY, longest_between

__all__ = ["Indexed", "Listed", "Rebuilt"]


class Rebuilt:
    """Planner that keeps only what starts now, so it does not have to plan everything.

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
        quotas.start_within(machine, now)
        start_heads(machine, machine.head(), now)
        if not machine.waiting or not any(machine.room):
            return
        machine.watch()
        queue = Listed(machine) if machine.index is None else Indexed(machine)
        if not queue.one_fits():
            return
        queue.profile = profile = of_running(machine, now)
        target, horizon = queue.next_that_fits(), math.inf
        while target is not None:
            pace.step()
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

    profile: PooledProfile

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.jobs = machine.queue()[:]
        self.place = 0
        self.narrowest = min(machine.work.gpus[job] for job in self.jobs)

    def one_fits(self) -> bool:
        """Whether any job fits into the GPUs that are free now."""
        return any(map(self.machine.fits, self.jobs))

    def next(self, horizon: float) -> int:
        """Next job in queue order."""
        self.place += 1
        return self.jobs[self.place - 1]

    def failed(self, job: int) -> None:
        """Take note of a job that cannot start before the horizon."""

    def next_that_fits(self) -> int | None:
        """First job from a place in the queue on that could start now under the present plan."""
        gpus, group, planned, now = (
            self.machine.work.gpus,
            self.machine.work.group,
            self.machine.planned,
            self.machine.now,
        )
        until: dict[tuple[int, int], float] = {}
        for job in self.jobs[self.place :]:
            key = group[job], gpus[job]
            if key not in until:
                until[key] = self.profile.until(*key)
            if now + planned[job] <= until[key]:
                return job
        return None


class Indexed:
    """A long queue, of which only jobs that may matter are looked at."""

    profile: PooledProfile

    def __init__(self, machine: Machine) -> None:
        self.machine, self.index = machine, machine.index
        self.ranks = machine.ranks()
        trees = self.index.trees
        self.present = [key for key in self.index.keys_by_size if trees[key][1] <= ANY]
        self.narrowest = self.present[0][0]
        self.heap: list[tuple[tuple[int, int], tuple[int, int, int]]] | None = None
        self.position = (0, -1)
        self.failures: dict[int, list[tuple[int, float]]] = {}

    def one_fits(self) -> bool:
        """Whether any job fits into the GPUs that are free now."""
        room = self.machine.room
        if len(room) == 1:
            return self.narrowest <= room[0]
        return any(gpus <= room[0] + (room[group] if group else 0) for gpus, group, _ in self.present)

    def next(self, horizon: float) -> int:
        """Next job in queue order that may start before the horizon."""
        if self.heap is None and horizon == math.inf:
            return self._next_of_all()
        most = {group: self.profile.most(group, horizon) for group in range(len(self.machine.room))}
        if self.heap is None:
            able = [key for key in self.present if key[0] <= most[key[1]]]
            self.heap = [entry for key in able if (entry := self._entry(key, ANY, self._slot(key)))]
            heapify(self.heap)
        while True:
            self.position, key = heappop(self.heap)
            gpus, group, _ = key
            if gpus > most[group]:
                continue  # nor can any other job as wide, at this pass
            job = self.position[1]
            limit = self._limit(gpus, group)
            if entry := self._entry(key, limit, self.index.slot[job] + 1):
                heappush(self.heap, entry)
            if self.machine.planned[job] <= limit:
                return job

    def _next_of_all(self) -> int:
        """Next job in queue order."""
        rank, job = self.position
        while True:
            lines = [line for line, mine in zip(self.machine.lines, self.ranks, strict=True) if mine == rank]
            places = [bisect_right(line, job) for line in lines]
            jobs = [line[place] for line, place in zip(lines, places, strict=True) if place < len(line)]
            if jobs:
                self.position = rank, min(jobs)
                return self.position[1]
            rank, job = rank + 1, -1

    def _slot(self, key: tuple[int, int, int]) -> int | None:
        """First place of a group from here on; None if the group is behind."""
        rank, (rank_here, job_here) = self.ranks[key[2]], self.position
        if rank == rank_here:
            return bisect_right(self.index.members[key], job_here)
        return 0 if rank > rank_here else None

    def _entry(
        self, key: tuple[int, int, int], longest: float, slot: int | None
    ) -> tuple[tuple[int, int], tuple[int, int, int]] | None:
        """First job of a group from a place on, as the heap sorts it."""
        job = None if slot is None else self.index.first(key, longest, slot)
        return None if job is None else ((self.ranks[key[2]], job), key)

    def _limit(self, gpus: int, group: int) -> float:
        """Longest planned length for which a job of this width has not yet been ruled out."""
        lengths = [length for width, length in self.failures.get(group, ()) if width <= gpus]
        return math.nextafter(min(lengths), 0.0) if lengths else ANY

    def failed(self, job: int) -> None:
        """Take note of a job that cannot start before the horizon: no wider and longer one can, at this pass."""
        work, length = self.machine.work, self.machine.planned[job]
        known = self.failures.setdefault(work.group[job], [])
        known[:] = [(width, most) for width, most in known if width < work.gpus[job] or most < length]
        known.append((work.gpus[job], length))

    def next_that_fits(self) -> int | None:
        """First job from a place in the queue on that could start now under the present plan."""
        index, machine, best = self.index, self.machine, None
        now, room = machine.now, machine.room
        until: dict[tuple[int, int], float] = {}
        for key in self.present:
            gpus, group, line = key
            if gpus > room[0] + (room[group] if group else 0):
                if len(room) == 1:
                    break
                continue
            rank, slot = self.ranks[line], self._slot(key)
            if slot is None or (best is not None and rank > best[0]):
                continue
            if (gpus, group) not in until:
                until[gpus, group] = self.profile.until(group, gpus)
            end = until[gpus, group]
            if end <= now:
                continue
            longest = ANY if end == math.inf else longest_between(now, end)
            job = index.first(key, longest, slot)
            while job is not None and now + machine.planned[job] > end:
                job = index.first(key, longest, index.slot[job] + 1)
            if job is not None and (best is None or (rank, job) < best):
                best = rank, job
        return None if best is None else best[1]
