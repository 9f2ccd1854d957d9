"""Frames of charts: they stand still, and follow what leaves them only on request."""

import math

#: Round ends of an axis, times a power of ten.
ROUND = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)


def holding(reach: float, usual: float, farthest: float = 100.0) -> float:
    """Return the round end of an axis that holds a value: the usual one unless the value leaves it.

    What leaves the frame farther than `farthest` times its end would press all the rest against the axis.

    >>> holding(7.0, 8.0), holding(19.0, 8.0), holding(300.0, 40.0), holding(1e9, 8.0), holding(math.inf, 8.0)
    (8.0, 20.0, 400.0, 8.0, 8.0)
    """
    if not usual < reach <= farthest * usual:
        return usual
    size = 10.0 ** math.floor(math.log10(1.05 * reach))
    return next(size * one for one in ROUND if size * one >= 1.05 * reach)
