"""Autoscaling: the lesson's numbers in words."""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache

from lessons.autoscaling import challenge
from lessons.autoscaling.settings import LENGTHS, MULTIPLY, Fleet, distinct, limit
from physics import constants as k
from physics.autoscaling import (
    Concurrency,
    Growth,
    Threshold,
    desired_replicas,
    flapping_loads,
    reserve,
    scale_up_limit,
    simulate_autoscaler,
)
from physics.autoscaling.fleet import least_replicas, summarize_run
from physics.autoscaling.loads import daily_load
from physics.autoscaling.rules import HPA_GROWTH
from physics.queueing import highest_utilization, mmc
from ui.base import format as f
from ui.base.lesson import Result

#: The two stories that presets and words share: overload from one look to the next, and a day that comes early.
#: Before the step both controllers of the first rest at four replicas, so that all they ask for answers the step.
OVERLOAD = {"load": "step", "base": 2.0, "peak": 18.0, "start": 4, "ceiling": 40, "in_flight": 0.6}
SURPRISE = {"controller": "predictive", "load": "surprise", "base": 2.0, "target": 0.68, "start": 5}
#: Limits of growth of the lesson's example, and Kubernetes' own.
GROWTHS = {
    "double": Growth(float(k.GROWTH_FACTOR), 0, float(k.GROWTH_PERIOD)),
    "ten": Growth(1.0, int(k.GROWTH_ADDED), float(k.GROWTH_PERIOD)),
    "hpa": HPA_GROWTH,
}


def results(fleet: Fleet) -> list[Result]:
    """The headline numbers that can be pinned, and that the ledger keeps."""
    summary = fleet.summary
    return [
        Result("Target met", summary.slo_share, f.share(summary.slo_share)),
        Result("Cost", summary.cost, f.money(summary.cost)),
        Result("Cost ÷ cheapest", summary.cost_ratio, cost_ratio(fleet)),
        Result("Changes of the request", summary.changes, f.significant(summary.changes)),
        Result("Forecast MAPE", fleet.off[0], _forecast_off(fleet.off[0], f.share)),
        Result("Forecast RMSE (replicas' worth)", fleet.off[1], _forecast_off(fleet.off[1], f.significant)),
        Result("Total cost", fleet.total, f.money(fleet.total)),
        Result("Challenge", float(challenge.won(fleet)), challenge.state(fleet)),
    ]


def _forecast_off(error: float, write: Callable[[float], str]) -> str:
    return "no forecast" if math.isnan(error) else write(error)


def cost_ratio(fleet: Fleet) -> str:
    """The cost in units of the cheapest fleet's."""
    ratio = fleet.summary.cost_ratio
    return "no such fleet" if math.isnan(ratio) else f.times(ratio, 3)


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
        count: distinct(Fleet(controller="hpa", load="step", base=2, peak=4, start=2, multiply=count).run)
        for count in MULTIPLY
    }
    room = {n: highest_utilization(story.latency_target - story.service_time, story.service_time, n) for n in (1, 12)}
    overload = {one: Fleet(**OVERLOAD, controller=one) for one in ("hpa", "concurrency")}
    surprise = {one: Fleet(**SURPRISE, forecast=one) for one in ("seasonal_naive", "holt_winters", "moving_average")}
    growth = {name: _growth_times(one) for name, one in GROWTHS.items()}
    day = daily_load(2, 12, step=k.MINUTE)
    return (
        {
            "overload_hpa": ", ".join(map(str, distinct(overload["hpa"].run)[1:])),
            "overload_first": f.count(distinct(overload["concurrency"].run)[1], "replica"),
            "overload_length": f.duration(LENGTHS["step"]),
            "overload_hpa_lost": f.share(overload["hpa"].summary.lost_share),
            "overload_counted_lost": f.share(overload["concurrency"].summary.lost_share),
            "naive_mape": f.share(surprise["seasonal_naive"].off[0]),
            "winters_mape": f.share(surprise["holt_winters"].off[0]),
            "naive_usual": f.share(Fleet(**SURPRISE | {"load": "day"}, forecast="seasonal_naive").off[0]),
            "growth_double": growth["double"][0],
            "growth_double_first": growth["double"][1],
            "growth_ten": growth["ten"][0],
            "growth_ten_first": growth["ten"][1],
            "growth_hpa": growth["hpa"][0],
            "growth_hpa_first": growth["hpa"][1],
            "reserve_story": f.significant(round(reserve(day, 0.4), 1)),
            "reserve_mean": f.significant(float(day.mean())),
        }
        | {
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
        }
        | {f"limit_{words}": f.share(limit(story.upper, n)) for words, n in (("one", 1), ("two", 2), ("nine", 9))}
    )


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
        "error_words": _error_words(fleet),
        "penalty_words": _penalty_words(fleet),
        "reserve_words": _reserve_words(fleet),
        "cost": f.money(fleet.summary.cost) + ("" if fleet.meets else " and misses the target"),
        "cheapest_cost": "more than any sum" if math.isinf(fleet.summary.cheapest_cost) else
        f.money(fleet.summary.cheapest_cost),
    }  # fmt: skip


def _growth_times(growth: Growth) -> tuple[str, str]:
    """How long a request takes from 2 to 100 replicas: a period for each round, and with the first round at once."""
    run = simulate_autoscaler([70] * 400, Concurrency(), start=2, cold_start=0, growth=growth)
    rounds = int((run["wanted"] != run["requested"]).sum())
    return f.duration(rounds * growth.period), f.duration((rounds - 1) * growth.period)


def _error_words(fleet: Fleet) -> str:
    share, root = fleet.off
    if math.isnan(share):
        return "The present controller does not forecast."
    return f"At your settings MAPE is {f.share(share)} and RMSE {f.significant(root)} replicas' worth of work."


def _penalty_words(fleet: Fleet) -> str:
    return (
        f"At your settings {f.money(fleet.summary.cost)} for replicas and {f.count(round(fleet.missed), 'request')} "
        f"missed at {f.money(1000 * fleet.miss_price)} per 1,000 make {f.money(fleet.total)}."
    )


def _reserve_words(fleet: Fleet) -> str:
    level = f.significant(reserve(fleet.loads, fleet.price_ratio))
    return f"At your price of {f.share(fleet.price_ratio)} and your load that is {level}."


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
    asked, ceiling = desired_replicas(2, 1.0, fleet.target, fleet.tolerance), fleet.ceiling
    first = f"{asked}, of which {orders[1]} are allowed at once" if asked > orders[1] else f"{asked}"
    return (
        f"At your target of {f.share(fleet.target)} and your tolerance of {f.share(fleet.tolerance)}, 2 saturated ones "
        f"ask for {first}, and when these are up and still saturated, the request goes to {orders[2]}"
        f"{f', were there no ceiling of {ceiling}' if ceiling < orders[2] else ''}. Multiplying requested ones instead "
        "asks for more at every look, while nothing new serves yet."
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
    if fleet.learns:
        flat = " A mean of the past is flat: its horizon is nothing." if fleet.forecast == "moving_average" else ""
        return f"The forecast is made from the load's own past, so that what has never been is not in it.{flat}"
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
