"""Autoscaling: a fleet that follows a load, its run, and its numbers in words."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache

import numpy as np
import pandas as pd

from physics import constants as k
from physics.autoscaling import (
    HPA,
    Predictive,
    Threshold,
    desired_replicas,
    flapping_loads,
    scale_up_limit,
    simulate_autoscaler,
)
from physics.autoscaling.fleet import AutoscalerSummary, least_replicas, summarize_run
from physics.autoscaling.loads import burst_load, daily_load, steady_load, step_load
from physics.queueing import highest_utilization, mmc
from ui.base import format as f
from ui.record.compare import Result

CONTROLLERS = {"threshold": "±1 at thresholds", "hpa": "Kubernetes HPA", "predictive": "Forecast"}
SHAPES = {"steady": "Steady", "step": "One step up", "burst": "A burst", "day": "A day and a night"}
MULTIPLY = {"ready": "ready replicas", "requested": "requested replicas"}
#: Length of each scenario [s].
LENGTHS = {"steady": 30 * k.MINUTE, "step": 15 * k.MINUTE, "burst": k.HOUR, "day": k.DAY}

BURST = {"load": "burst", "base": 2, "peak": 8, "start": 4}
STEP = {"controller": "hpa", "load": "step", "base": 2, "peak": 4, "start": 2}
PRESETS = {
    "Flapping": {},
    "A gap that is wide enough": {"lower": 0.39},
    "Cold start overshoot": STEP | {"multiply": "requested"},
    "Cold start, ready ones multiplied": STEP,
    "Diurnal load": {"controller": "hpa", "load": "day"},
    "Burst": BURST | {"controller": "hpa"},
    "Forecast shorter than the cold start": BURST
    | {"controller": "predictive", "target": 0.7, "horizon": 30, "error": 0},
}


#: Name, label, constant, step and unit of the knobs in sight, and those behind “More knobs”, with a sentence each.
SLIDERS = (
    ("target", "Target utilization (%)", k.HPA_TARGET, 1, 0.01, "What the HPA holds, and what a forecast plans for."),
    ("upper", "Add a replica above (%)", k.SCALE_UP_ABOVE, 1, 0.01, "Utilization above which one is added."),
    ("lower", "Remove a replica below (%)", k.SCALE_DOWN_BELOW, 1, 0.01, "Utilization below which one is removed."),
    ("cold_start", "Cold start (s)", k.COLD_START, 15, 1, "From the order of a replica to its first request."),
    ("horizon", "Forecast horizon (s)", k.FORECAST_HORIZON, 15, 1, "How far ahead the load is known."),
)
MORE_SLIDERS = (
    ("base", "Load, lowest (replicas' worth)", k.AUTOSCALE_BASE, 0.1, 1, "Before a step or burst, or at night."),
    ("peak", "Load, highest (replicas' worth)", k.AUTOSCALE_PEAK, 0.1, 1, "After a step, in a burst, or at noon."),
    ("start", "Replicas at the beginning", k.AUTOSCALE_START, 1, 1, "Ready at time 0."),
    ("floor", "Floor (replicas)", k.AUTOSCALE_FLOOR, 1, 1, "Least that may be requested."),
    ("ceiling", "Ceiling (replicas)", k.AUTOSCALE_CEILING, 1, 1, "Most that may be requested."),
    ("tolerance", "HPA tolerance (%)", k.HPA_TOLERANCE, 1, 0.01, "Distance from the target that is let be."),
    ("window", "HPA scale-down window (s)", k.HPA_WINDOW, 15, 1, "The highest recommendation of this time counts."),
    ("error", "Forecast error (%)", k.FORECAST_ERROR, 1, 0.01, "Standard deviation of forecast ÷ true load."),
    ("cool_down_up", "Cool-down before adding (s)", k.COOL_DOWN_UP, 15, 1, "Least time since the last change."),
    ("cool_down_down", "Cool-down before removing (s)", k.COOL_DOWN_DOWN, 15, 1, "Least time since the last change."),
    ("latency_target", "Latency target (s)", k.LATENCY_TARGET, 0.1, 1, "For the mean response time, waiting included."),
    (
        "service_time",
        "Time of a request (s)",
        k.INFERENCE_TIME,
        0.05,
        1,
        "Mean time on a replica, waiting not included.",
    ),
    (
        "scv",
        "Variability of requests (SCV)",
        k.AUTOSCALE_SCV,
        0.5,
        1,
        "Squared coefficient of variation; 1 is exponential.",
    ),
    ("price", "Price of a replica ($ an hour)", k.REPLICA_PRICE, 0.1, 1, "Paid from the order on, starting or ready."),
)
#: The controllers that a knob acts on, where these are not all.
ACTS_ON = {
    "target": ("hpa", "predictive"),
    "upper": ("threshold",),
    "lower": ("threshold",),
    "horizon": ("predictive",),
    "tolerance": ("hpa",),
    "window": ("hpa",),
    "multiply": ("hpa",),
    "error": ("predictive",),
}

#: What the knobs vary, by quantity: default and range of each.
KNOBS = {
    "target": k.HPA_TARGET,
    "upper": k.SCALE_UP_ABOVE,
    "lower": k.SCALE_DOWN_BELOW,
    "cold_start": k.COLD_START,
    "horizon": k.FORECAST_HORIZON,
    "base": k.AUTOSCALE_BASE,
    "peak": k.AUTOSCALE_PEAK,
    "start": k.AUTOSCALE_START,
    "floor": k.AUTOSCALE_FLOOR,
    "ceiling": k.AUTOSCALE_CEILING,
    "tolerance": k.HPA_TOLERANCE,
    "window": k.HPA_WINDOW,
    "error": k.FORECAST_ERROR,
    "cool_down_up": k.COOL_DOWN_UP,
    "cool_down_down": k.COOL_DOWN_DOWN,
    "latency_target": k.LATENCY_TARGET,
    "service_time": k.INFERENCE_TIME,
    "scv": k.AUTOSCALE_SCV,
    "price": k.REPLICA_PRICE,
}


def idle(name: str, got: Mapping[str, object]) -> str:
    """Say that a knob has no effect at the moment; empty when it has one."""
    if name == "peak" and got["load"] == "steady":
        return "No effect on a steady load."
    if got["controller"] in ACTS_ON.get(name, CONTROLLERS) or name == "upper":
        return ""
    return "Thresholds have no effect now." if name == "lower" else "No effect with this controller."


@dataclass(frozen=True)
class Fleet:
    """An autoscaler, the load it follows and the replicas it orders; all SI."""

    controller: str = "threshold"
    load: str = "steady"
    target: float = float(k.HPA_TARGET)
    upper: float = float(k.SCALE_UP_ABOVE)
    lower: float = float(k.SCALE_DOWN_BELOW)
    cold_start: float = float(k.COLD_START)
    horizon: float = float(k.FORECAST_HORIZON)
    base: float = float(k.AUTOSCALE_BASE)
    peak: float = float(k.AUTOSCALE_PEAK)
    start: int = int(k.AUTOSCALE_START)
    floor: int = int(k.AUTOSCALE_FLOOR)
    ceiling: int = int(k.AUTOSCALE_CEILING)
    multiply: str = "ready"
    tolerance: float = float(k.HPA_TOLERANCE)
    window: float = float(k.HPA_WINDOW)
    error: float = float(k.FORECAST_ERROR)
    cool_down_up: float = float(k.COOL_DOWN_UP)
    cool_down_down: float = float(k.COOL_DOWN_DOWN)
    kept: bool = False  #: work that finds no free replica waits instead of going away
    latency_target: float = float(k.LATENCY_TARGET)
    service_time: float = float(k.INFERENCE_TIME)
    scv: float = float(k.AUTOSCALE_SCV)
    price: float = float(k.REPLICA_PRICE)

    @property
    def run(self) -> pd.DataFrame:
        """What happened, a row a step; shared, not to be changed."""
        return _run(self)

    @property
    def summary(self) -> AutoscalerSummary:
        """The run in a few numbers."""
        return _summary(self)

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
    def good(self) -> bool:
        """Whether nothing is amiss: the target is met, if only from rest on, at a fair cost."""
        return (self.meets or (self.rest is not None and self.rest.meets)) and self.thrifty

    @property
    def rule(self) -> Threshold | HPA | Predictive:
        """The controller that is turned on."""
        if self.controller == "hpa":
            return HPA(self.target, self.tolerance, window=self.window, multiply=self.multiply, limited=True)
        if self.controller == "predictive":
            return Predictive(self.target, self.horizon, self.error)
        return Threshold(self.upper, self.lower)


@dataclass(frozen=True)
class Rest:
    """A steady load that its fleet follows no more."""

    replicas: int  #: requested and ready
    since: float  #: time of the last change, start of a replica or miss of what can be met [s]
    meets: bool  #: whether the latency target is met from then on


#: What the challenge fixes: the load, the replicas and the requests. The controller's own knobs are free.
WORLD = ("load", "base", "peak", "cold_start", "error", "kept", "latency_target", "service_time", "scv", "price")
CHALLENGE = Fleet(controller="hpa", load="day")


def defaults() -> Fleet:
    """Return the settings that the page opens with: the message's own fleet."""
    return Fleet()


