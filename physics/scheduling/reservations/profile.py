"""Planned free GPUs: a step function of time that contains the reservations.

`PooledProfile` is for one pool of GPUs; `ReservedProfile` keeps the free GPUs of each reservation.
Both answer the same two calls: where a job of a group first fits, and lay it there.
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
        self.rooms = [self.free]  #: by group, GPUs that its jobs could use at each step
        self.rows: list[list] = self.rooms  #: all that a step has

    def trim(self, now: float) -> None:
        """Remove the steps before the present time."""
        first = max(0, bisect_right(self.times, now) - 1)
        for row in (self.times, *self.rows):
            del row[:first]
        self.times[0] = now

    def until(self, group: int, gpus: int) -> float:
        """First time at which fewer GPUs are left for the group; infinity if there is none."""
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
        place = max(0, bisect_right(times, now) - 1)
        last = len(times)
        while True:
            while free[place] < gpus:
                place += 1
            if times[place] > now:
                start = times[place]
            else:
                start = now
            if start >= horizon:
                return math.inf
            end = start + length
            place = place + 1
            while place < last and times[place] < end and free[place] >= gpus:
                place += 1
            # Else a step with too few GPUs broke the run: no start before that step can do, so go
            # on from there.
            if place == last or times[place] >= end:
                return start

    def earlier(self, group: int, gpus: int, length: float, start: float) -> float | None:
        """First earlier start at which a job fits if it gives up its present reservation; None if
        there is none.
        """
        times = self.times
        free = self.rooms[group]
        place = 0
        last = bisect_left(times, start)
        while place < last:
            if free[place] < gpus:
                place += 1
                continue
            found = times[place]
            end = found + length
            place = place + 1
            while place < last and free[place] >= gpus and times[place] < end:
                place += 1
            if place == last or times[place] >= end:
                return found
        return None

    def lay(self, start: float, end: float, group: int, gpus: int) -> None:
        """Use GPUs from start to end; a negative number frees GPUs."""
        free = self.free
        first = self.cut(start)
        last = self.cut(end)
        free[first:last] = [step - gpus for step in free[first:last]]
        for place in (
            last,
            first,
        ):  # the later one first: its place holds while the other is taken out
            if 0 < place < len(free) and free[place] == free[place - 1]:
                del self.times[place], free[place]

    def cut(self, time: float) -> int:
        """Split the step at a time and return the index of the new step."""
        place = bisect_left(self.times, time)
        if place and (place == len(self.times) or self.times[place] != time):
            self.times.insert(place, time)
            for row in self.rows:
                row.insert(place, row[place - 1])
        return place


class ReservedProfile(PooledProfile):
    """Planned free GPUs with quotas, under which a class's limit depends on the other classes'
    use.
    """

    def __init__(self, now: float, room: Room) -> None:
        super().__init__(now, room.shared)
        self.steps = [room]
        self.rooms = [[left] for left in room.limits()]
        self.rows = [self.steps, *self.rooms]

    def lay(self, start: float, end: float, group: int, gpus: int) -> None:
        """Use GPUs from start to end; a negative number frees GPUs."""
        for place in range(self.cut(start), self.cut(end)):
            room = self.steps[place] = self.steps[place].copy()
            room.use(group, gpus)
            for row, left in zip(self.rooms, room.limits(), strict=True):
                row[place] = left


def plan_of(machine: Machine, kept: dict[int, float], without: int | None = None) -> PooledProfile:
    """Plan of the running jobs, to their planned ends, and of kept reservations, except for one
    job.
    """
    gpus = machine.gpus
    group = machine.group
    now = machine.now
    profile: PooledProfile
    if len(machine.room.spare) > 1:
        profile = ReservedProfile(now, machine.whole.copy())
        for end, job in machine.plan:
            profile.lay(now, end, group[job], gpus[job])
    else:
        profile = PooledProfile(now, machine.room.shared)
        for end, job in machine.plan:
            if end == profile.times[-1]:
                profile.free[-1] += gpus[job]
            else:
                profile.times.append(end)
                profile.free.append(profile.free[-1] + gpus[job])
    for job, start in kept.items():
        if job != without:
            profile.lay(start, start + machine.planned[job], group[job], gpus[job])
    return profile
