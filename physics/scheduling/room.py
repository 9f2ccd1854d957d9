"""Free GPUs of the simulated cluster, in groups with quotas, minus outages."""

import math
from bisect import bisect_left, insort


class Room:
    """Free GPUs: those shared by all groups, and those reserved for each group.

    A job of group k fits if its GPUs are at most shared + own[k], which is the shared-use formula
    Σ max(0, used by k − reserved for k) ≤ capacity − Σ reserved, with group 0 reserving nothing.

    Args:
        shared: GPUs that nobody has reserved [1].
        spare: What each group has left of its reservation, below zero where it uses shared ones
            [1].

    >>> room = Room(4, [0, 2])
    >>> room.use(1, 3)
    >>> room.shared, room.spare, room.own
    (3, [0, -1], [0, 0])
    """

    def __init__(self, shared: int, spare: list[int]) -> None:
        self.shared = shared
        self.spare = spare[:]
        self.own = [max(0, own) for own in spare]

    def copy(self) -> "Room":
        """Copy of the free GPUs for planning."""
        return Room(self.shared, self.spare)

    def limits(self) -> list[int]:
        """GPUs that a job of each group could use now: the shared ones and the group's own."""
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
    """Outages of a simulation: when the next one begins or ends, and its effect.

    One takes its GPUs when it begins, and those in use as the jobs on them end: nothing is stopped,
    and the machine's room is below zero until then. Plans know its end from its beginning on. What
    is down beyond the shared GPUs is missing from every reservation.

    Args:
        todo: Begin [s], end [s] and number of each, by begin.
        gpus: GPUs by number.
        plan: Planned ends of what holds GPUs, and its number; outages are kept in it.
    """

    def __init__(
        self, todo: list[tuple[float, float, int]], gpus: list[int], plan: list[tuple[float, int]]
    ) -> None:
        self.todo = todo[::-1]
        self.gpus = gpus
        self.plan = plan
        self.back: list[tuple[float, int]] = []
        self.over: list[int] = []  #: numbers of those that ended at the last turn
        self.begun: list[int] = []  #: numbers of those that began at it
        self.next = self._upcoming()

    def turn(self, now: float) -> tuple[int, int]:
        """GPUs that leave service at the current instant, and GPUs that return."""
        gone = came = 0
        self.over = []
        self.begun = []
        while self.back and self.back[0][0] <= now:
            ended = self.back.pop(0)
            del self.plan[bisect_left(self.plan, ended)]
            came += self.gpus[ended[1]]
            self.over.append(ended[1])
        while self.todo and self.todo[-1][0] <= now:
            _, end, number = self.todo.pop()
            insort(self.back, (end, number))
            insort(self.plan, (end, number))
            gone += self.gpus[number]
            self.begun.append(number)
        self.next = self._upcoming()
        return gone, came

    def _upcoming(self) -> float:
        """Time of the next begin or end; infinite after the last one [s]."""
        upcoming = math.inf
        if self.todo:
            upcoming = self.todo[-1][0]
        if self.back:
            upcoming = min(upcoming, self.back[0][0])
        return upcoming
