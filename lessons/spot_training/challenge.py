"""Spot training: the challenge, the largest gang for which spot still costs half of on demand."""

from dataclasses import replace
from functools import lru_cache

from lessons.spot_training.settings import INTERVALS, Plan
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.knobs.declared import moved

#: Wanted: at most this share of the price on demand.
GOAL = 0.5
#: The knobs that may be turned, and those that the cost does not depend on.
FREE = {"interval", "nodes", "deadline", "workers", "serial", "gradient", "bandwidth", "latency", "train_deadline"}
FREE |= {"worth", "swing", "band", "budget", "efficiency", "needed", "base", "up", "target", "block"}


def task() -> str:
    """The task in words."""
    return (
        f"Turn only interval and nodes: how many nodes can the message's run have while spot costs at most "
        f"{f.share(GOAL)} of on demand?"
    )


def judge(plan: Plan) -> Verdict:
    """Say how far a plan has come."""
    if labels := moved(plan, FREE):
        return Verdict(f"Put back first: {', '.join(labels)}.")
    share = f.share(plan.cost / plan.on_demand_cost)
    gang = f.count(plan.nodes, "node")
    if not within(plan):
        return Verdict(f"{gang}: {share} of on demand, too dear.", False)
    if plan.nodes < most():
        return Verdict(f"{gang} at {share} of on demand. A larger gang can do it too.")
    return Verdict(f"Won: {gang} at {share} of on demand, and no larger gang stays below {f.share(GOAL)}.", True)


def within(plan: Plan) -> bool:
    """Whether a plan costs at most the wanted share of on demand."""
    return plan.cost <= GOAL * plan.on_demand_cost


@lru_cache(maxsize=8)
def most() -> int:
    """Nodes of the largest gang that stays within the goal at an interval that can be set."""
    sizes = range(1, int(k.SPOT_NODES.high) + 1)
    plans = (replace(Plan(), nodes=nodes, interval=minutes * k.MINUTE) for nodes in sizes for minutes in INTERVALS)
    return max(plan.nodes for plan in plans if within(plan))
