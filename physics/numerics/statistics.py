"""Student's t and the confidence interval of a mean, without SciPy."""

import math
from collections.abc import Sequence

from physics.numerics import checks
from physics.numerics.roots import rising_root


def student_cdf(t: float, freedom: int) -> float:
    """Chance that Student's t with a whole number of degrees of freedom ν is at most t [1].

    The finite series in cos²θ = ν / (ν + t²) of Abramowitz and Stegun, *Handbook of Mathematical Functions*, 1964,
    eqs. 26.7.3 and 26.7.4.

    Raises ValueError if t is not finite or freedom is not a whole number above zero.

    >>> round(student_cdf(2.262157, 9), 6)
    0.975
    """
    t, freedom = checks.finite("t", t), checks.count("freedom", freedom, most=10**7)
    angle = math.atan2(abs(t), math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term, series = (cosine if odd else 1.0), 0.0
    for k in range(1 + odd, freedom, 2):
        series += term
        term *= cosine * cosine * k / (k + 1)
    inside = 2 / math.pi * (angle + sine * series) if odd else sine * series
    return 0.5 + math.copysign(inside / 2, t)


def student_quantile(probability: float, freedom: int) -> float:
    """Find the t that Student's t with ν degrees of freedom exceeds with chance 1 − probability.

    Solved from `student_cdf`, so to about 1e-12 for the usual tables and less far out in the tails.

    Raises ValueError unless 0 < probability < 1 and freedom is a whole number above zero.

    >>> round(student_quantile(0.975, 9), 3)  # the factor for ten runs
    2.262
    """
    probability, freedom = checks.fraction("probability", probability), checks.count("freedom", freedom, most=10**7)
    if not 0 < probability < 1:
        raise ValueError(f"probability must be above 0 and below 1, got {probability}")
    if probability == 0.5:
        return 0.0
    upper = max(probability, 1 - probability)
    # On the scale of the angle θ, t = √ν tan θ, the tail of even ν = 1 is no farther than π / 2.
    angle = rising_root(lambda x: student_cdf(math.sqrt(freedom) * math.tan(x), freedom) - upper, 0.0, math.pi / 2)
    return math.copysign(math.sqrt(freedom) * math.tan(angle), probability - 0.5)


@checks.within_range
def mean_interval(values: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """Mean of independent values and the half width of its confidence interval, by Student's t.

    The half width is infinite for a single value. The values are taken as normal, which means of long runs nearly are.

    Raises ValueError if there is no value, one is not finite, or confidence is not above 0 and below 1.

    >>> mean, half = mean_interval([1.0, 2.0, 3.0])
    >>> mean, round(half, 3)
    (2.0, 2.484)
    """
    numbers = [checks.finite("values", value) for value in values]
    if not 0 < checks.fraction("confidence", confidence) < 1:
        raise ValueError(f"confidence must be above 0 and below 1, got {confidence}")
    if not numbers:
        raise ValueError("values must hold at least one number, got none")
    mean, freedom = math.fsum(numbers) / len(numbers), len(numbers) - 1
    if freedom == 0:
        return mean, math.inf
    deviation = math.sqrt(math.fsum((number - mean) ** 2 for number in numbers) / freedom)
    return mean, student_quantile((1 + confidence) / 2, freedom) * deviation / math.sqrt(len(numbers))
