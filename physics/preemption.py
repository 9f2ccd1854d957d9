"""Whom to stop for the head of the queue: the least total of GPUs that suffices, ties by latest start."""

from physics.machine import Machine


def preempt(machine: Machine, head: int, now: float) -> bool:
    """Stop running jobs so that the head can start, or do nothing; say whether it now can.

    Victims come from the lowest class that is running below the head's, and from that class alone. Of all its sets
    that suffice the one with the least GPUs is taken; of equal ones, that with the latest starts, compared from the
    latest on; of jobs started together, the one further back in the queue goes first.
    """
    if machine.policy.preemption is None:
        return False
    work, rank = machine.work, machine.work.rank
    lowest = len(machine.in_rank) - 1
    while lowest > rank[head] and not machine.in_rank[lowest]:
        lowest -= 1
    if lowest <= rank[head]:
        return False
    group = work.group[head]
    missing = work.gpus[head] - machine.room[0] - (machine.room[group] if group else 0)
    candidates = _latest_first(machine, [job for _, job in machine.ends if rank[job] == lowest])
    # Stopping jobs of a group frees shared GPUs only as far as it uses more than it has reserved.
    groups = {work.group[job] for job in candidates}
    over = {one: machine.used[one] - work.reserved[one] if one else missing for one in groups}
    if sum(max(0, excess) for excess in over.values()) < missing:
        return False
    if len(groups) == 1:
        chosen = least_set([work.gpus[job] for job in candidates], missing)
    else:
        sizes = [(work.group[job], work.gpus[job]) for job in candidates]
        chosen = _least_set_of_groups(sizes, over, missing)
    if chosen is None:
        return False
    for place in chosen:
        machine.stop(candidates[place], now)
    return True


def _latest_first(machine: Machine, jobs: list[int]) -> list[int]:
    if machine.fair is None:
        return sorted(jobs, key=lambda job: (-machine.began[job], -job))
    level = {lane: place for place, lanes in enumerate(machine.fair.levels(machine.now)) for lane in lanes}
    return sorted(jobs, key=lambda job: (-machine.began[job], -level[machine.work.lane[job]], -job))


def least_set(sizes: list[int], least: int) -> list[int] | None:
    """Return the places of the set whose sizes add up to the least total that is at least `least`.

    Of equal totals, the one that takes the earliest places. None if all together do not suffice.

    >>> least_set([8, 64, 8, 16], 20)
    [0, 3]
    """
    reachable = [1]  # bit s of entry i: s is the sum of some of the last i sizes
    for size in reversed(sizes):
        reachable.append(reachable[-1] | reachable[-1] << size)
    enough = reachable[-1] >> least
    if not enough:
        return None
    total = least + (enough & -enough).bit_length() - 1
    chosen = []
    for place, size in enumerate(sizes):
        rest = reachable[len(sizes) - place - 1]
        if size <= total and rest >> (total - size) & 1:
            chosen.append(place)
            total -= size
    return chosen


def _least_set_of_groups(sizes: list[tuple[int, int]], over: dict[int, int], least: int) -> list[int] | None:
    """The same where the candidates use several reservations, each of which frees at most its excess."""
    names = sorted(over)
    reachable = [{(0,) * len(names)}]
    for group, size in reversed(sizes):
        at = names.index(group)
        reachable.append(reachable[-1] | {(*sums[:at], sums[at] + size, *sums[at + 1 :]) for sums in reachable[-1]})

    def suffices(sums: tuple[int, ...]) -> bool:
        return (
            sum(min(freed, max(0, over[name])) if name else freed for name, freed in zip(names, sums, strict=True))
            >= least
        )

    totals = [sum(sums) for sums in reachable[-1] if suffices(sums)]
    if not totals:
        return None
    wanted = {sums for sums in reachable[-1] if suffices(sums) and sum(sums) == min(totals)}
    chosen = []
    for place, (group, size) in enumerate(sizes):
        at, rest = names.index(group), reachable[len(sizes) - place - 1]
        after = {(*sums[:at], sums[at] - size, *sums[at + 1 :]) for sums in wanted} & rest
        if after:
            chosen.append(place)
            wanted = after
        else:
            wanted &= rest
    return chosen
