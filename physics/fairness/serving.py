"""Allocation of whole executors in an order chosen by the user."""

from collections.abc import Iterable, Mapping

from physics.arguments import several, within_range
from physics.fairness.allocation import POLICIES, Allocation, Claimant, Claims, Record, read


@within_range
def serve(
    claimants: Iterable[Claimant], capacity: Mapping[str, float], order: Iterable[str]
) -> Allocation:
    """Allocate whole executors in an order that you choose; return each claimant's number [1].

    Whoever is at its ceiling or does not fit is left out at that place of the order. The result is
    that of `allocate`; it stops with "max_steps" where the order ends before the pool is full.

    >>> pool = {"cpu": 9, "mem": 18}
    >>> users = [Claimant("A", {"cpu": 1, "mem": 4}), Claimant("B", {"cpu": 3, "mem": 1})]
    >>> result = serve(users, pool, list("BBBBA"))
    >>> result.log, result.free, result.stop
    (['B', 'B', 'B'], {'cpu': 0.0, 'mem': 15.0}, 'no_fit')
    """
    claims = read(claimants, capacity, "drf", POLICIES)
    record = Record(claims)
    for name in several("order", order):
        if name not in claims.names:
            raise ValueError(f"order must name claimants, got {name!r}")
        i = claims.names.index(name)
        if can_get(claims, record.counts, i):
            reason = f"{name} was chosen"
            record.serve(i, reason=reason, compared=record.shares, passed_over=[])
    everyone = range(len(claims.names))
    stop = "max_steps"
    if not any(can_get(claims, record.counts, i) for i in everyone):
        stop = "no_fit"
        if not any(claims.may_grow(i, record.counts[i]) for i in everyone):
            stop = "all_at_ceiling"
    return record.allocation(stop)


def can_get(claims: Claims, counts: list[int], i: int) -> bool:
    """Return whether claimant i may get one more executor and whether it fits."""
    return claims.fits(i, claims.free(counts)) and claims.may_grow(i, counts[i])
