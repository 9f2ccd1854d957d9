"""Autoscaling: a rule that orders replicas, the load they carry, and the run that comes of it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import ClassVar

import numpy as np
import pandas as pd

from physics import constants as k
from physics.autoscaling import HPA, Concurrency, Growth, Predictive, Threshold, flapping_loads, simulate_autoscaler
from physics.autoscaling.fleet import AutoscalerSummary, missed_requests, summarize_run
from physics.autoscaling.loads import burst_load, daily_load, steady_load, step_load
from physics.autoscaling.rules import ROUNDING, round_up
from physics.autoscaling.simulator import forecast_peaks
from physics.forecasting import mape, rmse
from ui.base import format as f
from ui.knobs import MORE, Group, choice, knob, toggle

CONTROLLERS = {
    "threshold": "±1 at thresholds",
    "hpa": "Kubernetes HPA",
    "predictive": "Forecast",
    "concurrency": "Requests in flight",
}
SHAPES = {
    "steady": "Steady",
    "step": "One step up",
    "burst": "A burst",
    "day": "A day and a night",
    "surprise": "A day that comes early",
}
FORECASTS = {
    "perfect": "the truth, with an error",
    "holt_winters": "Holt–Winters",
    "seasonal_naive": "as yesterday (seasonal naive)",
    "moving_average": "mean of the last hour",
}
GROWTHS = {"free": "as the controller asks", "double": "a doubling", "ten": "ten more"}
MULTIPLY = {"ready": "ready replicas", "requested": "requested replicas"}
#: Length of each scenario [s].
LENGTHS = {"steady": 30 * k.MINUTE, "step": 15 * k.MINUTE, "burst": k.HOUR, "day": k.DAY, "surprise": k.DAY}
#: The controllers that a knob acts on, where these are not all.
ACTS_ON = {
    "upper": ("threshold",),
    "lower": ("threshold",),
    "target": ("hpa", "predictive"),
    "horizon": ("predictive",),
    "forecast": ("predictive",),
    "in_flight": ("concurrency",),
    "stable": ("concurrency",),
    "panic_share": ("concurrency",),
    "panic": ("concurrency",),
    "multiply": ("hpa",),
    "tolerance": ("hpa",),
    "window": ("hpa",),
    "error": ("predictive",),
}
OFF = Group("Settings with no effect now", ":material/block:", name="knobs_without_effect_now")
PAID = Group("What is paid", ":material/payments:")

replicas = partial(f.count, singular="replica")


def _place(
    name: str, otherwise: Group | None = None, unless: Callable[[Mapping[str, object]], bool] = lambda before: False
) -> Callable[[Mapping[str, object]], Group | None]:
    """A knob that the chosen controller ignores is in a fold below."""
    return lambda before: OFF if before["controller"] not in ACTS_ON[name] or unless(before) else otherwise


def _crowded(before: Mapping[str, object]) -> bool:
    """Whether a forecast's knobs and two loads are more than seven in sight."""
    return before["load"] != "steady" and before.get("forecast", "moving_average") != "moving_average"


