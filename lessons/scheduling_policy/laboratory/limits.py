"""Scheduling policy, in the laboratory: bounds of its knobs, and the score of a policy."""

import math
from collections.abc import Mapping
from typing import Any

from lessons.scheduling_policy.runs import CLASSES
from physics import constants as k
from physics.metrics import composite

HOUR = float(k.HOUR)
DAY = float(k.DAY)
#: Rate of interactive jobs above which thousands of them would wait for long if they went last
#: [1/s].
OFTEN = 5 / HOUR


def least_quota(before: Mapping[str, Any]) -> float:
    """GPUs that frequent interactive jobs use on average: with fewer of their own they would pile
    up without end.
    """
    rate = before.get("interactive_rate", 0.0)
    usual = float(k.POLICY_QUOTA_INTERACTIVE.low)
    if rate > OFTEN:
        return 8 * math.ceil(rate * k.INTERACTIVE_RUNTIME * k.INTERACTIVE_GPUS / 8)
    return usual


def most_shares(before: Mapping[str, Any]) -> float:
    """Shares with which training may go first; fewer where interactive jobs are frequent, for the
    same reason.
    """
    if before.get("interactive_rate", 0.0) > OFTEN:
        return 10
    return float(k.POLICY_WEIGHT.high)


def score(scenario: Any) -> float:
    """Return the worth of the jobs of a scenario that start in time in a day, minus a penalty for
    each hour that training waits [1].
    """
    days = k.SIMULATED_TIME / DAY
    late = {"interactive": 1 - scenario.in_time, "training": scenario.late}
    late["search"] = scenario.found.mean("search", "share_above_limit")
    daily = {name: scenario.found.mean(name, "count") / days for name in CLASSES}
    worth = {"interactive": 1.0, "search": 1.0, "training": scenario.worth_training}
    penalty = scenario.worth_penalty * scenario.training_wait / HOUR * daily["training"]
    return composite(
        {name: daily[name] * (1 - late[name]) for name in CLASSES}, worth, {"waits": penalty}
    )