def loads(fleet: Fleet) -> np.ndarray:
    """The load of each look; a day changes once a minute."""
    length, base, peak = LENGTHS[fleet.load], fleet.base, fleet.peak
    if fleet.load == "step":
        return step_load(base, peak, at=k.HPA_SYNC, duration=length)
    if fleet.load == "burst":
        return burst_load(base, peak, at=10 * k.MINUTE, length=20 * k.MINUTE, duration=length)
    if fleet.load == "day":
        return np.repeat(daily_load(base, peak, length, step=k.MINUTE), int(k.MINUTE / k.HPA_SYNC))
    return steady_load(base, length)


@lru_cache(maxsize=24)
def _run(fleet: Fleet) -> pd.DataFrame:
    return simulate_autoscaler(
        loads(fleet),
        fleet.rule,
        start=int(fleet.start),
        cold_start=fleet.cold_start,
        cool_down_up=fleet.cool_down_up,
        cool_down_down=fleet.cool_down_down,
        floor=int(fleet.floor),
        ceiling=int(fleet.ceiling),
        service_time=fleet.service_time,
        service_scv=fleet.scv,
        latency_target=fleet.latency_target,
        price=fleet.price,
        backlog="kept" if fleet.kept else "lost",
    )


@lru_cache(maxsize=1024)
def _summary(fleet: Fleet) -> AutoscalerSummary:
    return summarize_run(_run(fleet))


