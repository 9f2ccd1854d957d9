"""Load profiles in replicas' worth of work: steady, step, burst, day."""

import math

import numpy as np

from physics import constants as c
from physics.numerics import checks

__all__ = ["daily_load", "steady_load", "step_load"]


def steady_load(level: float, duration: float, step: float = c.HPA_SYNC) -> np.ndarray:
    """A load that does not change [replicas' worth of work], one value a step of `step` seconds.

    >>> steady_load(0.9, duration=45)
    array([0.9, 0.9, 0.9])
    """
    return np.full(len(_times(duration, step)), checks.non_negative("level", level))


def step_load(before: float, after: float, at: float, duration: float, step: float = c.HPA_SYNC) -> np.ndarray:
    """A load that changes once, at the time `at` [s], and stays.

    >>> step_load(2, 4, at=30, duration=60)
    array([2., 2., 4., 4.])
    """
    before, after = checks.non_negative("before", before), checks.non_negative("after", after)
    return np.where(_times(duration, step) < checks.non_negative("at", at), before, after)


def daily_load(low: float, high: float, duration: float = c.DAY, step: float = c.HPA_SYNC) -> np.ndarray:
    """A sine between its lowest value, at the beginning of each day, and its highest, 12 hours later.

    >>> daily_load(2, 10, duration=86400, step=21600)
    array([ 2.,  6., 10.,  6.])
    """
    low, high = checks.non_negative("low", low), checks.non_negative("high", high)
    return low + (high - low) * np.sin(math.pi * _times(duration, step) / c.DAY) ** 2


def _times(duration: float, step: float) -> np.ndarray:
    """Beginnings of the whole steps of a duration [s], one at least."""
    duration, step = checks.positive("duration", duration), checks.positive("step", step)
    steps = duration / step
    if steps > checks.MANY:
        raise ValueError(f"duration must be at most {checks.MANY:,} steps, got {steps:g}")
    return np.arange(max(1, round(steps))) * step
