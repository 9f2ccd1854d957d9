"""Choice of jobs to preempt: for the head of the queue, or for a job within its class's quota.

For the head: the least total of GPUs that suffices, ties by latest start or least loss.

Quotas with borrowing are as in Kueue's cohorts and YARN's elastic queues. A pass begins with the
quotas: as long as some class's first waiting job fits into what its class has left, the first of
these in the queue's order starts, if need be on GPUs that are taken back from classes above their
quotas. What is free after that is lent by order and backfill, as without quotas.
"""

import math
from collections.abc import Callable
from functools import partial

from physics import pace
from physics.scheduling.machine import Decision, Machine, Reservation


def preempt(
    machine: Machine, head: int, allowed: Callable[[list[int]], bool] = lambda victims: True
) -> bool:
    """Preempt running jobs so that the head can start, or do nothing.

    Return whether the head can start.

    Victims come from the lowest class that is running below the head's, and from that class alone.
    Of all its sets that suffice the one with the least GPUs is taken; of equal ones, that with the
    latest starts, compared from the latest on; of jobs started together, the one further back in
    the queue goes first. With the choice "least_loss" the jobs that lose least go before those that
    started last. A set that is not allowed is not stopped, nor, under the rule "pays", one that
    loses as much as the head would by waiting. With quotas nothing is stopped here.
    """
    rules = machine.policy.preemption
    if rules is None or machine.quotas is not None:
        return False
    rank = machine.rank
    lowest = len(machine.running_by_rank) - 1
    while lowest > rank[head] and not machine.running_by_rank[lowest]:
        lowest -= 1
    if lowest <= rank[head]:
        return False
    missing = machine.missing(head)
    candidates = latest_first(machine, [job for _, job in machine.ends if rank[job] == lowest])
    if rules.victims == "least_loss":
        candidates.sort(key=partial(loss, machine))
    sizes = [machine.gpus[job] for job in candidates]
    groups = [machine.group[job] for job in candidates]
    # Stopping jobs of a group frees shared GPUs only as far as it uses more than it has reserved.
    over = {}
    for group in groups:
        over[group] = missing
        if group:
            over[group] = -machine.room.spare[group]
    if sum(max(0, excess) for excess in over.values()) < missing:
        return False
    if len(over) == 1:
        chosen = least_set(sizes, missing)
    else:
        chosen = least_set_of_groups(list(zip(groups, sizes, strict=True)), over, missing)
    victims = [candidates[index] for index in chosen or ()]
    # Whether it pays is asked last: every answer is kept as a decision.
    if (
        chosen is None
        or not allowed(victims)
        or (rules.rule == "pays" and not pays(machine, head, victims))
    ):
        return False
    for victim in victims:
        machine.stop(victim)
    return True


def loss(machine: Machine, job: int) -> float:
    """GPU time lost by preempting a job: its work since the last checkpoint, and one restart."""
    worked, kept = machine.progress(job)
    return machine.gpus[job] * (worked - kept + machine.stop_rules.restart_time)


def pays(machine: Machine, head: int, victims: list[int]) -> bool:
    """Whether the head loses more GPU time by waiting than the victims by preemption.

    Records the comparison.
    """
    wait = Reservation(machine, head).shadow - machine.now
    lost = sum(map(partial(loss, machine), victims))
    decision = Decision(machine.now, head, tuple(victims), wait, machine.gpus[head] * wait, lost)
    machine.decisions.append(decision)
    return decision.pays


def latest_first(machine: Machine, jobs: list[int]) -> list[int]:
    """Running jobs from the latest start to the earliest.

    On a tie, the one further back in the queue first.
    """
    ranks = machine.ranks()
    return sorted(
        jobs, key=lambda job: (machine.run_start[job], ranks[machine.line[job]], job), reverse=True
    )


def least_set(sizes: list[int], least: int) -> list[int] | None:
    """Return the indices of the set with the smallest sum of sizes that is at least `least`.

    Of equal totals, the one that takes the earliest places. None if all together do not suffice.

    >>> least_set([8, 64, 8, 16], 20)
    [0, 3]
    """
    reachable = _reachable(sizes)
    enough = reachable[-1] >> least
    if not enough:
        return None
    total = least + (enough & -enough).bit_length() - 1
    chosen = []
    for index, size in enumerate(sizes):
        rest = reachable[len(sizes) - index - 1]
        if size <= total and rest >> (total - size) & 1:
            chosen.append(index)
            total -= size
    return chosen


