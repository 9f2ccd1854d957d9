"""Effect of misreporting: the tasks that a claimant can run with false claims or more names."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated

from physics.arguments import NonNegativesByName, count, several, within_range
from physics.fairness.allocation import Claimant
from physics.fairness.division import divide

#: Names under which one claimant may come.
Names = Annotated[int, partial(count, most=100)]


@within_range
def true_tasks(
    claimants: Iterable[Claimant],
    capacity: Mapping[str, float],
    cheat: str,
    claimed: NonNegativesByName,
    names: Names = 1,
    policy: str = "drf",
) -> dict[str, float]:
    """Divisible tasks that each claimant of a pool can really run if one of them cheats [1].

    The pool is shared as by `divide`, for what is claimed. The one who cheats comes under several
    names, each with its ceiling; the first of them holds its start. A task that it has claimed has
    room for the fraction of a true one that its scarcest resource allows, and what it claims beyond
    lies idle. Under DRF no false claim pays, but more names do (Ghodsi et al., NSDI 2011, section
    4.2 and 6.1).

    Args:
        capacity: c, size of the pool in each resource [the resource's unit].
        cheat: Name of the claimant who cheats.
        claimed: What it claims for each true unit that a task needs [1]; a resource left out is
            claimed truly.
        names: Names under which it comes [1].

    >>> pool = {"cpu": 100, "mem": 100}
    >>> users = [Claimant("A", {"cpu": 16, "mem": 1}), Claimant("B", {"cpu": 1, "mem": 2})]
    >>> tasks = true_tasks(users, pool, "A", {"mem": 8}, policy="ceei")
    >>> round(tasks["A"], 3), round(divide(users, pool, "ceei").executors["A"], 3)
    (4.167, 3.226)
    """
    claimants = several("claimants", claimants)
    divide(claimants, capacity, policy)  # refuses nonsense before claims are multiplied
    shared = []
    copies = []
    for claimant in claimants:
        if getattr(claimant, "name", None) != cheat:
            shared.append(claimant)
            continue
        demand = dict(claimant.demand)
        for resource, ratio in claimed.items():
            if resource in demand:
                demand[resource] *= ratio
        for number in range(names):
            copy = replace(claimant, name=f"{cheat} \0{number}", demand=demand)
            if number:
                copy = replace(copy, start={})
            copies.append(copy)
        true = claimant
    if not copies:
        raise ValueError(f"cheat must be the name of a claimant, got {cheat!r}")
    served = divide([*shared, *copies], capacity, policy).executors
    ratios = [claimed.get(resource, 1.0) for resource, need in true.demand.items() if need]
    total = sum(served[copy.name] for copy in copies) * min(ratios)
    if true.ceiling is not None:
        total = min(total, true.ceiling * names)
    result = {}
    for claimant in claimants:
        result[claimant.name] = total if claimant is true else served[claimant.name]
    return result
