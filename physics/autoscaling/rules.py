"""Policies of autoscalers: thresholds, Kubernetes' target, Knative's, and a forecast."""

import math
from collections import deque
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from physics import constants as c
from physics.arguments import (
    MANY,
    Count,
    Flag,
    FromOne,
    LimitedWhole,
    NonNegative,
    Positive,
    PositiveShare,
    Share,
    Whole,
    elementwise,
    finite,
    fraction,
    several,
    within_range,
)

#: Relative rounding noise that no rule may mistake for load: 10 * 0.7 / 0.1 is not 71 replicas.
ROUNDING = 1e-12


@elementwise
def desired_replicas(
    ready: Whole, metric: NonNegative, target: Positive, tolerance: NonNegative = c.HPA_TOLERANCE
) -> int:
    """Replicas that Kubernetes' Horizontal Pod Autoscaler (HPA) requests [1].

    The request before any minimum or maximum is applied: n, `ready`, when |metric ÷ target − 1| ≤
    tolerance, else n · metric ÷ target rounded up; the metric is what the ready replicas show on
    average, in the unit of the target. No replica at all measures nothing: the answer is 0. A
    metric that cannot pass 100% hides the load of saturated replicas: the rule then asks for at
    most n ÷ target.

    Source: The Kubernetes Authors, "Horizontal Pod Autoscaling", section "Algorithm details",
    kubernetes.io, 2025.

    >>> desired_replicas(ready=2, metric=1.0, target=0.6)
    4
    """
    finite("ready * metric / target", max(ready, 1) * metric / target)
    return _desired(ready, metric, target, tolerance)


@elementwise
def scale_up_limit(replicas: Whole) -> int:
    """Most replicas that Kubernetes requests by default 15 s after n of them, max(2 n, n + 4) [1].

    Source: The Kubernetes Authors, "Horizontal Pod Autoscaling", section "Default behavior",
    kubernetes.io, 2025.

    >>> [scale_up_limit(replicas) for replicas in (1, 2, 4, 10)]
    [5, 6, 8, 20]
    """
    return max(replicas * int(c.HPA_GROWTH_FACTOR), replicas + int(c.HPA_GROWTH_PODS))


@within_range
def flapping_loads(
    upper: PositiveShare, lower: Share, replicas: Count
) -> tuple[float, float] | None:
    """Open interval of steady loads [replicas] at which ±1 scaling oscillates forever, or None.

    (upper · n, lower · (n + 1)), with `replicas` n in the smaller of the two fleets; empty where
    lower ≤ upper · n ÷ (n + 1): a gap between the thresholds ends the oscillation, a delay does
    not. With upper = 1 nothing is ever added; with lower above upper the interval ends at upper ·
    (n + 1).

    Source: Hand derivation; the condition is that of a relay with hysteresis whose own action moves
    its input (Åström and Murray, Feedback Systems, 2008, section 2.3).

    >>> flapping_loads(upper=0.8, lower=0.5, replicas=1)
    (0.8, 1.0)
    """
    ends = upper * replicas, min(lower, upper) * (replicas + 1)
    if upper < 1 - 2 * ROUNDING and ends[1] > ends[0] * (1 + ROUNDING):
        return ends
    return None


@within_range
@dataclass(frozen=True)
class Growth:
    """Limit on how much a request may grow within a period.

    It may grow to `factor` times as many replicas or by `added` ones, whichever is more.
    """

    factor: FromOne  #: largest ratio to the replicas at the period's start [1]
    added: LimitedWhole  #: replicas that may be added even if that is more [1]
    period: Positive  #: time over which growth is counted [s]


#: Kubernetes' own default.
HPA_GROWTH = Growth(c.HPA_GROWTH_FACTOR, int(c.HPA_GROWTH_PODS), c.HPA_GROWTH_PERIOD)


@within_range
@dataclass(frozen=True)
class Threshold:
    """Policy that adds a replica above one utilization and removes one below another.

    It changes nothing while replicas are starting.
    """

    upper: PositiveShare = c.SCALE_UP_ABOVE  #: utilization above which a replica is added [1]
    lower: Share = c.SCALE_DOWN_BELOW  #: utilization below which a replica is removed [1]
    sync: Positive = c.HPA_SYNC  #: time between two looks [s]

    def recommend(self, ready: int, requested: int, usage: float, forecast: float) -> int:
        """Return the desired number of replicas: one more, one fewer, or as many as now [1].

        While replicas are starting, it is the number already requested.
        """
        if requested > ready:
            return requested
        if usage > self.upper * (1 + ROUNDING):
            return requested + 1
        if usage < self.lower * (1 - ROUNDING):
            return requested - 1
        return requested


