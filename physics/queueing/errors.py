"""How far off Allen–Cunneen and the exponential tail are beside simulations with gamma service times.

Made by `python -m benchmarks.queueing --errors`, which prints it anew in some ten minutes. A point is left out where
too few jobs wait to measure by, and a number where its standard error would be too large. At SCV 1 both are exact; for
one server the mean is, too, and the P99 is known without a simulation.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from physics.numerics import checks

NAN = math.nan
SERVERS = (1, 2, 4, 8, 16, 32, 128, 512)
LOADS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
SCVS = (0.0, 0.5, 4.0, 16.0, 40.0)
#: Below this chance to wait too few jobs wait, and a number with a larger standard error is no measurement [1].
LEAST_CHANCE, MOST_OFF = 0.009, 0.06


class Error(NamedTuple):
    """Relative errors (formula over simulation, less 1) of one point, each with its standard error; NaN: unknown."""

    mean: float  #: of the mean wait [1]
    mean_off: float
    p99: float  #: of the wait that 99 of 100 jobs do not exceed [1]
    p99_off: float


class Around(NamedTuple):
    """What was measured around a setting: the range of errors at the nearest points on all sides of it."""

    low: float  #: least error, two standard errors included [1]
    high: float  #: greatest error, likewise [1]
    servers: tuple[int, int]  #: c of the points
    loads: tuple[float, float]  #: ρ of the points
    scvs: tuple[float, float]  #: SCVs of the points


def measured_around(servers: int, utilization: float, scv: float, which: str = "mean") -> Around | None:
    """Return the errors measured around a setting, or None where a point around it was not measured.

    Parameters
    ----------
    servers : int
        c [1].
    utilization : float
        ρ [1].
    scv : float
        Squared coefficient of variation of service times [1].
    which : {"mean", "p99"}
        Error of Allen–Cunneen's mean wait, or of the P99 with an exponential tail.

    Raises
    ------
    ValueError
        If servers is not whole, a number is negative or not finite, or which is neither.

    Examples
    --------
    >>> found = measured_around(4, 0.95, 4.0)
    >>> found.low > 0, found.high < 0.02  # one or two percent high
    (True, True)
    >>> measured_around(5000, 0.6, 4.0) is None
    True
    """
    if which not in ("mean", "p99"):
        raise ValueError(f"which must be mean or p99, got {which!r}")
    sides = (
        _sides(SERVERS, checks.count("servers", servers)),
        _sides(LOADS, checks.non_negative("utilization", utilization)),
        _sides(sorted({*SCVS, 1.0}), checks.non_negative("scv", scv)),
    )
    if None in sides:
        return None
    errors = [_error(point, which) for point in product(*sides)]
    if any(math.isnan(error) for error, _ in errors):
        return None
    return Around(min(e - 2 * off for e, off in errors), max(e + 2 * off for e, off in errors), *sides)


def _sides(grid: Sequence[float], value: float) -> tuple[float, float] | None:
    """The grid's points next to a value on both sides, twice the same where it is one (to rounding)."""
    value = next((point for point in grid if math.isclose(point, value, rel_tol=1e-9)), value)
    place = bisect_right(grid, value)
    if not grid[0] <= value <= grid[-1]:
        return None
    return grid[place - 1], value if grid[place - 1] == value else grid[place]


def _error(point: tuple[int, float, float], which: str) -> tuple[float, float]:
    if point[2] == 1 or (point[0] == 1 and which == "mean"):
        return 0.0, 0.0
    error = MEASURED.get(point, Error(NAN, NAN, NAN, NAN))
    return (error.mean, error.mean_off) if which == "mean" else (error.p99, error.p99_off)


