"""Spot training: the challenge, the most nodes for which spot still costs half of on demand."""

from dataclasses import replace
from functools import lru_cache

from lessons.spot_training.settings import INTERVALS, Plan, say
from physics import constants as k
from ui.base.lesson import Verdict
from ui.knobs.declared import moved

#: Wanted: at most this share of the price on demand.
GOAL = 0.5
#: What the challenge leaves as it is: the other knobs that the cost depends on.
FIXED = ("mtbf", "dump", "restart", "warning")


def judge(plan: Plan) -> Verdict:
    """Say how far a plan has come."""
    if labels := moved(plan, {name for name in plan.__dataclass_fields__ if name not in FIXED}):
        return Verdict(say("reset_first", plan, labels=", ".join(labels)))
    if plan.relative > GOAL:
        return Verdict(say("too_expensive", plan), False)
    if plan.nodes < most():
        return Verdict(say("more_can", plan))
    return Verdict(say("won", plan), True)


@lru_cache(maxsize=1)
def most() -> int:
    """Nodes of the largest run that stays within the goal at an interval that can be set."""
    sizes = range(1, int(k.SPOT_NODES.high or 1) + 1)
    plans = (replace(Plan(), nodes=nodes, interval=minutes * k.MINUTE) for nodes in sizes for minutes in INTERVALS)
    return max(plan.nodes for plan in plans if plan.relative <= GOAL)