@lru_cache(maxsize=1024)
def _rest(fleet: Fleet) -> Rest | None:
    """Ask the rule itself whether it would leave the end of the run alone, whatever its cool-downs say."""
    if fleet.load != "steady" or (fleet.controller == "predictive" and fleet.error > 0):
        return None
    run = fleet.run
    count, last = int(run["wanted"].iloc[-1]), run.iloc[-1]
    draining = last["backlog"] > 0 and count > fleet.base
    if last["ready"] != count or last["requested"] != count or draining:
        return None
    advice = fleet.rule.recommend(count, count, min(1.0, fleet.base / count), fleet.base)
    if min(max(advice, fleet.floor), fleet.ceiling) != count:
        return None
    states = run[["ready", "requested", "slo_met"]].to_numpy()
    moving = np.flatnonzero((states != states[-1]).any(axis=1))
    return Rest(count, (moving[-1] + 1) * k.HPA_SYNC if len(moving) else 0.0, bool(last["slo_met"]))


def settings(quantities: Mapping[str, object]) -> Fleet:
    """Read what the knobs gave, SI values and ids by quantity name; what is missing is its default."""
    given = {field.name: quantities[field.name] for field in fields(Fleet) if field.name in quantities}
    return Fleet(
        **{name: int(value) if name in ("start", "floor", "ceiling") else value for name, value in given.items()}
    )