#: By servers, utilization and SCV.
MEASURED = {
    (1, 0.3, 0.0): Error(0.000, 0.000, 0.285, 0.000),
    (1, 0.3, 0.5): Error(0.000, 0.000, 0.072, 0.000),
    (1, 0.3, 4.0): Error(0.000, 0.000, -0.097, 0.000),
    (1, 0.3, 16.0): Error(0.000, 0.000, -0.133, 0.000),
    (1, 0.3, 40.0): Error(0.000, 0.000, -0.141, 0.000),
    (1, 0.5, 0.0): Error(0.000, 0.000, 0.173, 0.000),
    (1, 0.5, 0.5): Error(0.000, 0.000, 0.052, 0.000),
    (1, 0.5, 4.0): Error(0.000, 0.000, -0.079, 0.000),
    (1, 0.5, 16.0): Error(0.000, 0.000, -0.111, 0.000),
    (1, 0.5, 40.0): Error(0.000, 0.000, -0.118, 0.000),
    (1, 0.7, 0.0): Error(0.000, 0.000, 0.092, 0.000),
    (1, 0.7, 0.5): Error(0.000, 0.000, 0.029, 0.000),
    (1, 0.7, 4.0): Error(0.000, 0.000, -0.049, 0.000),
    (1, 0.7, 16.0): Error(0.000, 0.000, -0.070, 0.000),
    (1, 0.7, 40.0): Error(0.000, 0.000, -0.075, 0.000),
    (1, 0.8, 0.0): Error(0.000, 0.000, 0.058, 0.000),
    (1, 0.8, 0.5): Error(0.000, 0.000, 0.019, 0.000),
    (1, 0.8, 4.0): Error(0.000, 0.000, -0.032, 0.000),
    (1, 0.8, 16.0): Error(0.000, 0.000, -0.047, 0.000),
    (1, 0.8, 40.0): Error(0.000, 0.000, -0.050, 0.000),
    (1, 0.9, 0.0): Error(0.000, 0.000, 0.027, 0.000),
    (1, 0.9, 0.5): Error(0.000, 0.000, 0.009, 0.000),
    (1, 0.9, 4.0): Error(0.000, 0.000, -0.016, 0.000),
    (1, 0.9, 16.0): Error(0.000, 0.000, -0.023, 0.000),
    (1, 0.9, 40.0): Error(0.000, 0.000, -0.025, 0.000),
    (1, 0.95, 0.0): Error(0.000, 0.000, 0.013, 0.000),
    (1, 0.95, 0.5): Error(0.000, 0.000, 0.004, 0.000),
    (1, 0.95, 4.0): Error(0.000, 0.000, -0.008, 0.000),
    (1, 0.95, 16.0): Error(0.000, 0.000, -0.012, 0.000),
    (1, 0.95, 40.0): Error(0.000, 0.000, -0.012, 0.000),
    (1, 0.98, 0.0): Error(0.000, 0.000, 0.005, 0.000),
    (1, 0.98, 0.5): Error(0.000, 0.000, 0.002, 0.000),
    (1, 0.98, 4.0): Error(0.000, 0.000, -0.003, 0.000),
    (1, 0.98, 16.0): Error(0.000, 0.000, -0.005, 0.000),
    (1, 0.98, 40.0): Error(0.000, 0.000, -0.005, 0.000),
    (2, 0.3, 0.0): Error(-0.105, 0.001, 0.098, 0.001),
    (2, 0.3, 0.5): Error(-0.035, 0.002, 0.012, 0.002),
    (2, 0.3, 4.0): Error(0.068, 0.003, -0.006, 0.004),
    (2, 0.3, 16.0): Error(0.091, 0.008, -0.013, 0.010),
    (2, 0.3, 40.0): Error(0.095, 0.014, -0.025, 0.013),
    (2, 0.5, 0.0): Error(-0.057, 0.000, 0.122, 0.001),
    (2, 0.5, 0.5): Error(-0.023, 0.001, 0.032, 0.002),
    (2, 0.5, 4.0): Error(0.039, 0.002, -0.044, 0.002),
    (2, 0.5, 16.0): Error(0.052, 0.004, -0.068, 0.007),
    (2, 0.5, 40.0): Error(0.063, 0.006, -0.081, 0.009),
    (2, 0.7, 0.0): Error(-0.027, 0.000, 0.078, 0.001),
    (2, 0.7, 0.5): Error(-0.011, 0.001, 0.026, 0.001),
    (2, 0.7, 4.0): Error(0.021, 0.001, -0.035, 0.003),
    (2, 0.7, 16.0): Error(0.029, 0.002, -0.063, 0.005),
    (2, 0.7, 40.0): Error(0.036, 0.005, -0.054, 0.007),
    (2, 0.8, 0.0): Error(-0.016, 0.000, 0.052, 0.001),
    (2, 0.8, 0.5): Error(-0.007, 0.000, 0.016, 0.001),
    (2, 0.8, 4.0): Error(0.013, 0.001, -0.027, 0.002),
    (2, 0.8, 16.0): Error(0.018, 0.001, -0.041, 0.003),
    (2, 0.8, 40.0): Error(0.021, 0.003, -0.044, 0.007),
    (2, 0.9, 0.0): Error(-0.007, 0.000, 0.025, 0.001),
    (2, 0.9, 0.5): Error(-0.003, 0.000, 0.009, 0.001),
    (2, 0.9, 4.0): Error(0.006, 0.001, -0.014, 0.001),
    (2, 0.9, 16.0): Error(0.009, 0.001, -0.022, 0.002),
    (2, 0.9, 40.0): Error(0.007, 0.002, -0.021, 0.004),
    (2, 0.95, 0.0): Error(-0.003, 0.000, 0.012, 0.001),
    (2, 0.95, 0.5): Error(-0.001, 0.000, 0.005, 0.001),
    (2, 0.95, 4.0): Error(0.003, 0.001, -0.005, 0.001),
    (2, 0.95, 16.0): Error(0.004, 0.001, -0.006, 0.002),
    (2, 0.95, 40.0): Error(0.005, 0.001, -0.013, 0.003),
    (2, 0.98, 0.0): Error(-0.001, 0.000, 0.005, 0.000),
    (2, 0.98, 0.5): Error(-0.000, 0.000, 0.002, 0.000),
    (2, 0.98, 4.0): Error(0.001, 0.000, -0.004, 0.001),
    (2, 0.98, 16.0): Error(0.001, 0.001, -0.006, 0.001),
    (2, 0.98, 40.0): Error(0.002, 0.001, -0.001, 0.043),
    (4, 0.3, 0.0): Error(-0.220, 0.003, -0.291, 0.002),
    (4, 0.3, 0.5): Error(-0.080, 0.005, -0.099, 0.005),
    (4, 0.3, 4.0): Error(0.153, 0.015, 0.206, 0.016),
    (4, 0.3, 16.0): Error(0.217, 0.029, 0.296, 0.034),
    (4, 0.3, 40.0): Error(0.242, 0.031, 0.257, 0.034),
    (4, 0.5, 0.0): Error(-0.124, 0.001, 0.004, 0.001),
    (4, 0.5, 0.5): Error(-0.051, 0.004, -0.010, 0.003),
    (4, 0.5, 4.0): Error(0.092, 0.007, 0.017, 0.005),
    (4, 0.5, 16.0): Error(0.138, 0.014, 0.018, 0.014),
    (4, 0.5, 40.0): Error(0.164, 0.017, 0.031, 0.017),
    (4, 0.7, 0.0): Error(-0.059, 0.001, 0.052, 0.001),
    (4, 0.7, 0.5): Error(-0.025, 0.001, 0.014, 0.002),
    (4, 0.7, 4.0): Error(0.045, 0.003, -0.022, 0.004),
    (4, 0.7, 16.0): Error(0.077, 0.006, -0.007, 0.010),
    (4, 0.7, 40.0): Error(0.078, 0.008, -0.021, 0.011),
    (4, 0.8, 0.0): Error(-0.034, 0.001, 0.043, 0.001),
    (4, 0.8, 0.5): Error(-0.015, 0.001, 0.014, 0.003),
    (4, 0.8, 4.0): Error(0.030, 0.003, -0.025, 0.004),
    (4, 0.8, 16.0): Error(0.037, 0.005, -0.038, 0.006),
    (4, 0.8, 40.0): Error(0.046, 0.008, -0.018, 0.008),
    (4, 0.9, 0.0): Error(-0.015, 0.000, 0.023, 0.001),
    (4, 0.9, 0.5): Error(-0.007, 0.001, 0.007, 0.001),
    (4, 0.9, 4.0): Error(0.014, 0.002, -0.016, 0.005),
    (4, 0.9, 16.0): Error(0.018, 0.003, -0.009, 0.008),
    (4, 0.9, 40.0): Error(0.022, 0.004, -0.006, 0.006),
    (4, 0.95, 0.0): Error(-0.008, 0.000, 0.011, 0.001),
    (4, 0.95, 0.5): Error(-0.004, 0.001, 0.002, 0.001),
    (4, 0.95, 4.0): Error(0.006, 0.001, -0.005, 0.004),
    (4, 0.95, 16.0): Error(0.008, 0.003, NAN, NAN),
    (4, 0.95, 40.0): Error(0.013, 0.005, NAN, NAN),
    (4, 0.98, 0.0): Error(-0.003, 0.000, NAN, NAN),
    (4, 0.98, 0.5): Error(-0.001, 0.001, NAN, NAN),
    (4, 0.98, 4.0): Error(0.002, 0.001, NAN, NAN),
    (4, 0.98, 16.0): Error(0.004, 0.002, NAN, NAN),
    (4, 0.98, 40.0): Error(0.002, 0.002, NAN, NAN),
    (8, 0.5, 0.0): Error(-0.202, 0.003, -0.234, 0.004),
    (8, 0.5, 0.5): Error(-0.090, 0.009, -0.091, 0.008),
    (8, 0.5, 4.0): Error(0.166, 0.018, 0.167, 0.011),
    (8, 0.5, 16.0): Error(0.280, 0.042, 0.274, 0.024),
    (8, 0.5, 40.0): Error(0.219, 0.039, 0.243, 0.024),
    (8, 0.7, 0.0): Error(-0.102, 0.001, -0.003, 0.004),
    (8, 0.7, 0.5): Error(-0.042, 0.003, -0.009, 0.006),
    (8, 0.7, 4.0): Error(0.074, 0.010, 0.003, 0.015),
    (8, 0.7, 16.0): Error(0.133, 0.015, 0.048, 0.018),
    (8, 0.7, 40.0): Error(0.159, 0.025, 0.030, 0.034),
    (8, 0.8, 0.0): Error(-0.060, 0.001, 0.016, 0.008),
    (8, 0.8, 0.5): Error(-0.024, 0.002, 0.002, 0.009),
    (8, 0.8, 4.0): Error(0.053, 0.006, NAN, NAN),
    (8, 0.8, 16.0): Error(0.051, 0.008, NAN, NAN),
    (8, 0.8, 40.0): Error(0.106, 0.019, NAN, NAN),
    (8, 0.9, 0.0): Error(-0.025, 0.001, NAN, NAN),
    (8, 0.9, 0.5): Error(-0.015, 0.001, NAN, NAN),
    (8, 0.9, 4.0): Error(0.020, 0.004, NAN, NAN),
    (8, 0.9, 16.0): Error(0.029, 0.006, NAN, NAN),
    (8, 0.9, 40.0): Error(0.043, 0.010, NAN, NAN),
    (8, 0.95, 0.0): Error(-0.012, 0.001, NAN, NAN),
    (8, 0.95, 0.5): Error(-0.006, 0.001, NAN, NAN),
    (8, 0.95, 4.0): Error(0.012, 0.002, NAN, NAN),
    (8, 0.95, 16.0): Error(0.012, 0.005, NAN, NAN),
    (8, 0.95, 40.0): Error(0.023, 0.008, NAN, NAN),
    (8, 0.98, 0.0): Error(-0.005, 0.001, NAN, NAN),
    (8, 0.98, 0.5): Error(-0.001, 0.001, NAN, NAN),
    (8, 0.98, 4.0): Error(0.005, 0.002, NAN, NAN),
    (8, 0.98, 16.0): Error(0.007, 0.003, NAN, NAN),
    (8, 0.98, 40.0): Error(0.001, 0.002, NAN, NAN),
    (16, 0.5, 0.0): Error(-0.301, 0.009, NAN, NAN),
    (16, 0.5, 0.5): Error(-0.096, 0.023, NAN, NAN),
    (16, 0.7, 0.0): Error(-0.156, 0.003, NAN, NAN),
    (16, 0.7, 0.5): Error(-0.068, 0.006, NAN, NAN),
    (16, 0.7, 4.0): Error(0.135, 0.022, NAN, NAN),
    (16, 0.7, 16.0): Error(0.225, 0.040, NAN, NAN),
    (16, 0.8, 0.0): Error(-0.095, 0.002, NAN, NAN),
    (16, 0.8, 0.5): Error(-0.027, 0.004, NAN, NAN),
    (16, 0.8, 4.0): Error(0.070, 0.007, NAN, NAN),
    (16, 0.8, 16.0): Error(0.137, 0.019, NAN, NAN),
    (16, 0.8, 40.0): Error(0.080, 0.036, NAN, NAN),
    (16, 0.9, 0.0): Error(-0.041, 0.001, NAN, NAN),
    (16, 0.9, 0.5): Error(-0.017, 0.003, NAN, NAN),
    (16, 0.9, 4.0): Error(0.029, 0.007, NAN, NAN),
    (16, 0.9, 16.0): Error(0.053, 0.013, NAN, NAN),
    (16, 0.9, 40.0): Error(0.073, 0.025, NAN, NAN),
    (16, 0.95, 0.0): Error(-0.018, 0.001, NAN, NAN),
    (16, 0.95, 0.5): Error(-0.010, 0.002, NAN, NAN),
    (16, 0.95, 4.0): Error(0.011, 0.005, NAN, NAN),
    (16, 0.95, 16.0): Error(0.012, 0.009, NAN, NAN),
    (16, 0.95, 40.0): Error(0.011, 0.011, NAN, NAN),
    (16, 0.98, 0.0): Error(-0.006, 0.001, NAN, NAN),
    (16, 0.98, 0.5): Error(-0.002, 0.001, NAN, NAN),
    (16, 0.98, 4.0): Error(0.006, 0.003, NAN, NAN),
    (16, 0.98, 16.0): Error(0.003, 0.006, NAN, NAN),
    (16, 0.98, 40.0): Error(0.010, 0.006, NAN, NAN),
    (32, 0.7, 0.0): Error(-0.242, 0.011, NAN, NAN),
    (32, 0.7, 0.5): Error(-0.119, 0.016, NAN, NAN),
    (32, 0.7, 4.0): Error(0.200, 0.040, NAN, NAN),
    (32, 0.8, 0.0): Error(-0.145, 0.005, NAN, NAN),
    (32, 0.8, 0.5): Error(-0.067, 0.008, NAN, NAN),
    (32, 0.8, 4.0): Error(0.094, 0.024, NAN, NAN),
    (32, 0.8, 16.0): Error(0.196, 0.040, NAN, NAN),
    (32, 0.8, 40.0): Error(0.296, 0.059, NAN, NAN),
    (32, 0.9, 0.0): Error(-0.060, 0.002, NAN, NAN),
    (32, 0.9, 0.5): Error(-0.027, 0.005, NAN, NAN),
    (32, 0.9, 4.0): Error(0.061, 0.011, NAN, NAN),
    (32, 0.9, 16.0): Error(0.042, 0.020, NAN, NAN),
    (32, 0.9, 40.0): Error(0.079, 0.033, NAN, NAN),
    (32, 0.95, 0.0): Error(-0.027, 0.001, NAN, NAN),
    (32, 0.95, 0.5): Error(-0.011, 0.004, NAN, NAN),
    (32, 0.95, 4.0): Error(0.010, 0.005, NAN, NAN),
    (32, 0.95, 16.0): Error(0.046, 0.015, NAN, NAN),
    (32, 0.95, 40.0): Error(0.028, 0.028, NAN, NAN),
    (32, 0.98, 0.0): Error(-0.009, 0.002, NAN, NAN),
    (32, 0.98, 0.5): Error(-0.004, 0.002, NAN, NAN),
    (32, 0.98, 4.0): Error(0.015, 0.009, NAN, NAN),
    (32, 0.98, 16.0): Error(0.011, 0.011, NAN, NAN),
    (32, 0.98, 40.0): Error(0.023, 0.007, NAN, NAN),
    (128, 0.8, 0.0): Error(-0.381, 0.045, NAN, NAN),
    (128, 0.9, 0.0): Error(-0.153, 0.007, NAN, NAN),
    (128, 0.9, 0.5): Error(-0.056, 0.019, NAN, NAN),
    (128, 0.9, 4.0): Error(0.123, 0.048, NAN, NAN),
    (128, 0.95, 0.0): Error(-0.067, 0.005, NAN, NAN),
    (128, 0.95, 0.5): Error(-0.048, 0.008, NAN, NAN),
    (128, 0.95, 4.0): Error(0.070, 0.031, NAN, NAN),
    (128, 0.95, 16.0): Error(0.138, 0.059, NAN, NAN),
    (128, 0.98, 0.0): Error(-0.021, 0.002, NAN, NAN),
    (128, 0.98, 0.5): Error(-0.014, 0.006, NAN, NAN),
    (128, 0.98, 4.0): Error(0.009, 0.016, NAN, NAN),
    (128, 0.98, 16.0): Error(0.050, 0.017, NAN, NAN),
    (128, 0.98, 40.0): Error(0.052, 0.028, NAN, NAN),
    (512, 0.9, 0.0): Error(-0.362, 0.053, NAN, NAN),
    (512, 0.95, 0.0): Error(-0.105, 0.023, NAN, NAN),
    (512, 0.95, 0.5): Error(-0.077, 0.048, NAN, NAN),
    (512, 0.98, 0.0): Error(-0.046, 0.009, NAN, NAN),
    (512, 0.98, 0.5): Error(-0.018, 0.015, NAN, NAN),
    (512, 0.98, 4.0): Error(0.087, 0.048, NAN, NAN),
}
