"""Where a rising function crosses zero, without SciPy."""

from collections.abc import Callable


def rising_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Find where a function that never falls crosses zero between low and high, to the last digits.

    Regula falsi with the Illinois rule, and a bisection whenever a step shrinks the bracket by less than half
    (Dahlquist and Björck, *Numerical Methods*, 1974, section 6.4). Without a crossing the nearer end comes back.

    >>> round(rising_root(lambda x: x * x - 2, 0.0, 2.0), 12)
    1.414213562373
    >>> rising_root(lambda x: x + 1, 0.0, 2.0)
    0.0
    """
    below, above = function(low), function(high)
    if below >= 0:
        return low
    if above <= 0:
        return high
    side, halve = 0, False
    for _ in range(200):
        width = high - low
        middle = low + width / 2 if halve else low - below * width / (above - below)
        if not low < middle < high:
            middle = low + width / 2
        if width <= 1e-15 * max(abs(low), abs(high)) or not low < middle < high:
            break
        value = function(middle)
        if value == 0:
            return middle
        if value < 0:
            low, below, above = middle, value, above / 2 if side < 0 else above
        else:
            high, above, below = middle, value, below / 2 if side > 0 else below
        side = -1 if value < 0 else 1
        halve = not halve and high - low > width / 2
    return low + (high - low) / 2
