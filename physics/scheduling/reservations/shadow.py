"""The reservation of the head of the queue: when it can start if running jobs last as long as estimated."""

import math

from physics.scheduling.machine import Machine, give, take

__all__ = ["Reservation"]


class Reservation:
    """The head's reservation: its shadow time, and what will be free once the head has started then."""

    def __init__(self, machine: Machine, head: int) -> None:
        work = machine.work
        self.room, self.used, self.shadow = machine.room[:], machine.used[:], -math.inf
        group, gpus = work.group[head], work.gpus[head]
        for end, job in machine.plan:
            if end > self.shadow and gpus <= self.room[0] + (self.room[group] if group else 0):
                break
            give(self.room, self.used, work.reserved, work.group[job], work.gpus[job])
            self.shadow = end
        take(self.room, self.used, work.reserved, group, gpus)
