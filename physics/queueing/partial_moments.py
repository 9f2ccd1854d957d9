"""How much of a distribution lies below a length: what the formulas of size-based scheduling are made of.

For lengths S and a length x: E[Sᵏ; S > x] and E[Sᵏ; S ≤ x], each without cancellation where it is small, and edges
between which they are smooth, for numerical integration.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from physics.jobs.distributions import Choice, Distribution, Exponential, Fixed, Hyperexponential, Lognormal, Uniform

#: Width of a panel of integration on a logarithmic scale of length.
STEP = 0.125
_erfc = np.vectorize(math.erfc, otypes=[float])


class Moments:
    """A distribution of lengths S, with arrays of lengths x.

    `moment(k)`: E[Sᵏ]. `density(x)`: f(x). `above(x, k)`: E[Sᵏ; S > x], P(S > x) for k = 0. `within(x, k)`:
    E[Sᵏ; S ≤ x]. `edges`: from 0 to where nothing is left, however close to full the server is.
    """

    def square(self, x: np.ndarray) -> np.ndarray:
        """E[min(S, x)²]."""
        return self.within(x, 2) + x * x * self.above(x)


@dataclass(frozen=True)
class Exponentials(Moments):
    """A mixture of exponential lengths: pairs of probability and mean; k is 0 or 1 above x, and 1 within."""

    parts: tuple[tuple[float, float], ...]

    def moment(self, k: int) -> float:
        return sum(share * math.factorial(k) * scale**k for share, scale in self.parts)

    def density(self, x: np.ndarray) -> np.ndarray:
        return sum(share / scale * np.exp(-x / scale) for share, scale in self.parts)

    def above(self, x: np.ndarray, k: int = 0) -> np.ndarray:
        return sum(share * (scale + x) ** k * np.exp(-x / scale) for share, scale in self.parts)

    def within(self, x: np.ndarray) -> np.ndarray:
        return sum(share * scale * _lower_gamma(x / scale) for share, scale in self.parts)

    def square(self, x: np.ndarray) -> np.ndarray:
        return sum(share * 2 * scale**2 * _lower_gamma(x / scale) for share, scale in self.parts)

    @cached_property
    def edges(self) -> np.ndarray:
        scales = [scale for _, scale in self.parts]
        return _logarithmic(math.log(min(scales)) - 21, math.log(max(scales)) + 5, STEP)


def _lower_gamma(u: np.ndarray) -> np.ndarray:
    """1 − (1 + u) e^(−u), by its series where it is small."""
    return np.where(u < 1e-4, u * u * (0.5 - u / 3 + u * u / 8), -np.expm1(-u) - u * np.exp(-u))


@dataclass(frozen=True)
class Logarithmic(Moments):
    """Log-normal lengths of mean E[S] and deviation σ of the logarithm."""

    mean: float
    sigma: float

    def moment(self, k: int) -> float:
        return self.mean**k * math.exp(self.sigma**2 * k * (k - 1) / 2)

    def _z(self, x: np.ndarray) -> np.ndarray:
        return (np.log(x) - math.log(self.mean)) / self.sigma + self.sigma / 2

    def density(self, x: np.ndarray) -> np.ndarray:
        return np.exp(-(self._z(x) ** 2) / 2) / (x * self.sigma * math.sqrt(2 * math.pi))

    def above(self, x: np.ndarray, k: int = 0) -> np.ndarray:
        return self.moment(k) * _erfc((self._z(x) - k * self.sigma) / math.sqrt(2)) / 2

    def within(self, x: np.ndarray, k: int = 1) -> np.ndarray:
        return self.moment(k) * _erfc((k * self.sigma - self._z(x)) / math.sqrt(2)) / 2

    @cached_property
    def edges(self) -> np.ndarray:
        median = math.log(self.mean) - self.sigma**2 / 2
        low, high = median - 12 * self.sigma, median + (16 + 2 * self.sigma) * self.sigma
        return _logarithmic(low, high, min(2 * STEP, 2 * STEP * self.sigma))


@dataclass(frozen=True)
class Flat(Moments):
    """Lengths that are uniform from low to high, low < high."""

    low: float
    high: float

    def _between(self, k: int, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """E[Sᵏ] from first to last, the difference of two powers as a product."""
        powers = sum(first**i * last ** (k - i) for i in range(k + 1))
        return (last - first) * powers / (k + 1) / (self.high - self.low)

    def moment(self, k: int) -> float:
        return self._between(k, self.low, self.high)

    def density(self, x: np.ndarray) -> np.ndarray:
        return ((x >= self.low) & (x <= self.high)) / (self.high - self.low)

    def above(self, x: np.ndarray, k: int = 0) -> np.ndarray:
        return self._between(k, np.clip(x, self.low, self.high), self.high)

    def within(self, x: np.ndarray, k: int = 1) -> np.ndarray:
        return self._between(k, self.low, np.clip(x, self.low, self.high))

    @cached_property
    def edges(self) -> np.ndarray:
        """Closer and closer together towards the end."""
        return np.concatenate(([0.0], self.high - (self.high - self.low) * 0.5 ** np.arange(60.0), [self.high]))


@dataclass(frozen=True)
class Atoms(Moments):
    """Lengths out of a list, rising, each with its probability."""

    values: np.ndarray
    chances: np.ndarray

    def moment(self, k: int) -> float:
        return float(self.chances @ self.values**k)

    def above(self, x: np.ndarray, k: int = 0) -> np.ndarray:
        sums = np.append(np.cumsum((self.chances * self.values**k)[::-1])[::-1], 0.0)
        return sums[np.searchsorted(self.values, x, side="right")]

    def within(self, x: np.ndarray, k: int = 1) -> np.ndarray:
        sums = np.append(0.0, np.cumsum(self.chances * self.values**k))
        return sums[np.searchsorted(self.values, x, side="right")]

    @cached_property
    def edges(self) -> np.ndarray:
        return np.concatenate(([0.0], self.values))


def moments_of(lengths: Distribution) -> Moments:
    """Return the partial moments of a distribution, or raise ValueError for one that has none here.

    >>> moments_of(Exponential(2.0)).moment(1)
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
