"""Think time: the pauses between two cells, mostly short and rarely overnight.

Of one trace the mean μ, the deviation σ and the maximum M are known [s]. `greatest_median` and
`least_idle_share` hold for every distribution with these three figures, and refuse those that none
has, σ² > μ (M − μ); `ThinkTime` is one such law, assumed.
"""

import math
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np

from physics.arguments import NonNegative, Positive, Whole, elementwise, within_range
from physics.constants import (
    THINK_DEVIATION,
    THINK_MAXIMUM,
    THINK_MEAN,
    THINK_SHORT_MEDIAN,
    THINK_SHORT_SIGMA,
)


@elementwise
def greatest_median(
    mean: Positive = THINK_MEAN,
    deviation: NonNegative = THINK_DEVIATION,
    maximum: Positive = THINK_MAXIMUM,
) -> float:
    """Greatest possible median of pauses with this mean, deviation, and maximum [s].

    The lowest of M, μ + σ and, for μ < M / 2, (μ M − μ² − σ²) / (M / 2 − μ): the bound of a
    parabola above the step at the median, which is 1 there and at M.

    Source: The method is Markov's, a polynomial above the indicator function: S. Karlin and W. J.
    Studden, Tchebycheff Systems: With Applications in Analysis and Statistics, 1966.

    >>> round(greatest_median(15, 696, 40_000), 2)
    5.77
    """
    second = _mean_square(mean, deviation, maximum)
    bound = min(maximum, mean + deviation)
    if mean < maximum / 2:
        bound = min(bound, (mean * maximum - second) / (maximum / 2 - mean))
    return bound


@elementwise
def least_idle_share(
    threshold: NonNegative,
    mean: Positive = THINK_MEAN,
    deviation: NonNegative = THINK_DEVIATION,
    maximum: Positive = THINK_MAXIMUM,
) -> float:
    """Smallest possible share of the idle time in pauses longer than a threshold h [1].

    (E X² / μ − h) / (M − h) with E X² = μ² + σ², at least 0, and 0 for h ≥ M. A law on the points
    0, h and M takes it on.

    >>> round(least_idle_share(3600, 15, 696, 40_000), 4)
    0.7887
    """
    second = _mean_square(mean, deviation, maximum)
    if threshold >= maximum:
        return 0.0
    return max(0.0, (second / mean - threshold) / (maximum - threshold))


