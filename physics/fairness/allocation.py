"""Who gets the next executor of a shared pool: dominant resource fairness and its rivals.

Source: Ghodsi, Zaharia, Hindman, Konwinski, Shenker, Stoica: Dominant Resource Fairness: Fair Allocation of Multiple
Resource Types, NSDI 2011 (algorithm 1, sections 4 to 6). Jain, Chiu, Hawe: A Quantitative Measure of Fairness and
Discrimination for Resource Allocation in Shared Computer Systems, DEC-TR-301, 1984.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from physics.fairness.claims import Claimant, Claims, Line, check_policy, read
from physics.numerics import checks

__all__ = ["POLICIES", "Allocation", "allocate", "jain_index"]

POLICIES = ("drf", "round_robin", "asset")  #: and "single:<resource>"


@dataclass(frozen=True)
class Allocation:
    """Whole executors handed out one at a time, and why."""

    log: list[str]  #: names in the order in which they were served
    executors: dict[str, int]  #: x_i, new executors of each claimant [1]
    dominant_share: dict[str, float]  #: largest share of any resource, start included, not divided by the weight [1]
    free: dict[str, float]  #: what is left of each resource; negative where the starts exceed it [its unit]
    stop: str  #: "max_steps", "all_at_ceiling" or "no_fit"; the first of them that is true
    #: a row a step: step (from 1), name, reason, share_before and share_after of the one served, shares of everybody
    #: before the step, compared (what the policy compared, ÷ weight), passed_over (needier, but too big for the rest)
    history: list[dict]


@checks.within_range
def allocate(
    claimants: Iterable[Claimant],
    capacity: Mapping[str, float],
    policy: str = "drf",
    steps: int | None = None,
    on_misfit: str = "skip",
) -> Allocation:
    """Whole executors that each claimant of a pool gets, handed out one a step [1].

    At each step the claimant with the smallest measure ÷ weight is served, ties by name. The measure is the dominant
    share max_r (s_r + x d_r) / c_r ("drf"), the sum of all shares ("asset") or the share of one resource
    ("single:<resource>"), with what the claimant started with included. "round_robin" goes in listed order instead:
    its pointer moves one past the one served. A claimant can receive while one more executor stays within its ceiling
    and its whole demand fits into what is free.

    Args:
        claimants: Who shares.
        capacity: c, size of the pool in each resource [the resource's unit].
        policy: "drf", "round_robin", "asset" or "single:<resource>".
        steps: The most executors to hand out [1]; None goes on until nobody can receive.
        on_misfit: What happens when the next in line is below its ceiling but does not fit: "skip" passes over it,
            "stop" ends (the algorithm as printed in the paper).

    `stop` is the first that is true of "max_steps", "all_at_ceiling" and "no_fit". Starts that exceed the
    pool show as negative `free`; the pool is never filled beyond its capacity by a step.

    All comparisons are exact, in the decimal numbers that were given. With "single:<resource>" a claimant that needs
    none of that resource never grows in it, so it is served until it no longer fits.

    Source: Ghodsi et al., Dominant Resource Fairness, NSDI 2011, algorithm 1 and section 4.3 (weights).

    >>> pool = {"cpu": 9, "mem": 18}
    >>> result = allocate([Claimant("A", {"cpu": 1, "mem": 4}), Claimant("B", {"cpu": 3, "mem": 1})], pool)
    >>> result.executors, result.stop, result.log
    ({'A': 3, 'B': 2}, 'no_fit', ['A', 'B', 'A', 'B', 'A'])
    """
    claims = read(claimants, capacity)
    check_policy(policy, claims.resources, POLICIES)
    if on_misfit not in ("skip", "stop"):
        raise ValueError(f"on_misfit must be skip or stop, got {on_misfit!r}")
    if steps is not None:
        steps = checks.count("steps", steps, least=0)
    counter, history = _Counter(claims, policy), []
    while (found := counter.next_in_line(steps, on_misfit))[0] >= 0:
        history.append(counter.serve(found[0]))
    return Allocation(
        log=[row["name"] for row in history],
        executors=dict(zip(claims.names, counter.count, strict=True)),
        dominant_share=counter.shares,
        free=dict(zip(claims.resources, map(float, claims.free(counter.count)), strict=True)),
        stop=found[1],
        history=history,
    )


def jain_index(values: Iterable[float]) -> float:
    """Jain's fairness index [1]: 1 when all get the same, 1/n when one of n gets everything.

    J = (Σ x)² / (n Σ x²), with x ≥ 0. When nobody has anything all have the same, so J = 1.

    Args:
        values: x, what each one gets, in any one unit.

    Source: Jain, Chiu, Hawe: A Quantitative Measure of Fairness, DEC-TR-301, 1984, equation 1.

    >>> jain_index([5, 5, 5]), jain_index([1, 0, 0, 0])
    (1.0, 0.25)
    """
    amounts = [checks.non_negative("values", value) for value in checks.several("values", values)]
    if not amounts:
        raise ValueError("values must hold at least one number, got none")
    largest = max(amounts)
    if largest == 0:
        return 1.0
    scaled = [amount / largest for amount in amounts]  # so that squares neither overflow nor vanish
    return min(1.0, math.fsum(scaled) ** 2 / (len(scaled) * math.fsum(x * x for x in scaled)))


class _Counter:
    """The counter at which executors are handed out; amounts are whole numbers of a common unit, so nothing rounds."""

    def __init__(self, claims: Claims, policy: str) -> None:
        everyone = range(len(claims.names))
        self.names, self.turns = claims.names, policy == "round_robin"
        self.count = [0 for _ in everyone]
        self.most = [math.inf if ceiling is None else math.floor(ceiling) for ceiling in claims.ceiling]
        self.waiting = [i for i in everyone if self.most[i] > 0]  # below the ceiling, in the order of need or of turns
        self.demand = [list(row) for row in claims.demand]
        self.free = claims.free()
        for r in range(len(claims.resources)):
            unit = math.lcm(self.free[r].denominator, *(row[r].denominator for row in claims.demand))
            self.free[r] = int(self.free[r] * unit)
            for row in self.demand:
                row[r] = int(row[r] * unit)
        self.needs = [[(r, need) for r, need in enumerate(row) if need] for row in self.demand]
        self.share_lines, self.share_unit = _whole([claims.shares(i) for i in everyone])
        self.measure_lines, self.measure_unit = _whole([claims.measure(i, policy) for i in everyone])
        measures = [_height(lines, 0) for lines in self.measure_lines]
        self.keys = [(measure, name) for measure, name in zip(measures, claims.names, strict=True)]
        self.shares = {name: _height(self.share_lines[i], 0) / self.share_unit for i, name in enumerate(claims.names)}
        self.compared = {name: measure / self.measure_unit for measure, name in self.keys}
        self.rule = _rule(claims, policy)
        if not self.turns:
            self.waiting.sort(key=self.keys.__getitem__)

    def fits(self, i: int) -> bool:
        """Say whether one more executor of claimant i fits; what it does not need cannot stand in its way."""
        return all(need <= self.free[r] for r, need in self.needs[i])

    def next_in_line(self, steps: int | None, on_misfit: str) -> tuple[int, str]:
        """Return the place in the line of the one to serve, or -1 and the reason to stop."""
        if steps is not None and sum(self.count) >= steps:
            return -1, "max_steps"
        if not self.waiting:
            return -1, "all_at_ceiling"
        for place, i in enumerate(self.waiting):
            if self.fits(i):
                return place, ""
            if on_misfit == "stop":
                break
        return -1, "no_fit"

    def serve(self, place: int) -> dict:
        """Give one executor to the one at this place of the line and return the step's row."""
        i, passed_over = self.waiting[place], [self.names[j] for j in self.waiting[:place]]
        name, before = self.names[i], self.shares
        row = {"step": sum(self.count) + 1, "name": name, "reason": self.reason(place, passed_over)}
        row |= {"share_before": before[name], "share_after": 0.0, "shares": before, "compared": self.compared}
        self.count[i] += 1
        for r, need in self.needs[i]:
            self.free[r] -= need
        measure = _height(self.measure_lines[i], self.count[i])
        self.keys[i] = (measure, name)
        share = _height(self.share_lines[i], self.count[i]) / self.share_unit
        self.shares = before | {name: share}
        self.compared = self.compared | {name: measure / self.measure_unit}
        self.queue_again(place)
        return row | {"share_after": share, "passed_over": passed_over}

    def queue_again(self, place: int) -> None:
        """Put the claimant just served back at its new place in the line, or remove it if it is at its ceiling."""
        i = self.waiting.pop(place)
        if self.turns:  # everybody up to the one served goes to the back of the line
            self.waiting = self.waiting[place:] + self.waiting[:place]
        if self.count[i] < self.most[i]:
            self.waiting.append(i)
            if not self.turns:
                self.waiting.sort(key=self.keys.__getitem__)

    def reason(self, place: int, passed_over: list[str]) -> str:
        """Say in one sentence why the one at this place of the line is served."""
        here = self.waiting[place]
        after = self.waiting[place + 1] if place + 1 < len(self.waiting) else here
        tied = not self.turns and after != here and self.keys[after][0] == self.keys[here][0]
        sentence = f"{self.names[here]} {self.rule}"
        if passed_over:
            out = [key for j, key in enumerate(self.keys) if j not in self.waiting]
            full = any(key < self.keys[here] for key in out) and not self.turns
            sentence += " of those below their ceilings that fit" if full else " of those that fit"
        elif not self.turns and any(key < self.keys[here] for key in self.keys):
            sentence += " of those below their ceilings"
        if tied:
            sentence += ", a tie that goes by name"
        return f"{sentence}; passed over: {', '.join(passed_over)}" if passed_over else sentence


def _rule(claims: Claims, policy: str) -> str:
    """Say what singles out the next one under a policy."""
    if policy == "round_robin":
        return "is next in turn"
    measure = {"drf": "dominant share", "asset": "sum of shares"}
    what = measure.get(policy) or f"share of {policy.removeprefix('single:')}"
    return f"has the lowest {what}" + (" ÷ weight" if len(set(claims.weight)) > 1 else "")


def _whole(rows: list[list[Line]]) -> tuple[list[list[tuple[int, int]]], int]:
    """Return lines a + b x as multiples of one common unit, and that unit's inverse."""
    unit = math.lcm(*(number.denominator for lines in rows for line in lines for number in line))
    return [[(int(a * unit), int(b * unit)) for a, b in lines] for lines in rows], unit


def _height(lines: list[tuple[int, int]], x: int) -> int:
    return max(a + b * x for a, b in lines)
