"""Load profiles in replicas' worth of work: step, day."""

import math

import numpy as np

from physics import constants as c
from physics.arguments import MANY, NonNegative, positive, within_range


@within_range
def step_load(
    before: NonNegative, after: NonNegative, at: NonNegative, duration: float, step: float = c.HPA_SYNC
) -> np.ndarray:
    """A load that changes once, at the time `at` [s], and stays [replicas' worth of work], one value a step.

    >>> step_load(2, 4, at=30, duration=60)
    array([2., 2., 4., 4.])
    """
    return np.where(_times(duration, step) < at, before, after)


@within_range
def daily_load(low: NonNegative, high: NonNegative, step: float = c.HPA_SYNC) -> np.ndarray:
    """A day's sine between its lowest value, at the beginning, and its highest, 12 hours later.

    >>> daily_load(2, 10, step=21600)
    array([ 2.,  6., 10.,  6.])
    """
    return low + (high - low) * np.sin(math.pi * _times(c.DAY, step) / c.DAY) ** 2


def _times(duration: float, step: float) -> np.ndarray:
    """Beginnings of the whole steps of a duration [s], one at least."""
    steps = positive("duration", duration) / positive("step", step)
    if steps > MANY:
        raise ValueError(f"duration must be at most {MANY:,} steps, got {steps:g}")
    return np.arange(max(1, round(steps))) * step