@within_range
@dataclass(frozen=True)
class ThinkTime:
    """Assumed distribution of think time: short lognormal pauses, and rare uniform gaps of hours.

    The share p of gaps and the shortest gap a follow from p = (μ − E S) / (E G − E S) = (E X² − E
    S²) / (E G² − E S²), a quadratic equation for a: short pauses S have the assumed median and
    spread, and a gap G that is uniform in a to M has E G = (a + M) / 2 and E G² = (a² + a M + M²) /
    3. Raises ValueError if no such mixture has these figures.
    """

    mean: Positive = THINK_MEAN  #: μ [s]
    deviation: NonNegative = THINK_DEVIATION  #: σ [s]
    maximum: Positive = THINK_MAXIMUM  #: M, no pause is longer [s]
    short_median: Positive = THINK_SHORT_MEDIAN  #: median of the short pauses [s]
    short_sigma: Positive = THINK_SHORT_SIGMA  #: deviation of their logarithm [1]
    gap_share: float = field(init=False)  #: p, share of the pauses that are gaps [1]
    gap_least: float = field(init=False)  #: a, shortest gap [s]

    def __post_init__(self) -> None:
        """Solve for the share of gaps and the shortest gap."""
        mean = self.mean
        maximum = self.maximum
        median = self.short_median
        sigma = self.short_sigma
        second = _mean_square(mean, self.deviation, maximum)
        short, short_second = (median**k * math.exp((k * sigma) ** 2 / 2) for k in (1, 2))
        excess = mean - short
        ratio = (second - short_second) / excess if excess > 0 else math.nan
        # E G² − E S² = ratio (E G − E S), that is a² + b a + c = 0:
        b = maximum - 1.5 * ratio
        c = maximum**2 - 1.5 * ratio * maximum + 3 * (ratio * short - short_second)
        root = b * b / 4 - c
        shortest_gap = -b / 2 + math.sqrt(root) if root >= 0 else math.nan
        share = excess / ((shortest_gap + maximum) / 2 - short)
        if not (0 <= shortest_gap < maximum and 0 <= share < 0.5):
            raise ValueError(
                f"no such mixture has mean {mean:g}, deviation {self.deviation:g} and maximum "
                f"{maximum:g} with short pauses of median {median:g} and sigma {sigma:g}"
            )
        object.__setattr__(self, "gap_least", shortest_gap)
        object.__setattr__(self, "gap_share", share)

    @property
    def median(self) -> float:
        """Median of all pauses [s].

        It is the 0.5 / (1 − p) quantile of the short pauses, because the gaps exceed it.
        """
        return self.short_median * math.exp(
            self.short_sigma * NormalDist().inv_cdf(0.5 / (1 - self.gap_share))
        )

    @within_range
    def idle_share(self, threshold: NonNegative) -> float:
        """Share of all idle time in pauses longer than a threshold [1].

        E[S; S > t] = E S · Φ((ln m + s² − ln t) / s) for the lognormal, E[G; G > t] = (M² − t²) / 2
        (M − a) from a on.
        """
        return self._beyond(threshold, 1) / self.mean

    @within_range
    def pause_share(self, threshold: NonNegative) -> float:
        """Share of the pauses longer than a threshold [1]."""
        return self._beyond(threshold, 0)

    def _beyond(self, threshold: float, k: int) -> float:
        """E[Xᵏ; X > t], for k of 0 or 1."""
        sigma = self.short_sigma
        low = self.gap_least
        high = self.maximum
        if threshold >= high:
            return 0.0
        above = math.inf
        if threshold:
            above = k * sigma + math.log(self.short_median / threshold) / sigma
        short = self.short_median**k * math.exp(k * sigma**2 / 2) * NormalDist().cdf(above)
        gap = (high ** (k + 1) - max(threshold, low) ** (k + 1)) / ((k + 1) * (high - low))
        return (1 - self.gap_share) * short + self.gap_share * gap

    def recovered(self, timeout: float) -> float:
        """Share of all idle time recovered by culling after a time-out, E[(X − τ)⁺] / E X [1]."""
        return max(0.0, self.idle_share(timeout) - timeout * self.pause_share(timeout) / self.mean)

    @within_range
    def sample(self, n: Whole, rng: np.random.Generator) -> np.ndarray:
        """Draw n pauses [s]."""
        pauses = rng.lognormal(math.log(self.short_median), self.short_sigma, n)
        # A short one beyond the maximum (a chance of 3e-17 as assumed, left out of the formulas) is
        # drawn again.
        while (beyond := pauses > self.maximum).any():
            pauses[beyond] = rng.lognormal(
                math.log(self.short_median), self.short_sigma, int(beyond.sum())
            )
        gaps = rng.random(len(pauses)) < self.gap_share
        pauses[gaps] = rng.uniform(self.gap_least, self.maximum, int(gaps.sum()))
        return pauses


def _mean_square(mean: float, deviation: float, maximum: float) -> float:
    """Mean square of what has this mean and deviation on 0 to the maximum, if anything has."""
    # A law with all its mass at the maximum has no deviation but that of rounding.
    if mean > maximum or deviation**2 > mean * (maximum - mean) * (1 + 1e-12) + 1e-24 * maximum**2:
        raise ValueError(
            f"no pauses have mean {mean:g}, deviation {deviation:g} and maximum {maximum:g}"
        )
    return mean**2 + deviation**2
