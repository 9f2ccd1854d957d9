"""Autoscaling: what binds, and the smallest change of one knob that mends it, each tried on the model."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from physics import constants as k
from physics.autoscaling import flapping_loads
from ui import format as f
from ui.views.autoscaling import Fleet, distinct, limit


@lru_cache(maxsize=256)
def verdict(fleet: Fleet) -> str:
    """Say in one or two sentences what binds, and which single change mends it."""
    summary = fleet.summary
    if fleet.latency_target <= fleet.service_time:
        return (
            f"No number of replicas answers within {f.duration(fleet.latency_target)}: one request alone takes "
            f"{f.duration(fleet.service_time)}. Raise the target above that."
        )
    if swing := swinging(fleet):
        return _swing_words(fleet, swing)
    if words := _overshoot_words(fleet):
        return words
    if not fleet.meets:
        missed = f"The target is missed {f.share(1 - summary.slo_share)} of the time, mostly {_what_binds(fleet)}."
        return f"{missed} {_offer(cures(fleet))}"
    met = f"The target is met {f.share(summary.slo_share)} of the time"
    if not fleet.thrifty:
        return f"{met}, but at {f.times(summary.cost_ratio, 3)} the cheapest cost. {_offer(savings(fleet))}"
    return f"{met} at {f.times(summary.cost_ratio, 3)} the cost of the cheapest fleet that meets it."


def swinging(fleet: Fleet) -> tuple[int, int] | None:
    """The two fleets between which ±1 scaling keeps swinging under a steady load, or None."""
    if fleet.controller != "threshold" or fleet.load != "steady":
        return None
    ends = fleet.run["requested"].to_numpy()[len(fleet.run) // 2 :]
    low = int(ends.min())
    interval = flapping_loads(fleet.upper, fleet.lower, low)
    inside = interval is not None and interval[0] < fleet.base < interval[1]
    return (low, low + 1) if inside and low < fleet.ceiling and fleet.floor <= low else None


def _swing_words(fleet: Fleet, swing: tuple[int, int]) -> str:
    low, high = swing
    one, other = f.share(fleet.base / low), f.share(fleet.base / high)
    rest = f.share(limit(fleet.upper, 1))
    return (
        f"It swings between {low} and {high} for ever: {f.count(low, 'replica')} would be {one} busy, above "
        f"{f.share(fleet.upper)}; {f.count(high, 'replica')} {other}, below {f.share(fleet.lower)}. Remove replicas "
        f"only below {other} and this load comes to rest; below {rest}, and every steady load does."
    )


def _overshoot_words(fleet: Fleet) -> str:
    """Say how far multiplying the requested replicas overshoots, if it does."""
    if fleet.controller != "hpa" or fleet.multiply != "requested":
        return ""
    ready = replace(fleet, multiply="ready")
    if fleet.summary.most_requested <= ready.summary.most_requested:
        return ""
    naive, calm = (_rise(item) for item in (fleet, ready))
    return (
        f"Overshoot: the request rises {naive}, because replicas that are still starting are multiplied too. Multiply "
        f"the ready ones instead and it rises {calm}, at {f.times(ready.summary.cost_ratio, 3)} the cheapest cost."
    )


def _rise(fleet: Fleet) -> str:
    """The requests up to the highest one, shortened where there are many."""
    counts = distinct(fleet.run)
    counts = counts[: counts.index(max(counts)) + 1]
    return ", ".join(map(str, counts)) if len(counts) <= 6 else f"from {counts[0]} to {counts[-1]}"


def _what_binds(fleet: Fleet) -> str:
    """Name what most of the missed time has in common."""
    run = fleet.run
    missed = run[~run["slo_met"]]
    short = missed["requested"] < missed["needed"]
    capped = (short & (missed["requested"] >= fleet.ceiling)).sum()
    starting = (~short & (missed["ready"] < missed["needed"])).sum()
    queue = (~short & (missed["ready"] >= missed["needed"])).sum()
    content = len(missed) - capped - starting - queue
    words = {
        f"because the ceiling of {f.count(fleet.ceiling, 'replica')} forbids more": capped,
        f"because replicas that were ordered take {f.duration(fleet.cold_start)} to start": starting,
        "because work from an earlier overload is still waiting": queue,
        "because the controller asks for fewer replicas than the latency needs": content,
    }
    return max(words, key=lambda name: words[name])


def cures(fleet: Fleet, most: int = 2) -> list[str]:
    """Single-knob changes that meet the latency target often enough, each the smallest its knob allows."""
    found = []
    for words, values in _knobs(fleet):
        if len(found) == most:
            break
        tried = _first(values, lambda change: replace(fleet, **change).meets)
        if tried is not None:
            then = replace(fleet, **tried)
            dear = "" if then.thrifty else f" (at {f.times(then.summary.cost_ratio, 3)} the cheapest cost)"
            found.append(words.format(value=_value(tried)) + dear)
    return found


def savings(fleet: Fleet, most: int = 2) -> list[str]:
    """Single-knob changes that bring the cost within the limit and still meet the latency target."""
    found = []
    for words, values in _thrift(fleet):
        if len(found) == most:
            break
        tried = _first(values, lambda change: replace(fleet, **change).thrifty)
        if tried is not None and replace(fleet, **tried).meets:
            found.append(words.format(value=_value(tried)))
    return found


Change = dict[str, float | int | str]


def _knobs(fleet: Fleet) -> Iterator[tuple[str, list[Change]]]:
    """The knobs that may help the latency, each with its values from the present one outward."""
    if fleet.controller == "threshold":
        yield "add replicas above {value}", _down("upper", fleet.upper, k.SCALE_UP_ABOVE.low)
        yield "remove replicas only below {value}", _down("lower", fleet.lower, k.SCALE_DOWN_BELOW.low)
    else:
        yield "lower the target utilization to {value}", _down("target", fleet.target, k.HPA_TARGET.low)
    if fleet.controller == "predictive" and fleet.horizon < fleet.cold_start:
        reach = np.arange(fleet.horizon + k.HPA_SYNC, fleet.cold_start + 1, k.HPA_SYNC)
        yield "look {value} ahead", [{"horizon": float(value)} for value in reach]
    if fleet.start < k.AUTOSCALE_START.high:
        starts = range(int(fleet.start) + 1, int(k.AUTOSCALE_START.high) + 1)
        yield "begin with {value}", [{"start": n} for n in starts]
    if fleet.floor < fleet.ceiling:
        most = int(min(fleet.ceiling, k.AUTOSCALE_FLOOR.high))
        floors = range(int(fleet.floor) + 1, most + 1)
        yield "keep at least {value}", [{"floor": n} for n in floors]
    if fleet.ceiling < k.AUTOSCALE_CEILING.high:
        ceilings = range(int(fleet.ceiling) + 1, int(k.AUTOSCALE_CEILING.high) + 1)
        yield "allow up to {value}", [{"ceiling": n} for n in ceilings]


def _thrift(fleet: Fleet) -> Iterator[tuple[str, list[Change]]]:
    """The knobs that may save money, each with its values from the present one outward."""
    if fleet.controller == "hpa" and fleet.multiply == "requested":
        yield "multiply {value} instead", [{"multiply": "ready"}]
    if fleet.controller == "threshold":
        yield "add replicas only above {value}", _up("upper", fleet.upper, k.SCALE_UP_ABOVE.high)
        yield "remove replicas already below {value}", _up("lower", fleet.lower, k.SCALE_DOWN_BELOW.high)
    else:
        yield "raise the target utilization to {value}", _up("target", fleet.target, k.HPA_TARGET.high)
    if fleet.floor > 1:
        yield "keep only {value} at least", [{"floor": n} for n in range(int(fleet.floor) - 1, 0, -1)]
    if fleet.start > 1:
        yield "begin with only {value}", [{"start": n} for n in range(int(fleet.start) - 1, 0, -1)]
    waits = np.arange(fleet.cool_down_down - k.HPA_SYNC, -1, -k.HPA_SYNC)
    yield "wait only {value} before removing", [{"cool_down_down": float(value)} for value in waits]


def _down(name: str, now: float, end: float) -> list[Change]:
    return [{name: percent / 100} for percent in range(round(now * 100) - 1, round(end * 100) - 1, -1)]


def _up(name: str, now: float, end: float) -> list[Change]:
    return [{name: percent / 100} for percent in range(round(now * 100) + 1, round(end * 100) + 1)]


def _first(changes: list[Change], good: Callable[[Change], bool]) -> Change | None:
    """Find by bisection a change that is good while the one before it is not; None when the last one is not good."""
    if not changes or not good(changes[-1]):
        return None
    low, high = -1, len(changes) - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if good(changes[middle]) else (middle, high)
    return changes[high]


def _value(change: Change) -> str:
    """Write the value of a change."""
    name, value = next(iter(change.items()))
    if isinstance(value, str):
        return f"{value} replicas"
    if name in ("horizon", "cool_down_down"):
        return f"{f.significant(value, 6)} s"
    return f.count(value, "replica") if name in ("floor", "ceiling", "start") else f.share(value)


def _offer(found: list[str]) -> str:
    if not found:
        return "No single knob of the controller mends it."
    return f"{'This mends' if len(found) == 1 else 'Any one of these mends'} it: {'; '.join(found)}."