def results(fleet: Fleet) -> list[Result]:
    """The headline numbers that can be pinned, and that the ledger keeps."""
    summary = fleet.summary
    return [
        Result("Target met", summary.slo_share, f.share(summary.slo_share)),
        Result("Cost", summary.cost, f.money(summary.cost)),
        Result("Cost ÷ cheapest", summary.cost_ratio, cost_ratio(fleet)),
        Result("Changes of the request", summary.changes, f.significant(summary.changes)),
        Result("Challenge", float(challenge_won(fleet)), challenge_state(fleet)),
    ]


# --- words ------------------------------------------------------------------------------------------------------------
def slo_words(fleet: Fleet) -> str:
    """Word the share of the time against what is asked for."""
    if not fleet.meets and fleet.rest and fleet.rest.meets:
        return f"always from {f.duration(fleet.rest.since)} on, at rest"
    return f"{'reaches' if fleet.meets else 'below'} the goal of {f.share(k.SLO_SHARE)}"


def met_at_rest(fleet: Fleet) -> bool | None:
    """False where the target is missed; None, neither good nor bad, where it was missed only before rest."""
    return None if fleet.rest and fleet.rest.meets else False


def cost_ratio(fleet: Fleet) -> str:
    """The cost in units of the cheapest fleet's."""
    ratio = fleet.summary.cost_ratio
    return "no such fleet" if math.isnan(ratio) else f.times(ratio, 3)


def cost_words(fleet: Fleet) -> str:
    """Word the cost against the cheapest fleet's."""
    cheapest = fleet.summary.cheapest_cost
    if math.isinf(cheapest):
        return f"{f.money(fleet.summary.cost)}; none meets the target"
    missed = "" if fleet.meets else f"; misses the target {f.share(1 - fleet.summary.slo_share)} of the time"
    return f"{f.money(fleet.summary.cost)} against {f.money(cheapest)}{missed}"


def changes_words(fleet: Fleet) -> str:
    """Word how often the request was changed, and how far it went."""
    hours = LENGTHS[fleet.load] / k.HOUR
    return f"in {f.duration(hours * k.HOUR)}; up to {f.count(fleet.summary.most_requested, 'replica')}"


def lost_label(fleet: Fleet) -> str:
    """Name what became of the work that found no free replica."""
    return "Still waiting" if fleet.kept else "Turned away"


def lost(fleet: Fleet) -> str:
    """The work that found no free replica."""
    if not fleet.kept:
        return f.share(fleet.summary.lost_share)
    return f.duration(fleet.summary.backlog)


def lost_words(fleet: Fleet) -> str:
    """Say what the number above means."""
    return "of one replica's time at the end" if fleet.kept else "of the work offered"


def derived_words(fleet: Fleet) -> str:
    """What follows from the knobs and is no knob itself."""
    run, last = fleet.run, loads(fleet)
    needed = run["needed"]
    span = f.significant(last.min()) if last.min() == last.max() else f"{f.significant(last.min())} to {last.max():g}"
    text = f"Load {span} replicas' worth of work; "
    if math.isinf(needed.max()):
        return text + f"no fleet answers within {f.duration(fleet.latency_target)}."
    least = f.count(needed.max(), "replica")
    if needed.min() < needed.max():
        least = f"{needed.min():g} to {least}"
    return (
        f"{text}it takes {least} to answer within {f.duration(fleet.latency_target)}; a look every "
        f"{f.duration(k.HPA_SYNC)}; replicas are {f.share(fleet.summary.mean_utilization)} busy on average."
    )


# --- the challenge ----------------------------------------------------------------------------------------------------
def in_challenge(fleet: Fleet) -> bool:
    """Whether load, replicas and requests are those of the challenge."""
    pairs = [(getattr(fleet, name), getattr(CHALLENGE, name)) for name in WORLD]
    return all(math.isclose(a, b) if isinstance(b, float) else a == b for a, b in pairs)


