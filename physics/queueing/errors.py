"""Errors of Allen–Cunneen and of the exponential tail against simulations with gamma service times.

The numbers are in `errors.csv`, which `python -m benchmarks.queueing` prints anew in fifteen
minutes of a free core. A point is left out where too few jobs wait to measure by, and a number
where its standard error would be too large. At SCV 1 both are exact; for one server the mean is,
too, and the P99 is known without a simulation.
"""

import csv
import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Literal, NamedTuple

from physics.arguments import Count, NonNegative, within_range

SERVERS = (1, 2, 4, 8, 16, 32, 128, 512)
LOADS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
SCVS = (0.0, 0.5, 4.0, 16.0, 40.0)
#: Below this chance to wait too few jobs wait, and a number with a larger standard error is no
#: measurement [1].
LEAST_CHANCE = 0.009
MOST_OFF = 0.06


class Error(NamedTuple):
    """Relative errors at one point (formula ÷ simulation − 1), each with its standard error.

    The result is NaN if unknown.
    """

    mean: float  #: of the mean wait [1]
    mean_off: float
    p99: float  #: of the wait that 99 of 100 jobs do not exceed [1]
    p99_off: float


class Around(NamedTuple):
    """Range of the errors measured at the points that surround a setting."""

    low: float  #: least error, two standard errors included [1]
    high: float  #: greatest error, likewise [1]


@within_range
def measured_around(
    servers: Count,
    utilization: NonNegative,
    scv: NonNegative,
    which: Literal["mean", "p99"] = "mean",
) -> Around | None:
    """Range of relative errors measured around a setting [1].

    None if a surrounding point was not measured.

    Args:
        servers, utilization, scv: c, ρ, and the squared coefficient of variation of service times
            [1].
        which: "mean" or "p99"; error of Allen–Cunneen's mean wait, or of the P99 with an
            exponential tail.

    >>> error = measured_around(4, 0.95, 4.0)
    >>> error.low > 0, error.high < 0.02  # one or two percent high
    (True, True)
    """
    by_servers = _sides(SERVERS, servers)
    by_load = _sides(LOADS, utilization)
    by_scv = _sides(sorted({*SCVS, 1.0}), scv)
    if by_servers is None or by_load is None or by_scv is None:
        return None
    low = math.inf
    high = -math.inf
    for point in product(by_servers, by_load, by_scv):
        error, off = _error(point, which)
        if math.isnan(error):
            return None
        low = min(low, error - 2 * off)
        high = max(high, error + 2 * off)
    return Around(low, high)


def _sides(grid: Sequence[float], value: float) -> tuple[float, float] | None:
    """Grid points on both sides of a value; the value twice if it is one (to rounding)."""
    value = next((point for point in grid if math.isclose(point, value, rel_tol=1e-9)), value)
    index = bisect_right(grid, value)
    if not grid[0] <= value <= grid[-1]:
        return None
    below = grid[index - 1]
    if below == value:
        return below, value
    return below, grid[index]


def _error(point: tuple[float, float, float], which: str) -> tuple[float, float]:
    """Relative error at a point and its standard error; NaN where it was not measured."""
    if point[2] == 1 or (point[0] == 1 and which == "mean"):
        return 0.0, 0.0
    error = MEASURED.get(point, (math.nan,) * 4)
    if which == "mean":
        return error[:2]
    return error[2:]


_TEXT = Path(__file__).with_suffix(".csv").read_text(encoding="utf-8")
_, *_ROWS = csv.reader(_TEXT.splitlines())
#: By servers, utilization and SCV.
MEASURED: dict[tuple[float, float, float], Error] = {}
for _servers, _load, _scv, *_errors in _ROWS:
    _values = [float(text or "nan") for text in _errors]
    MEASURED[int(_servers), float(_load), float(_scv)] = Error(*_values)
