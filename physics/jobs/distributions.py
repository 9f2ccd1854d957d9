"""Sizes and times of random workloads: fixed, exponential, uniform, log-normal, hyperexponential, or one of a list.

Each is a small frozen record that can `sample` and knows its `mean`; a plain number stands for `Fixed`. They carry no
unit of their own: seconds for a runtime, GPUs for a size.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np

from physics.numerics import checks


@dataclass(frozen=True)
class Fixed:
    """Always the same value.

    >>> Fixed(8).mean
    8.0
    """

    value: float  #: above zero

    def __post_init__(self) -> None:
        checks.positive("value", self.value)

    @property
    def mean(self) -> float:
        """The value itself."""
        return float(self.value)

    def sample(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Repeat the value `size` times."""
        return np.full(size, float(self.value))


@dataclass(frozen=True)
class Exponential:
    """Memoryless, with the given mean: many short ones, a few long ones, squared coefficient of variation 1.

    >>> Exponential(1800).mean
    1800.0
    """

    mean: float  #: above zero

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", checks.positive("mean", self.mean))

    def sample(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Draw from 1 − e^(−x / mean)."""
        return rng.exponential(self.mean, size)


@dataclass(frozen=True)
class Uniform:
    """Any value between two bounds, all equally likely.

    >>> Uniform(12, 24).mean
    18.0
    """

    low: float  #: above zero
    high: float  #: at least low

    def __post_init__(self) -> None:
        checks.positive("low", self.low)
        if checks.positive("high", self.high) < self.low:
            raise ValueError(f"high must be at least low ({self.low}), got {self.high}")

    @property
    def mean(self) -> float:
        """(low + high) / 2."""
        return (self.low + self.high) / 2

    def sample(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Draw uniformly from low to high."""
        return rng.uniform(float(self.low), float(self.high), size)


@dataclass(frozen=True)
class Lognormal:
    """Skewed to the right, as recorded runtimes are; given by its mean and squared coefficient of variation.

    With σ² = ln(1 + scv) and μ = ln(mean) − σ²/2, the logarithm is normal with mean μ and deviation σ.

    >>> Lognormal(3600, scv=4).mean
    3600.0
    """

    mean: float  #: above zero
    scv: float = 1.0  #: variance divided by the squared mean, above zero

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", checks.positive("mean", self.mean))
        checks.positive("scv", self.scv)

    def sample(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Draw e^(normal)."""
        variance = math.log1p(self.scv)
        return rng.lognormal(math.log(self.mean) - variance / 2, math.sqrt(variance), size)


@dataclass(frozen=True)
class Hyperexponential:
    """Two kinds of exponential, short and long, that bring half of the mean each ("balanced means").

    The short kind has the probability p = (1 + √((scv − 1) / (scv + 1))) / 2 and the mean mean / 2p, the long kind
    1 − p and mean / 2(1 − p). With an scv of 1 both are the same: the exponential distribution.

    Tijms, H. C., *A First Course in Stochastic Models*, 2003, appendix B (balanced means).

    >>> Hyperexponential(3600, scv=4).mean
    3600.0
    """

    mean: float  #: above zero
    scv: float  #: variance divided by the squared mean, at least 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", checks.positive("mean", self.mean))
        if checks.finite("scv", self.scv) < 1:
            raise ValueError(f"scv must be at least 1, got {self.scv}")

    @property
    def parts(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Probability and mean of the short and of the long kind."""
        beyond = 2 / (1 + float(self.scv))  # 1 − (scv − 1) / (scv + 1)
        root = math.sqrt(1 - beyond)
        short, long = (1 + root) / 2, beyond / (1 + root) / 2
        return (short, self.mean / short / 2), (long, self.mean / long / 2)

    def sample(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Draw the kind, then from 1 − e^(−x / its mean)."""
        (share, short), (_, long) = self.parts
        return rng.exponential(np.where(rng.random(size) < share, short, long))


@dataclass(frozen=True)
class Choice:
    """One of a list of values, equally likely or in proportion to weights.

    >>> Choice((64, 128, 192)).mean, Choice((1, 3), weights=(3, 1)).mean
    (128.0, 1.5)
    """

    values: Sequence[float]  #: each above zero
    weights: Sequence[float] | None = None  #: not negative, not all zero; as many as values

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "values", tuple(checks.positive("value", value) for value in checks.several("values", self.values))
        )
        if not self.values:
            raise ValueError("values must hold at least one value, got none")
        if self.weights is not None:
            weights = tuple(checks.non_negative("weight", weight) for weight in checks.several("weights", self.weights))
            if len(weights) != len(self.values) or sum(weights) <= 0:
                raise ValueError(f"weights must be {len(self.values)} numbers, not all zero, got {self.weights}")
            object.__setattr__(self, "weights", weights)

    @property
    def _probabilities(self) -> np.ndarray:
        weights = np.ones(len(self.values)) if self.weights is None else np.array(self.weights)
        return weights / weights.sum()

    @property
    def mean(self) -> float:
        """Σ probability × value."""
        return float(self._probabilities @ np.array(self.values))

    def sample(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Draw with replacement."""
        return rng.choice(np.array(self.values), size, p=self._probabilities)


#: What a job class takes for a size or a time: it has a `mean`, and `sample` draws independent values.
Distribution = Fixed | Exponential | Uniform | Lognormal | Hyperexponential | Choice


def as_distribution(name: str, value: Distribution | float) -> Distribution:
    """Return value, a plain number turned into `Fixed`; ValueError for anything else.

    >>> as_distribution("gpus", 8)
    Fixed(value=8)
    """
    if isinstance(value, Real) and not isinstance(value, bool):
        checks.positive(name, value)
        return Fixed(value)
    if not hasattr(value, "sample") or not hasattr(value, "mean"):
        raise ValueError(f"{name} must be a number or a distribution, got {value!r}")
    return value
