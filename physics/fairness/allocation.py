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
from typing import Any, Literal

from physics.arguments import NonNegatives, Whole, non_negative, positive, several, within_range

#: (a, b) of a share a + b x, linear in the number of new executors x
Line = tuple[Fraction, Fraction]


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
        """Return the free amount of each resource after initial and new executors.

        The result is negative if overallocated.
        """
        idle = list(self.capacity)
        counts = executors or [0] * len(self.names)
        for x, start, need in zip(counts, self.start, self.demand, strict=True):
            for r, amount in enumerate(need):
                idle[r] -= start[r] + x * amount
        return idle

    def shares(self, i: int) -> list[Line]:
        """Return claimant i's resource shares as lines (offset, slope) over new executors."""
        amounts = zip(self.start[i], self.demand[i], self.capacity, strict=True)
        return [(start / size, need / size) for start, need, size in amounts]

    def tasks_from(self, i: int, bundle: Iterable[Fraction], share: Fraction | int = 1) -> Fraction:
        """Return how many tasks of claimant i, up to its cap, a share of these amounts can run."""
        amounts = zip(bundle, self.demand[i], strict=True)
        limits = [amount * share / need for amount, need in amounts if need]
        ceiling = self.ceiling[i]
        if ceiling is not None:
            limits.append(ceiling)
        return min(limits)

    def may_grow(self, i: int, executors: int) -> bool:
        """Return whether one more executor is within claimant i's cap."""
        ceiling = self.ceiling[i]
        return ceiling is None or executors + 1 <= ceiling

    def fits(self, i: int, idle: Sequence[Fraction]) -> bool:
        """Return whether an executor of claimant i fits into the idle amount of every resource."""
        amounts = zip(self.demand[i], idle, strict=True)
        return all(need <= amount for need, amount in amounts if need)

    def measure(self, i: int, policy: str) -> list[Line]:
        """Return the lines (offset, slope) whose maximum a policy compares for claimant i.

        The claimant with the smallest maximum is served first.

        DRF: every resource's share ÷ weight. Asset: their sum ÷ weight. single:<resource>: that one
        ÷ weight. Round-robin: the number of new executors itself; it knows no weights.
        """
        weight = self.weight[i]
        lines = self.shares(i)
        if policy == "round_robin":
            return [(Fraction(0), Fraction(1))]
        if policy == "asset":
            base, growth = map(sum, zip(*lines, strict=True))
            lines = [(Fraction(base), Fraction(growth))]
        elif policy != "drf":
            lines = [lines[self.resources.index(policy.removeprefix("single:"))]]
        return [(a / weight, b / weight) for a, b in lines]


def height(lines: list[Line], x: Fraction | int) -> Fraction:
    """Return the largest value of several lines (offset, slope) at x."""
    return max(a + b * x for a, b in lines)


def times(amounts: Iterable[Fraction], factor: Fraction) -> list[Fraction]:
    """Return each of several amounts multiplied by a factor."""
    return [amount * factor for amount in amounts]


def exact(value: float) -> Fraction:
    """Return the decimal number that a value prints as, so that 0.1 is one tenth."""
    return Fraction(str(value))


def read(
    claimants: Iterable[Claimant],
    capacity: Mapping[str, float],
    policy: str,
    policies: Sequence[str],
) -> Claims:
    """Validate claimants, pool, and policy, which may be single:<a resource of the pool>.

    Return exact claims.

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
    for claimant in claimants:
        name = getattr(claimant, "name", None)
        if not isinstance(name, str):
            raise ValueError(f"claimants must be Claimant records with a name, got {claimant!r}")
        demand = _amounts(f"demand of {name}", claimant.demand, capacity)
        start = _amounts(f"start of {name}", claimant.start or {}, capacity)
        if not any(demand):
            raise ValueError(
                f"demand of {name} must be above zero in at least one resource, got "
                f"{dict(claimant.demand)}"
            )
        positive(f"weight of {name}", claimant.weight)
        ceiling = None
        if claimant.ceiling is not None:
            non_negative(f"ceiling of {name}", claimant.ceiling)
            ceiling = exact(claimant.ceiling)
        if name in rows:
            raise ValueError(f"claimants must have different names, got {name!r} twice")
        rows[name] = (demand, start, exact(claimant.weight), ceiling)
    if policy not in policies:
        if not isinstance(policy, str) or not policy.startswith("single:"):
            raise ValueError(
                f"policy must be one of {', '.join(policies)} or single:<resource>, got {policy!r}"
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
    name: str, amounts: Mapping[str, float], capacity: Mapping[str, float]
) -> tuple[Fraction, ...]:
    """Return an amount of each of the pool's resources, exactly."""
    if not isinstance(amounts, Mapping):
        raise ValueError(f"{name} must name an amount for each resource, got {amounts!r}")
    for resource, amount in amounts.items():
        non_negative(f"{name} for {resource}", amount)
        if amount and resource not in capacity:
            raise ValueError(
                f"{name} names {resource}, got a pool with only {', '.join(map(str, capacity))}"
            )
    return tuple(exact(amounts.get(resource, 0)) for resource in capacity)