def challenge_won(fleet: Fleet) -> bool:
    """Whether the challenge is met."""
    return in_challenge(fleet) and fleet.meets and fleet.thrifty


def challenge_task() -> str:
    """What the challenge asks for."""
    return (
        f"On the diurnal load, meet the latency target at least {f.share(k.SLO_SHARE)} of the time and spend at most "
        f"{f.significant(k.COST_LIMIT)} times what the cheapest fleet would have cost. The controller, its settings, "
        "cool-downs, floor, ceiling and start are yours; load, cold start, forecast error, requests and price are not."
    )


def challenge_words(fleet: Fleet) -> str:
    """Say how the challenge stands, and which condition fails."""
    if not in_challenge(fleet):
        return "These are not the challenge's load and replicas: choose the preset “Diurnal load” first."
    time, cost = f.share(fleet.summary.slo_share), f.times(fleet.summary.cost_ratio, 3)
    if challenge_won(fleet):
        return f"Won: the target is met {time} of the time at {cost} the cheapest cost."
    missing = [] if fleet.meets else [f"the target is met only {time} of the time"]
    missing += [] if fleet.thrifty else [f"the fleet costs {cost} the cheapest"]
    return f"Not yet: {' and '.join(missing)}."


def challenge_state(fleet: Fleet) -> str:
    """The challenge in one word or two, for the ledger."""
    return "won" if challenge_won(fleet) else "not yet" if in_challenge(fleet) else "other settings"


# --- numbers in the lesson's words ------------------------------------------------------------------------------------
@lru_cache(maxsize=1)
def _story() -> dict[str, str]:
    """The numbers of the message's own fleet, whatever the knobs say."""
    story = Fleet()
    one = mmc(story.base / story.service_time, story.service_time, 1)
    night = [story.base] * int(k.DAY / k.HPA_SYNC)
    changes = [
        summarize_run(simulate_autoscaler(night, Threshold(), start=1, cool_down_down=delay)).changes
        for delay in (0.0, 30 * k.MINUTE)
    ]
    wide = flapping_loads(story.upper, 0.75, 1)
    orders = {
        count: distinct(_run(replace(Fleet(controller="hpa", load="step", base=2, peak=4, start=2), multiply=count)))
        for count in MULTIPLY
    }
    room = {n: highest_utilization(story.latency_target - story.service_time, story.service_time, n) for n in (1, 12)}
    return {
        "story_load": f.significant(story.base),
        "story_upper": f.share(story.upper),
        "story_lower": f.share(story.lower),
        "one_busy": f.share(story.base),
        "two_busy": f.share(story.base / 2),
        "one_latency": f.duration(one.mean_response),
        "service_time_story": f.duration(story.service_time),
        "naive_run": ", ".join(map(str, orders["requested"][1:5])),
        "ready_run": " and then ".join(map(str, orders["ready"][1:])),
        "ready_last": f.count(orders["ready"][-1], "replica"),
        "prompt_changes": f.significant(changes[0]),
        "delayed_changes": f.significant(changes[1]),
        "seventyfive_low": f.significant(wide[0]),
        "seventyfive_high": f.significant(wide[1]),
        "room_one": f.share(room[1]),
        "room_twelve": f.share(room[12]),
    } | {f"limit_{words}": f.share(limit(story.upper, n)) for words, n in (("one", 1), ("two", 2), ("nine", 9))}


def distinct(run: pd.DataFrame) -> list[int]:
    """The requests in order, each as long as it lasts."""
    counts = run["requested"].to_numpy()
    return [int(count) for count in counts[np.flatnonzero(np.diff(counts, prepend=-1))]]


def limit(upper: float, replicas: int) -> float:
    """The highest lower threshold with which no steady load swings between n and n + 1 replicas."""
    return upper * replicas / (replicas + 1)


