"""Division of a pool among claimants of divisible tasks, and its fairness.

Source: Ghodsi et al.: Dominant Resource Fairness, NSDI 2011, sections 3 (the properties), 4.1
(progressive filling), 4.3 (weights), 5.1 (asset fairness), 5.2 (CEEI), 6 and table 2 (which policy
has which property). Varian: Equity, envy, and efficiency, 1974 (CEEI). Wright: Primal-Dual
Interior-Point Methods, SIAM 1997, chapter 5 (path following).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from operator import add, le, truediv

import numpy as np

from physics.arguments import within_range
from physics.fairness.allocation import Claimant, Claims, Line, height, read, times

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
    """Divide a pool among claimants of divisible tasks; return each claimant's number of tasks [1].

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
    shares = [height(claims.shares(i), x) for i, x in enumerate(tasks)]
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
    level = [height(line, 0) for line in lines]
    tasks = [Fraction(0)] * len(claims.names)
    free = claims.free()
    while growing := _growing(claims, tasks, free):
        lowest = min(level[i] for i in growing)
        rate = _rates(claims, lines, tasks, [i for i in growing if level[i] == lowest], lowest)
        usage = [Fraction(0)] * len(free)
        for i, speed in rate.items():
            for r, need in enumerate(claims.demand[i]):
                usage[r] += speed * need
        # by how much the level can rise until this straight piece ends
        ends = [amount / use for amount, use in zip(free, usage, strict=True) if use]
        is_flat = False
        for i, speed in rate.items():
            ceiling = claims.ceiling[i]
            if ceiling is not None:
                ends.append((ceiling - tasks[i]) / speed)
            slope = _slope(lines[i], tasks[i], lowest)
            is_flat = slope == 0
            for a, b in lines[i]:  # kinks: another resource's share becomes the larger one
                if b > slope:
                    ends.append((lowest - a - b * tasks[i]) / (b - slope) / speed)
        if not is_flat:
            ends += [level[i] - lowest for i in growing if level[i] > lowest]
        rise = min(ends)
        for r, use in enumerate(usage):
            free[r] -= rise * use
        for i, speed in rate.items():
            tasks[i] += rise * speed
            if not is_flat:
                level[i] = lowest + rise
    return tasks


def _slope(lines: list[Line], x: Fraction, level: Fraction) -> Fraction:
    """Steepest of the lines that reach a level at x."""
    return max(b for a, b in lines if a + b * x == level)


def _rates(
    claims: Claims,
    lines: list[list[Line]],
    tasks: list[Fraction],
    lowest: list[int],
    level: Fraction,
) -> dict[int, Fraction]:
    """Tasks per unit of the level for each claimant with the lowest level.

    Where a measure does not move with the tasks, the first such claimant by name grows alone, at
    rate 1.
    """
    rates = {}
    for i in sorted(lowest, key=claims.names.__getitem__):
        slope = _slope(lines[i], tasks[i], level)
        if slope == 0:
            return {i: Fraction(1)}
        rates[i] = 1 / slope
    return rates


def _growing(claims: Claims, tasks: list[Fraction], free: list[Fraction]) -> list[int]:
    """Claimants that can grow: below their ceilings, with nothing that they need used up."""
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
    growing = _growing(claims, tasks, free)
    if not growing:
        return tasks
    demand = np.array(claims.demand, dtype=object)[growing]
    rows = [demand[:, r] / size for r, size in enumerate(free) if size > 0]
    for index, i in enumerate(growing):
        ceiling = claims.ceiling[i]
        if ceiling:
            row = np.full(len(growing), Fraction(0))
            row[index] = 1 / ceiling
            rows.append(row)
    constraints = np.array([row for row in rows if row.any()])
    alone = 1 / constraints.max(axis=0)
    weight = np.array(claims.weight)[growing]
    weights = (weight / weight.sum()).astype(float)
    fractions = _central_path((constraints * alone).astype(float), weights)
    for i, largest, fraction in zip(growing, alone, fractions, strict=True):
        tasks[i] = largest * Fraction(float(fraction))
        ceiling = claims.ceiling[i]
        if ceiling is not None:
            tasks[i] = min(tasks[i], ceiling)
    crowding = Fraction(1)
    for before, after in zip(free, claims.free(tasks), strict=True):
        if before > 0:
            crowding = max(crowding, (before - after) / before)
    return [x / crowding for x in tasks]  # rounding in the last digit must not exceed the pool


