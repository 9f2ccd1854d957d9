"""Division of a pool among claimants of divisible tasks, and its fairness.

Source: Ghodsi et al.: Dominant Resource Fairness, NSDI 2011, sections 3 (the properties), 4.1
(progressive filling), 4.3 (weights), 5.1 (asset fairness), 5.2 (CEEI), 6 and table 2 (which policy
has which property). Varian: Equity, envy, and efficiency, 1974 (CEEI). Wright: Primal-Dual
Interior-Point Methods, SIAM 1997, chapter 5 (path following).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations

import numpy as np

from physics.arguments import within_range
from physics.fairness.allocation import Claimant, Claims, read

Point = tuple[np.ndarray, ...]  #: y, price, slack, cost of the walk in `_central_path`
DIVISIBLE_POLICIES = ("drf", "asset", "ceei", "round_robin")  #: and "single:<resource>"


@dataclass(frozen=True)
class Division:
    """A pool shared among claimants of divisible tasks."""

    executors: dict[str, float]  #: x_i, new tasks of each claimant, fractions allowed [1]
    #: largest share of any resource, start included, not divided by the weight [1]
    dominant_share: dict[str, float]
    #: what is left of each resource; negative where the starts exceed it [its unit]
    free: dict[str, float]


@within_range
def divide(
    claimants: Iterable[Claimant], capacity: Mapping[str, float], policy: str = "drf"
) -> Division:
    """Divide a pool among claimants with divisible tasks, and return each claimant's number [1].

    "drf", "asset", "single:<resource>" and "round_robin" fill progressively: those with the lowest
    measure ÷ weight of `allocate` grow together; at a ceiling, or when a resource is used up, those
    concerned freeze and the others go on. "ceei" maximizes Π x_i^w_i, the product of the new tasks,
    over what the starts leave; a claimant that can have nothing is left out of the product.

    Progressive filling is exact up to the final rounding; CEEI is right to about 1e-9 of each
    claimant's largest count. A claimant whose start keeps its largest share unmoved is filled alone
    until its measure moves, several in order of their names: the limit of `allocate` for ever
    smaller tasks.

    Source: Ghodsi et al., Dominant Resource Fairness, NSDI 2011, sections 4.1, 4.3, 5.1 and 5.2.

    >>> pool = {"cpu": 9, "mem": 18}
    >>> users = [Claimant("A", {"cpu": 1, "mem": 4}), Claimant("B", {"cpu": 3, "mem": 1})]
    >>> {policy: divide(users, pool, policy).executors for policy in ("drf", "asset")}
    {'drf': {'A': 3.0, 'B': 2.0}, 'asset': {'A': 2.52, 'B': 2.16}}
    """
    claims = read(claimants, capacity, policy, DIVISIBLE_POLICIES)
    tasks = divided(claims, policy)
    free = claims.free(tasks)
    shares = [max(a + b * x for a, b in claims.shares(i)) for i, x in enumerate(tasks)]
    if policy == "ceei":
        # Its last digits are those of a numerical method: what is used up is used up.
        for r, size in enumerate(claims.capacity):
            if abs(free[r]) < size / 10**9:
                free[r] = Fraction(0)
    return Division(
        executors=dict(zip(claims.names, map(float, tasks), strict=True)),
        dominant_share=dict(zip(claims.names, map(float, shares), strict=True)),
        free=dict(zip(claims.resources, map(float, free), strict=True)),
    )


def divided(claims: Claims, policy: str) -> list[Fraction]:
    """Return each claimant's tasks, exactly by progressive filling under all policies but "ceei".

    The measures are piecewise linear in the tasks, so the level rises in straight pieces: each ends
    where the next claimant is reached, a measure kinks, a ceiling is met or a resource is used up.
    """
    if policy == "ceei":
        return largest_product(claims)
    lines = [claims.measure(i, policy) for i in range(len(claims.names))]
    level = [max(a for a, _ in line) for line in lines]
    tasks = [Fraction(0)] * len(claims.names)
    free = claims.free()
    while growing := _growing(claims, tasks, free):
        lowest = min(level[i] for i in growing)
        group = sorted((i for i in growing if level[i] == lowest), key=lambda i: claims.names[i])
        slope = {i: max(b for a, b in lines[i] if a + b * tasks[i] == lowest) for i in group}
        flat = [i for i in group if slope[i] == 0]
        if flat:
            rate = {flat[0]: Fraction(1)}
        else:
            rate = {i: 1 / slope[i] for i in group}
        usage = [
            sum(speed * claims.demand[i][r] for i, speed in rate.items()) for r in range(len(free))
        ]
        ends = [left / use for left, use in zip(free, usage, strict=True) if use]
        for i in rate:
            ceiling = claims.ceiling[i]
            if ceiling is not None:
                ends.append((ceiling - tasks[i]) / rate[i])
        ends += [  # kinks: another resource's share becomes the larger one
            (lowest - a - b * tasks[i]) / (b - slope[i]) / rate[i]
            for i in rate
            for a, b in lines[i]
            if b > slope[i]
        ]
        if not flat:
            ends += [level[i] - lowest for i in growing if level[i] > lowest]
        time = min(ends)
        free = [left - time * use for left, use in zip(free, usage, strict=True)]
        for i in rate:
            tasks[i] += time * rate[i]
            if flat:
                level[i] = lowest
            else:
                level[i] = lowest + time
    return tasks


def _growing(claims: Claims, tasks: list[Fraction], free: list[Fraction]) -> list[int]:
    """Return who can grow: below its ceiling, and nothing that it needs is used up."""
    growing = []
    for i, demand in enumerate(claims.demand):
        ceiling = claims.ceiling[i]
        if ceiling is not None and tasks[i] >= ceiling:
            continue
        if all(amount > 0 for need, amount in zip(demand, free, strict=True) if need):
            growing.append(i)
    return growing


def largest_product(claims: Claims) -> list[Fraction]:
    """Return the tasks x that maximize Π x_i^w_i within the free pool and the caps.

    In y, each claimant's tasks as a fraction of what it could have alone, the problem is: maximize
    Σ w log y subject to A y ≤ 1, with a row of A for each resource and each ceiling. Its optimum is
    where prices λ ≥ 0 exist with y_i (Aᵀλ)_i = w_i and λ_r (1 − A y)_r = 0; Newton's method walks
    there from the inside.
    """
    tasks = [Fraction(0)] * len(claims.names)
    free = claims.free()
    inside = _growing(claims, tasks, free)
    if not inside:
        return tasks
    rows = [[claims.demand[i][r] / size for i in inside] for r, size in enumerate(free) if size > 0]
    for i in inside:
        ceiling = claims.ceiling[i]
        if ceiling:
            rows.append([1 / ceiling if i == j else Fraction(0) for j in inside])
    alone = [1 / max(row[k] for row in rows) for k in range(len(inside))]
    matrix = np.array(
        [[float(row[k] * alone[k]) for k in range(len(inside))] for row in rows if any(row)]
    )
    total = sum(claims.weight[i] for i in inside)
    weights = np.array([float(claims.weight[i] / total) for i in inside])
    for i, largest, fraction in zip(inside, alone, _central_path(matrix, weights), strict=True):
        tasks[i] = largest * Fraction(float(fraction))
        ceiling = claims.ceiling[i]
        if ceiling is not None:
            tasks[i] = min(tasks[i], ceiling)
    crowding = Fraction(1)
    for r, size in enumerate(free):
        if size > 0:
            used = sum(tasks[i] * claims.demand[i][r] for i in inside)
            crowding = max(crowding, used / size)
    return [x / crowding for x in tasks]  # rounding in the last digit must not exceed the pool


def _central_path(matrix: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Maximize Σ w log y subject to A y ≤ 1, with Σ w = 1 and entries of A in 0 to 1, each column
    reaching 1.
    """
    count = len(matrix)
    # equal prices; halfway into the pool, with prices to match y · cost = weights
    y = weights / matrix.sum(axis=0)
    crowding = 2 * float(np.max(matrix @ y))
    y = y / crowding
    price = np.full(count, crowding)
    slack = 1 - matrix @ y
    cost = matrix.T @ price
    point = (y, price, slack, cost)
    for _ in range(80):  # about 22 are needed
        gap = float(point[1] @ point[2]) / count
        step = _newton(matrix, point, weights, 0.1 * gap)
        length = 0.99 * _room(point, step)
        while length > 1e-3:
            y, price, slack, cost = (
                value + length * change for value, change in zip(point, step, strict=True)
            )
            least = 0.001 * float(price @ slack) / count
            if np.min(y * cost / weights) > 0.1 and np.min(price * slack) > least:
                break
            length *= 0.7
        if length <= 1e-3 or gap <= 1e-21:  # the last digits: rounding decides from here on
            break
        point = (y, price, slack, cost)
    return point[0]