POLICIES = ("drf", "round_robin", "asset")  #: and "single:<resource>"


@dataclass(frozen=True)
class Allocation:
    """Whole executors allocated one at a time, with the reason for each."""

    log: list[str]  #: names in the order in which they were served
    executors: dict[str, int]  #: x_i, new executors of each claimant [1]
    #: largest share of any resource, start included, not divided by the weight [1]
    dominant_share: dict[str, float]
    #: what is left of each resource; negative where the starts exceed it [its unit]
    free: dict[str, float]
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
    """Allocate whole executors of a pool step by step; return each claimant's number [1].

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
    >>> users = [Claimant("A", {"cpu": 1, "mem": 4}), Claimant("B", {"cpu": 3, "mem": 1})]
    >>> result = allocate(users, pool)
    >>> result.executors, result.stop, result.log
    ({'A': 3, 'B': 2}, 'no_fit', ['A', 'B', 'A', 'B', 'A'])
    """
    claims = read(claimants, capacity, policy, POLICIES)
    names = claims.names
    in_turn = policy == "round_robin"
    record = Record(claims)
    everyone = range(len(names))
    measures = [claims.measure(i, policy) for i in everyone]
    keys = [(height(measures[i], 0), names[i]) for i in everyone]  # ties go by name
    waiting = [i for i in everyone if claims.may_grow(i, 0)]  # in the order of need or of turns
    while True:
        if not in_turn:
            waiting.sort(key=keys.__getitem__)
        fitting = (index for index, i in enumerate(waiting) if claims.fits(i, record.idle))
        index = next(fitting, None)
        if len(record.history) == steps:
            return record.allocation("max_steps")
        if index is None or (index and on_misfit == "stop"):
            if waiting:
                return record.allocation("no_fit")
            return record.allocation("all_at_ceiling")
        i = waiting[index]
        passed_over = [names[j] for j in waiting[:index]]
        record.serve(
            i,
            reason=_reason(claims, policy, keys, waiting, passed_over),
            passed_over=passed_over,
            compared={name: float(measure) for measure, name in keys},
        )
        keys[i] = height(measures[i], record.counts[i]), names[i]
        del waiting[index]
        if in_turn:  # everybody up to the one served goes to the back of the line
            waiting = waiting[index:] + waiting[:index]
        if claims.may_grow(i, record.counts[i]):
            waiting.append(i)


class Record:
    """Executors served so far, the shares that they make, and a row for each step."""

    def __init__(self, claims: Claims) -> None:
        self.claims = claims
        self.lines = [claims.shares(i) for i in range(len(claims.names))]
        self.counts = [0] * len(claims.names)
        self.idle = claims.free()
        self.shares = {}
        for name, line in zip(claims.names, self.lines, strict=True):
            self.shares[name] = float(height(line, 0))
        self.history: list[dict] = []

    def serve(self, i: int, **row: Any) -> None:
        """Give claimant i one more executor, and record the step with further columns `row`."""
        name = self.claims.names[i]
        before = self.shares
        self.counts[i] += 1
        for r, need in enumerate(self.claims.demand[i]):
            self.idle[r] -= need
        self.shares = before | {name: float(height(self.lines[i], self.counts[i]))}
        step = {"step": len(self.history) + 1, "name": name}
        change = {"share_before": before[name], "share_after": self.shares[name]}
        self.history.append(step | row | {"shares": before} | change)

    def allocation(self, stop: str) -> Allocation:
        """Return the allocation so far, with the reason why it ends."""
        return Allocation(
            log=[row["name"] for row in self.history],
            executors=dict(zip(self.claims.names, self.counts, strict=True)),
            dominant_share=self.shares,
            free=dict(zip(self.claims.resources, map(float, self.idle), strict=True)),
            stop=stop,
            history=self.history,
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
    claims: Claims,
    policy: str,
    keys: list[tuple[Fraction, str]],
    waiting: list[int],
    passed_over: list[str],
) -> str:
    """Say in one sentence why the claimant behind those that are passed over is served."""
    index = len(passed_over)
    (measure, name) = keys[waiting[index]]
    is_capped = False
    is_tied = False
    sentence = f"{name} is next in turn"
    if policy != "round_robin":
        measured = {"drf": "dominant share", "asset": "sum of shares"}
        default = f"share of {policy.removeprefix('single:')}"
        sentence = f"{name} has the lowest {measured.get(policy, default)}"
        if len(set(claims.weight)) > 1:
            sentence += " ÷ weight"
        is_capped = any(key < (measure, name) for j, key in enumerate(keys) if j not in waiting)
        is_tied = index + 1 < len(waiting) and keys[waiting[index + 1]][0] == measure
    if is_capped or passed_over:
        sentence += " of those"
    if is_capped:
        sentence += " below their ceilings"
    if passed_over:
        sentence += " that fit"
    if is_tied:
        sentence += ", a tie broken by name"
    if passed_over:
        sentence += f"; passed over: {', '.join(passed_over)}"
    return sentence
