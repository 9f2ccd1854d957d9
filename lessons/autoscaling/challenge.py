"""Autoscaling: the challenge, to follow a day at a fair price."""

import math

from lessons.autoscaling.settings import Fleet
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Verdict

#: What the challenge fixes: the load, the replicas and the requests. The controller's own knobs are free.
WORLD = ("load", "base", "peak", "cold_start", "error", "kept", "latency_target", "service_time", "scv", "price")
CHALLENGE = Fleet(controller="hpa", load="day")


def entered(fleet: Fleet) -> bool:
    """Whether load, replicas and requests are those of the challenge."""
    pairs = [(getattr(fleet, name), getattr(CHALLENGE, name)) for name in WORLD]
    return all(a == b if isinstance(b, str | bool) else math.isclose(a, b) for a, b in pairs)


def met(fleet: Fleet) -> str:
    """Share of the time in which the target is met, in words that never read as the goal where it is missed."""
    return f.apart(fleet.summary.slo_share, float(k.SLO_SHARE), f.share)


def won(fleet: Fleet) -> bool:
    """Whether the challenge is met."""
    return entered(fleet) and fleet.meets and fleet.thrifty


def task() -> str:
    """What the challenge asks for."""
    return (
        f"On the load of a day, meet the latency target at least {f.share(k.SLO_SHARE)} of the time and spend at most "
        f"{f.significant(k.COST_LIMIT)} times what the cheapest fleet would have cost. The controller, its settings, "
        "cool-downs, floor, ceiling and start are yours; load, cold start, forecast error, requests and price are not."
    )


def judge(fleet: Fleet) -> Verdict:
    """Say how the challenge stands, and which condition fails."""
    if not entered(fleet):
        return Verdict("These are not the challenge's load and replicas: choose the preset “The load of a day” first.")
    time, cost = met(fleet), f.apart(fleet.summary.cost_ratio, float(k.COST_LIMIT), f.times)
    if won(fleet):
        return Verdict(f"Won: the target is met {time} of the time at {cost} the cheapest cost.", True)
    missing = [] if fleet.meets else [f"the target is met only {time} of the time"]
    missing += [] if fleet.thrifty else [f"the fleet costs {cost} the cheapest"]
    return Verdict(f"Not yet: {' and '.join(missing)}.", False)


def state(fleet: Fleet) -> str:
    """The challenge in one word or two, for the ledger."""
    return "won" if won(fleet) else "not yet" if entered(fleet) else "other settings"
