"""Free GPUs as planned: a step function of time into which reservations are laid.

`PooledProfile` is for one pool of GPUs; `ReservedProfile` keeps the free GPUs of each reservation. Both answer the same
two calls: where a job first fits, and lay it there.
"""

import math
from bisect import bisect_left, bisect_right

from physics.scheduling.machine import Machine


class PooledProfile:
    """Free GPUs from now on; the last step lasts forever.

    >>> profile = PooledProfile(0.0, 8)
    >>> profile.lay(0.0, 10.0, 0, 6)
    >>> profile.earliest(0, 2, 5.0, 0.0), profile.earliest(0, 4, 5.0, 0.0)
    (0.0, 10.0)
    """

    def __init__(self, now: float, shared: int) -> None:
        self.times, self.free = [now], [shared]

    def trim(self, now: float) -> None:
        """Remove the steps before the present time."""
        first = bisect_right(self.times, now) - 1
        if first > 0:
            del self.times[:first], self.free[:first]
        self.times[0] = now

    def room(self, group: int) -> list[int]:
        """GPUs that a job of the group could use at each step."""
        return self.free

    def until(self, group: int, gpus: int) -> float:
        """First time at which fewer GPUs are left for the group; infinity if there is none."""
        for time, free in zip(self.times, self.room(group), strict=True):
            if free < gpus:
                return time
        return math.inf

    def most(self, group: int, horizon: float) -> int:
        """Most GPUs that are ever left for the group before the horizon."""
        return max(self.room(group)[: bisect_left(self.times, horizon)])

    def earliest(self, group: int, gpus: int, length: float, now: float, horizon: float = math.inf) -> float | None:
        """First time at which the given GPUs are free for the given time; None if that is after the horizon."""
        times, free = self.times, self.room(group)
        place, last = max(0, bisect_right(times, now) - 1), len(times)
        while True:
            while free[place] < gpus:
                place += 1
            start = times[place] if times[place] > now else now
            if start >= horizon:
                return None
            end, place = start + length, place + 1
            while place < last and times[place] < end and free[place] >= gpus:
                place += 1
            # Else a step with too few GPUs broke the run: no start before that step can do, so go on from there.
            if place == last or times[place] >= end:
                return start

    def lay(self, start: float, end: float, group: int, gpus: int) -> None:
        """Use GPUs from start to end; a negative number gives them back."""
        free, first, last = self.free, self.cut(start), self.cut(end)
        free[first:last] = [step - gpus for step in free[first:last]]
        for place in (last, first):  # the later one first: its place holds while the other is taken out
            if 0 < place < len(free) and free[place] == free[place - 1]:
                del self.times[place], free[place]

    def earlier(self, group: int, gpus: int, length: float, start: float) -> float | None:
        """First time, before start, at which a job fits if its reservation at start is given up for it."""
        times, free = self.times, self.room(group)
        place, last = 0, bisect_left(times, start)
        while place < last:
            if free[place] < gpus:
                place += 1
                continue
            found = times[place]
            end, place = found + length, place + 1
            while place < last and free[place] >= gpus and times[place] < end:
                place += 1
            if place == last or times[place] >= end:
                return found
        return None

    def cut(self, time: float) -> int:
        """Insert a step at a time, and return its index."""
        place = bisect_left(self.times, time)
        if place == len(self.times) or self.times[place] != time:
            if place == 0:
                return 0
            self.split(place, time)
        return place

    def split(self, place: int, time: float) -> None:
        """Insert a step at the place, equal to the one before."""
        self.times.insert(place, time)
        self.free.insert(place, self.free[place - 1])


class ReservedProfile(PooledProfile):
    """The same with reservations: what a class may use depends on who uses the rest."""

    def __init__(self, now: float, shared: int, reserved: list[int]) -> None:
        super().__init__(now, shared)
        self.shared, self.reserved = shared, reserved
        self.used = [[0] * len(reserved)]
        self.rooms = [[shared + own] for own in reserved]

    def trim(self, now: float) -> None:
        """Remove the steps before the present time."""
        first = bisect_right(self.times, now) - 1
        if first > 0:
            del self.used[:first]
            for room in self.rooms:
                del room[:first]
        super().trim(now)

    def room(self, group: int) -> list[int]:
        """GPUs that a job of the group could use at each step."""
        return self.rooms[group]

    def lay(self, start: float, end: float, group: int, gpus: int) -> None:
        """Use GPUs from start to end; a negative number gives them back."""
        for place in range(self.cut(start), self.cut(end)):
            used = self.used[place]
            used[group] += gpus
            free = self.shared - sum(max(0, n - own) for n, own in zip(used, self.reserved, strict=True))
            for one, (n, own) in enumerate(zip(used, self.reserved, strict=True)):
                self.rooms[one][place] = free + max(0, own - n)

    def split(self, place: int, time: float) -> None:
        """Insert a step at the place, equal to the one before."""
        super().split(place, time)
        self.used.insert(place, self.used[place - 1][:])
        for room in self.rooms:
            room.insert(place, room[place - 1])


def of_running(machine: Machine, now: float) -> PooledProfile:
    """Plan nothing but the running jobs, to their planned ends."""
    work = machine.work
    if len(work.reserved) > 1:
        profile = ReservedProfile(now, work.shared, work.reserved)
        for end, job in machine.plan:
            profile.lay(now, end, work.group[job], work.gpus[job])
        return profile
    profile = PooledProfile(now, machine.room[0])
    for end, job in machine.plan:
        if end == profile.times[-1]:
            profile.free[-1] += work.gpus[job]
        else:
            profile.times.append(end)
            profile.free.append(profile.free[-1] + work.gpus[job])
    return profile
