"""Autoscaling: whether the fleet comes to rest, what binds, and the smallest changes that fix it."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np

from lessons.autoscaling.challenge import met
from lessons.autoscaling.settings import ACTS_ON, CONTROLLERS, LENGTHS, Fleet, distinct, limit, span
from lessons.autoscaling.values import cost_ratio
from physics import constants as k
from physics.autoscaling.rules import ROUNDING
from ui.base import format as f
from ui.base.lesson import Metric, Verdict
from ui.knobs import remedies as search
from ui.knobs.declared import knobs_of

#: The knobs of the controller, the most promising first.
OWN = ("multiply", "upper", "lower", "target", "in_flight", "growth", "horizon", "floor")
#: Each controller in plain words, at its first use.
RULES = {
    "threshold": "±1 at thresholds adds a replica when they are too busy and removes one when they are too idle.",
    "hpa": "HPA, Kubernetes' Horizontal Pod Autoscaler, asks for as many replicas as would bring their mean "
    "utilization to the target.",
    "predictive": "It orders replicas for the highest load that is forecast within the horizon.",
    "concurrency": "It counts requests, those that wait or are turned away too, and asks for that number ÷ target "
    "replicas, as Knative's autoscaler does.",
}
SHARED = ("start", "ceiling", "tolerance", "window", "cool_down_up", "cool_down_down")


def metrics(fleet: Fleet) -> list[Metric]:
    """The four headline numbers."""
    summary = fleet.summary
    return [
        Metric(
            "Target met",
            met(fleet),
            slo_words(fleet),
            fleet.meets or met_at_rest(fleet),
        ),
        Metric("Cost ÷ cheapest", cost_ratio(fleet), cost_words(fleet), fleet.comparable),
        _forecast_metric(fleet)
        if fleet.controller == "predictive"
        else Metric("Changes of the request", f.significant(summary.changes), _changes_words(fleet)),
        _left_metric(fleet),
    ]


def _forecast_metric(fleet: Fleet) -> Metric:
    """How far the forecast is off."""
    share, root = fleet.off
    words = f"RMSE {f.significant(root)} replicas' worth"
    return Metric(
        "Forecast off by (MAPE)",
        f.share(share),
        words,
        help="Mean absolute error of the highest load within the horizon, as a share of what comes; RMSE: root of the "
        "mean squared error.",
    )


def _left_metric(fleet: Fleet) -> Metric:
    """What becomes of the work in excess, or what it costs where that has a price."""
    summary = fleet.summary
    if fleet.miss_price > 0:
        missed = f"{f.money(summary.cost)} and {f.count(round(fleet.missed), 'missed request')}"
        return Metric("Total cost", f.money(fleet.total), missed)
    if fleet.kept:
        return Metric("Still waiting", f.duration(summary.backlog), "of one replica's time at the end")
    return Metric("Turned away", f.share(summary.lost_share), "of the work offered")


def slo_words(fleet: Fleet) -> str:
    """Word the share of the time against what is asked for."""
    if not fleet.meets and fleet.rest and fleet.rest.meets:
        return f"always from {f.duration(fleet.rest.since)} on, at rest"
    return f"{'reaches' if fleet.meets else 'below'} the goal of {f.share(k.SLO_SHARE)}"


def met_at_rest(fleet: Fleet) -> bool | None:
    """False where the target is missed; None, neither good nor bad, where it was missed only before rest."""
    return None if fleet.rest and fleet.rest.meets else False


def cost_words(fleet: Fleet) -> str:
    """Word the cost against the cheapest fleet's."""
    cheapest = fleet.summary.cheapest_cost
    if math.isinf(cheapest):
        return f"{f.money(fleet.summary.cost)}; none meets the target"
    missed = "" if fleet.meets else "; target missed"
    return f"{f.money(fleet.summary.cost)} vs {f.money(cheapest)}{missed}"


def _changes_words(fleet: Fleet) -> str:
    """Word how long was looked at, and how far the request went."""
    return f"in {f.duration(LENGTHS[fleet.load])}; up to {f.count(fleet.summary.most_requested, 'replica')}"


def derived_words(fleet: Fleet) -> str:
    """What follows from the knobs and is no knob itself."""
    needed = fleet.run["needed"]
    text = f"{RULES[fleet.controller]} Load {span(fleet.loads)} replicas' worth of work; "
    if math.isinf(needed.max()):
        return text + f"no fleet answers within {f.duration(fleet.latency_target)}."
    least = f.count(needed.max(), "replica")
    if needed.min() < needed.max():
        least = f"{needed.min():g} to {least}"
    return (
        f"{text}it takes {least} to answer within {f.duration(fleet.latency_target)}; a look every "
        f"{f.duration(k.HPA_SYNC)}; replicas are {f.share(fleet.summary.mean_utilization)} busy on average."
        f"{_beside_words(fleet)}"
    )


