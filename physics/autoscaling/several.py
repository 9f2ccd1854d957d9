"""Thresholds on several metrics at once, with steps that grow and waits that back off."""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physics import constants as c
from physics.arguments import (
    FromOne,
    LimitedCount,
    NonNegative,
    Positive,
    PositiveShare,
    Share,
    numbers,
    several,
    within_range,
)
from physics.autoscaling.rules import ROUNDING, round_up


@within_range
def simulate_metrics(
    loads: Sequence,
    upper: PositiveShare = c.SCALE_UP_ABOVE,
    lower: Share = c.SCALE_DOWN_BELOW,
    *,
    start: LimitedCount = 1,
    step: Positive = c.HPA_SYNC,
    cold_start: NonNegative = c.COLD_START,
    cool_down_down: NonNegative = c.COOL_DOWN_DOWN,
    step_factor: FromOne = 1.0,
    wait_factor: FromOne = 1.0,
    ceiling: LimitedCount = int(c.AUTOSCALE_CEILING),
) -> pd.DataFrame:
    """Table of an autoscaler that uses several metrics, one row per step [s, replicas].

    At the end of each step it adds replicas if any metric is above the upper threshold, and removes
    some if all are below the lower one. It waits while ordered replicas start. With one metric and
    both factors 1 it is `simulate_autoscaler` with `Threshold`.

    Args:
        loads: One series of loads for each metric [replicas' worth], all of one length.
        upper: Utilization of any metric above which replicas are added [1].
        lower: Utilization of all metrics below which replicas are removed [1].
        start: Replicas ready at time 0 [1].
        step: Time between two checks [s].
        cold_start: From the order to the first request served, rounded up to whole steps [s].
        cool_down_down: Time after any change before the next removal [s].
        step_factor: Size of a step ÷ the one before in the same direction; the first is one
            replica, and so is the first after a turn. Steps are rounded down [1].
        wait_factor: Each order after a removal makes the cool-down this many times as long [1].
        ceiling: Most replicas that may be requested; the least is one [1].

    Each row holds `time` at the beginning [s]; `load`, the largest of all metrics'; `ready`,
    `requested` and `wanted` (the request from the next step on) [1]; and `utilization_0`,
    `utilization_1`, …, at most 1, of each metric.

    Source: Amazon Web Services, "Target tracking scaling policies", 2025: out if any metric is
    high, in only if all are low. The factors are binary exponential back-off (Metcalfe and Boggs,
    "Ethernet", 1976), applied to steps and to waits.

    >>> two = simulate_metrics([[0.9] * 40, [1.1] * 40])  # the second metric is 55% at two replicas
    >>> sorted(set(two["ready"])), int(two["ready"].iloc[-1])
    ([1, 2], 2)
    """
    series = [numbers("loads", several("loads", load)) for load in several("loads", loads)]
    if not series or not all(len(load) == len(series[0]) > 0 for load in series):
        raise ValueError("loads must be series of one length, at least one of at least one step")
    if start > ceiling:
        raise ValueError(f"start must be at most the ceiling of {ceiling}, got {start}")
    cold_steps = round_up(cold_start / step)
    pace = _Pace(step_factor, wait_factor, cool_down_down)
    ready = start
    starting: deque[int] = deque()
    last_change = -math.inf
    rows = []
    for number, values in enumerate(zip(*(load.tolist() for load in series), strict=True)):
        while starting and starting[0] <= number:
            starting.popleft()
            ready += 1
        usages = [min(1.0, value / ready) for value in values]
        requested = ready + len(starting)
        time = (number + 1) * step
        wanted = requested
        if not starting:
            if max(usages) > upper * (1 + ROUNDING):
                wanted = min(ceiling, requested + pace.next_step(1))
            elif (
                max(usages) < lower * (1 - ROUNDING)
                and requested > 1
                and time - last_change >= pace.wait * (1 - ROUNDING)
            ):
                wanted = max(1, requested - pace.next_step(-1))
        rows.append((number * step, max(values), ready, requested, wanted, *usages))
        if wanted != requested:
            last_change = time
        starting.extend([number + 1 + cold_steps] * (wanted - requested))
        ready -= max(0, requested - wanted)
    names = [f"utilization_{number}" for number in range(len(series))]
    return pd.DataFrame(rows, columns=["time", "load", "ready", "requested", "wanted", *names])


@within_range
def metrics_oscillate(
    loads: Sequence, upper: PositiveShare, lower: Share, replicas: LimitedCount
) -> bool:
    """Whether steady loads of several metrics make a fleet alternate forever.

    The fleet alternates between n, `replicas`, and n + 1. True if with n replicas any metric is
    above the upper threshold, and with n + 1 all are below the lower one: max a > upper · n and max
    a < lower · (n + 1), so the metric with the largest load a decides. It holds for no loads at all
    if lower ≤ upper · n ÷ (n + 1).

    Source: Hand derivation, as for `flapping_loads`.

    >>> metrics_oscillate([0.9, 0.3], 0.8, 0.5, 1), metrics_oscillate([0.9, 1.1], 0.8, 0.5, 1)
    (True, False)
    """
    largest = float(np.max(numbers("loads", several("loads", loads))))
    too_busy = min(1.0, largest / replicas) > upper * (1 + ROUNDING)
    too_idle = largest / (replicas + 1) < lower * (1 - ROUNDING)
    return bool(too_busy and too_idle)


@dataclass
class _Pace:
    """How large the next step is and how long the next removal has to wait."""

    step_factor: float
    wait_factor: float
    wait: float  # [s]
    direction: int = 0
    size: float = 1.0  # of a step [replicas]

    def next_step(self, direction: int) -> int:
        """Return the size of the step made now, up (1) or down (-1) [replicas]."""
        if direction == self.direction:
            self.size = min(self.size * self.step_factor, 1e9)
        else:
            self.size = 1.0
            if (self.direction, direction) == (-1, 1):
                self.wait = min(self.wait * self.wait_factor, 1e300)
        self.direction = direction
        return math.floor(self.size * (1 + ROUNDING))
