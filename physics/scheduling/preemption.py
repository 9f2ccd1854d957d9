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
    """Preempt running jobs so that the head can start, or do nothing; return whether it can start.

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
    # Whether it pays comes last, because every such comparison is recorded.
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
    """Record and return whether the head loses more GPU time by waiting than the victims do."""
    wait = Reservation(machine, head).shadow - machine.now
    lost = sum(map(partial(loss, machine), victims))
    decision = Decision(machine.now, head, tuple(victims), wait, machine.gpus[head] * wait, lost)
    machine.decisions.append(decision)
    return decision.pays


def latest_first(machine: Machine, jobs: list[int]) -> list[int]:
    """Running jobs from the latest start to the earliest; on a tie, the queue's last job first."""
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
    """Return the indices of the smallest set of jobs of several groups that frees enough GPUs.

    Stopping jobs of a group frees at most the group's excess; GPUs beyond it are wasted. So a set
    suffices if its total exceeds `least` by at least what it wastes. None if there is no such set.

    Args:
        sizes: Group and GPUs of each job.
        over: Excess of each group: GPUs that it uses beyond its reservation [1].
        least: GPUs that are missing [1].
    """
    over = {name: excess for name, excess in over.items() if excess > 0}
    base = dict.fromkeys(over, 0)
    suffixes = {}
    useful_sums = {}
    for name, excess in over.items():
        members = [size for group, size in sizes if group == name]
        suffixes[name] = _reachable(members)
        # No best set has a group that wastes as much as one of its jobs, which could then be left
        # out.
        useful_sums[name] = suffixes[name][-1] & ((1 << (excess + max(members))) - 1)
    totals = []
    for waste, bits in _totals(over, base, useful_sums).items():
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
    """Sums that some of the last i sizes add up to, as bits: bit s of entry i stands for sum s."""
    reachable = [1]
    for size in reversed(sizes):
        reachable.append(reachable[-1] | reachable[-1] << size)
    return reachable


def _totals(
    over: dict[int, int], base: dict[int, int], rest: dict[int, int], most: float = math.inf
) -> dict[int, int]:
    """Totals over all groups as bits, by the GPUs they waste, which are at most `most`.

    Args:
        over: Excess of each group.
        base: GPUs of each group that are in every set.
        rest: Sums that each group may add, as bits.
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


def _sums(numbers: int, others: int) -> int:
    """Sums of one number of each of two sets; all sets are bits."""
    few, many = sorted((numbers, others), key=int.bit_count)
    sums = 0
    while few:
        lowest = few & -few
        sums |= many << (lowest.bit_length() - 1)
        few ^= lowest
    return sums


def start_within(machine: Machine) -> bool:
    """Start jobs within their classes' quotas; return whether any started.

    Jobs of classes above their quotas are stopped until the job fits: those that started last, and
    none in vain. Except during an outage this always suffices. All quotas add up to at most the
    fleet, so once no other class is above its own, the job's class can use its whole quota.
    """
    started = False
    while (candidate := _next_within(machine)) is not None:
        pace.step()
        job, victims, missing = candidate
        for victim in reversed(victims):
            if missing + machine.gpus[victim] <= 0:  # the job fits without this stop
                missing += machine.gpus[victim]
            else:
                machine.stop(victim)
        machine.start(job)
        started = True
    return started


def _next_within(machine: Machine) -> tuple[int, list[int], int] | None:
    """First job, in queue order, that its class's quota lets start, with victims and missing GPUs.

    Only the first job of each class counts. The last two values are those of `_victims`.
    """
    quotas = machine.quotas
    if quotas is None:
        return None
    for job in machine.line_heads():
        line = machine.line[job]
        if machine.in_use[line] + machine.gpus[job] <= quotas[line]:
            victims, missing = _victims(machine, job)
            if missing <= 0:
                return job, victims, missing
    return None


def _victims(machine: Machine, job: int) -> tuple[list[int], int]:
    """Jobs of classes above their quotas to stop for a job, and GPUs that it then still lacks."""
    missing = machine.missing(job)
    in_use = machine.in_use[:]
    victims = []
    policy = machine.policy  # without borrowing no class is above its quota
    quotas = machine.quotas or []
    if missing <= 0 or not policy.borrowing or not policy.reclaim:
        return [], missing
    for candidate in latest_first(machine, [running for _, running in machine.ends]):
        line = machine.line[candidate]
        if in_use[line] > quotas[line]:
            victims.append(candidate)
            in_use[line] -= machine.gpus[candidate]
            missing -= machine.gpus[candidate]
            if missing <= 0:
                break
    return victims, missing