def _beside_words(fleet: Fleet) -> str:
    """What the fleet drawn beside this one does, measured the same way."""
    other = fleet.other
    if other is None:
        return ""
    left = (
        f"{f.duration(other.summary.backlog)} of one replica's time is still waiting at the end"
        if fleet.kept
        else f"{f.share(other.summary.lost_share)} of the work is turned away"
    )
    return f" Beside it, {CONTROLLERS[other.controller]}: the target is met {met(other)} of the time and {left}."


@lru_cache(maxsize=256)
def verdict(fleet: Fleet) -> Verdict:
    """Say in one or two sentences whether it comes to rest, and what binds."""
    return Verdict(" ".join(filter(None, (_rest_words(fleet), _binding(fleet)))), fleet.good)


def _rest_words(fleet: Fleet) -> str:
    """Answer the message's own question, whether the fleet comes to rest; empty where the swing says it."""
    rest, changed = fleet.rest, fleet.summary.changes
    if fleet.swing:
        return ""
    if changed:
        last = (int(np.flatnonzero(fleet.run["wanted"] != fleet.run["requested"])[-1]) + 1) * k.HPA_SYNC
        times = "one change" if changed == 1 else f"{changed:,} changes, the last one"
    if fleet.load != "steady":
        if not changed:
            return f"It requests {f.count(fleet.summary.most_requested, 'replica')} all the time."
        return f"It follows the load in {times} after {f.duration(last)}."
    if rest is None and fleet.errs:
        return "It follows its forecast, which errs anew every five minutes even under a steady load."
    if rest is None:
        low, high = (int(end) for end in fleet.run["wanted"].tail(len(fleet.run) // 2).agg(["min", "max"]))
        span = f"between {low} and {high}" if low < high else f"at {low}"
        length = f.duration(LENGTHS["steady"])
        return f"It has not come to rest after {length}: in the second half the request is {span}."
    if not changed:
        return f"It rests at {f.count(rest.replicas, 'replica')} from the beginning."
    return f"It comes to rest at {f.count(rest.replicas, 'replica')}: {times} after {f.duration(last)}."


def _binding(fleet: Fleet) -> str:
    """Name the bottleneck: the target, a swing, an overshoot, the cost."""
    summary = fleet.summary
    if not fleet.possible:
        return (
            f"No number of replicas answers within {f.duration(fleet.latency_target)}: one request alone takes "
            f"{f.duration(fleet.service_time)}."
        )
    if fleet.swing:
        low, high = fleet.swing
        one = f"{f.share(fleet.base / low)} busy" if fleet.base < low else "overloaded"
        return (
            f"It swings between {low} and {high} for ever: {f.count(low, 'replica')} would be {one}, above "
            f"{f.share(fleet.upper)}; {f.count(high, 'replica')} {f.share(fleet.base / high)} busy, below "
            f"{f.share(fleet.lower)}."
        )
    if _calmed(fleet):
        return f"Overshoot: the request {_rise(fleet)}, because replicas that are still starting are multiplied too."
    if not fleet.meets:
        late = f.apart(1 - summary.slo_share, 1 - float(k.SLO_SHARE), f.share)
        missed = f"The target is missed {late} of the time, most often {_what_binds(fleet)}."
        return f"{missed} From {f.duration(fleet.rest.since)} on it is always met." if fleet.good else missed
    start = f"The target is met {met(fleet)} of the time"
    if not fleet.thrifty:
        return f"{start}, but at {f.times(summary.cost_ratio, 3)} the cheapest cost."
    return f"{start} at {f.times(summary.cost_ratio, 3)} the cost of the cheapest fleet that meets it."


def _what_binds(fleet: Fleet) -> str:
    """Name what most of the missed time has in common."""
    run = fleet.run
    missed = run[~run["slo_met"]]
    short = missed["requested"] < missed["needed"]
    capped = short & (missed["requested"] >= fleet.ceiling)
    held = short & ~capped & _held(fleet)[missed.index]
    low = short & ~capped & ~held & _too_low(fleet)[missed.index]
    starting = (~short & (missed["ready"] < missed["needed"])).sum()
    queue = (~short & (missed["ready"] >= missed["needed"])).sum()
    content = (short & ~capped & ~held & ~low).sum()
    words = {
        f"because the ceiling of {f.count(fleet.ceiling, 'replica')} forbids more": capped.sum(),
        "because the growth of requests is limited": held.sum(),
        "because the forecast is lower than the load": low.sum(),
        f"because replicas that were ordered take {f.duration(fleet.cold_start)} to start": starting,
        "because work from an earlier overload is still waiting": queue,
        "because the controller asks for fewer replicas than the latency needs": content,
    }
    return max(words, key=lambda name: words[name])


def _held(fleet: Fleet) -> np.ndarray:
    """In which steps the request would be enough without a limit of growth of your own."""
    if fleet.growth == "free":
        return np.zeros(len(fleet.run), dtype=bool)
    free = replace(fleet, growth="free").run
    return (free["requested"] >= free["needed"]).to_numpy()


def _too_low(fleet: Fleet) -> np.ndarray:
    """In which steps the forecast of the look before is lower than the load that comes."""
    low = np.zeros(len(fleet.run), dtype=bool)
    if fleet.controller == "predictive":
        low[1:] = fleet.peaks[0][:-1] < fleet.loads[1:] * (1 - ROUNDING)
    return low


def _calmed(fleet: Fleet) -> Fleet | None:
    """The same fleet with the ready replicas multiplied, where multiplying the requested ones overshoots."""
    if fleet.controller != "hpa" or fleet.multiply != "requested":
        return None
    ready = replace(fleet, multiply="ready")
    return ready if fleet.summary.most_requested > ready.summary.most_requested else None


def _rise(fleet: Fleet) -> str:
    """The requests up to the highest one, shortened where there are many."""
    counts = distinct(fleet.run)
    counts = counts[: counts.index(max(counts)) + 1]
    if len(counts) == 1:
        return f"stays at {counts[0]} or below"
    if counts != sorted(counts):
        return f"goes as high as {counts[-1]}"
    return "rises " + (", ".join(map(str, counts)) if len(counts) <= 6 else f"from {counts[0]} to {counts[-1]}")


@lru_cache(maxsize=256)
def remedies(fleet: Fleet) -> str:
    """Name what would fix it: by the rule where there is one, else changes of one knob, each tried on the model."""
    if not fleet.possible:
        return f"Raise the latency target above {f.duration(fleet.service_time)}, the time of one request alone."
    if fleet.swing:
        this, every = (
            _percent_below(value) for value in (fleet.base / fleet.swing[1], limit(fleet.upper, fleet.floor))
        )
        return (
            f"Remove replicas only below {this} and this load comes to rest; below {every}, and every steady load does."
        )
    if calm := _calmed(fleet):
        return _calm_words(fleet, calm)
    if fleet.good:
        return ""
    found = savings(fleet, _most(fleet)) if fleet.meets else cures(fleet, _most(fleet))
    if not found:
        names = ", ".join(knobs_of(Fleet)[name].label.split(" (")[0] for name in _tried(fleet))
        return f"No single one of these changes was found to mend it: {names}."
    return f"{'This mends' if len(found) == 1 else 'Any one of these mends'} it: {'; '.join(found)}."


def _percent_below(share: float) -> str:
    """The highest whole percentage, as the knobs have them, that is not above a share."""
    return f.share(math.floor(share * 100 * (1 + ROUNDING)) / 100)


def _calm_words(fleet: Fleet, calm: Fleet) -> str:
    """Say what multiplying the ready replicas would make of it, and at what price."""
    before, after = (met(one) for one in (fleet, calm))
    price = (
        "" if before == after else f" The price: the target is met {after} of the time, with the overshoot {before}."
    )
    if calm.summary.slo_share > fleet.summary.slo_share:
        price = f" The target is then met {after} of the time instead of {before}."
    ratio = calm.summary.cost_ratio
    costs = "" if math.isnan(ratio) else f", at {f.times(ratio, 3)} the cheapest cost"
    return f"Multiply the ready replicas instead, and the request {_rise(calm)}{costs}.{price}"


def cures(fleet: Fleet, most: int = 2) -> list[str]:
    """Single-knob changes that meet the latency target often enough, each the smallest its knob allows."""
    found = []
    for change in _search(fleet, lambda tried: tried.meets, most):
        then = replace(fleet, **{change.name: change.value})
        dear = "" if then.thrifty else f" (at {f.times(then.summary.cost_ratio, 3)} the cheapest cost)"
        found.append(change.words + dear)
    return found


def savings(fleet: Fleet, most: int = 2) -> list[str]:
    """Single-knob changes that bring the cost within the limit and still meet the latency target."""
    found = _search(fleet, lambda tried: tried.thrifty, most, lambda tried: tried.meets)
    return [change.words for change in found]


def _search(
    fleet: Fleet, aim: Callable[[Fleet], bool], most: int, kept: Callable[[Fleet], bool] = lambda tried: True
) -> list[search.Change]:
    """Try one knob after the other, by halving alone since a run takes a while, until enough changes are found."""
    found: list[search.Change] = []
    for name in _tried(fleet):
        if len(found) < most:
            changes = search.remedies(fleet, aim, [name], coarse=1)
            found += [change for change in changes if kept(replace(fleet, **{name: change.value}))]
    return found


def _tried(fleet: Fleet) -> list[str]:
    names = [name for name in OWN + (("ceiling",) if fleet.daily else SHARED) if name not in fleet.idle()]
    if fleet.growth == "free":
        names.remove("growth")
    return [name for name in names if fleet.controller in ACTS_ON.get(name, (fleet.controller,))]


def _most(fleet: Fleet) -> int:
    """How many changes are offered."""
    return 1 if fleet.daily else 2
