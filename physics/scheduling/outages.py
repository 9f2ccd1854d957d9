"""GPUs that are out of service for a time, such as those of nodes that are down.

An outage takes its GPUs when it begins, and those in use as the jobs on them end: nothing is stopped, and the machine's
room is below zero until then. Plans know its end from its beginning on. What is down beyond the shared GPUs is missing
from every reservation.
"""

import math
from bisect import bisect_left, insort
from collections.abc import Iterable

from physics.arguments import MANY, count, finite


class Outages:
    """The outages of a simulation: the next instant at which one begins or ends, and what that does.

    Args:
        todo: Begin [s], end [s] and number of each, by begin.
        gpus: GPUs by number.
        plan: Planned ends of what holds GPUs, and its number; outages are kept in it.
    """

    def __init__(self, todo: list[tuple[float, float, int]], gpus: list[int], plan: list[tuple[float, int]]) -> None:
        self.todo, self.gpus, self.plan = todo[::-1], gpus, plan
        self.back: list[tuple[float, int]] = []
        self.next = todo[0][0] if todo else math.inf

    def turn(self, now: float) -> tuple[int, int]:
        """GPUs that leave service at the instant that is due now, and GPUs that come back."""
        gone = came = 0
        while self.back and self.back[0][0] <= now:
            ended = self.back.pop(0)
            del self.plan[bisect_left(self.plan, ended)]
            came += self.gpus[ended[1]]
        while self.todo and self.todo[-1][0] <= now:
            _, end, number = self.todo.pop()
            insort(self.back, (end, number))
            insort(self.plan, (end, number))
            gone += self.gpus[number]
        self.next = min(self.todo[-1][0] if self.todo else math.inf, self.back[0][0] if self.back else math.inf)
        return gone, came


def checked(down: Iterable[tuple[float, float, int]]) -> list[tuple[float, float, int]]:
    """Outages (begin [s], end [s], GPUs) by begin, or ValueError for what is none.

    >>> checked([(5, 9, 2), (0.0, 7.0, 1)])
    [(0.0, 7.0, 1), (5.0, 9.0, 2)]
    """
    found = []
    for begin, end, gpus in down:
        begin, end = finite("begin of an outage", begin), finite("end of an outage", end)
        if not begin < end:
            raise ValueError(f"an outage must end after it begins, got {begin:g} to {end:g}")
        found.append((begin, end, count("GPUs of an outage", gpus, most=MANY)))
    return sorted(found)
