"""Fair-share order: Slurm's classic factor F = 2^(−usage ÷ share), with usage that decays.

usage is a class's GPU-seconds so far, weighted by 2^(−age ÷ half-life), divided by everyone's; share is its weight
divided by the sum of weights. A class that has had exactly its share has F = 1/2; nobody has used anything: F = 1.

Reference: SchedMD, Slurm Workload Manager, "Classic fairshare algorithm": F = 2^(−(U_E ÷ S) ÷ d) with dampening d = 1.
"""

import math

#: Exponents that agree to this relative width count as equal, so that rounding never decides an order.
TIE = 1e-12


class FairShare:
    """Decayed use of each class, brought up to date at every instant.

    Parameters
    ----------
    weights : list of float
        One a class.
    half_life : float
        Time in which past use loses half its weight [s].

    Examples
    --------
    >>> fair = FairShare([1.0, 3.0], half_life=3600.0)
    >>> fair.advance(0.0)
    >>> fair.in_use[0] = 8
    >>> fair.advance(10.0)
    >>> [round(factor, 4) for factor in fair.factors()]
    [0.0625, 1.0]
    """

    def __init__(self, weights: list[float], half_life: float) -> None:
        total = sum(weights)
        self.shares = [weight / total for weight in weights]
        self.rate = math.log(2) / half_life
        self.usage = [0.0] * len(weights)
        self.in_use = [0] * len(weights)
        self.now: float | None = None
        self._levels: list[list[int]] | None = None

    def advance(self, now: float) -> None:
        """Let the GPUs in use since the last instant count, and what was used before decay."""
        span = 0.0 if self.now is None else now - self.now
        self.now = now
        if span > 0:
            self._levels = None
            gained = -math.expm1(-span * self.rate) / self.rate
            kept = math.exp(-span * self.rate)
            self.usage = [old * kept + used * gained for old, used in zip(self.usage, self.in_use, strict=True)]

    def exponents(self) -> list[float]:
        """Usage ÷ share of each class."""
        everyone = sum(self.usage)
        if not everyone > 0:
            return [0.0] * len(self.usage)
        return [usage / everyone / share for usage, share in zip(self.usage, self.shares, strict=True)]

    def factors(self) -> list[float]:
        """F of each class, in 0 to 1."""
        return [2.0**-exponent for exponent in self.exponents()]

    def levels(self) -> list[list[int]]:
        """Classes from the highest factor to the lowest; equal ones together."""
        if self._levels is None:
            self._levels = self._sorted()
        return self._levels

    def _sorted(self) -> list[list[int]]:
        exponents, groups, level = self.exponents(), [], -math.inf
        for index in sorted(range(len(exponents)), key=exponents.__getitem__):
            if exponents[index] - level > TIE * max(1.0, level):
                level = exponents[index]
                groups.append([])
            groups[-1].append(index)
        return groups

    def merge(self, lanes: list[list[int]]) -> list[int]:
        """Waiting jobs of all classes in queue order; jobs are numbered by arrival."""
        queue: list[int] = []
        for group in self.levels():
            jobs = [job for index in group for job in lanes[index]]
            queue += sorted(jobs) if len(group) > 1 else jobs
        return queue
