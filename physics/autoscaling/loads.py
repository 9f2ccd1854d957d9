"""Load profiles in replicas' worth of work: step, day."""

import math

import numpy as np

from physics import constants as c
from physics.numerics import checks


def step_load(before: float, after: float, at: float, duration: float, step: float = c.HPA_SYNC) -> np.ndarray:
    """A load that changes once, at the time `at` [s], and stays [replicas' worth of work], one value a step.

    >>> step_load(2, 4, at=30, duration=60)
    array([2., 2., 4., 4.])
    """
    before, after = checks.non_negative("before", before), checks.non_negative("after", after)
    return np.where(_times(duration, step) < checks.non_negative("at", at), before, after)


def daily_load(low: float, high: float, step: float = c.HPA_SYNC) -> np.ndarray:
    """A day's sine between its lowest value, at the beginning, and its highest, 12 hours later.

    >>> daily_load(2, 10, step=21600)
    array([ 2.,  6., 10.,  6.])
    """
    low, high = checks.non_negative("low", low), checks.non_negative("high", high)
    return low + (high - low) * np.sin(math.pi * _times(c.DAY, step) / c.DAY) ** 2


def _times(duration: float, step: float) -> np.ndarray:
    """Beginnings of the whole steps of a duration [s], one at least."""
    steps = checks.positive("duration", duration) / checks.positive("step", step)
    if steps > checks.MANY:
        raise ValueError(f"duration must be at most {checks.MANY:,} steps, got {steps:g}")
    return np.arange(max(1, round(steps))) * step
