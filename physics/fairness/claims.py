"""What claimants ask of a shared pool, read once into exact numbers.

Fair sharing is a chain of comparisons, and 0.1 + 0.2 == 0.3 must be a tie. So every amount is taken as the decimal
number that it prints as, and all comparisons are between fractions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from physics.arguments import non_negative, positive, several

Line = tuple[Fraction, Fraction]  #: (a, b) of a share a + b x, linear in the number of new executors x


@dataclass(frozen=True)
class Claimant:
    """One user, team or job that asks a shared pool for executors of one shape.

    A plain record: nonsense in it is refused where it is used.

    Args:
        name: Ties between claimants go by name.
        demand: d, what one executor needs of each resource [the resource's unit]; a resource left out is not needed.
        start: s, what the claimant holds already; it counts in its share and is taken out of the pool.
        weight: w, relative entitlement [1]; weight 2 is owed twice the share.
        ceiling: The most new executors it may get [1]; None is no ceiling.

    >>> Claimant("Light", {"cpu": 2, "mem": 16}, start={"cpu": 20, "mem": 40}).weight
    1.0
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
        """Return what is left of each resource after starts and new executors; negative if starts exceed the pool."""
        counts = executors or [0] * len(self.names)
        return [
            size - sum(held[r] + x * need[r] for x, held, need in zip(counts, self.start, self.demand, strict=True))
            for r, size in enumerate(self.capacity)
        ]

    def shares(self, i: int) -> list[Line]:
        """Return claimant i's share of each resource as a line (s/c, d/c) in its number of new executors."""
        return [
            (held / size, need / size)
            for held, need, size in zip(self.start[i], self.demand[i], self.capacity, strict=True)
        ]

    def measure(self, i: int, policy: str) -> list[Line]:
        """Return lines whose largest is what the policy keeps equal for claimant i; smallest is neediest.

        DRF: every resource's share ÷ weight. Asset: their sum ÷ weight. single:<resource>: that one ÷ weight.
        Round-robin: the number of new executors itself; it knows no weights.
        """
        weight = self.weight[i]
        lines = self.shares(i)
        if policy == "round_robin":
            return [(Fraction(0), Fraction(1))]
        if policy == "asset":
            lines = [(sum((a for a, _ in lines), Fraction(0)), sum((b for _, b in lines), Fraction(0)))]
        elif policy != "drf":
            lines = [lines[self.resources.index(policy.removeprefix("single:"))]]
        return [(a / weight, b / weight) for a, b in lines]


def exact(value: float) -> Fraction:
    """Return the decimal number that a value prints as, so that 0.1 is one tenth.

    >>> exact(0.1) + exact(0.2) == exact(0.3)
    True
    """
    return Fraction(value) if isinstance(value, int | Fraction) else Fraction(str(value))


def read(claimants: Iterable[Claimant], capacity: Mapping[str, float]) -> Claims:
    """Check claimants and pool, and return them in exact numbers.

    Raises ValueError for two of one name, a resource that the pool lacks, and a demand of nothing.
    """
    claimants = several("claimants", claimants)
    if not claimants:
        raise ValueError("claimants must name at least one claimant, got none")
    if not isinstance(capacity, Mapping) or not capacity:
        raise ValueError(f"capacity must name at least one resource and its size, got {capacity!r}")
    for resource, size in capacity.items():
        positive(f"capacity of {resource}", size)
    seen: set[str] = set()
    for claimant in claimants:
        _check(claimant, capacity)
        if claimant.name in seen:
            raise ValueError(f"claimants must have different names, got {claimant.name!r} twice")
        seen.add(claimant.name)
    return Claims(
        names=tuple(c.name for c in claimants),
        resources=tuple(capacity),
        capacity=tuple(exact(size) for size in capacity.values()),
        demand=tuple(_row(c.demand, capacity) for c in claimants),
        start=tuple(_row(c.start or {}, capacity) for c in claimants),
        weight=tuple(exact(c.weight) for c in claimants),
        ceiling=tuple(None if c.ceiling is None else exact(c.ceiling) for c in claimants),
    )


def check_policy(policy: str, resources: Sequence[str], known: Sequence[str]) -> str:
    """Return the policy, or raise ValueError unless it is a known one or single:<a resource of the pool>."""
    if policy in known:
        return policy
    if not isinstance(policy, str) or not policy.startswith("single:"):
        raise ValueError(f"policy must be one of {', '.join(known)} or single:<resource>, got {policy!r}")
    if policy.removeprefix("single:") not in resources:
        raise ValueError(f"policy {policy} must name one of the pool's resources: {', '.join(resources)}")
    return policy


def _row(amounts: Mapping[str, float], capacity: Mapping[str, float]) -> tuple[Fraction, ...]:
    return tuple(exact(amounts.get(resource, 0)) for resource in capacity)


def _check(claimant: Claimant, capacity: Mapping[str, float]) -> None:
    name = getattr(claimant, "name", None)
    if not isinstance(name, str):
        raise ValueError(f"claimants must be Claimant records with a name, got {claimant!r}")
    _check_amounts(f"demand of {name}", claimant.demand, capacity)
    _check_amounts(f"start of {name}", claimant.start or {}, capacity)
    if not any(claimant.demand.values()):
        raise ValueError(f"demand of {name} must be above zero in at least one resource, got {dict(claimant.demand)}")
    positive(f"weight of {name}", claimant.weight)
    if claimant.ceiling is not None:
        non_negative(f"ceiling of {name}", claimant.ceiling)


def _check_amounts(what: str, amounts: Mapping[str, float], capacity: Mapping[str, float]) -> None:
    if not isinstance(amounts, Mapping):
        raise ValueError(f"{what} must name an amount for each resource, got {amounts!r}")
    for resource, amount in amounts.items():
        non_negative(f"{what} for {resource}", amount)
        if amount and resource not in capacity:
            raise ValueError(f"{what} names {resource}, got a pool with only {', '.join(map(str, capacity))}")