def _newton(matrix: np.ndarray, at: Point, goal_cost: np.ndarray, goal_slack: float) -> Point:
    """Return Newton's step towards y · cost = goal_cost and price · slack = goal_slack; slack and
    cost stay linear.
    """
    y, price, slack, cost = at
    size = len(y)
    scale = np.sqrt(y / cost)
    # scaled so that no entry exceeds about 1, however unlike the prices
    calm = 1 / np.sqrt(1 + slack / price)
    system = np.zeros((size + len(price),) * 2)
    system[:size, :size] = np.eye(size)
    system[size:, :size] = calm[:, None] * matrix * scale
    system[:size, size:] = system[size:, :size].T
    system[size:, size:] = np.diag(-slack / price * calm**2)
    goal = np.concatenate([scale * (goal_cost / y - cost), calm * (slack - goal_slack / price)])
    # least squares: prices of resources that bind together are not unique
    change = np.linalg.lstsq(system, goal)[0]
    dy = scale * change[:size]
    d_price = calm * change[size:]
    return dy, d_price, -matrix @ dy, matrix.T @ d_price


def _room(at: Point, step: Point) -> float:
    """Return how much of a step, at most all of it, can be taken before a variable reaches zero."""
    room = 1.0
    for value, change in zip(at, step, strict=True):
        falls = change < 0
        if falls.any():
            room = min(room, float(np.min(-value[falls] / change[falls])))
    return room


