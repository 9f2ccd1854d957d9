"""How much of a distribution lies below a length: what the formulas of size-based scheduling are made of.

For lengths S and a length x: P(S > x), E[S; S > x], E[S; S ≤ x] and E[min(S, x)²], each without cancellation where it
is small, and edges between which they are smooth, for numerical integration.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from physics.jobs.distributions import Choice, Distribution, Exponential, Fixed, Hyperexponential, Lognormal, Uniform

__all__ = ["Atoms", "Exponentials", "Flat", "Logarithmic", "Moments", "moments_of"]

#: Width of a panel of integration on a logarithmic scale of length.
STEP = 0.125
_erfc = np.vectorize(math.erfc, otypes=[float])


@dataclass(frozen=True)
class Exponentials:
    """A mixture of exponential lengths: pairs of probability and mean."""

    parts: tuple[tuple[float, float], ...]

    @property
    def mean(self) -> float:
        """E[S]."""
        return sum(share * scale for share, scale in self.parts)

    @property
    def second(self) -> float:
        """E[S²]."""
        return sum(2 * share * scale * scale for share, scale in self.parts)

    def density(self, x: np.ndarray) -> np.ndarray:
        """f(x)."""
        return sum(share / scale * np.exp(-x / scale) for share, scale in self.parts)

    def above(self, x: np.ndarray) -> np.ndarray:
        """P(S > x)."""
        return sum(share * np.exp(-x / scale) for share, scale in self.parts)

    def beyond(self, x: np.ndarray) -> np.ndarray:
        """E[S; S > x]."""
        return sum(share * (scale + x) * np.exp(-x / scale) for share, scale in self.parts)

    def within(self, x: np.ndarray) -> np.ndarray:
        """E[S; S ≤ x]."""
        return sum(share * scale * _lower_gamma(x / scale) for share, scale in self.parts)

    def square(self, x: np.ndarray) -> np.ndarray:
        """E[min(S, x)²]."""
        return sum(2 * share * scale * scale * _lower_gamma(x / scale) for share, scale in self.parts)

    @cached_property
    def edges(self) -> np.ndarray:
        """From 0 to where nothing is left, however close to full the server is."""
        scales = [scale for _, scale in self.parts]
        return _logarithmic(math.log(min(scales)) - 21, math.log(max(scales)) + 5, STEP)


def _lower_gamma(u: np.ndarray) -> np.ndarray:
    """1 − (1 + u) e^(−u), by its series where it is small."""
    return np.where(u < 1e-4, u * u * (0.5 - u / 3 + u * u / 8), -np.expm1(-u) - u * np.exp(-u))


@dataclass(frozen=True)
class Logarithmic:
    """Log-normal lengths of mean E[S] and deviation σ of the logarithm."""

    mean: float
    sigma: float

    @property
    def second(self) -> float:
        """E[S²]."""
        return self.mean * self.mean * math.exp(self.sigma**2)

    def _z(self, x: np.ndarray) -> np.ndarray:
        return (np.log(x) - math.log(self.mean)) / self.sigma + self.sigma / 2

    def density(self, x: np.ndarray) -> np.ndarray:
        """f(x)."""
        return np.exp(-(self._z(x) ** 2) / 2) / (x * self.sigma * math.sqrt(2 * math.pi))

    def above(self, x: np.ndarray) -> np.ndarray:
        """P(S > x)."""
        return _erfc(self._z(x) / math.sqrt(2)) / 2

    def beyond(self, x: np.ndarray) -> np.ndarray:
        """E[S; S > x]."""
        return self.mean * _erfc((self._z(x) - self.sigma) / math.sqrt(2)) / 2

    def within(self, x: np.ndarray) -> np.ndarray:
        """E[S; S ≤ x]."""
        return self.mean * _erfc((self.sigma - self._z(x)) / math.sqrt(2)) / 2

    def square(self, x: np.ndarray) -> np.ndarray:
        """E[min(S, x)²]."""
        return self.second * _erfc((2 * self.sigma - self._z(x)) / math.sqrt(2)) / 2 + x * x * self.above(x)

    @cached_property
    def edges(self) -> np.ndarray:
        """From 0 to where nothing is left, however close to full the server is."""
        median = math.log(self.mean) - self.sigma**2 / 2
        low, high = median - 12 * self.sigma, median + (16 + 2 * self.sigma) * self.sigma
        return _logarithmic(low, high, min(2 * STEP, 2 * STEP * self.sigma))


@dataclass(frozen=True)
class Flat:
    """Lengths that are uniform from low to high, low < high."""

    low: float
    high: float

    @property
    def mean(self) -> float:
        """E[S]."""
        return (self.low + self.high) / 2

    @property
    def second(self) -> float:
        """E[S²]."""
        return (self.low**2 + self.low * self.high + self.high**2) / 3

    def density(self, x: np.ndarray) -> np.ndarray:
        """f(x)."""
        return ((x >= self.low) & (x <= self.high)) / (self.high - self.low)

    def above(self, x: np.ndarray) -> np.ndarray:
        """P(S > x)."""
        return (self.high - np.clip(x, self.low, self.high)) / (self.high - self.low)

    def beyond(self, x: np.ndarray) -> np.ndarray:
        """E[S; S > x]."""
        return self.above(x) * (self.high + np.clip(x, self.low, self.high)) / 2

    def within(self, x: np.ndarray) -> np.ndarray:
        """E[S; S ≤ x]."""
        inside = np.clip(x, self.low, self.high)
        return (inside - self.low) * (inside + self.low) / 2 / (self.high - self.low)

    def square(self, x: np.ndarray) -> np.ndarray:
        """E[min(S, x)²]."""
        inside = np.clip(x, self.low, self.high)
        below = (inside - self.low) / (self.high - self.low)
        return below * (inside * inside + inside * self.low + self.low**2) / 3 + x * x * self.above(x)

    @cached_property
    def edges(self) -> np.ndarray:
        """From 0 to high, closer and closer together towards it."""
        return np.concatenate(([0.0], self.high - (self.high - self.low) * 0.5 ** np.arange(60.0), [self.high]))


@dataclass(frozen=True)
class Atoms:
    """Lengths out of a list, rising, each with its probability."""

    values: np.ndarray
    chances: np.ndarray

    @property
    def mean(self) -> float:
        """E[S]."""
        return float(self.chances @ self.values)

    @property
    def second(self) -> float:
        """E[S²]."""
        return float(self.chances @ self.values**2)

    def _sum(self, terms: np.ndarray, x: np.ndarray, above: bool) -> np.ndarray:
        """Sum of the terms of all values above x, or of all others."""
        place = np.searchsorted(self.values, x, side="right")
        if above:
            return np.append(np.cumsum(terms[::-1])[::-1], 0.0)[place]
        return np.append(0.0, np.cumsum(terms))[place]

    def above(self, x: np.ndarray) -> np.ndarray:
        """P(S > x)."""
        return self._sum(self.chances, x, above=True)

    def beyond(self, x: np.ndarray) -> np.ndarray:
        """E[S; S > x]."""
        return self._sum(self.chances * self.values, x, above=True)

    def within(self, x: np.ndarray) -> np.ndarray:
        """E[S; S ≤ x]."""
        return self._sum(self.chances * self.values, x, above=False)

    def square(self, x: np.ndarray) -> np.ndarray:
        """E[min(S, x)²]."""
        return self._sum(self.chances * self.values**2, x, above=False) + x * x * self.above(x)

    @cached_property
    def edges(self) -> np.ndarray:
        """0 and the values."""
        return np.concatenate(([0.0], self.values))


Moments = Exponentials | Logarithmic | Flat | Atoms


def moments_of(lengths: Distribution) -> Moments:
    """Return the partial moments of a distribution, or raise ValueError for one that has none here.

    >>> moments_of(Exponential(2.0)).mean
    2.0
    """
    match lengths:
        case Exponential():
            return Exponentials(((1.0, lengths.mean),))
        case Hyperexponential():
            return Exponentials(lengths.parts)
        case Lognormal():
            return Logarithmic(lengths.mean, math.sqrt(math.log1p(lengths.scv)))
        case Uniform() if lengths.low < lengths.high:
            return Flat(float(lengths.low), float(lengths.high))
        case Fixed() | Uniform():
            return Atoms(np.array([lengths.mean]), np.ones(1))
        case Choice():
            values, place = np.unique(np.array(lengths.values, float), return_inverse=True)
            weights = np.ones(len(place)) if lengths.weights is None else np.array(lengths.weights)
            chances = np.bincount(place, weights / weights.sum(), len(values))
            return Atoms(values[chances > 0], chances[chances > 0])
    raise ValueError(f"lengths must be a distribution of physics.jobs, got {lengths!r}")


def _logarithmic(low: float, high: float, step: float) -> np.ndarray:
    """0, and edges a step apart on a logarithmic scale."""
    return np.append(0.0, np.exp(np.linspace(low, high, 1 + math.ceil((high - low) / step))))
