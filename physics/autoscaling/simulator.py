"""Simulation of an autoscaler whose replicas take time to start.

A load is in replicas' worth of work (erlangs); latency is that of M/G/c at each moment's load and
replicas.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from typing import Literal

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
    named = CONTROLLERS.get(str(controller).lower())
    scaler = named() if named else controller
    if not isinstance(scaler, tuple(CONTROLLERS.values())):
        raise ValueError(f"controller must be one of {', '.join(CONTROLLERS)}, got {controller!r}")
    cold_steps = round_up(cold_start / step)
    if ceiling < floor:
        raise ValueError(f"ceiling must be at least the floor of {floor}, got {ceiling}")
    if start is None:
        start = floor
    if not math.isfinite(step * len(load) * max(start, ceiling, load.max())):
        raise OverflowError
    growths = [HPA_GROWTH] if getattr(scaler, "limited", False) else []
    if growth:
        growths.append(growth)
    forecasts = _forecasts(load, past, scaler, step, rng)
    rules = scaler, growths, (floor, ceiling), (cool_down_up, cool_down_down)
    frame = _run(load, forecasts, rules, start, step, cold_steps, backlog == "kept", service_time)
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


def _run(loads, forecasts, rules, start, step, cold_steps, keeps, service_time) -> pd.DataFrame:
    """Play the steps: serve, look, order, start, remove."""
    scaler, growths, (floor, ceiling), (cool_up, cool_down) = rules
    meter = Meter(scaler, step) if isinstance(scaler, Concurrency) else None
    window = getattr(scaler, "window", 0.0)
    ready = start
    starting: deque[int] = deque()
    waiting = 0.0
    # recommendations of the window, and the request in each step
    seen = deque([(0.0, start)])
    requests = []
    next_look = scaler.sync
    last_change = -math.inf
    rows = []
    forecasts = forecasts.tolist()  # plain floats are several times faster here than NumPy's
    for k, load in enumerate(loads.tolist()):
        # A replica that is ready at the beginning of a step serves all of it.
        while starting and starting[0] <= k:
            starting.popleft()
            ready += 1
        work = load * step + waiting
        capacity = ready * step
        excess = max(0.0, work - capacity)
        usage = min(work, capacity) / capacity
        before = waiting
        waiting = excess if keeps else 0.0
        requested = wanted = ready + len(starting)
        requests.append(requested)
        now = (k + 1) * step
        if meter:
            # the backlog grows or shrinks evenly within a step
            queued = (before + waiting) / 2 / service_time
            meter.see(usage * ready + queued if keeps else load)
        if now >= next_look * (1 - ROUNDING):
            # The next look lies on the controller's own grid, whatever the step, and not a period
            # after a late look.
            next_look = (math.floor(now / scaler.sync * (1 + ROUNDING)) + 1) * scaler.sync
            if meter:
                advice = meter.recommend(ready, requested, now)
            else:
                advice = scaler.recommend(ready, requested, usage, forecasts[k])
            seen.append((now, advice))
            while seen[0][0] < now - window - ROUNDING * now:
                seen.popleft()
            if advice < requested:
                advice = min(requested, max(seen, key=itemgetter(1))[1])
            most = ceiling
            for growth in growths if advice > requested else ():
                most = min(most, _most(requests, growth, step))
            advice = min(max(advice, floor), max(floor, most))
            if now - last_change >= (cool_up if advice > requested else cool_down) * (1 - ROUNDING):
                wanted = advice
        rows.append(
            (
                k * step,
                load,
                ready,
                len(starting),
                requested,
                wanted,
                usage,
                excess - waiting,
                before,
                waiting,
            )
        )
        if wanted != requested:
            last_change = now
        starting.extend([k + 1 + cold_steps] * (wanted - requested))
        # One that does not serve yet is given up first, the last ordered before the others.
        for _ in range(requested - wanted):
            if starting:
                starting.pop()
            else:
                ready -= 1
    names = ("time", "load", "ready", "starting", "requested", "wanted", "utilization")
    return pd.DataFrame(rows, columns=[*names, "lost", "before", "backlog"])


def _most(requests, growth, step) -> int:
    """Count the replicas to which a request may grow now, given those of all steps."""
    passed = math.floor((len(requests) * step - growth.period) / step * (1 + ROUNDING))
    before = requests[min(max(passed, 0), len(requests) - 1)]
    most = max(before * growth.factor * (1 + ROUNDING), before + growth.added)
    return max(requests[-1], math.floor(most))


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


@lru_cache(maxsize=4)  # what a run goes by is often asked for once more, or by another controller
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
    begin = len(past)
    model = None
    learned = 0
    peaks = np.empty(len(loads))
    for k in range(len(loads)):
        if k and issued[k] == issued[k - 1]:
            peaks[k] = peaks[k - 1]
            continue
        seen = begin + k + 1
        ahead_of_it: Sequence[float] | np.ndarray = [series[seen - 1]]
        if forecast == "holt_winters" and seen >= 2 * season:
            model = model or HoltWinters(series[: 2 * season], season, *weights)
            model.learn(*series[learned:seen])
            learned = seen
            ahead_of_it = model.ahead(ahead)
        elif forecast == "seasonal_naive" and seen >= season:
            ahead_of_it = series[seen - season : seen][:ahead]
        elif forecast == "moving_average" and seen >= window:
            ahead_of_it = [math.fsum(series[seen - window : seen]) / window]
        peaks[k] = max(0.0, *ahead_of_it)
        if not math.isfinite(peaks[k]):
            raise OverflowError
    peaks.flags.writeable = False
    return peaks
