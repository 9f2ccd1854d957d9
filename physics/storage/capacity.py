"""When a growing dataset fills a store."""

import math

from physics.arguments import NonNegative, Positive, elementwise, finite


@elementwise
def grown(size: Positive, growth: NonNegative, years: NonNegative) -> float:
    """Size of data that grows by the same rate every year: size · (1 + growth)^years [B].

    >>> round(grown(400e12, 0.40, 3) / 1e12)
    1098
    """
    factor = (1 + growth) ** years
    return finite("size · (1 + growth)^years", size * factor)


@elementwise
def full_after(size: Positive, capacity: Positive, growth: NonNegative) -> float:
    """Years until growing data fill a store: ln(capacity/size) / ln(1 + growth); 0 if full now, infinite if never.

    >>> round(full_after(400e12, 1152e12, 0.5), 2), full_after(1.0, 2.0, 0.0)
    (2.61, inf)
    """
    room = math.log(capacity) - math.log(size)
    rate = math.log1p(growth)
    if room <= 0:
        return 0.0
    return room / rate if rate > 0 else math.inf
