"""Policy trial elsewhere: for how many days two things must be tried."""

import math

from physics.experiments import weeks_needed


def days(deviation: float, difference: float, r: float) -> dict[str, int]:
    """Return days of each until their difference is as large as its margin of error, and for other cases."""
    variance = deviation**2
    found = {"needed": (r, difference), "independent": (0.0, difference), "halved": (r, difference / 2)}
    counts = {name: math.ceil(weeks_needed(variance, *case)) for name, case in found.items()}
    more = {"doubled": 2 * counts["needed"], "eightfold": 8 * counts["needed"]}
    return counts | more | {"shortest": counts["independent"] // 2}