def least_set_of_groups(
    sizes: list[tuple[int, int]], over: dict[int, int], least: int
) -> list[int] | None:
    """Return the smallest sufficient set of sizes from several reservations, each of which frees at
    most its excess.

    What a group gives beyond its excess is wasted: a set suffices if it wastes no more than its
    total exceeds `least`.
    """
    over = {name: excess for name, excess in over.items() if excess > 0}
    base = dict.fromkeys(over, 0)
    suffixes = {}
    sensible = {}
    for name, excess in over.items():
        members = [size for group, size in sizes if group == name]
        suffixes[name] = _reachable(members)
        # No best set has a group that wastes as much as one of its jobs, which could then be left
        # out.
        sensible[name] = suffixes[name][-1] & ((1 << (excess + max(members))) - 1)
    totals = []
    for waste, bits in _totals(over, base, sensible).items():
        enough = bits >> (least + waste)
        if enough:
            totals.append(least + waste + (enough & -enough).bit_length() - 1)
    if not totals:
        return None
    total = min(totals)
    chosen = []
    for index, (group, size) in enumerate(sizes):
        if group not in over:
            continue
        suffixes[group].pop()
        base[group] += size
        rest = {name: sums[-1] for name, sums in suffixes.items()}
        if any(bits >> total & 1 for bits in _totals(over, base, rest, total - least).values()):
            chosen.append(index)
        else:
            base[group] -= size
    return chosen


def _reachable(sizes: list[int]) -> list[int]:
    """Sums of some of the last i sizes, for every i from none to all: bit s of entry i is the sum
    s.
    """
    reachable = [1]
    for size in reversed(sizes):
        reachable.append(reachable[-1] | reachable[-1] << size)
    return reachable


def _totals(
    over: dict[int, int], base: dict[int, int], rest: dict[int, int], most: float = math.inf
) -> dict[int, int]:
    """Totals over all groups that can be reached from `base` with `rest`, as bits, by what they
    waste, up to `most`.
    """
    totals = {0: 1}
    for name, excess in over.items():
        sums = rest[name] << base[name]
        grown: dict[int, int] = {}
        highest = int(min(most, sums.bit_length() - 1 - excess))
        for waste in range(max(0, highest) + 1):
            bits = sums & (1 << (excess + waste))
            if waste == 0:
                bits = sums & ((2 << excess) - 1)
            if not bits:
                continue
            for before, total in totals.items():
                if before + waste <= most:
                    grown[before + waste] = grown.get(before + waste, 0) | _sums(total, bits)
        totals = grown
    return totals


def _sums(some: int, others: int) -> int:
    """Sums of one number of each set, all sets as bits."""
    few, many = sorted((some, others), key=int.bit_count)
    sums = 0
    while few:
        lowest = few & -few
        sums |= many << (lowest.bit_length() - 1)
        few ^= lowest
    return sums


def start_within(machine: Machine) -> bool:
    """Start jobs within their classes' quotas; return whether any started.

    Jobs of classes above their quotas are stopped until it fits: those that started last, and none
    in vain. But for an outage it always fits in the end: without what all other classes have beyond
    their quotas, which add up to at most the fleet, the job's own quota is free but for what its
    class uses.
    """
    started = False
    while (candidate := _next_within(machine)) is not None:
        pace.step()
        job, marked, missing = candidate
        for victim in reversed(marked):
            if missing + machine.gpus[victim] <= 0:
                missing += machine.gpus[victim]
            else:
                machine.stop(victim)
        machine.start(job)
        started = True
    return started


def _next_within(machine: Machine) -> tuple[int, list[int], int] | None:
    """First job, in queue order, that its class's quota lets start; each class offers its first
    one.

    With it the jobs above their quotas that may be stopped for it, and GPUs that it then still
    misses: none.
    """
    quotas = machine.quotas
    if quotas is None:
        return None
    for job in machine.line_heads():
        line = machine.line[job]
        if machine.in_use[line] + machine.gpus[job] <= quotas[line]:
            marked, missing = _marked(machine, job)
            if missing <= 0:
                return job, marked, missing
    return None


def _marked(machine: Machine, job: int) -> tuple[list[int], int]:
    """Jobs above quotas that would have to be stopped, and GPUs that the job then still misses."""
    missing = machine.missing(job)
    in_use = machine.in_use[:]
    marked = []
    policy = machine.policy  # without borrowing nobody holds what the class is entitled to
    quotas = machine.quotas or []
    if missing <= 0 or not policy.borrowing or not policy.reclaim:
        return [], missing
    for candidate in latest_first(machine, [running for _, running in machine.ends]):
        line = machine.line[candidate]
        if in_use[line] > quotas[line]:
            marked.append(candidate)
            in_use[line] -= machine.gpus[candidate]
            missing -= machine.gpus[candidate]
            if missing <= 0:
                break
    return marked, missing
