"""Free GPUs of the simulated cluster, in groups with quotas, minus outages."""

import math
from bisect import bisect_left, insort


class Room:
    """Free GPUs: those shared by all groups, and those reserved for each group.

    A job of group k fits if its GPUs are at most shared + own[k]. This is the rule for shared use,
    Σ max(0, used by k − reserved for k) ≤ capacity − Σ reserved; group 0 reserves nothing.

    Args:
        shared: Free GPUs that nobody has reserved [1].
        spare: By group: unused GPUs of its reservation, below zero where it uses shared ones [1].

    >>> room = Room(4, [0, 2])
    >>> room.use(1, 3)
    >>> room.shared, room.spare, room.own
    (3, [0, -1], [0, 0])
    """

    def __init__(self, shared: int, spare: list[int]) -> None:
        self.shared = shared
        self.spare = spare[:]
        self.own = [max(0, unused) for unused in spare]  #: by group: its free reserved GPUs [1]

    def copy(self) -> "Room":
        """Copy of the free GPUs for planning."""
        return Room(self.shared, self.spare)

    def limits(self) -> list[int]:
        """By group: GPUs that its jobs could use now, the shared ones and its own [1]."""
        return [self.shared + own for own in self.own]

    def use(self, group: int, gpus: int) -> None:
        """Use GPUs, the group's reserved ones first.

        A negative number frees GPUs, shared ones first.
        """
        if group:
            before = self.spare[group]
            self.spare[group] = after = before - gpus
            self.own[group] = max(0, after)
            gpus = min(0, before) - min(0, after)
        self.shared -= gpus


class Outages:
    """Outages of a simulation: those to come, and those that are on.

    An outage takes its GPUs when it begins. Nothing is stopped: GPUs in use follow as the jobs on
    them end, and until then the machine has fewer than zero free GPUs. The scheduler plans with an
    outage's end as soon as the outage has begun. Where the shared GPUs do not suffice, what is
    missing is missing from every reservation.

    Args:
        upcoming: Begin [s], end [s] and number of each outage, by begin.
        gpus: GPUs by number of job or outage [1].
        planned_ends: Planned ends [s] and numbers of whatever holds GPUs, sorted; outages that are
            on are kept in it.
    """

    def __init__(
        self,
        upcoming: list[tuple[float, float, int]],
        gpus: list[int],
        planned_ends: list[tuple[float, int]],
    ) -> None:
        self.upcoming = upcoming[::-1]
        self.gpus = gpus
        self.planned_ends = planned_ends
        self.ends: list[tuple[float, int]] = []  #: end [s] and number of those that are on, sorted
        self.just_over: list[int] = []  #: numbers of those that ended at the last call of `advance`
        self.just_begun: list[int] = []  #: numbers of those that began at it
        self.next = self._next_change()

    def advance(self, now: float) -> int:
        """End and begin the outages that are due; return how many more GPUs are then in service."""
        self.just_over = []
        self.just_begun = []
        while self.ends and self.ends[0][0] <= now:
            ended = self.ends.pop(0)
            del self.planned_ends[bisect_left(self.planned_ends, ended)]
            self.just_over.append(ended[1])
        while self.upcoming and self.upcoming[-1][0] <= now:
            _, end, number = self.upcoming.pop()
            insort(self.ends, (end, number))
            insort(self.planned_ends, (end, number))
            self.just_begun.append(number)
        self.next = self._next_change()
        gained = sum(self.gpus[number] for number in self.just_over)
        return gained - sum(self.gpus[number] for number in self.just_begun)

    def _next_change(self) -> float:
        """Time of the next begin or end; infinite after the last one [s]."""
        changes = [*self.upcoming[-1:], *self.ends[:1]]
        return min((change[0] for change in changes), default=math.inf)
