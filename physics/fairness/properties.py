"""What "fair" can be asked to mean, checked on one case: sharing incentive, no envy, no waste, no gain from lying.

Source: Ghodsi et al.: Dominant Resource Fairness, NSDI 2011, section 3 (the properties), 4.3 (weights), 6 and table 2
(which policy has which).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations

from physics.arguments import within_range
from physics.fairness.claims import Claimant, Claims, check_policy, read
from physics.fairness.division import DIVISIBLE_POLICIES, divided

FACTORS = tuple(map(Fraction, ("1/8", "1/4", "1/2", "3/4", "9/10", "11/10", "5/4", "3/2", "2", "4", "8")))
TOLERANCE = {"ceei": Fraction(1, 10**7)}  #: relative; every other policy is solved exactly


@dataclass(frozen=True)
class Properties:
    """Which properties of a fair division one case has."""

    sharing_incentive: bool  #: nobody would have more tasks from its own w/Σw slice of the pool
    envy_freeness: bool  #: nobody would have more tasks from another's bundle, scaled to its own weight
    pareto_efficiency: bool  #: nobody can have more tasks without somebody having fewer
    best_lie_gain: float  #: true tasks that the best lie found adds; 0 where none pays [1]


@within_range
def check_properties(claimants: Iterable[Claimant], capacity: Mapping[str, float], policy: str = "drf") -> Properties:
    """Which of four properties a division of divisible tasks has in one case, and what the best lie gains [tasks].

    A claimant's utility is its number of new tasks; slices and bundles are those of what the starts leave of the pool.
    Lies are searched for, not ruled out: each claimant multiplies its demand in one resource after another, and in all
    alike, by factors from 1/8 to 8, or claims some of what it does not need, keeps what pays most and tries once more.

    Args:
        claimants: Who shares.
        capacity: c, size of the pool in each resource [the resource's unit].
        policy: "drf", "asset", "ceei", "round_robin" or "single:<resource>".

    Checked exactly; for "ceei" to 1e-7 of a claimant's tasks.

    >>> pool = {"cpu": 100, "mem": 100}
    >>> users = [Claimant("A", {"cpu": 16, "mem": 1}), Claimant("B", {"cpu": 1, "mem": 2})]
    >>> result = check_properties(users, pool, "ceei")
    >>> result.sharing_incentive, result.envy_freeness, result.pareto_efficiency, result.best_lie_gain > 0.94
    (True, True, True, True)
    """
    claims = read(claimants, capacity)
    check_policy(policy, claims.resources, DIVISIBLE_POLICIES)
    tasks, tolerance = divided(claims, policy), TOLERANCE.get(policy, Fraction(0))
    least, everyone = [each * (1 + tolerance) for each in tasks], range(len(tasks))
    return Properties(
        sharing_incentive=all(least[i] >= _slice(claims, i) for i in everyone),
        envy_freeness=all(least[i] >= _from_bundle(claims, i, j, tasks[j]) for i, j in permutations(everyone, 2)),
        pareto_efficiency=not any(_can_grow(claims, i, tasks, tolerance) for i in everyone),
        best_lie_gain=float(max(_best_lie(claims, i, tasks[i], policy, tolerance) for i in everyone)),
    )


def _tasks_from(bundle: Iterable[Fraction], need: Iterable[Fraction], ceiling: Fraction | None = None) -> Fraction:
    """Return how many tasks fit into a bundle of resources, at most the ceiling."""
    tasks = min(amount / each for amount, each in zip(bundle, need, strict=True) if each)
    return tasks if ceiling is None else min(tasks, ceiling)


def _slice(claims: Claims, i: int) -> Fraction:
    part = claims.weight[i] / sum(claims.weight)
    return _tasks_from([max(free, Fraction(0)) * part for free in claims.free()], claims.demand[i], claims.ceiling[i])


def _from_bundle(claims: Claims, i: int, j: int, tasks: Fraction) -> Fraction:
    scale = claims.weight[i] / claims.weight[j]
    return _tasks_from([tasks * need * scale for need in claims.demand[j]], claims.demand[i], claims.ceiling[i])


def _can_grow(claims: Claims, i: int, tasks: list[Fraction], tolerance: Fraction) -> bool:
    """Say whether claimant i can grow by more than the tolerance; others never hold what they cannot use."""
    free = [max(amount, Fraction(0)) for amount in claims.free(tasks)]
    most = None if claims.ceiling[i] is None else claims.ceiling[i] - tasks[i]
    alone = _tasks_from(claims.capacity, claims.demand[i])
    return _tasks_from(free, claims.demand[i], most) > tolerance * alone


def _best_lie(claims: Claims, i: int, honest: Fraction, policy: str, tolerance: Fraction) -> Fraction:
    """Return the gain in true tasks of the best lie found for claimant i; 0 within the tolerance."""
    true = claims.demand[i]
    best, gain = true, honest * tolerance
    for _ in range(2):
        for lie in _lies(claims, best):
            told = replace(claims, demand=(*claims.demand[:i], lie, *claims.demand[i + 1 :]))
            lied = divided(told, policy)[i]
            found = _tasks_from([lied * each for each in lie], true, claims.ceiling[i]) - honest
            if found > gain:
                best, gain = lie, found
    return Fraction(0) if best == true else gain


def _lies(claims: Claims, need: tuple[Fraction, ...]) -> list[tuple[Fraction, ...]]:
    """Return demands that differ from one in a single resource, or in all of them alike."""
    largest = max(each / size for each, size in zip(need, claims.capacity, strict=True))
    lies = [tuple(each * factor for each in need) for factor in FACTORS]
    for r, size in enumerate(claims.capacity):
        amounts = [need[r] * factor for factor in FACTORS] if need[r] else [largest * size / 2, largest * size]
        lies += [(*need[:r], amount, *need[r + 1 :]) for amount in amounts]
    return lies
