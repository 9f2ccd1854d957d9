"""Simulation of an autoscaler whose replicas take time to start.

A load is in replicas' worth of work (erlangs); latency is that of M/G/c at each moment's load and
replicas.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import pandas as pd

from physics import constants as c
from physics.arguments import (
    MANY,
    Count,
    LimitedCount,
    NonNegative,
    Positive,
    Series,
    numbers,
    several,
    within_range,
)
from physics.autoscaling.fleet import cheapest_fleet, latencies, least_replicas
from physics.autoscaling.rules import (
    HPA,
    HPA_GROWTH,
    ROUNDING,
    Concurrency,
    Growth,
    Meter,
    Predictive,
    Threshold,
    round_up,
)
from physics.forecasting import HoltWinters

CONTROLLERS = {
    "threshold": Threshold,
    "hpa": HPA,
    "predictive": Predictive,
    "concurrency": Concurrency,
}


@within_range
def simulate_autoscaler(
    load: Series,
    controller: str | Threshold | HPA | Predictive | Concurrency = "hpa",
    *,
    start: LimitedCount | None = None,
    step: Positive = c.HPA_SYNC,
    cold_start: NonNegative = c.COLD_START,
    cool_down_up: NonNegative = 0.0,
    cool_down_down: NonNegative = 0.0,
    floor: Count = 1,
    ceiling: LimitedCount = 100,
    service_time: Positive = c.INFERENCE_TIME,
    service_scv: float = 1.0,
    latency_target: float = c.LATENCY_TARGET,
    price: NonNegative = c.REPLICA_PRICE,
    backlog: Literal["lost", "kept"] = "lost",
    growth: Growth | None = None,
    past=(),
    rng: np.random.Generator | None = None,
) -> pd.DataFrame:
    """Table of one autoscaler under one load, one row per step [s, replicas, USD].

    At the end of each step the controller sees the ready replicas' utilization and may change the
    request. New replicas are paid for at once; removing takes no time and takes those still
    starting first.

    Args:
        load: Offered load a = λ S in each step [replicas' worth of work].
        controller: Or "threshold", "hpa", "predictive", "concurrency" for one with its default
            settings.
        start: Replicas ready at time 0; by default the floor [1].
        step: Controllers look at the first end of a step at or after their `sync` [s].
        cold_start: From the order to the first request served, rounded up to whole steps [s].
        cool_down_up, cool_down_down: Time after any change before the next one up, or down [s].
        floor, ceiling: Least and most replicas that may be requested [1].
        service_time, service_scv: Mean S [s] and SCV [1] of one request's time on one replica.
        latency_target: What the mean response time shall not pass [s].
        price: Of a replica, starting or ready [USD per hour].
        backlog: Whether work beyond the capacity goes away at once ("lost"), or waits and is served
            later ("kept").
        growth: How far any controller's request may grow within a period, besides Kubernetes' own
            limit of an HPA that is `limited`; Growth(2, 0, 300) is a doubling every five minutes.
        past: Load of the steps before time 0, for forecasts from the load's own past.
        rng: For the forecast's error; by default one seeded with 0.

    Each row holds `time` at the beginning [s], `load` [1], `ready`, `starting` and their sum
    `requested` [1], `wanted` (the request from the next step on) [1], `utilization` (at most 1 at
    any load) [1], `latency` (mean response, of kept work too; infinite while the load is at least
    the capacity) [s], `slo_met`, `lost` (work turned away) and `backlog` (work waiting at the end)
    [s of one replica's time], `cost` [USD]; and of the cheapest fleet with the load known ahead:
    `needed` (least replicas that meet the target) and `cheapest` (replicas paid for) [1],
    `cheapest_cost` [USD].

    Source: `latencies`, the rules' own, and Amazon Web Services, "Scaling cooldowns for Amazon EC2
    Auto Scaling", 2025.

    >>> run = simulate_autoscaler([4] * 20, HPA(target=0.6), start=2, cold_start=60)
    >>> run["requested"].unique().tolist()
    [2, 4, 7]
    """
    by_name = CONTROLLERS.get(str(controller).lower())
    scaler = by_name() if by_name else controller
    if not isinstance(scaler, tuple(CONTROLLERS.values())):
        raise ValueError(f"controller must be one of {', '.join(CONTROLLERS)}, got {controller!r}")
    cold_steps = round_up(cold_start / step)
    if ceiling < floor:
        raise ValueError(f"ceiling must be at least the floor of {floor}, got {ceiling}")
    if start is None:
        start = floor
    if not math.isfinite(step * len(load) * max(start, ceiling, load.max())):
        raise OverflowError
    control = _Control(scaler, growth, floor, ceiling, cool_down_up, cool_down_down, step)
    forecasts = _forecasts(load, past, scaler, step, rng)
    keeps_backlog = backlog == "kept"
    frame = _run(load, forecasts, control, start, cold_steps, keeps_backlog, service_time)
    latency = latencies(frame["load"], frame["ready"], service_time, service_scv)
    latency = latency + frame.pop("before").to_numpy() / frame["ready"].to_numpy()
    needed = least_replicas(frame["load"], latency_target, service_time, service_scv)
    cheapest = cheapest_fleet(needed, cold_steps)
    hourly = price * step / c.HOUR
    return frame.assign(
        latency=latency,
        slo_met=latency <= latency_target,
        cost=frame["requested"] * hourly,
        needed=needed,
        cheapest=cheapest,
        cheapest_cost=cheapest * hourly,
    )


@within_range
def forecast_peaks(
    load: Series, controller: Predictive, *, past=()
) -> tuple[np.ndarray, np.ndarray]:
    """Highest load within the horizon at each step, as forecast and as it came [replicas].

    Both are from each step's end to the horizon; after the last step its load is held. `load` and
    `past` are as for `simulate_autoscaler`.

    >>> controller = Predictive(forecast="moving_average", horizon=15, refresh=15)
    >>> forecast, real = forecast_peaks([1, 2, 4, 4], controller)
    >>> # less than an hour of past: the last load is taken to stay
    >>> forecast.tolist(), real.tolist()
    ([1.0, 2.0, 4.0, 4.0], [4.0, 4.0, 4.0, 4.0])
    """
    perfect = replace(controller, forecast="perfect", error=0.0)
    step = float(c.HPA_SYNC)
    forecast = _forecasts(load, past, controller, step, None)
    actual = _forecasts(load, past, perfect, step, None)
    return forecast, actual


@dataclass
class _Control:
    """Rules that change the requested replicas, and what they remember of a run."""

    scaler: Any
    growth: Growth | None
    floor: int
    ceiling: int
    cool_down_up: float
    cool_down_down: float
    step: float
    last_change: float = -math.inf
    # replicas requested in each step so far [1]
    requests: list[int] = field(default_factory=list)
    # time [s] and replicas of each recommendation within the stabilization window
    recommendations: deque[tuple[float, int]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        """Collect the limits of growth, and prepare the first check and its measurements."""
        self.growths = [self.growth] if self.growth else []
        if getattr(self.scaler, "limited", False):
            self.growths.append(HPA_GROWTH)
        self.next_check = self.scaler.sync
        self.meter = None
        if isinstance(self.scaler, Concurrency):
            self.meter = Meter(self.scaler, self.step)

    def decide(self, ready: int, requested: int, usage: float, forecast: float) -> int:
        """Return the replicas to request after a step of this utilization and load ahead [1]."""
        if not self.requests:
            self.recommendations.append((0.0, requested))
        self.requests.append(requested)
        clock = len(self.requests) * self.step
        sync = self.scaler.sync
        if clock < self.next_check * (1 - ROUNDING):
            return requested
        # The next check lies on the controller's own grid, whatever the step, and not a period
        # after a late check.
        self.next_check = (math.floor(clock / sync * (1 + ROUNDING)) + 1) * sync
        if self.meter:
            advice = self.meter.recommend(ready, requested, clock)
        else:
            advice = self.scaler.recommend(ready, requested, usage, forecast)
        advice = self._bounded(self._stabilized(advice, requested, clock), requested)
        cool_down = self.cool_down_up if advice > requested else self.cool_down_down
        if clock - self.last_change < cool_down * (1 - ROUNDING):
            return requested
        if advice != requested:
            self.last_change = clock
        return advice

    def _stabilized(self, advice: int, requested: int, clock: float) -> int:
        """Advice to scale down as the highest of the window's, others as they are [1]."""
        recent = self.recommendations
        recent.append((clock, advice))
        window = getattr(self.scaler, "window", 0.0)
        while recent[0][0] < clock - window - ROUNDING * clock:
            recent.popleft()
        if advice < requested:
            return min(requested, max(replicas for _, replicas in recent))
        return advice

    def _bounded(self, advice: int, requested: int) -> int:
        """Advice within the floor, the ceiling, and the limits of growth [1]."""
        limit = self.ceiling
        if advice > requested:
            for growth in self.growths:
                limit = min(limit, self._growth_limit(growth))
        return min(max(advice, self.floor), max(self.floor, limit))

    def _growth_limit(self, growth: Growth) -> int:
        """Most replicas to which a request may grow now [1]."""
        requests = self.requests
        passed = math.floor(
            (len(requests) * self.step - growth.period) / self.step * (1 + ROUNDING)
        )
        before = requests[min(max(passed, 0), len(requests) - 1)]
        limit = max(before * growth.factor * (1 + ROUNDING), before + growth.added)
        return max(requests[-1], math.floor(limit))


def _run(
    loads: np.ndarray,
    forecasts: np.ndarray,
    control: _Control,
    start: int,
    cold_steps: int,
    keeps_backlog: bool,
    service_time: float,
) -> pd.DataFrame:
    """Table of the steps: each serves its load, then replicas are ordered, or removed."""
    step = control.step
    ready = start
    starting: deque[int] = deque()  # steps in which ordered replicas become ready
    waiting = 0.0
    rows = []
    # Plain floats are several times faster here than NumPy's.
    for k, (load, forecast) in enumerate(zip(loads.tolist(), forecasts.tolist(), strict=True)):
        # A replica that is ready at the beginning of a step serves all of it.
        while starting and starting[0] <= k:
            starting.popleft()
            ready += 1
        work = load * step + waiting
        capacity = ready * step
        excess = max(0.0, work - capacity)
        usage = min(work, capacity) / capacity
        before = waiting
        waiting = excess if keeps_backlog else 0.0
        requested = ready + len(starting)
        if control.meter:
            # the backlog grows or shrinks evenly within a step
            queued = (before + waiting) / 2 / service_time
            control.meter.see(usage * ready + queued if keeps_backlog else load)
        wanted = control.decide(ready, requested, usage, forecast)
        fleet = (ready, len(starting), requested, wanted)
        rows.append((k * step, load, *fleet, usage, excess - waiting, before, waiting))
        starting.extend([k + 1 + cold_steps] * (wanted - requested))
        # Replicas that do not serve yet are given up first, the last ordered before the others.
        for _ in range(requested - wanted):
            if starting:
                starting.pop()
            else:
                ready -= 1
    names = ("time", "load", "ready", "starting", "requested", "wanted", "utilization")
    return pd.DataFrame(rows, columns=[*names, "lost", "before", "backlog"])


def _forecasts(loads: np.ndarray, past, scaler, step: float, rng) -> np.ndarray:
    """Forecast the highest load from the end of each step to the horizon [replicas].

    After the last step its load is held.
    """
    past = numbers("past", several("past", past))
    if not isinstance(scaler, Predictive):
        return loads
    ahead = math.floor(min(scaler.horizon / step * (1 + ROUNDING), len(loads))) + 1
    issued = (np.arange(1, len(loads) + 1) * step // max(scaler.refresh, step)).astype(int)
    if scaler.forecast != "perfect":
        season, window = (
            max(1, round(min(time / step, MANY))) for time in (scaler.season, scaler.average)
        )
        rule = (scaler.forecast, season, window, tuple(scaler.weights))
        return _learned(loads.tobytes(), past.tobytes(), rule, ahead, issued.tobytes())
    extended = np.concatenate([loads[1:], np.full(ahead, loads[-1])])
    peaks = np.lib.stride_tricks.sliding_window_view(extended, ahead).max(axis=1)[: len(loads)]
    if scaler.error == 0:
        return peaks
    spread = math.sqrt(math.log1p(scaler.error**2))
    if rng is None:
        rng = np.random.default_rng(0)
    return peaks * rng.lognormal(-(spread**2) / 2, spread, issued[-1] + 1)[issued]


@lru_cache(maxsize=4)  # for another run with the same load, perhaps under another controller
def _learned(
    load_bytes: bytes, past_bytes: bytes, rule: tuple, ahead: int, issued_bytes: bytes
) -> np.ndarray:
    """Forecast the highest load ahead of each step from the load's own past [replicas].

    A forecast is made at the first step and at every refresh. The array is cached and read-only.
    """
    forecast, season, window, weights = rule
    loads = np.frombuffer(load_bytes)
    past = np.frombuffer(past_bytes)
    issued = np.frombuffer(issued_bytes, dtype=int)
    series = np.concatenate([past, loads]).tolist()
    model = None
    learned = 0
    peaks = np.empty(len(loads))
    for k in range(len(loads)):
        if k and issued[k] == issued[k - 1]:
            peaks[k] = peaks[k - 1]
            continue
        end = len(past) + k + 1  # of the series so far
        future: Sequence[float] | np.ndarray = [series[end - 1]]
        if forecast == "holt_winters" and end >= 2 * season:
            model = model or HoltWinters(series[: 2 * season], season, *weights)
            model.learn(*series[learned:end])
            learned = end
            future = model.ahead(ahead)
        elif forecast == "seasonal_naive" and end >= season:
            future = series[end - season : end][:ahead]
        elif forecast == "moving_average" and end >= window:
            future = [math.fsum(series[end - window : end]) / window]
        peaks[k] = max(0.0, *future)
        if not math.isfinite(peaks[k]):
            raise OverflowError
    peaks.flags.writeable = False
    return peaks