def live_values(fleet: Fleet) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    return _story() | {
        "upper": f.share(fleet.upper),
        "limit_now": f.share(limit(fleet.upper, 1)),
        "flap_words": _flap_words(fleet),
        "target": f.share(fleet.target),
        "tolerance": f.share(fleet.tolerance),
        "hpa_words": _hpa_words(fleet),
        "cold_start": f.duration(fleet.cold_start),
        "forecast_words": _forecast_words(fleet),
        "needed_words": _needed_words(fleet),
        "scv_words": "Request times are exponential here, and the formula is exact for them."
        if fleet.scv == 1
        else f"Request times have SCV {f.significant(fleet.scv)}: the wait is that of M/G/c, an approximation for more "
        "than one replica.",
        "cost": f.money(fleet.summary.cost),
        "cheapest_cost": "more than any sum" if math.isinf(fleet.summary.cheapest_cost) else
        f.money(fleet.summary.cheapest_cost),
    }  # fmt: skip


def _hpa_words(fleet: Fleet) -> str:
    """What saturated replicas ask for at these settings, the tolerance and the limit of growth included."""
    orders = [2]
    while len(orders) < 3:
        asked = desired_replicas(orders[-1], 1.0, fleet.target, fleet.tolerance)
        orders.append(min(asked, max(orders[-1], scale_up_limit(orders[-1]))))
    if orders[1] == 2:
        return (
            f"At your target of {f.share(fleet.target)} and your tolerance of {f.share(fleet.tolerance)} a reading of "
            "100 % is within the tolerance: saturated replicas never ask for more, however much they turn away."
        )
    asked = desired_replicas(2, 1.0, fleet.target, fleet.tolerance)
    first = f"{asked}, of which {orders[1]} are allowed at once" if asked > orders[1] else f"{asked}"
    return (
        f"At your target of {f.share(fleet.target)} and your tolerance of {f.share(fleet.tolerance)}, 2 saturated ones "
        f"ask for {first}, and when these are up and still saturated, the request goes to {orders[2]}. Multiplying "
        "requested ones instead asks for more at every look, while nothing new serves yet."
    )


def _flap_words(fleet: Fleet) -> str:
    low = fleet.floor
    ends = flapping_loads(fleet.upper, fleet.lower, low)
    start = f"With your thresholds of {f.share(fleet.upper)} and {f.share(fleet.lower)}"
    if fleet.upper >= 1:
        return f"{start} nothing is ever added, since no utilization reads above 100 %."
    if fleet.floor == fleet.ceiling:
        return f"{start} nothing swings while floor and ceiling are both {fleet.floor}."
    if ends is None:
        return f"{start} no steady load swings, between any n and n + 1 from the floor of {low} up."
    return (
        f"{start} every steady load between {f.significant(ends[0])} and {f.significant(ends[1])} replicas' worth "
        f"swings between {low} and {low + 1}, the smallest two that your floor allows."
    )


def _forecast_words(fleet: Fleet) -> str:
    gap = fleet.cold_start - fleet.horizon
    start = f"The forecast reaches {f.duration(fleet.horizon)} ahead"
    come, used = "come", ""
    if fleet.controller != "predictive":
        come, used = "would come", " (the present controller does not use it)"
    if gap > 0:
        late = f"so that replicas for a sudden rise {come} up {f.duration(gap)} late"
        return f"{start}{used}: shorter than the cold start, {late}."
    return f"{start}{used}: long enough to have replicas up in time, as far as forecast, start and ceiling allow it."


def _needed_words(fleet: Fleet) -> str:
    if fleet.latency_target <= fleet.service_time:
        return (
            f"One request alone takes {f.duration(fleet.service_time)}, so no number of replicas answers within "
            f"{f.duration(fleet.latency_target)}."
        )
    base, peak = least_replicas([fleet.base, fleet.peak], fleet.latency_target, fleet.service_time, fleet.scv)
    return (
        f"To stay within {f.duration(fleet.latency_target)} a load of {f.significant(fleet.base)} needs "
        f"{f.count(base, 'replica')}, one of {f.significant(fleet.peak)} needs {f.significant(peak)}."
    )