def _central_path(matrix: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Maximize Σ w log y subject to A y ≤ 1 by following the central path.

    Σ w = 1; the entries of A lie in 0 to 1, and each column reaches 1.
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
            min_gap = 0.001 * float(price @ slack) / count
            if np.min(y * cost / weights) > 0.1 and np.min(price * slack) > min_gap:
                break
            length *= 0.7
        if length <= 1e-3 or gap <= 1e-21:  # the last digits: rounding decides from here on
            break
        point = (y, price, slack, cost)
    return point[0]


def _newton(matrix: np.ndarray, point: Point, goal_cost: np.ndarray, goal_slack: float) -> Point:
    """Return Newton's step toward y · cost = goal_cost and price · slack = goal_slack.

    Slack and cost stay linear.
    """
    y, price, slack, cost = point
    size = len(y)
    scale = np.sqrt(y / cost)
    # scaled so that no entry exceeds about 1, however unlike the prices
    damping = 1 / np.sqrt(1 + slack / price)
    system = np.zeros((size + len(price),) * 2)
    system[:size, :size] = np.eye(size)
    system[size:, :size] = damping[:, None] * matrix * scale
    system[:size, size:] = system[size:, :size].T
    system[size:, size:] = np.diag(-slack / price * damping**2)
    goal = np.concatenate([scale * (goal_cost / y - cost), damping * (slack - goal_slack / price)])
    # least squares: prices of resources that bind together are not unique
    change = np.linalg.lstsq(system, goal)[0]
    dy = scale * change[:size]
    d_price = damping * change[size:]
    return dy, d_price, -matrix @ dy, matrix.T @ d_price


def _room(point: Point, step: Point) -> float:
    """Share of a step, at most all of it, that can be made before a variable reaches zero [1]."""
    room = 1.0
    for value, change in zip(point, step, strict=True):
        falls = change < 0
        if falls.any():
            room = min(room, float(np.min(-value[falls] / change[falls])))
    return room


#: Factors of a demand that are tried as lies.
_FACTORS = "1/8 1/4 1/2 3/4 9/10 11/10 5/4 3/2 2 4 8"
FACTORS = tuple(map(Fraction, _FACTORS.split()))
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
    """Check four fairness properties of a division, and the best gain from misreporting [tasks].

    Tasks are divisible. A claimant's utility is its number of new tasks; slices and bundles are
    those of what the starts leave of the pool. Checked exactly; for "ceei" to 1e-7 of a claimant's
    tasks. Lies are searched for, not ruled out: each claimant multiplies its demand in one resource
    after another, and in all alike, by factors from 1/8 to 8, or claims some of what it does not
    need, keeps what pays most and tries once more. Arguments as for `divide`.

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
    enough = times(tasks, 1 + tolerance)
    gains = [_best_lie(claims, i, honest, policy, tolerance) for i, honest in enumerate(tasks)]
    return Properties(
        sharing_incentive=_has_sharing_incentive(claims, enough),
        envy_freeness=_is_envy_free(claims, tasks, enough),
        pareto_efficiency=_is_efficient(claims, tasks, tolerance),
        best_lie_gain=float(max(gains)),
    )


def _remaining(claims: Claims, tasks: Sequence[Fraction] = ()) -> list[Fraction]:
    """What the starts, and some tasks, leave of each resource; nothing where they exceed it."""
    return [max(size, Fraction(0)) for size in claims.free(tasks)]


def _has_sharing_incentive(claims: Claims, enough: list[Fraction]) -> bool:
    """Whether nobody would have more tasks than are enough from its own slice of the pool."""
    pool = _remaining(claims)
    total = sum(claims.weight)
    weights = enumerate(claims.weight)
    alone = [claims.tasks_from(i, pool, weight / total) for i, weight in weights]
    return all(map(le, alone, enough))


def _is_envy_free(claims: Claims, tasks: list[Fraction], enough: list[Fraction]) -> bool:
    """Whether nobody would have more tasks than are enough from another's bundle."""
    for i, j in permutations(range(len(tasks)), 2):
        bundle = times(claims.demand[j], tasks[j])
        if claims.tasks_from(i, bundle, claims.weight[i] / claims.weight[j]) > enough[i]:
            return False
    return True


def _is_efficient(claims: Claims, tasks: list[Fraction], tolerance: Fraction) -> bool:
    """Whether nobody can have more tasks from what is left.

    Others have nothing to give up, because nobody holds what it cannot use.
    """
    remaining = _remaining(claims, tasks)
    for i, count in enumerate(tasks):
        usable = map(add, remaining, times(claims.demand[i], count))
        growth = claims.tasks_from(i, usable) - count
        if growth > tolerance * claims.tasks_from(i, claims.capacity):
            return False
    return True


def _best_lie(
    claims: Claims, i: int, honest: Fraction, policy: str, tolerance: Fraction
) -> Fraction:
    """Gain of the best lie found for claimant i, 0 within the tolerance [true tasks]."""
    true = claims.demand[i]
    best = true
    gain = honest * tolerance
    for _ in range(2):
        for lie in _lies(claims, best):
            reported = replace(claims, demand=(*claims.demand[:i], lie, *claims.demand[i + 1 :]))
            tasks = divided(reported, policy)[i]
            added = claims.tasks_from(i, times(lie, tasks)) - honest
            if added > gain:
                best = lie
                gain = added
    if best == true:
        return Fraction(0)
    return gain


def _lies(claims: Claims, need: tuple[Fraction, ...]) -> list[tuple[Fraction, ...]]:
    """Return demands that differ from one in a single resource, or in all of them alike."""
    largest = max(map(truediv, need, claims.capacity))
    lies = [tuple(times(need, factor)) for factor in FACTORS]
    for r, size in enumerate(claims.capacity):
        amounts = [largest * size / 2, largest * size]
        if need[r]:
            amounts = times(FACTORS, need[r])
        lies += [(*need[:r], amount, *need[r + 1 :]) for amount in amounts]
    return lies
