"""Distributions of sizes and times, each with a mean and a method that samples it.

Each is a small frozen record; a plain number stands for `Fixed`. A distribution has no unit of its
own: its values are seconds for a runtime, GPUs for a size.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Annotated, Any

import numpy as np

from physics.arguments import Finite, NonNegatives, Positive, Positives, positive, within_range


@within_range
@dataclass(frozen=True)
class Fixed:
    """Distribution with a single value."""

    value: Positive

    @property
    def mean(self) -> float:
        """Mean of the distribution, its value."""
        return self.value

    def sample(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Repeat the value `size` times."""
        return np.full(size, self.value)


@within_range
@dataclass(frozen=True)
class Exponential:
    """Memoryless distribution with the given mean: many short values, a few long ones; SCV 1."""

    mean: Positive

    def sample(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Draw from the distribution function 1 − e^(−x / mean)."""
        return rng.exponential(self.mean, size)


@within_range
@dataclass(frozen=True)
class Uniform:
    """Any value between two bounds, all equally likely.

    >>> Uniform(12, 24).mean
    18.0
    """

    low: Positive
    high: Positive  #: at least low

    def __post_init__(self) -> None:
        if self.high < self.low:
            raise ValueError(f"high must be at least low ({self.low:g}), got {self.high:g}")

    @property
    def mean(self) -> float:
        """Mean of the distribution, (low + high) / 2."""
        return (self.low + self.high) / 2

    def sample(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Draw uniformly from low to high."""
        return rng.uniform(self.low, self.high, size)


@within_range
@dataclass(frozen=True)
class Lognormal:
    """Right-skewed distribution with a mean and an SCV, similar to recorded run times.

    The SCV is the squared coefficient of variation. With σ² = ln(1 + scv) and μ = ln(mean) − σ²/2,
    the logarithm is normal with mean μ and deviation σ.
    """

    mean: Positive
    scv: Positive = 1.0  #: variance divided by the squared mean

    def sample(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Draw from the log-normal distribution."""
        variance = math.log1p(self.scv)
        return rng.lognormal(math.log(self.mean) - variance / 2, math.sqrt(variance), size)


@within_range
@dataclass(frozen=True)
class Hyperexponential:
    """Mixture of short and long exponential times with "balanced means": half of the mean each.

    The short kind has the probability p = (1 + √((scv − 1) / (scv + 1))) / 2 and the mean mean /
    2p, the long kind 1 − p and mean / 2(1 − p). With an scv of 1 both are the same: the exponential
    distribution.

    Tijms, H. C., *A First Course in Stochastic Models*, 2003, appendix B (balanced means).
    """

    mean: Positive
    scv: Finite  #: variance divided by the squared mean, at least 1

    def __post_init__(self) -> None:
        if self.scv < 1:
            raise ValueError(f"scv must be at least 1, got {self.scv}")

    @property
    def parts(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Probability and mean of the short times and of the long times."""
        beyond = 2 / (1 + self.scv)  # 1 − (scv − 1) / (scv + 1)
        root = math.sqrt(1 - beyond)
        short = (1 + root) / 2
        long = beyond / (1 + root) / 2
        return (short, self.mean / short / 2), (long, self.mean / long / 2)

    def sample(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Draw the component, then from 1 − e^(−x / its mean)."""
        (share, short), (_, long) = self.parts
        return rng.exponential(np.where(rng.random(size) < share, short, long))


@within_range
@dataclass(frozen=True)
class Choice:
    """Distribution over a list of values, uniform or by weights.

    >>> Choice((64, 128, 192)).mean, Choice((1, 3), weights=(3, 1)).mean
    (128.0, 1.5)
    """

    values: Positives
    weights: NonNegatives | None = None  #: not all zero; as many as values

    def __post_init__(self) -> None:
        weights: Sequence[float] = [1.0] * len(self.values)
        if self.weights is not None:
            weights = self.weights
        if not self.values:
            raise ValueError("values must hold at least one value, got none")
        if len(weights) != len(self.values) or sum(weights) <= 0:
            raise ValueError(
                f"weights must be {len(self.values)} numbers, not all zero, got {self.weights}"
            )
        object.__setattr__(self, "values", tuple(self.values))
        object.__setattr__(self, "weights", tuple(weights))

    @property
    def _probabilities(self) -> np.ndarray:
        """Probability of each value."""
        weights = np.array(self.weights)
        return weights / weights.sum()

    @property
    def mean(self) -> float:
        """Mean of the distribution, Σ probability × value."""
        least = min(self.values)
        # From the least value on: the mean of equal values is that value to the last digit.
        return float(least + self._probabilities @ (np.array(self.values) - least))

    def sample(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Draw with replacement."""
        return rng.choice(np.array(self.values), size, p=self._probabilities)


#: What a job class takes for a size or a time: it has a `mean`, and `sample` draws independent
#: values.
Distribution = Fixed | Exponential | Uniform | Lognormal | Hyperexponential | Choice


def as_distribution(name: str, value: Any) -> Distribution:
    """Return `value` as a distribution: a plain number becomes `Fixed`.

    ValueError for anything else.

    >>> as_distribution("gpus", 8)
    Fixed(value=8.0)
    """
    if isinstance(value, Real) and not isinstance(value, bool):
        return Fixed(positive(name, value))
    if not hasattr(value, "sample") or not hasattr(value, "mean"):
        raise ValueError(f"{name} must be a number or a distribution, got {value!r}")
    return value


#: A distribution, or a plain number for a fixed value, as an argument.
Drawn = Annotated[Any, as_distribution]
