"""Fair-share order: Slurm's classic factor F = 2^(−usage ÷ share), with usage that decays.

usage is a class's GPU-seconds so far, weighted by 2^(−age ÷ half-life), divided by everyone's;
share is its weight divided by the sum of weights. A class that has had exactly its share has F =
1/2; nobody has used anything: F = 1.

Reference: SchedMD, Slurm Workload Manager, "Classic fairshare algorithm": F = 2^(−(U_E ÷ S) ÷ d)
with dampening d = 1.
"""

import math

from physics.arguments import PositivesByName, within_range

#: Exponents with a smaller relative difference count as equal, so that rounding decides no order.
TIE = 1e-12


class FairShare:
    """Decayed usage of each class.

    Args:
        weights: One a class.
        half_life: Time in which past use loses half its weight [s].

    >>> fair = FairShare([1.0, 3.0], half_life=3600.0)
    >>> fair.use(0, 8, now=0.0)
    >>> fair.usage(0, now=10.0) > 79, fair.levels(now=10.0)
    (True, [[1], [0]])
    """

    def __init__(self, weights: list[float], half_life: float) -> None:
        total = sum(weights)
        self.shares = [weight / total for weight in weights]
        self.rate = math.log(2) / half_life
        self.in_use = [0] * len(weights)
        self.used = [0.0] * len(weights)  #: decayed GPU-seconds when they were last counted
        self.counted = [0.0] * len(weights)  #: time of that count [s]
        #: time for which the levels were last computed, and these
        self._levels: tuple[float, list[list[int]]] = (math.nan, [])

    def use(self, line: int, gpus: int, now: float) -> None:
        """Record that from `now` on, a class uses this many more GPUs (fewer if negative)."""
        self.used[line] = self.usage(line, now)
        self.counted[line] = now
        self.in_use[line] += gpus

    def usage(self, line: int, now: float) -> float:
        """Decayed GPU-seconds of a class so far, including running jobs."""
        if not self.in_use[line] and not self.used[line]:
            return 0.0
        decay = (now - self.counted[line]) * self.rate
        return (
            self.used[line] * math.exp(-decay) - self.in_use[line] * math.expm1(-decay) / self.rate
        )

    def levels(self, now: float) -> list[list[int]]:
        """Lists of classes with equal fair-share factors, highest factor first."""
        if self._levels[0] != now:
            usage = [self.usage(line, now) for line in range(len(self.used))]
            everyone = sum(usage)
            groups: list[list[int]] = []
            level = -math.inf
            exponents = []  # −log₂ F
            for line, share in enumerate(self.shares):
                exponent = 0.0
                if everyone > 0:
                    exponent = usage[line] / everyone / share
                exponents.append((exponent, line))
            for exponent, line in sorted(exponents):
                if exponent - level > TIE * max(1.0, level):
                    level = exponent
                    groups.append([])
                groups[-1].append(line)
            self._levels = now, groups
        return self._levels[1]


@within_range
def steady_factors(demand: PositivesByName, weights: PositivesByName) -> dict[str, float]:
    """Return each class's fair-share factor F, 0 to 1, if the class always used its demand.

    Args:
        demand: Demand of each class, any unit; their sum is above zero.
        weights: Weight of a class [1]; 1 for one that is not named.

    >>> steady_factors({"a": 3.0, "b": 1.0}, {"a": 3.0})
    {'a': 0.5, 'b': 0.5}
    """
    weight = {name: weights.get(name, 1.0) for name in demand}
    everyone = sum(demand.values())
    total = sum(weight.values())
    factors = {}
    for name, requested in demand.items():
        factors[name] = 2.0 ** -(requested / everyone * total / weight[name])
    return factors
