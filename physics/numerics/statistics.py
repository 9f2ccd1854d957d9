"""Student's t and the confidence interval of a mean, without SciPy."""

import math

from physics.arguments import Finite, Finites, InnerShare, positive, within_range
from physics.numerics.roots import rising_root

#: Terms of a continued fraction; at ten million degrees of freedom it needs about two thousand.
MOST_TERMS = 20_000


@within_range
def student_cdf(t: Finite, freedom: float) -> float:
    """Chance that Student's t with ν degrees of freedom, whole or not, is at most t [1].

    P(|T| > t) = I_x(ν/2, 1/2) with x = ν / (ν + t²), the regularized incomplete beta function: Abramowitz and Stegun,
    *Handbook of Mathematical Functions*, 1964, eqs. 26.7.1 and 26.5.8 (its continued fraction).

    >>> round(student_cdf(2.262157, 9), 6)
    0.975
    """
    freedom = _freedom(freedom)
    angle = math.atan2(abs(t), math.sqrt(freedom))
    return 0.5 + math.copysign((1 - _beta(math.cos(angle) ** 2, math.sin(angle) ** 2, freedom / 2, 0.5)) / 2, t)


def _freedom(value: float) -> float:
    """Degrees of freedom that make sense."""
    if positive("freedom", value) > 10**7:
        raise ValueError(f"freedom must be at most 10,000,000, got {value:g}")
    return float(value)


def _beta(x: float, rest: float, a: float, b: float) -> float:
    """Regularized incomplete beta function I_x(a, b), with 1 − x given as well."""
    if x <= 0 or rest <= 0:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # there the fraction of the other tail converges faster
        return 1 - _beta(rest, x, b, a)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)
    # Lentz's method: the fraction from the front, as a product of ratios.
    tiny = 1e-300
    value, upper, lower = tiny, tiny, 0.0
    for term in range(MOST_TERMS):
        m = term // 2
        if term == 0:
            step = 1.0
        elif term % 2:
            step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        lower = 1 / (1 + step * lower or tiny)
        upper = 1 + step / upper or tiny
        value *= upper * lower
        if abs(upper * lower - 1) < 1e-15:
            break
    return math.exp(front) * value / a


@within_range
def student_quantile(probability: InnerShare, freedom: float) -> float:
    """Number that Student's t with ν degrees of freedom exceeds with chance 1 − probability [1].

    Solved from `student_cdf`, so to about 1e-12 for the usual tables and less far out in the tails.

    >>> round(student_quantile(0.975, 9), 3), round(student_quantile(0.975, 9.5), 3)  # the factor for ten runs; between
    (2.262, 2.244)
    """
    freedom = _freedom(freedom)
    if probability == 0.5:
        return 0.0
    upper = max(probability, 1 - probability)
    # On the scale of the angle θ, t = √ν tan θ, the tail even of ν = 1 is no farther than π / 2.
    angle = rising_root(lambda x: student_cdf(math.sqrt(freedom) * math.tan(x), freedom) - upper, 0.0, math.pi / 2)
    return math.copysign(math.sqrt(freedom) * math.tan(angle), probability - 0.5)


@within_range
def mean_interval(values: Finites, confidence: InnerShare = 0.95) -> tuple[float, float]:
    """Mean of independent values and the half width of its confidence interval, by Student's t [their unit].

    The half width is infinite for a single value. The values are taken as normal, which means of long runs nearly are.

    >>> mean, half = mean_interval([1.0, 2.0, 3.0])
    >>> mean, round(half, 3)
    (2.0, 2.484)
    """
    if not values:
        raise ValueError("values must hold at least one number, got none")
    mean, freedom = math.fsum(values) / len(values), len(values) - 1
    if freedom == 0:
        return mean, math.inf
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / freedom)
    return mean, student_quantile((1 + confidence) / 2, freedom) * deviation / math.sqrt(len(values))
