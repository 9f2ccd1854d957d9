"""Policy trial, transfer: days of two recipes, or of two displays in a window."""

import math

from physics.experiments import weeks_needed


def days(deviation: float, difference: float, r: float) -> dict[str, int]:
    """Return the days per option until a difference equals its margin of error, and wrong answers.

    `deviation` is that of one day and `difference` that of the options, in the same unit; `r` is
    the correlation of one day with the next [1].
    """
    variance = deviation**2
    needed = math.ceil(weeks_needed(variance, r, difference))
    independent = math.ceil(weeks_needed(variance, 0.0, difference))
    return {
        "needed": needed,
        "independent": independent,
        "halved": math.ceil(weeks_needed(variance, r, difference / 2)),
        "doubled": 2 * needed,
        "eightfold": 8 * needed,
        "shortest": independent // 2,
    }
