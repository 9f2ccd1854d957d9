"""Allocation of whole executors of a shared pool: dominant resource fairness and other policies.

Fair sharing is a chain of comparisons, and 0.1 + 0.2 == 0.3 must be a tie. So every amount is taken
as the decimal number that it prints as, and all comparisons are between fractions.

Source: Ghodsi et al.: Dominant Resource Fairness: Fair Allocation of Multiple Resource Types, NSDI
2011 (algorithm 1, sections 4 to 6).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from physics.arguments import NonNegatives, Whole, non_negative, positive, several, within_range

Line = tuple[
    Fraction, Fraction
]  #: (a, b) of a share a + b x, linear in the number of new executors x


@dataclass(frozen=True)
class Claimant:
    """User, team, or job that requests executors of one shape from a shared pool.

    A plain record: nonsense in it is refused where it is used.

    Args:
        name: Ties between claimants go by name.
        demand: d, what one executor needs of each resource [the resource's unit]; a resource left
            out is not needed.
        start: s, what the claimant holds already; it counts in its share and is taken out of the
            pool.
        weight: w, relative entitlement [1]; weight 2 is owed twice the share.
        ceiling: The most new executors it may get, whole or not [1]; None is no ceiling.
    """

    name: str
    demand: Mapping[str, float]
    start: Mapping[str, float] = field(default_factory=dict)
    weight: float = 1.0
    ceiling: float | None = None


@dataclass(frozen=True)
class Claims:
    """Claimants and their pool in exact numbers; row i is claimant i, column r is resource r."""

    names: tuple[str, ...]
    resources: tuple[str, ...]
    capacity: tuple[Fraction, ...]  #: c_r, size of the pool
    demand: tuple[tuple[Fraction, ...], ...]  #: d_ir, what one executor needs
    start: tuple[tuple[Fraction, ...], ...]  #: s_ir, what is held already
    weight: tuple[Fraction, ...]  #: w_i
    ceiling: tuple[Fraction | None, ...]  #: the most new executors

    def free(self, executors: Sequence[Fraction | int] = ()) -> list[Fraction]:
        """Return the free amount of each resource after initial and new executors; negative if
        overallocated.
        """
        counts = executors or [0] * len(self.names)
        return [
            size
            - sum(
                held[r] + x * need[r]
                for x, held, need in zip(counts, self.start, self.demand, strict=True)
            )
            for r, size in enumerate(self.capacity)
        ]

    def shares(self, i: int) -> list[Line]:
        """Return claimant i's share of each resource as a line (s/c, d/c) in its number of new
        executors.
        """
        return [
            (held / size, need / size)
            for held, need, size in zip(self.start[i], self.demand[i], self.capacity, strict=True)
        ]

    def tasks_from(self, i: int, bundle: Iterable[Fraction], part: Fraction | int = 1) -> Fraction:
        """Return how many tasks of claimant i, up to its cap, fit into a part of a bundle of
        resources.
        """
        ceiling = self.ceiling[i]
        tasks = min(
            amount * part / each
            for amount, each in zip(bundle, self.demand[i], strict=True)
            if each
        )
        if ceiling is None:
            return tasks
        return min(tasks, ceiling)

    def measure(self, i: int, policy: str) -> list[Line]:
        """Return lines whose maximum the policy equalizes for claimant i; the smallest is served
        first.

        DRF: every resource's share ÷ weight. Asset: their sum ÷ weight. single:<resource>: that one
        ÷ weight. Round-robin: the number of new executors itself; it knows no weights.
        """
        weight = self.weight[i]
        lines = self.shares(i)
        if policy == "round_robin":
            return [(Fraction(0), Fraction(1))]
        if policy == "asset":
            base = sum((a for a, _ in lines), Fraction(0))
            growth = sum((b for _, b in lines), Fraction(0))
            lines = [(base, growth)]
        elif policy != "drf":
            lines = [lines[self.resources.index(policy.removeprefix("single:"))]]
        return [(a / weight, b / weight) for a, b in lines]


def exact(value: float) -> Fraction:
    """Return the decimal number that a value prints as, so that 0.1 is one tenth."""
    return Fraction(str(value))


def read(
    claimants: Iterable[Claimant], capacity: Mapping[str, float], policy: str, known: Sequence[str]
) -> Claims:
    """Validate claimants, pool, and policy, which may be single:<a resource of the pool>; return
    exact claims.

    Raises ValueError for two of one name, a resource that the pool lacks, and a demand of nothing.
    """
    claimants = several("claimants", claimants)
    if not claimants:
        raise ValueError("claimants must name at least one claimant, got none")
    if not isinstance(capacity, Mapping) or not capacity:
        raise ValueError(f"capacity must name at least one resource and its size, got {capacity!r}")
    for resource, size in capacity.items():
        positive(f"capacity of {resource}", size)
    rows = {}
    for one in claimants:
        name = getattr(one, "name", None)
        if not isinstance(name, str):
            raise ValueError(f"claimants must be Claimant records with a name, got {one!r}")
        demand = _amounts(f"demand of {name}", one.demand, capacity)
        start = _amounts(f"start of {name}", one.start or {}, capacity)
        if not any(demand):
            raise ValueError(
                f"demand of {name} must be above zero in at least one resource, got "
                f"{dict(one.demand)}"
            )
        positive(f"weight of {name}", one.weight)
        if one.ceiling is not None:
            non_negative(f"ceiling of {name}", one.ceiling)
        if name in rows:
            raise ValueError(f"claimants must have different names, got {name!r} twice")
        rows[name] = (
            demand,
            start,
            exact(one.weight),
            None if one.ceiling is None else exact(one.ceiling),
        )
    if policy not in known:
        if not isinstance(policy, str) or not policy.startswith("single:"):
            raise ValueError(
                f"policy must be one of {', '.join(known)} or single:<resource>, got {policy!r}"
            )
        if policy.removeprefix("single:") not in capacity:
            raise ValueError(
                f"policy {policy} must name one of the pool's resources: {', '.join(capacity)}"
            )
    return Claims(
        tuple(rows),
        tuple(capacity),
        tuple(map(exact, capacity.values())),
        *zip(*rows.values(), strict=True),
    )


def _amounts(
    what: str, amounts: Mapping[str, float], capacity: Mapping[str, float]
) -> tuple[Fraction, ...]:
    """Return an amount of each of the pool's resources, exactly."""
    if not isinstance(amounts, Mapping):
        raise ValueError(f"{what} must name an amount for each resource, got {amounts!r}")
    for resource, amount in amounts.items():
        non_negative(f"{what} for {resource}", amount)
        if amount and resource not in capacity:
            raise ValueError(
                f"{what} names {resource}, got a pool with only {', '.join(map(str, capacity))}"
            )
    return tuple(exact(amounts.get(resource, 0)) for resource in capacity)


POLICIES = ("drf", "round_robin", "asset")  #: and "single:<resource>"


@dataclass(frozen=True)
class Allocation:
    """Whole executors allocated one at a time, with the reason for each."""

    log: list[str]  #: names in the order in which they were served
    executors: dict[str, int]  #: x_i, new executors of each claimant [1]
    dominant_share: dict[
        str, float
    ]  #: largest share of any resource, start included, not divided by the weight [1]
    free: dict[
        str, float
    ]  #: what is left of each resource; negative where the starts exceed it [its unit]
    stop: str  #: "max_steps", "all_at_ceiling" or "no_fit"; the first of them that is true
    #: a row a step: step (from 1), name, reason, share_before and share_after of the one served,
    #: shares of everybody before the step, compared (what the policy compared, ÷ weight),
    #: passed_over (needier, but too big for the rest)
    history: list[dict]


@within_range
def allocate(
    claimants: Iterable[Claimant],
    capacity: Mapping[str, float],
    policy: str = "drf",
    steps: Whole | None = None,
    on_misfit: Literal["skip", "stop"] = "skip",
) -> Allocation:
    """Allocate whole executors of a pool, one per step, and return each claimant's number [1].

    At each step the claimant with the smallest measure ÷ weight is served, ties by name. The
    measure is the dominant share max_r (s_r + x d_r) / c_r ("drf"), the sum of all shares ("asset")
    or the share of one resource ("single:<resource>"), with what the claimant started with
    included. "round_robin" goes in listed order instead: its pointer moves one past the one served.
    A claimant can receive while one more executor stays within its ceiling and its whole demand
    fits into what is free.

    Args:
        capacity: c, size of the pool in each resource [the resource's unit].
        steps: The most executors to hand out [1]; None goes on until nobody can receive.
        on_misfit: What happens when the next in line is below its ceiling but does not fit: "skip"
            passes over it, "stop" ends (the algorithm as printed in the paper).

    >>> pool = {"cpu": 9, "mem": 18}
    >>> result = allocate([Claimant("A", {"cpu": 1, "mem": 4}), Claimant("B", {"cpu": 3, "mem": 1})], pool)
    >>> result.executors, result.stop, result.log
    ({'A': 3, 'B': 2}, 'no_fit', ['A', 'B', 'A', 'B', 'A'])
    """
    claims = read(claimants, capacity, policy, POLICIES)
    names = claims.names
    turns = policy == "round_robin"
    history: list[dict] = []
    lines = [claims.shares(i) for i in range(len(names))]
    measures = [claims.measure(i, policy) for i in range(len(names))]
    count = [0] * len(names)
    free = claims.free()
    shares = {name: float(_height(line, 0)) for name, line in zip(names, lines, strict=True)}
    keys = [(_height(measure, 0), name) for name, measure in zip(names, measures, strict=True)]

    def grows(i: int) -> bool:
        ceiling = claims.ceiling[i]
        return ceiling is None or count[i] + 1 <= ceiling

    def fits(i: int) -> bool:  # what it does not need cannot stand in its way
        return all(need <= left for need, left in zip(claims.demand[i], free, strict=True) if need)

    waiting = [i for i in range(len(names)) if grows(i)]  # in the order of need or of turns
    while True:
        if not turns:
            waiting.sort(key=keys.__getitem__)
        place = next((place for place, i in enumerate(waiting) if fits(i)), None)
        if len(history) == steps:
            stop = "max_steps"
            break
        if place is None or (place and on_misfit == "stop"):
            if waiting:
                stop = "no_fit"
            else:
                stop = "all_at_ceiling"
            break
        i = waiting[place]
        name = names[waiting[place]]
        before = shares
        row = {
            "step": len(history) + 1,
            "name": name,
            "reason": _reason(claims, policy, keys, waiting, place),
        }
        row |= {
            "passed_over": [names[j] for j in waiting[:place]],
            "compared": {name: float(m) for m, name in keys},
        }
        count[i] += 1
        free = [left - need for left, need in zip(free, claims.demand[i], strict=True)]
        keys[i] = _height(measures[i], count[i]), name
        shares = before | {name: float(_height(lines[i], count[i]))}
        history.append(
            row | {"shares": before, "share_before": before[name], "share_after": shares[name]}
        )
        del waiting[place]
        if turns:  # everybody up to the one served goes to the back of the line
            waiting = waiting[place:] + waiting[:place]
        if grows(i):
            waiting.append(i)
    return Allocation(
        log=[row["name"] for row in history],
        executors=dict(zip(names, count, strict=True)),
        dominant_share=shares,
        free=dict(zip(claims.resources, map(float, free), strict=True)),
        stop=stop,
        history=history,
    )


@within_range
def jain_index(values: NonNegatives) -> float:
    """Jain's fairness index [1]: 1 if all values are equal or zero; 1/n if one of n has everything.

    J = (Σ x)² / (n Σ x²), with x ≥ 0 what each one gets, in any one unit.

    Source: Jain, Chiu, Hawe: A Quantitative Measure of Fairness and Discrimination for Resource
    Allocation in Shared Computer Systems, DEC-TR-301, 1984, equation 1.

    >>> jain_index([5, 5, 5]), jain_index([1, 0, 0, 0])
    (1.0, 0.25)
    """
    if not values:
        raise ValueError("values must hold at least one number, got none")
    largest = max(values)
    if largest == 0:
        return 1.0
    scaled = [amount / largest for amount in values]  # so that squares neither overflow nor vanish
    return min(1.0, math.fsum(scaled) ** 2 / (len(scaled) * math.fsum(x * x for x in scaled)))


def _reason(
    claims: Claims, policy: str, keys: list[tuple[Fraction, str]], waiting: list[int], place: int
) -> str:
    """Say in one sentence why the one at this place of the line is served."""
    (measure, name) = keys[waiting[place]]
    passed_over = [claims.names[j] for j in waiting[:place]]
    if policy == "round_robin":
        said = "is next in turn"
        capped = False
        tied = False
    else:
        what = {"drf": "dominant share", "asset": "sum of shares"}.get(policy)
        what = what or f"share of {policy.removeprefix('single:')}"
        said = f"has the lowest {what}" + (" ÷ weight" if len(set(claims.weight)) > 1 else "")
        capped = any(key < keys[waiting[place]] for j, key in enumerate(keys) if j not in waiting)
        tied = place + 1 < len(waiting) and keys[waiting[place + 1]][0] == measure
    among = (" below their ceilings" if capped else "") + (" that fit" if passed_over else "")
    sentence = (
        f"{name} {said}"
        + (f" of those{among}" if among else "")
        + (", a tie that goes by name" if tied else "")
    )
    if passed_over:
        return f"{sentence}; passed over: {', '.join(passed_over)}"
    return sentence


def _height(lines: list[Line], x: int) -> Fraction:
    return max(a + b * x for a, b in lines)
