"""Planned free GPUs: a step function of time that contains the reservations.

`PooledProfile` is for one pool of GPUs; `ReservedProfile` keeps the free GPUs of each reservation.
Both have the same methods: `earliest` finds where a job of a group first fits, `lay` reserves it.
"""

import math
from bisect import bisect_left, bisect_right

from physics.scheduling.machine import Machine, Room


class PooledProfile:
    """Planned free GPUs from now on; the last step lasts forever.

    >>> profile = PooledProfile(0.0, 8)
    >>> profile.lay(0.0, 10.0, 0, 6)
    >>> profile.earliest(0, 2, 5.0, 0.0), profile.earliest(0, 4, 5.0, 0.0)
    (0.0, 10.0)
    """

    def __init__(self, now: float, shared: int) -> None:
        self.times = [now]
        self.free = [shared]
        self.rooms = [self.free]  #: by group: GPUs that its jobs could use in each step [1]
        self.rows: list[list] = self.rooms  #: all lists with one entry per step, besides `times`

    def trim(self, now: float) -> None:
        """Remove the steps before the present time."""
        first = max(0, bisect_right(self.times, now) - 1)
        for row in (self.times, *self.rows):
            del row[:first]
        self.times[0] = now

    def until(self, group: int, gpus: int) -> float:
        """First time at which fewer than `gpus` GPUs are left for the group; infinity if never."""
        for time, free in zip(self.times, self.rooms[group], strict=True):
            if free < gpus:
                return time
        return math.inf

    def earliest(
        self, group: int, gpus: int, length: float, now: float, horizon: float = math.inf
    ) -> float:
        """First time at which enough GPUs are free for long enough; infinite beyond the horizon."""
        times = self.times
        free = self.rooms[group]
        step = max(0, bisect_right(times, now) - 1)
        last = len(times)
        while True:
            while free[step] < gpus:
                step += 1
            start = times[step]
            if start < now:
                start = now
            if start >= horizon:
                return math.inf
            end = start + length
            step += 1
            while step < last and times[step] < end and free[step] >= gpus:
                step += 1
            # Otherwise a step with too few GPUs ends the run, and no earlier start will do: go on
            # from that step.
            if step == last or times[step] >= end:
                return start

    def earlier(self, group: int, gpus: int, length: float, start: float) -> float | None:
        """First earlier start at which a job fits if it gives up its reservation; None without one.

        Args:
            start: Start of the present reservation [s].
        """
        times = self.times
        free = self.rooms[group]
        step = 0
        last = bisect_left(times, start)
        while step < last:
            if free[step] < gpus:
                step += 1
                continue
            earliest = times[step]
            end = earliest + length
            step += 1
            while step < last and free[step] >= gpus and times[step] < end:
                step += 1
            if step == last or times[step] >= end:
                return earliest
        return None

    def lay(self, start: float, end: float, group: int, gpus: int) -> None:
        """Use GPUs from start to end; a negative number frees GPUs."""
        free = self.free
        first = self.cut(start)
        last = self.cut(end)
        free[first:last] = [number - gpus for number in free[first:last]]
        # The later step first, so that the index of the other one stays right.
        for index in (last, first):
            if 0 < index < len(free) and free[index] == free[index - 1]:
                del self.times[index], free[index]

    def cut(self, time: float) -> int:
        """Split the step at a time and return the index of the new step."""
        step = bisect_left(self.times, time)
        if step and (step == len(self.times) or self.times[step] != time):
            self.times.insert(step, time)
            for row in self.rows:
                row.insert(step, row[step - 1])
        return step


class ReservedProfile(PooledProfile):
    """Planned free GPUs with quotas, under which a class's limit depends on others' use."""

    def __init__(self, now: float, room: Room) -> None:
        super().__init__(now, room.shared)
        self.steps = [room]
        self.rooms = [[left] for left in room.limits()]
        self.rows = [self.steps, *self.rooms]

    def lay(self, start: float, end: float, group: int, gpus: int) -> None:
        """Use GPUs from start to end; a negative number frees GPUs."""
        for index in range(self.cut(start), self.cut(end)):
            room = self.steps[index] = self.steps[index].copy()
            room.use(group, gpus)
            for row, left in zip(self.rooms, room.limits(), strict=True):
                row[index] = left


def plan_of(machine: Machine, kept: dict[int, float], except_job: int = -1) -> PooledProfile:
    """Plan of free GPUs from all running jobs and all kept reservations except one job's."""
    gpus = machine.gpus
    group = machine.group
    now = machine.now
    profile: PooledProfile
    if len(machine.room.spare) > 1:
        profile = ReservedProfile(now, machine.empty_room.copy())
        for end, job in machine.planned_ends:
            profile.lay(now, end, group[job], gpus[job])
    else:
        profile = PooledProfile(now, machine.room.shared)
        for end, job in machine.planned_ends:
            if end == profile.times[-1]:
                profile.free[-1] += gpus[job]
            else:
                profile.times.append(end)
                profile.free.append(profile.free[-1] + gpus[job])
    for job, start in kept.items():
        if job != except_job:
            profile.lay(start, start + machine.planned[job], group[job], gpus[job])
    return profile