@within_range
@dataclass(frozen=True)
class HPA:
    """Policy that keeps the replicas' mean utilization at a target, as Kubernetes does.

    It scales down only after a window.

    While replicas are starting and those that are ready are at or above the target, the request is
    never lowered. Of the recommendations of the last `window` seconds the highest counts against
    scaling down. Not modeled: missing metrics; pods that fail.
    """

    target: PositiveShare = c.HPA_TARGET  #: utilization to hold [1]
    #: relative distance from the target that is let be [1]
    tolerance: NonNegative = c.HPA_TOLERANCE
    sync: Positive = c.HPA_SYNC  #: time between two looks [s]
    window: NonNegative = c.HPA_WINDOW  #: scale-down stabilization window [s]
    #: the count that is multiplied; "requested" overshoots
    multiply: Literal["ready", "requested"] = "ready"
    limited: Flag = False  #: whether growth is held to a doubling or four more replicas in 15 s

    def recommend(self, ready: int, requested: int, usage: float, forecast: float) -> int:
        """Return the desired replicas before the window, the minimum, and the maximum apply [1]."""
        if self.multiply == "requested":
            return _desired(requested, usage, self.target, self.tolerance)
        if requested > ready and usage >= self.target * (1 - self.tolerance - ROUNDING):
            shared = usage * ready / requested  # as Kubernetes: those still starting count as idle
            return max(requested, _desired(requested, shared, self.target, self.tolerance))
        return _desired(ready, usage, self.target, self.tolerance)


@within_range
@dataclass(frozen=True)
class Concurrency:
    """Policy that keeps the requests in flight per replica at a target, as Knative does.

    The mean of requests in flight over the stable window ÷ target, rounded up, is wanted. If the
    same over the panic window asks for `threshold` times the ready replicas, it panics: the higher
    of both is wanted and the request is never lowered, until that has not been so for a stable
    window. The defaults are Knative's. Not modeled: its limits of the rate of change and the
    activator.

    Source: The Knative Authors, "About autoscaling" and "Configuring concurrency", knative.dev,
    2025.
    """

    target: Positive = 0.7  #: requests in flight a replica [1]
    stable: Positive = c.MINUTE  #: window of the mean [s]
    panic_share: PositiveShare = 0.1  #: length of the panic window ÷ that of the stable one [1]
    threshold: FromOne = 2.0  #: replicas wanted ÷ ready from which it panics [1]
    sync: Positive = 2.0  #: time between two looks [s]


class Meter:
    """State of Knative's autoscaler: recent requests in flight, and the start of its panic [s]."""

    def __init__(self, rule: Concurrency, step: float) -> None:
        self.rule = rule
        self.panicked: float | None = None
        stable, panic = (
            max(1, math.floor(min(window / step * (1 + ROUNDING), MANY)))
            for window in (rule.stable, rule.stable * rule.panic_share)
        )
        self.stable_steps = stable
        self.panic_steps = panic
        self.in_flight: deque[float] = deque(maxlen=stable)  #: the latest step first

    def see(self, in_flight: float) -> None:
        """Record the mean number of requests in flight during one step."""
        self.in_flight.appendleft(in_flight)

    def replicas(self, steps: int) -> int:
        """Replicas that hold the target for the mean of the latest steps [1]."""
        latest = list(islice(self.in_flight, steps))
        return round_up(math.fsum(latest) / len(latest) / self.rule.target)

    def recommend(self, ready: int, requested: int, time: float) -> int:
        """Return the number of replicas that Knative's autoscaler requests [1]."""
        stable = self.replicas(self.stable_steps)
        panic = self.replicas(self.panic_steps)
        if panic >= self.rule.threshold * max(ready, 1):
            self.panicked = time
        elif self.panicked is not None and time - self.panicked > self.rule.stable * (1 + ROUNDING):
            self.panicked = None
        if self.panicked is None:
            return stable
        return max(requested, stable, panic)


@within_range
@dataclass(frozen=True)
class Predictive:
    """Policy that requests replicas for the highest load forecast within the horizon.

    The replicas are as few as keep that load at or below the `target` utilization. A perfect
    forecast is the true load ahead times a lognormal factor of mean 1, drawn anew every `refresh`
    seconds. Others come from the load's own past (`physics.forecasting`); until there is enough of
    it, the last load is taken to stay.
    """

    target: PositiveShare = c.HPA_TARGET  #: utilization to plan for [1]
    horizon: NonNegative = c.FORECAST_HORIZON  #: how far ahead the load is known [s]
    error: NonNegative = 0.0  #: standard deviation of forecast ÷ true load [1]
    refresh: Positive = c.FORECAST_REFRESH  #: time between two forecasts [s]
    sync: Positive = c.HPA_SYNC  #: time between two looks [s]
    #: what it goes by
    forecast: Literal["perfect", "holt_winters", "seasonal_naive", "moving_average"] = "perfect"
    season: Positive = c.DAY  #: after which the load is taken to repeat [s]
    average: Positive = c.HOUR  #: window of the moving average [s]
    #: of the newest value in level, trend and season [1]
    weights: tuple[float, float, float] = (0.1, 0.0, 0.3)

    def __post_init__(self) -> None:
        """Refuse weights that are not three shares."""
        if len(several("weights", self.weights)) != 3:
            raise ValueError(
                f"weights must be three, of level, trend and season, got {self.weights!r}"
            )
        for weight in self.weights:
            fraction("weights", weight)

    def recommend(self, ready: int, requested: int, usage: float, forecast: float) -> int:
        """Return the fewest replicas that keep the forecast load within the target utilization."""
        return round_up(forecast / self.target)


def _desired(ready: int, metric: float, target: float, tolerance: float) -> int:
    """Apply the HPA's rule to values that were checked before."""
    if abs(metric / target - 1) <= tolerance + ROUNDING:
        return ready
    return round_up(ready * metric / target)


def round_up(number: float) -> int:
    """Round up to a whole number, ignoring rounding noise."""
    nearest = round(number)
    if abs(number - nearest) <= ROUNDING * number:
        return nearest
    return math.ceil(number)
