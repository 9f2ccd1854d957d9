"""The fast path of the simulator: one pool of GPUs, a fixed queue order, nothing preempted; no backfill or EASY.

The same rules as `physics.scheduling.backfill`, written as one loop over local variables.
"""

import math
from array import array
from bisect import bisect_left, insort

import numpy as np

from physics import pace
from physics.scheduling.machine import LONG, Machine


def run(machine: Machine, easy: bool) -> None:
    """Run all jobs of the machine's workload to their ends."""
    began, ended, (times, arrivals) = machine.began, machine.ended, machine.arrivals
    duration, planned, gpus, free = machine.duration, machine.planned, machine.gpus, machine.room.shared
    ends, plan, outages = machine.ends, machine.plan, machine.outages
    exact = plan is ends
    queue = array("q") if easy else []  # an array is looked through faster, a list is changed faster
    arrived, upcoming = 0, times[0]
    blocked, known, shadow, extra = -1, False, math.inf, 0

    while True:
        pace.step()
        next_end = ends[0][0] if ends else math.inf
        now = upcoming if upcoming < next_end else next_end
        if outages.next < now:
            now = outages.next
        if now == math.inf:
            return
        freed = next_end == now
        # All ends of an instant count before its arrivals: a job that comes then finds the GPUs free.
        while ends and ends[0][0] == now:
            job = ends.pop(0)[1]
            free += gpus[job]
            if not exact:
                planned_end = began[job] + planned[job]
                del plan[bisect_left(plan, (planned_end, job))]
                if planned_end > now:  # earlier than planned: the head may start earlier, too
                    known = False
        if outages.next == now:
            gone, came = outages.turn(now)
            free, freed, known = free + came - gone, True, False
        candidates = ()
        if upcoming == now:
            first = arrived
            while upcoming == now:
                job = arrivals[arrived]
                arrived += 1
                upcoming = times[arrived]
                if not queue or job > queue[-1]:  # jobs are numbered in queue order, so that numbers compare as places
                    queue.append(job)
                else:
                    insort(queue, job)
            if easy:
                candidates = sorted(arrivals[first:arrived])
        elif not queue:
            continue

        whole = freed or queue[0] != blocked
        if whole:
            place, waiting = 0, len(queue)
            while place < waiting:
                job = queue[place]
                width = gpus[job]
                if width > free:
                    break
                place += 1
                free -= width
                began[job] = now
                ended[job] = end = now + duration[job]
                insort(ends, (end, job))
                if not exact:
                    insort(plan, (now + planned[job], job))
            if place:
                del queue[:place]
                known = False
                if not queue:
                    blocked = -1
                    continue
            if queue[0] != blocked:
                blocked, known = queue[0], False
            candidates = queue
        if not easy or not free:
            continue

        # A short queue is looked through, a long one as an array.
        many = whole and len(queue) >= LONG
        if many:
            widths, lengths, _ = machine.arrays
            candidates = np.array(queue)
            candidates = candidates[widths[candidates] <= free]
        else:
            candidates = [job for job in candidates if gpus[job] <= free]
        if not len(candidates):
            continue
        if not known:
            # The shadow time: planned ends until the head fits, with all ends of that last instant.
            known, need, shadow, extra = True, gpus[blocked], -math.inf, free
            for end, job in plan:
                if extra >= need and end > shadow:
                    break
                extra += gpus[job]
                shadow = end
            extra -= need
        if many:
            in_time = now + lengths[candidates] <= shadow
            candidates = candidates[in_time | (widths[candidates] <= extra)].tolist()
        for job in candidates:
            width = gpus[job]
            if width <= free:
                if now + planned[job] > shadow:
                    if width > extra:  # it would hold GPUs that the head needs at the shadow time
                        continue
                    extra -= width
                free -= width
                began[job] = now
                ended[job] = end = now + duration[job]
                insort(ends, (end, job))
                if not exact:
                    insort(plan, (now + planned[job], job))
                del queue[bisect_left(queue, job)]
                if not free:
                    break
