"""Autoscaling: what binds, and the smallest change of one knob that mends it, each tried on the model."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from lessons.autoscaling.values import LENGTHS, Fleet, distinct, limit
from physics import constants as k
from physics.autoscaling import flapping_loads
from physics.autoscaling.rules import ROUNDING
from ui.base import format as f


@lru_cache(maxsize=256)
def verdict(fleet: Fleet) -> str:
    """Say in one or two sentences what binds, and which single change mends it."""
    return " ".join(filter(None, (_rest_words(fleet), _binding(fleet))))


def _most(fleet: Fleet) -> int:
    """How many changes are offered: a day takes so long to simulate that one must do."""
    return 1 if fleet.load == "day" else 2


def _rest_words(fleet: Fleet) -> str:
    """Answer the message's own question, whether the fleet comes to rest; empty where the load is not steady."""
    rest, length = fleet.rest, f.duration(LENGTHS["steady"])
    if fleet.load != "steady" or swinging(fleet):
        return ""
    if rest is None and fleet.controller == "predictive" and fleet.error > 0:
        return "It follows its forecast, which errs anew every five minutes even under a steady load."
    if rest is None:
        low, high = (int(end) for end in fleet.run["wanted"].tail(len(fleet.run) // 2).agg(["min", "max"]))
        span = f"between {low} and {high}" if low < high else f"at {low}"
        return f"It has not come to rest after {length}: in the second half the request is {span}."
    changed = fleet.summary.changes
    if not changed:
        return f"It rests at {f.count(rest.replicas, 'replica')} from the beginning."
    last = (int(np.flatnonzero(fleet.run["wanted"] != fleet.run["requested"])[-1]) + 1) * k.HPA_SYNC
    times = "one change" if changed == 1 else f"{changed} changes, the last one"
    return f"It comes to rest at {f.count(rest.replicas, 'replica')}: {times} after {f.duration(last)}."


def _binding(fleet: Fleet) -> str:
    """Say what binds: the target, a swing, an overshoot, the cost."""
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
        missed = f"The target is missed {f.share(1 - summary.slo_share)} of the time, most often {_what_binds(fleet)}."
        if fleet.good:
            return f"{missed} From {f.duration(fleet.rest.since)} on it is always met."
        return f"{missed} {_offer(cures(fleet, _most(fleet)), _knobs(fleet))}"
    met = f"The target is met {f.share(summary.slo_share)} of the time"
    if not fleet.thrifty:
        words = f"{met}, but at {f.times(summary.cost_ratio, 3)} the cheapest cost."
        return f"{words} {_offer(savings(fleet, _most(fleet)), _thrift(fleet))}"
    return f"{met} at {f.times(summary.cost_ratio, 3)} the cost of the cheapest fleet that meets it."


def swinging(fleet: Fleet) -> tuple[int, int] | None:
    """The two fleets between which ±1 scaling keeps swinging under a steady load, or None."""
    if fleet.controller != "threshold" or fleet.load != "steady":
        return None
    late = fleet.run["wanted"].to_numpy()[len(fleet.run) // 2 :]
    for low in (int(late[-1]) - 1, int(late[-1])):
        interval = flapping_loads(fleet.upper, fleet.lower, low) if fleet.floor <= low < fleet.ceiling else None
        inside = interval and interval[0] * (1 + ROUNDING) < fleet.base < interval[1] * (1 - ROUNDING)
        if inside and set(late) <= {low, low + 1}:
            return low, low + 1
    return None


def _swing_words(fleet: Fleet, swing: tuple[int, int]) -> str:
    low, high = swing
    one = f"{f.share(fleet.base / low)} busy" if fleet.base < low else "overloaded"
    this, every = (_percent_below(value) for value in (fleet.base / high, limit(fleet.upper, fleet.floor)))
    return (
        f"It swings between {low} and {high} for ever: {f.count(low, 'replica')} would be {one}, above "
        f"{f.share(fleet.upper)}; {f.count(high, 'replica')} {f.share(fleet.base / high)} busy, below "
        f"{f.share(fleet.lower)}. Remove replicas only below {this} and this load comes to rest; below {every}, and "
        "every steady load does."
    )


def _percent_below(share: float) -> str:
    """The highest whole percentage, as the knobs have them, that is not above a share."""
    return f.share(math.floor(share * 100 * (1 + ROUNDING)) / 100)


def _overshoot_words(fleet: Fleet) -> str:
    """Say how far multiplying the requested replicas overshoots, if it does."""
    if fleet.controller != "hpa" or fleet.multiply != "requested":
        return ""
    ready = replace(fleet, multiply="ready")
    if fleet.summary.most_requested <= ready.summary.most_requested:
        return ""
    naive, calm = (_rise(item) for item in (fleet, ready))
    before, after = (f.share(item.summary.slo_share) for item in (fleet, ready))
    price = (
        "" if before == after else f" The price: the target is met {after} of the time, with the overshoot {before}."
    )
    if ready.summary.slo_share > fleet.summary.slo_share:
        price = f" The target is then met {after} of the time instead of {before}."
    costs = (
        "" if math.isnan(ready.summary.cost_ratio) else f", at {f.times(ready.summary.cost_ratio, 3)} the cheapest cost"
    )
    return (
        f"Overshoot: the request {naive}, because replicas that are still starting are multiplied too. Multiply "
        f"the ready ones instead and it {calm}{costs}.{price}"
    )


def _rise(fleet: Fleet) -> str:
    """The requests up to the highest one, shortened where there are many."""
    counts = distinct(fleet.run)
    counts = counts[: counts.index(max(counts)) + 1]
    if len(counts) == 1:
        return f"stays at {counts[0]} or below"
    if counts != sorted(counts):
        return f"goes as high as {counts[-1]}"
    return "rises " + (", ".join(map(str, counts)) if len(counts) <= 6 else f"from {counts[0]} to {counts[-1]}")


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
#: What a search changed, in words.
_NAMES = {
    "upper": "the threshold for adding",
    "lower": "the threshold for removing",
    "target": "the target utilization",
    "horizon": "the horizon",
    "start": "the replicas at the beginning",
    "floor": "the floor",
    "ceiling": "the ceiling",
    "multiply": "what is multiplied",
    "window": "the scale-down window",
    "tolerance": "the tolerance",
    "cool_down_up": "the cool-down before adding",
    "cool_down_down": "the cool-down before removing",
}


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
    if fleet.controller == "hpa":
        yield "lower the tolerance to {value}", _down("tolerance", fleet.tolerance, k.HPA_TOLERANCE.low)
    yield "wait only {value} before adding", _sooner("cool_down_up", fleet.cool_down_up)
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
    if fleet.ceiling > fleet.floor:
        yield "allow only {value}", [{"ceiling": n} for n in range(int(fleet.ceiling) - 1, int(fleet.floor) - 1, -1)]
    yield "wait only {value} before removing", _sooner("cool_down_down", fleet.cool_down_down)
    if fleet.controller == "hpa":
        yield "shorten the scale-down window to {value}", _sooner("window", fleet.window)
        yield "lower the tolerance to {value}", _down("tolerance", fleet.tolerance, k.HPA_TOLERANCE.low)


def _sooner(name: str, now: float) -> list[Change]:
    return [{name: float(value)} for value in np.arange(now - k.HPA_SYNC, -1, -k.HPA_SYNC)]


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
    if name in ("horizon", "window", "cool_down_up", "cool_down_down"):
        return f"{f.significant(value, 6)} s"
    return f.count(value, "replica") if name in ("floor", "ceiling", "start") else f.share(value)


def _offer(found: list[str], tried: Iterator[tuple[str, list[Change]]]) -> str:
    """Name the changes that mend it, or the knobs whose change was tried in vain."""
    if not found:
        knobs = [_NAMES[next(iter(values[0]))] for _, values in tried if values]
        return f"None of these changes by itself was found to mend it: {', '.join(knobs)}." if knobs else ""
    return f"{'This mends' if len(found) == 1 else 'Any one of these mends'} it: {'; '.join(found)}."
