"""Allocation of whole executors in an order chosen by the user."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from physics.arguments import several, within_range
from physics.fairness.allocation import POLICIES, Allocation, Claimant, Claims, read


@within_range
def serve(
    claimants: Iterable[Claimant], capacity: Mapping[str, float], order: Iterable[str]
) -> Allocation:
    """Allocate whole executors to claimants in the given order, and return each claimant's number
    [1].

    Whoever is at its ceiling or does not fit is left out at that place of the order. The result is
    that of `allocate`; it stops with "max_steps" where the order ends before the pool is full.

    >>> pool = {"cpu": 9, "mem": 18}
    >>> users = [Claimant("A", {"cpu": 1, "mem": 4}), Claimant("B", {"cpu": 3, "mem": 1})]
    >>> result = serve(users, pool, list("BBBBA"))
    >>> result.log, result.free, result.stop
    (['B', 'B', 'B'], {'cpu': 0.0, 'mem': 15.0}, 'no_fit')
    """
    claims = read(claimants, capacity, "drf", POLICIES)
    counts = [0] * len(claims.names)
    history: list[dict] = []
    shares = _shares(claims, counts)
    for name in several("order", order):
        if name not in claims.names:
            raise ValueError(f"order must name claimants, got {name!r}")
        i = claims.names.index(name)
        if not can_get(claims, counts, i):
            continue
        before = shares
        counts[i] += 1
        shares = _shares(claims, counts)
        step = {"step": len(history) + 1, "name": name, "reason": f"{name} was chosen"}
        own = {"share_before": before[name], "share_after": shares[name]}
        history.append(step | own | {"shares": before, "compared": before, "passed_over": []})
    everyone = range(len(claims.names))
    stop = "max_steps"
    if not any(can_get(claims, counts, i) for i in everyone):
        stop = "no_fit"
        if not any(_may_grow(claims, counts, i) for i in everyone):
            stop = "all_at_ceiling"
    return Allocation(
        log=[row["name"] for row in history],
        executors=dict(zip(claims.names, counts, strict=True)),
        dominant_share=shares,
        free=dict(zip(claims.resources, map(float, claims.free(counts)), strict=True)),
        stop=stop,
        history=history,
    )


def can_get(claims: Claims, counts: list[int], i: int) -> bool:
    """Return whether claimant i may get one more executor and whether it fits."""
    free = claims.free(counts)
    fits = all(need <= left for need, left in zip(claims.demand[i], free, strict=True) if need)
    return fits and _may_grow(claims, counts, i)


def _may_grow(claims: Claims, counts: list[int], i: int) -> bool:
    ceiling = claims.ceiling[i]
    return ceiling is None or counts[i] + 1 <= ceiling


def _shares(claims: Claims, counts: list[int]) -> dict[str, float]:
    """Return the largest share of any resource of each claimant."""
    result = {}
    for i, name in enumerate(claims.names):
        line = claims.shares(i)
        share: Fraction = max(held + need * counts[i] for held, need in line)
        result[name] = float(share)
    return result
