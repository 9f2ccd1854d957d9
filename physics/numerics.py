"""Numerical functions without SciPy: roots of rising functions, Lambert's W₀, and Student's t."""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated

import numpy as np

from physics.arguments import (
    Finite,
    Finites,
    InnerShare,
    NonNegative,
    elementwise,
    number_that,
    within_range,
)


def rising_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Find the root of a nondecreasing function between low and high, to floating-point precision.

    Without a crossing the nearer end comes back. Regula falsi with the Illinois rule, and a
    bisection whenever a step shrinks the bracket by less than half (Dahlquist and Björck,
    *Numerical Methods*, 1974, section 6.4).

    >>> round(rising_root(lambda x: x * x - 2, 0.0, 2.0), 12)
    1.414213562373
    """
    below = function(low)
    above = function(high)
    if below >= 0:
        return low
    if above <= 0:
        return high
    side = 0  # the end that moved last: −1 for low, 1 for high
    halve = False
    for _ in range(200):
        width = high - low
        middle = low - below * width / (above - below)
        if halve or not low < middle < high:
            middle = low + width / 2
        if width <= 1e-15 * max(abs(low), abs(high)) or not low < middle < high:
            break
        value = function(middle)
        if value == 0:
            return middle
        if value < 0:
            low = middle
            below = value
            if side < 0:
                above = above / 2
            side = -1
        else:
            high = middle
            above = value
            if side > 0:
                below = below / 2
            side = 1
        halve = not halve and high - low > width / 2
    return low + (high - low) / 2


erfc = np.vectorize(math.erfc, otypes=[float])  #: complementary error function of arrays

_BRANCH = -math.exp(-1)  # where the two real branches of W meet
_SERIES_BELOW = 0.1  # below this, −ln(1 − w) − w is summed as a series
_NEAR = 0.4  # from here on −e^{−1−x} is far enough from −1/e for Halley's method


@elementwise
def lambert_w0(z: Finite) -> float:
    """Principal branch of Lambert's function: w ≥ −1 that solves w·eʷ = z, for z ≥ −1/e [1].

    Halley's method, from ln(1 + z) for small z and ln z − ln ln z for large z. Near −1/e the number
    z itself can no longer tell two values of w apart; `one_plus_w0` takes the distance from the
    branch point instead.

    Source: Corless et al., "On the Lambert W function", 1996, section 4 (Halley's method, eq. 5.9)
    and eq. 4.22 (series at the branch point).

    >>> round(lambert_w0(1.0), 9)  # the omega constant
    0.56714329
    """
    if z < _BRANCH * (1 + 1e-15):
        raise ValueError(f"z must be at least -1/e = {_BRANCH:.6f}, got {z}")
    if z < -0.25:
        return one_plus_w0(max(0.0, -1 - math.log(-z))) - 1
    if z < math.e:
        w = math.log1p(z)
    else:
        w = math.log(z) - math.log(math.log(z))
    for _ in range(50):
        power = math.exp(w)
        residual = w * power - z
        step = residual / (power * (w + 1) - (w + 2) * residual / (2 * w + 2))
        w -= step
        if abs(step) <= 1e-16 * abs(w):
            break
    return w


@elementwise
def one_plus_w0(x: NonNegative) -> float:
    """1 + W₀(−e^{−(1 + x)}) to full precision, even near the branch point [1].

    x is the logarithmic distance from the branch point. With w = 1 + W the definition W·e^W =
    −e^{−(1 + x)} becomes −ln(1 − w) − w = x, whose left side is w²/2 + w³/3 + w⁴/4 + …; Newton's
    method on that form, which is convex, starting above the root.

    Source: Corless et al. (1996), see `lambert_w0`; the substitution is done by hand above.

    >>> f"{one_plus_w0(5e-21):.6e}"  # 1e-10 - 1e-20/3; as written, 1 + W₀ would give 0
    '1.000000e-10'
    """
    if x > _NEAR:
        return 1 + lambert_w0(-math.exp(-1 - x))
    if x == 0:
        return 0.0
    w = math.sqrt(2 * x)  # the root is below it, since w²/2 is the first of only positive terms
    for _ in range(50):
        # Summed as a series where digits would cancel.
        if w < _SERIES_BELOW:
            value = math.fsum(w**k / k for k in range(2, 19))
        else:
            value = -math.log1p(-w) - w
        step = (value - x) * (1 - w) / w
        w -= step
        if abs(step) <= 1e-16 * w:
            break
    return w


@lru_cache(maxsize=1)
def _rule() -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of Gauss and Legendre's rule, for the integral of Student's density.

    They take 0.06 s, which a server that starts need not wait for.
    """
    return np.polynomial.legendre.leggauss(200)


#: Degrees of freedom that make sense.
Freedom = Annotated[
    float, number_that("be between 1 and 10,000,000", lambda number: 1 <= number <= 10**7)
]


def _within(angle: float, freedom: float) -> float:
    """Chance that |T| of Student's t is at most √ν tan(angle) [1].

    The integral of cos^(ν − 1) up to the angle over that up to π / 2.

    Abramowitz and Stegun, *Handbook of Mathematical Functions*, 1964, section 26.7.
    """
    return _cosine_integral(angle, freedom) / _cosine_integral(math.pi / 2, freedom)


def _cosine_integral(angle: float, freedom: float) -> float:
    """Integral of cos^(ν − 1) from 0 to an angle, but for a factor."""
    nodes, weights = _rule()
    distance = (1 - nodes) / 2
    angle = min(angle, 40 / math.sqrt(freedom))  # beyond it the density is zero
    # Nodes gather at the end, where the density of ν < 2 is steep.
    angles = angle * (1 - distance**4)
    return angle * float(weights @ (distance**3 * np.cos(angles) ** (freedom - 1)))


@within_range
def student_quantile(probability: InnerShare, freedom: Freedom) -> float:
    """Value that Student's t with ν degrees of freedom does not exceed with this probability [1].

    To about 1e-12 for the usual tables and less far out in the tails.

    >>> round(student_quantile(0.975, 9), 3)  # the factor for ten runs
    2.262
    """
    # On the scale of the angle the tail even of ν = 1 is no farther than π / 2.
    angle = rising_root(lambda x: _within(x, freedom) - abs(2 * probability - 1), 0.0, math.pi / 2)
    return math.copysign(math.sqrt(freedom) * math.tan(angle), probability - 0.5)


@within_range
def mean_interval(values: Finites, confidence: InnerShare = 0.95) -> tuple[float, float]:
    """Mean of independent values, and its interval's half-width by Student's t [same unit].

    The half width is infinite for a single value. The values are taken as normal, which means of
    long runs nearly are.

    >>> mean, half = mean_interval([1.0, 2.0, 3.0])
    >>> mean, round(half, 3)
    (2.0, 2.484)
    """
    if not values:
        raise ValueError("values must hold at least one number, got none")
    mean = math.fsum(values) / len(values)
    freedom = len(values) - 1
    if freedom == 0:
        return mean, math.inf
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / freedom)
    quantile = student_quantile((1 + confidence) / 2, freedom)
    return mean, quantile * deviation / math.sqrt(len(values))
