"""When a growing dataset fills a store."""

import math

from physics.numerics.arrays import elementwise
from physics.numerics.checks import finite, non_negative, positive, within_range


@elementwise
@within_range
def grown(size: float, growth: float, years: float) -> float:
    """Size of data that grows by the same rate every year: size · (1 + growth)^years [B].

    >>> round(grown(400e12, 0.40, 3) / 1e12)
    1098
    """
    factor = (1 + non_negative("growth", growth)) ** non_negative("years", years)
    return finite("size · (1 + growth)^years", positive("size", size) * factor)


@elementwise
def full_after(size: float, capacity: float, growth: float) -> float:
    """Years until growing data fill a store: ln(capacity/size) / ln(1 + growth); 0 if full now, infinite if never.

    >>> round(full_after(400e12, 1152e12, 0.5), 2), full_after(1.0, 2.0, 0.0)
    (2.61, inf)
    """
    room = math.log(positive("capacity", capacity)) - math.log(positive("size", size))
    rate = math.log1p(non_negative("growth", growth))
    if room <= 0:
        return 0.0
    return room / rate if rate > 0 else math.inf
