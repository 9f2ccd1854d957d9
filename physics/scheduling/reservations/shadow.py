"""The reservation of the head of the queue: when it can start if running jobs last as long as estimated."""

import math

from physics.scheduling.machine import Machine, give, take


class Reservation:
    """The head's reservation: its shadow time, and what will be free once the head has started then."""

    def __init__(self, machine: Machine, head: int) -> None:
        work = machine.work
        self.room, self.used, self.shadow = machine.room[:], machine.used[:], -math.inf
        group, gpus = work.group[head], work.gpus[head]
        opening = -math.inf
        for end, job in machine.plan:
            if end > max(self.shadow, opening) and gpus <= self.room[0] + (self.room[group] if group else 0):
                opening = _opening(machine, head, self.shadow)
                if end > opening:
                    break
            give(self.room, self.used, work.reserved, work.group[job], work.gpus[job])
            self.shadow = end
        self.shadow = max(self.shadow, _opening(machine, head, self.shadow))
        take(self.room, self.used, work.reserved, group, gpus)


def _opening(machine: Machine, head: int, since: float) -> float:
    """First time at which the head would end before the machine is emptied; −infinity where that sets no limit."""
    start = max(machine.now, since)
    if start + machine.planned[head] <= machine.clear:
        return -math.inf
    return machine.policy.emptied.opening(start, machine.planned[head])