FACTORS = tuple(
    map(Fraction, ("1/8", "1/4", "1/2", "3/4", "9/10", "11/10", "5/4", "3/2", "2", "4", "8"))
)
TOLERANCE = {"ceei": Fraction(1, 10**7)}  #: relative; every other policy is solved exactly


@dataclass(frozen=True)
class Properties:
    """Fairness properties that one division has."""

    sharing_incentive: bool  #: nobody would have more tasks from its own w/Σw slice of the pool
    #: nobody would have more tasks from another's bundle, scaled to its own weight
    envy_freeness: bool
    pareto_efficiency: bool  #: nobody can have more tasks without somebody having fewer
    best_lie_gain: float  #: true tasks that the best lie found adds; 0 where none pays [1]


@within_range
def check_properties(
    claimants: Iterable[Claimant], capacity: Mapping[str, float], policy: str = "drf"
) -> Properties:
    """Check four fairness properties of a division of divisible tasks, and the best gain from
    misreporting [tasks].

    A claimant's utility is its number of new tasks; slices and bundles are those of what the starts
    leave of the pool. Checked exactly; for "ceei" to 1e-7 of a claimant's tasks. Lies are searched
    for, not ruled out: each claimant multiplies its demand in one resource after another, and in
    all alike, by factors from 1/8 to 8, or claims some of what it does not need, keeps what pays
    most and tries once more. Arguments as for `divide`.

    >>> pool = {"cpu": 100, "mem": 100}
    >>> users = [Claimant("A", {"cpu": 16, "mem": 1}), Claimant("B", {"cpu": 1, "mem": 2})]
    >>> result = check_properties(users, pool, "ceei")
    >>> result.sharing_incentive, result.envy_freeness, result.pareto_efficiency
    (True, True, True)
    >>> result.best_lie_gain > 0.94
    True
    """
    claims = read(claimants, capacity, policy, DIVISIBLE_POLICIES)
    tasks = divided(claims, policy)
    tolerance = TOLERANCE.get(policy, Fraction(0))
    least = [each * (1 + tolerance) for each in tasks]
    everyone = range(len(tasks))
    free, left = (
        [max(size, Fraction(0)) for size in claims.free(counts)] for counts in ((), tasks)
    )
    bundles = [[count * need for need in claims.demand[i]] for i, count in enumerate(tasks)]

    def slice_of(i: int) -> Fraction:
        return claims.tasks_from(i, free, claims.weight[i] / sum(claims.weight))

    def bundle_of(j: int, i: int) -> Fraction:
        return claims.tasks_from(i, bundles[j], claims.weight[i] / claims.weight[j])

    def growth(i: int) -> Fraction:  # others never hold what they cannot use
        usable = [rest + own for rest, own in zip(left, bundles[i], strict=True)]
        return claims.tasks_from(i, usable) - tasks[i]

    return Properties(
        sharing_incentive=all(least[i] >= slice_of(i) for i in everyone),
        envy_freeness=all(least[i] >= bundle_of(j, i) for i, j in permutations(everyone, 2)),
        pareto_efficiency=not any(
            growth(i) > tolerance * claims.tasks_from(i, claims.capacity) for i in everyone
        ),
        best_lie_gain=float(
            max(_best_lie(claims, i, tasks[i], policy, tolerance) for i in everyone)
        ),
    )


def _best_lie(
    claims: Claims, i: int, honest: Fraction, policy: str, tolerance: Fraction
) -> Fraction:
    """Return the gain in true tasks of the best lie found for claimant i; 0 within the
    tolerance.
    """
    true = claims.demand[i]
    best = true
    gain = honest * tolerance
    for _ in range(2):
        for lie in _lies(claims, best):
            reported = replace(claims, demand=(*claims.demand[:i], lie, *claims.demand[i + 1 :]))
            lied = divided(reported, policy)[i]
            added = claims.tasks_from(i, [lied * each for each in lie]) - honest
            if added > gain:
                best = lie
                gain = added
    if best == true:
        return Fraction(0)
    return gain


def _lies(claims: Claims, need: tuple[Fraction, ...]) -> list[tuple[Fraction, ...]]:
    """Return demands that differ from one in a single resource, or in all of them alike."""
    largest = max(each / size for each, size in zip(need, claims.capacity, strict=True))
    lies = [tuple(each * factor for each in need) for factor in FACTORS]
    for r, size in enumerate(claims.capacity):
        if need[r]:
            amounts = [need[r] * factor for factor in FACTORS]
        else:
            amounts = [largest * size / 2, largest * size]
        lies += [(*need[:r], amount, *need[r + 1 :]) for amount in amounts]
    return lies