@dataclass(frozen=True)
class Fleet:
    """An autoscaler, the load it follows and the replicas it orders; all SI."""

    page: ClassVar[str] = "autoscaling"

    controller: str = choice(CONTROLLERS)
    load: str = choice(SHAPES)
    target: float = knob(k.HPA_TARGET, unit=0.01, group=_place("target"))
    upper: float = knob(k.SCALE_UP_ABOVE, unit=0.01, group=_place("upper"))
    lower: float = knob(k.SCALE_DOWN_BELOW, unit=0.01, group=_place("lower"))
    in_flight: float = knob(k.IN_FLIGHT_TARGET, group=_place("in_flight"))
    stable: float = knob(k.STABLE_WINDOW, group=_place("stable"))
    forecast: str = choice(FORECASTS, group=_place("forecast"))
    horizon: float = knob(
        k.FORECAST_HORIZON, group=_place("horizon", unless=lambda before: before.get("forecast") == "moving_average")
    )
    base: float = knob(k.AUTOSCALE_BASE, group=lambda before: MORE if _crowded(before) else None)
    peak: float = knob(k.AUTOSCALE_PEAK, group=lambda before: OFF if before["load"] == "steady" else None)
    cold_start: float = knob(k.COLD_START)
    start: int = knob(k.AUTOSCALE_START, group=MORE, spoken=replicas)
    floor: int = knob(k.AUTOSCALE_FLOOR, group=MORE, spoken=replicas)
    ceiling: int = knob(k.AUTOSCALE_CEILING, low="floor", group=MORE, spoken=replicas)
    multiply: str = choice(MULTIPLY, group=_place("multiply", MORE))
    tolerance: float = knob(k.HPA_TOLERANCE, unit=0.01, group=_place("tolerance", MORE))
    window: float = knob(k.HPA_WINDOW, group=_place("window", MORE))
    error: float = knob(
        k.FORECAST_ERROR,
        unit=0.01,
        group=_place("error", MORE, lambda before: before.get("forecast", "perfect") != "perfect"),
    )
    panic_share: float = knob(k.PANIC_SHARE, unit=0.01, group=_place("panic_share", MORE))
    panic: float = knob(k.PANIC_THRESHOLD, unit=0.01, group=_place("panic", MORE))
    growth: str = choice(GROWTHS, group=MORE)
    growth_period: float = knob(k.GROWTH_PERIOD, group=MORE)
    beside: str = choice({"none": "nothing"} | CONTROLLERS, group=MORE)
    cool_down_up: float = knob(k.COOL_DOWN_UP, group=MORE)
    cool_down_down: float = knob(k.COOL_DOWN_DOWN, group=MORE)
    kept: bool = toggle(group=MORE)
    latency_target: float = knob(k.LATENCY_TARGET, group=MORE)
    service_time: float = knob(k.INFERENCE_TIME, group=MORE)
    scv: float = knob(k.AUTOSCALE_SCV, group=MORE)
    price: float = knob(k.REPLICA_PRICE, group=PAID)
    miss_price: float = knob(k.MISS_PRICE, unit=0.001, group=PAID)
    price_ratio: float = knob(k.RESERVE_RATIO, unit=0.01, group=PAID)
    reserved: float = knob(k.RESERVED, group=PAID)

    def idle(self) -> dict[str, str]:
        """The knobs without effect at the moment, and why."""
        found = {name: "with this controller" for name, on in ACTS_ON.items() if self.controller not in on}
        if self.controller == "predictive" and self.forecast != "perfect":
            found["error"] = "the forecast makes its own"
        if self.controller == "predictive" and self.forecast == "moving_average":
            found["horizon"] = "a mean of the past is flat"
        if self.growth == "free":
            found["growth_period"] = "growth has no limit of yours"
        if self.beside == self.controller:
            found["beside"] = "it is this controller"
        return found | ({"peak": "the load is steady"} if self.load == "steady" else {})

    @property
    def loads(self) -> np.ndarray:
        """The load of each look; a day changes once a minute."""
        length, base, peak = LENGTHS[self.load], self.base, self.peak
        if self.load == "step":
            return step_load(base, peak, at=k.HPA_SYNC, duration=length)
        if self.load == "burst":
            return burst_load(base, peak, at=10 * k.MINUTE, length=20 * k.MINUTE, duration=length)
        if self.daily:
            day = np.repeat(daily_load(base, peak, length, step=k.MINUTE), int(k.MINUTE / k.HPA_SYNC))
            return day if self.load == "day" else np.roll(day, -int(k.SURPRISE_SHIFT / k.HPA_SYNC))
        return steady_load(base, length)

    @property
    def load_words(self) -> str:
        """The load in words."""
        return SHAPES[self.load]

    @property
    def past(self) -> np.ndarray:
        """The load of the two days before time 0: usual days that grow, or the lowest load all the time."""
        if not self.daily:
            return np.full(int(2 * k.DAY / k.HPA_SYNC), self.base)
        usual = replace(self, load="day").loads
        return np.concatenate([(1 - ago * k.DAILY_GROWTH) * usual for ago in (2, 1)])

    @property
    def daily(self) -> bool:
        """Whether the load is that of a day."""
        return LENGTHS[self.load] == k.DAY

    @property
    def rule(self) -> Threshold | HPA | Predictive | Concurrency:
        """The controller that is turned on."""
        if self.controller == "concurrency":
            return Concurrency(self.in_flight, self.stable, self.panic_share, self.panic, sync=k.HPA_SYNC)
        if self.controller == "hpa":
            return HPA(self.target, self.tolerance, window=self.window, multiply=self.multiply, limited=True)
        if self.controller == "predictive":
            return Predictive(self.target, self.horizon, self.error, forecast=self.forecast)
        return Threshold(self.upper, self.lower)

    @property
    def limit(self) -> Growth | None:
        """How far a request may grow within the growth period, beside the HPA's own limit."""
        if self.growth == "free":
            return None
        factor, added = (k.GROWTH_FACTOR, 0) if self.growth == "double" else (1, int(k.GROWTH_ADDED))
        return Growth(float(factor), added, self.growth_period)

    @property
    def errs(self) -> bool:
        """Whether the forecast errs at random, anew at each refresh."""
        return self.controller == "predictive" and self.forecast == "perfect" and self.error > 0

    @property
    def learns(self) -> bool:
        """Whether the controller goes by a forecast from the load's own past."""
        return self.controller == "predictive" and self.forecast != "perfect"

    @property
    def other(self) -> "Fleet | None":
        """The fleet that is drawn beside this one: the same knobs, another controller."""
        if self.beside in ("none", self.controller):
            return None
        return replace(self, controller=self.beside, beside="none")

    @property
    def peaks(self) -> tuple[np.ndarray, np.ndarray]:
        """What a forecast says at each look is the highest load within its horizon, and what comes."""
        return _peaks(self)

    @property
    def off(self) -> tuple[float, float]:
        """How far the forecast is off: MAPE [1] and RMSE [replicas' worth]; NaN where nothing is forecast."""
        return _off(self)

    @property
    def missed(self) -> float:
        """Requests that come while the latency target is missed, those turned away included [1]."""
        return _missed(self)

    @property
    def total(self) -> float:
        """Cost of the replicas and of the missed requests [USD]."""
        return self.summary.cost + self.miss_price * self.missed

    @property
    def in_flight_now(self) -> np.ndarray:
        """Requests in flight in each step, as the simulator has them: served, and waiting or turned away."""
        run = self.run
        if not self.kept:
            return run["load"].to_numpy()
        left = run["backlog"].to_numpy()
        waiting = (left + np.concatenate([[0.0], left[:-1]])) / 2 / self.service_time
        return run["utilization"].to_numpy() * run["ready"].to_numpy() + waiting

    @property
    def run(self) -> pd.DataFrame:
        """What happened, a row a step; shared, not to be changed."""
        return _run(self)

    @property
    def summary(self) -> AutoscalerSummary:
        """The run in a few numbers."""
        return _summary(self)

    @property
    def possible(self) -> bool:
        """Whether any number of replicas answers in time."""
        return self.latency_target > self.service_time

    @property
    def meets(self) -> bool:
        """Whether the latency target is met for the share of the time that is asked for."""
        return self.summary.slo_share >= k.SLO_SHARE

    @property
    def thrifty(self) -> bool:
        """Whether the cost stays within the limit."""
        return self.summary.cost_ratio <= k.COST_LIMIT

    @property
    def comparable(self) -> bool | None:
        """Whether the cost is good; None where the target is missed, since missing it is no way to save."""
        return self.thrifty if self.meets or not self.thrifty else None

    @property
    def rest(self) -> "Rest | None":
        """Where the request has come to rest under a steady load; None where the load or the rule still moves it."""
        return _rest(self)

    @property
    def swing(self) -> tuple[int, int] | None:
        """The two fleets between which ±1 scaling keeps swinging under a steady load, or None."""
        if self.controller != "threshold" or self.load != "steady":
            return None
        late = self.run["wanted"].to_numpy()[len(self.run) // 2 :]
        for low in (int(late[-1]) - 1, int(late[-1])):
            inside = flapping_loads(self.upper, self.lower, low) if self.floor <= low < self.ceiling else None
            between = inside and inside[0] * (1 + ROUNDING) < self.base < inside[1] * (1 - ROUNDING)
            if between and set(late) <= {low, low + 1}:
                return low, low + 1
        return None

    @property
    def good(self) -> bool:
        """Whether nothing is amiss: the target is met, if only from rest on, at a fair cost."""
        return (self.meets or (self.rest is not None and self.rest.meets)) and self.thrifty


@dataclass(frozen=True)
class Rest:
    """A steady load that its fleet follows no more."""

    replicas: int  #: requested and ready
    since: float  #: time of the last change, start of a replica or miss of what can be met [s]
    meets: bool  #: whether the latency target is met from then on


@lru_cache(maxsize=24)
def _run(fleet: Fleet) -> pd.DataFrame:
    return simulate_autoscaler(
        fleet.loads,
        fleet.rule,
        start=fleet.start,
        cold_start=fleet.cold_start,
        cool_down_up=fleet.cool_down_up,
        cool_down_down=fleet.cool_down_down,
        floor=fleet.floor,
        ceiling=fleet.ceiling,
        service_time=fleet.service_time,
        service_scv=fleet.scv,
        latency_target=fleet.latency_target,
        price=fleet.price,
        backlog="kept" if fleet.kept else "lost",
        growth=fleet.limit,
        past=fleet.past if fleet.learns else (),
    )


@lru_cache(maxsize=24)
def _peaks(fleet: Fleet) -> tuple[np.ndarray, np.ndarray]:
    return forecast_peaks(fleet.loads, fleet.rule, past=fleet.past if fleet.learns else ())


@lru_cache(maxsize=1024)
def _off(fleet: Fleet) -> tuple[float, float]:
    if fleet.controller != "predictive":
        return math.nan, math.nan
    forecast, came = fleet.peaks
    return mape(came, forecast), rmse(came, forecast)


@lru_cache(maxsize=1024)
def _summary(fleet: Fleet) -> AutoscalerSummary:
    return summarize_run(_run(fleet))


@lru_cache(maxsize=1024)
def _missed(fleet: Fleet) -> float:
    return missed_requests(fleet.run, fleet.service_time)


@lru_cache(maxsize=1024)
def _rest(fleet: Fleet) -> Rest | None:
    """Ask the rule itself whether it would leave the end of the run alone, whatever its cool-downs say."""
    if fleet.load != "steady" or fleet.errs:
        return None
    run = fleet.run
    count, last = int(run["wanted"].iloc[-1]), run.iloc[-1]
    draining = last["backlog"] > 0 and count > fleet.base
    if last["ready"] != count or last["requested"] != count or draining:
        return None
    advice = _advice(fleet, count)
    if min(max(advice, fleet.floor), fleet.ceiling) != count:
        return None
    states = run[["ready", "requested", "slo_met"]].to_numpy()
    moving = np.flatnonzero((states != states[-1]).any(axis=1))
    return Rest(count, (int(moving[-1]) + 1) * k.HPA_SYNC if len(moving) else 0.0, bool(last["slo_met"]))


def _advice(fleet: Fleet, count: int) -> int:
    """What the rule asks for with so many replicas ready under a steady load, once nothing that waited is counted."""
    if fleet.controller != "concurrency":
        return fleet.rule.recommend(count, count, min(1.0, fleet.base / count), fleet.base)
    seen = fleet.in_flight_now[-max(1, int(fleet.stable / k.HPA_SYNC)) :]
    settled = bool(np.all(np.abs(seen - fleet.base) <= ROUNDING * fleet.base))
    # Where work still piles up, only a ceiling that is reached keeps the request where it is.
    if not settled and not (count == fleet.ceiling and fleet.base >= count and fleet.in_flight <= 1):
        return count + 1 if count < fleet.ceiling else fleet.floor - 1
    return round_up(fleet.base / fleet.in_flight)


def distinct(run: pd.DataFrame) -> list[int]:
    """The requests in order, each as long as it lasts."""
    counts = run["requested"].to_numpy()
    return [int(count) for count in counts[np.flatnonzero(np.diff(counts, prepend=-1))]]


def limit(upper: float, replicas: int) -> float:
    """The highest lower threshold with which no steady load swings between n and n + 1 replicas."""
    return upper * replicas / (replicas + 1)


def span(loads: np.ndarray) -> str:
    """Write the least and the highest load, once where they are the same.

    >>> span(np.array([0.9, 0.9])), span(np.array([2.0, 4.0]))
    ('0.9', '2 to 4')
    """
    return " to ".join(dict.fromkeys(f.significant(end) for end in (loads.min(), loads.max())))
