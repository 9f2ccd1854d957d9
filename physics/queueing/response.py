"""Mean response of one M/G/1 server under disciplines with and without knowledge of job lengths.

One server of speed 1; preemption costs nothing. `discipline`: "fifo", "ps" (processor sharing),
"fb" (least attained service first, foreground–background) or "srpt" (shortest remaining processing
time first). `arrival_rate`: λ [1/s]. `lengths`: of the jobs, S on this server [s]: `Exponential`,
`Hyperexponential` or `Lognormal` of `physics.jobs`; a number is a fixed length. The formulas of
"fb" and "srpt" are made of how much of a distribution lies below a length.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from physics.arguments import Positive, elementwise, within_range
from physics.jobs.distributions import (
    Distribution,
    Exponential,
    Fixed,
    Hyperexponential,
    Lognormal,
    as_distribution,
)
from physics.numerics import erfc, rising_root
from physics.queueing.steady_state import full

#: Lengths, one or many [s].
Lengths = np.ndarray | np.floating
Discipline = Literal["fifo", "ps", "fb", "srpt"]
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
#: Width of a panel of integration on a logarithmic scale of length.
STEP = 0.125


@elementwise
@within_range
def mg1_response(discipline: Discipline, arrival_rate: Positive, lengths: Distribution) -> float:
    """Mean response, wait plus service, of all jobs on one server with Poisson arrivals [s].

    The result is infinite at ρ ≥ 1.

    The mean over the lengths of `mg1_response_of`. "fifo": E[S] + λ E[S²] / (2 (1 − ρ)), and every
    other order that is blind to lengths and interrupts nobody has this mean too. "ps": E[S] / (1 −
    ρ), whatever the distribution. "fb" is the best of all disciplines that do not know lengths
    where the hazard rate falls, "srpt" of all disciplines. Integrals are numerical, to a relative
    error below 1e-8.

    Source: Schrage, L. E. and Miller, L. W., *The queue M/G/1 with the shortest remaining
    processing time discipline*, 1966; Schrage, L. E., *The queue M/G/1 with feedback to lower
    priority queues*, 1967 (FB); Kleinrock, L., *Queueing Systems*, vol. 2, 1976, chapter 4 (PS and
    FB).

    >>> lengths = Lognormal(1.0, 38.9)
    >>> [round(mg1_response(name, 0.95, lengths), 3) for name in ("fifo", "ps", "fb", "srpt")]
    [380.05, 20.0, 7.282, 3.705]
    """
    queue = _Queue(discipline, arrival_rate, lengths)
    if full(queue.load):
        return math.inf
    law = queue.law
    if discipline in ("fifo", "ps") or isinstance(law, Alike):
        return queue.response(law.moment(1))
    x, width = quadrature(law.edges)
    if discipline == "fb":
        return float(width @ (law.density(x) * queue.response_fb(x)))
    return float(width @ (law.density(x) * queue.wait_srpt(x) + law.above(x) / queue.spare(x)))


@elementwise
@within_range
def mg1_response_of(
    discipline: Discipline, arrival_rate: Positive, lengths: Distribution, length: Positive
) -> float:
    """Mean response of a job of any length x [s] on one server with Poisson arrivals [s].

    "fifo": x + λ E[S²] / (2 (1 − ρ)). "ps": x / (1 − ρ). "fb": λ E[min(S, x)²] / (2 (1 − λ E[min(S,
    x)])²) + x / (1 − λ E[min(S, x)]). "srpt": λ E[min(S, x)²] / (2 (1 − ρ(x))²) + ∫₀ˣ dt / (1 −
    ρ(t)) with ρ(x) = λ E[S; S ≤ x]; of a fixed length one of the two factors 1 − ρ(x) counts only
    lengths below x.

    Infinite when the jobs that may go before this one fill the server. Above ρ = 1 short jobs still
    leave: under "fb" those with λ E[min(S, x)] < 1, under "srpt" those below x*, where ρ(x*) = 1.
    Longer ones are never served once they are down to x*, so they never get down to x, and E[min(S,
    x)²] counts only lengths up to x*.

    >>> [round(mg1_response_of(name, 3.0, Exponential(1.0), 0.7133), 3) for name in ("ps", "srpt")]
    [inf, 1.828]
    """
    queue = _Queue(discipline, arrival_rate, lengths)
    if length < 1e-150:
        raise OverflowError
    return queue.response(float(length))


@within_range
def srpt_payers(arrival_rate: Positive, lengths: Distribution) -> tuple[float, float, float]:
    """Job length above which SRPT responds later than FIFO, on one server below full load.

    Returns: that length [mean lengths], the share of jobs beyond it, and their share of the work
    [1]; `lengths` must differ and have a mean of one.

    >>> [round(value, 3) for value in srpt_payers(0.5, Exponential(1.0))]
    [2.061, 0.127, 0.39]
    """
    wait = mg1_response_of("fifo", arrival_rate, lengths, 1.0) - 1.0
    if not math.isfinite(wait):
        raise ValueError(f"arrival_rate must be below full load, got {arrival_rate!r}")

    def later(log_length: float) -> float:
        """How much later a job of this length responds under SRPT than under FIFO [s]."""
        length = math.exp(log_length)
        return mg1_response_of("srpt", arrival_rate, lengths, length) - length - wait

    length = math.exp(rising_root(later, math.log(1e-3), math.log(1e5)))
    law = moments_of(lengths)
    cut = np.float64(length)
    return length, float(law.above(cut)), float(law.above(cut, 1))


@dataclass(frozen=True)
class Exponentials:
    """Mixture of exponential lengths, as pairs of probability and mean.

    `above` accepts only k = 0 and 1.
    """

    parts: tuple[tuple[float, float], ...]

    def moment(self, k: int) -> float:
        """Moment of the distribution, E[Sᵏ]."""
        return sum(share * math.factorial(k) * scale**k for share, scale in self.parts)

    def density(self, x: Lengths) -> np.ndarray:
        """Density of the distribution, f(x)."""
        terms = [share / scale * np.exp(-x / scale) for share, scale in self.parts]
        return np.sum(terms, axis=0)

    def above(self, x: Lengths, k: int = 0) -> np.ndarray:
        """Partial moment above x, E[Sᵏ; S > x], P(S > x) for k = 0."""
        terms = [share * (scale + x) ** k * np.exp(-x / scale) for share, scale in self.parts]
        return np.sum(terms, axis=0)

    def within(self, x: Lengths) -> np.ndarray:
        """Partial mean up to x, E[S; S ≤ x]."""
        terms = [share * scale * _lower_gamma(x / scale) for share, scale in self.parts]
        return np.sum(terms, axis=0)

    def square(self, x: Lengths) -> np.ndarray:
        """Second moment of the length truncated at x, E[min(S, x)²]."""
        terms = [share * 2 * scale**2 * _lower_gamma(x / scale) for share, scale in self.parts]
        return np.sum(terms, axis=0)

    @cached_property
    def edges(self) -> np.ndarray:
        """Edges of the integration panels, from 0 to a length that practically no job exceeds."""
        scales = [scale for _, scale in self.parts]
        return _logarithmic(math.log(min(scales)) - 21, math.log(max(scales)) + 5, STEP)


def _lower_gamma(u: Lengths) -> np.ndarray:
    """1 − (1 + u) e^(−u), by its series where it is small."""
    return np.where(u < 1e-4, u * u * (0.5 - u / 3 + u * u / 8), -np.expm1(-u) - u * np.exp(-u))


@dataclass(frozen=True)
class Logarithmic:
    """Log-normal lengths: mean E[S], standard deviation σ of the logarithm; see `Exponentials`."""

    mean: float
    sigma: float

    def moment(self, k: int) -> float:
        """Moment of the distribution, E[Sᵏ]."""
        return self.mean**k * math.exp(self.sigma**2 * k * (k - 1) / 2)

    def _z(self, x: Lengths) -> np.ndarray:
        """Standard normal value of the logarithm of x [1]."""
        return (np.log(x) - math.log(self.mean)) / self.sigma + self.sigma / 2

    def density(self, x: Lengths) -> np.ndarray:
        """Density of the distribution, f(x)."""
        return np.exp(-(self._z(x) ** 2) / 2) / (x * self.sigma * math.sqrt(2 * math.pi))

    def above(self, x: Lengths, k: int = 0) -> np.ndarray:
        """Partial moment above x, E[Sᵏ; S > x]."""
        return self.moment(k) * erfc((self._z(x) - k * self.sigma) / math.sqrt(2)) / 2

    def within(self, x: Lengths, k: int = 1) -> np.ndarray:
        """Partial moment up to x, E[Sᵏ; S ≤ x]."""
        return self.moment(k) * erfc((k * self.sigma - self._z(x)) / math.sqrt(2)) / 2

    def square(self, x: Lengths) -> np.ndarray:
        """Second moment of the length truncated at x, E[min(S, x)²]."""
        return self.within(x, 2) + x * x * self.above(x)

    @cached_property
    def edges(self) -> np.ndarray:
        """Edges of the integration panels, from 0 to a length that practically no job exceeds."""
        median = math.log(self.mean) - self.sigma**2 / 2
        low = median - 12 * self.sigma
        high = median + (16 + 2 * self.sigma) * self.sigma
        return _logarithmic(low, high, min(2 * STEP, 2 * STEP * self.sigma))


@dataclass(frozen=True)
class Alike:
    """Lengths that are all equal; see `Exponentials`."""

    length: float

    def moment(self, k: int) -> float:
        """Moment of the distribution, E[Sᵏ]."""
        return self.length**k

    def above(self, x: Lengths, k: int = 0) -> np.ndarray:
        """Partial moment above x, E[Sᵏ; S > x]."""
        return np.where(x < self.length, self.moment(k), 0.0)

    def within(self, x: Lengths) -> np.ndarray:
        """Partial mean up to x, E[S; S ≤ x]."""
        return np.where(x >= self.length, self.length, 0.0)

    def density(self, x: Lengths) -> np.ndarray:
        """Density of the distribution, f(x)."""
        return np.where(x == self.length, math.inf, 0.0)

    def square(self, x: Lengths) -> np.ndarray:
        """Second moment of the length truncated at x, E[min(S, x)²]."""
        return np.where(x >= self.length, self.moment(2), x * x)

    @property
    def edges(self) -> np.ndarray:
        """Edges of the only integration panel: 0 and the length."""
        return np.array([0.0, self.length])


#: A distribution of lengths S that accepts arrays of lengths x.
Moments = Exponentials | Logarithmic | Alike


def moments_of(lengths: Distribution) -> Moments:
    """Return the partial moments of a distribution, or raise ValueError for an unsupported one."""
    match lengths:
        case Exponential():
            return Exponentials(((1.0, lengths.mean),))
        case Hyperexponential():
            return Exponentials(lengths.parts)
        case Lognormal():
            return Logarithmic(lengths.mean, math.sqrt(math.log1p(lengths.scv)))
        case Fixed():
            return Alike(lengths.mean)
    raise ValueError(
        f"lengths must be fixed, exponential, hyperexponential or log-normal, got {lengths!r}"
    )


def _logarithmic(low: float, high: float, step: float) -> np.ndarray:
    """0, and edges a step apart on a logarithmic scale."""
    return np.append(0.0, np.exp(np.linspace(low, high, 1 + math.ceil((high - low) / step))))


class _Queue:
    """One server, and the load that it serves before a job of a given length."""

    def __init__(self, discipline: str, arrival_rate: float, lengths: Distribution) -> None:
        self.discipline = discipline
        self.rate = arrival_rate
        # the distribution of lengths, with its moments up to a length and above it
        self.law = moments_of(as_distribution("lengths", lengths))
        self.load = self.rate * self.law.moment(1)
        # Squares of lengths, and lengths far below the mean, must be numbers.
        if not (1e-150 < self.law.moment(1) < 1e150 and 0 < self.load < math.inf):
            raise OverflowError
        self.unserved = 0.0  # share of the jobs that "srpt" never serves to the end
        if discipline == "srpt" and self.load > 1:
            self.unserved = self._unserved_share()

    def response(self, length: float) -> float:
        """Mean response of a job of this length."""
        if self.discipline in ("fifo", "ps"):
            if full(self.load):
                return math.inf
            if self.discipline == "ps":
                return length / (1 - self.load)
            return length + self.rate * self.law.moment(2) / (2 * (1 - self.load))
        x = np.array([length])
        if self.discipline == "fb":
            if self.spare_fb(x)[0] > 0:
                return float(self.response_fb(x)[0])
            return math.inf
        if self.spare(x)[0] <= 0:
            return math.inf
        edges = self.law.edges
        # 1 − ρ(t) may come close to zero at the end, so panels there shrink by half each.
        end_edges = length * (1 - 0.5 ** np.arange(1.0, 52.0))
        points, width = quadrature(np.unique(np.concatenate((edges[edges < length], end_edges, x))))
        return float(self.wait_srpt(x)[0] + width @ (1 / self.spare(points)))

    def spare(self, x: Lengths) -> np.ndarray:
        """Share of the server that jobs of length x or less leave free, 1 − ρ(x)."""
        if self.load <= 1:
            return (1 - self.load) + self.rate * self.law.above(x, 1)
        return 1 - self.rate * self.law.within(x)

    def spare_fb(self, x: Lengths) -> np.ndarray:
        """1 − λ E[min(S, x)]."""
        if self.load <= 1:
            return (1 - self.load) + self.rate * (self.law.above(x, 1) - x * self.law.above(x))
        return 1 - self.rate * (self.law.within(x) + x * self.law.above(x))

    def response_fb(self, x: Lengths) -> np.ndarray:
        """Mean response under "fb"."""
        spare = self.spare_fb(x)
        return (self.rate * self.law.square(x) / (2 * spare) + x) / spare

    def wait_srpt(self, x: Lengths) -> np.ndarray:
        """Mean time until a job is first served under "srpt"."""
        square = self.law.square(x) - x * x * self.unserved
        return self.rate * square / (2 * self.spare(x) * self.spare(np.nextafter(x, 0.0)))

    def _unserved_share(self) -> float:
        """Share of jobs never served to the end, because shorter ones fill the server [1]."""
        law = self.law
        if isinstance(law, Alike):
            return 1 - 1 / self.load

        def excess(log_length: float) -> float:
            """How far the load of jobs up to a length is above 1."""
            return self.rate * float(law.within(np.exp(log_length))) - 1

        limit = rising_root(excess, math.log(law.edges[1]), math.log(law.edges[-1]))
        return float(law.above(np.float64(math.exp(limit))))


def quadrature(edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return points and weights of Gauss–Legendre quadrature on every panel between the edges."""
    middle = (edges[1:] + edges[:-1]) / 2
    half = np.diff(edges) / 2
    return (middle[:, None] + half[:, None] * _NODES).ravel(), (half[:, None] * _WEIGHTS).ravel()
