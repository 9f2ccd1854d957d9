"""Scheduling policy, laboratory: bounds of the settings, and a policy's score."""

import math
from collections.abc import Mapping
from typing import Any

from lessons.scheduling_policy.runs import CLASSES
from physics import constants as k
from physics.metrics import composite

HOUR = float(k.HOUR)
DAY = float(k.DAY)
#: Rate above which thousands of interactive jobs would wait for long if they went last [1/s].
OFTEN = 5 / HOUR


def min_quota(values: Mapping[str, Any]) -> float:
    """Minimum interactive quota [GPUs], with which frequent interactive jobs do not pile up."""
    rate = values.get("interactive_rate", 0.0)
    if rate > OFTEN:
        return 8 * math.ceil(rate * k.INTERACTIVE_RUNTIME * k.INTERACTIVE_GPUS / 8)
    return float(k.POLICY_QUOTA_INTERACTIVE.low)


def max_training_weight(values: Mapping[str, Any]) -> float:
    """Maximum fair-share weight of training at which interactive jobs do not pile up."""
    if values.get("interactive_rate", 0.0) > OFTEN:
        return 10
    return float(k.POLICY_WEIGHT.high)


def score(scenario: Any) -> float:
    """Return the value of jobs in time per day, minus a penalty per hour of wait [1]."""
    days = k.SIMULATED_TIME / DAY
    late = {"interactive": 1 - scenario.in_time, "training": scenario.late}
    late["search"] = scenario.found.mean("search", "share_above_limit")
    daily = {name: scenario.found.mean(name, "count") / days for name in CLASSES}
    timely = {name: daily[name] * (1 - late[name]) for name in CLASSES}
    worth = {"interactive": 1.0, "search": 1.0, "training": scenario.worth_training}
    penalty = scenario.worth_penalty * scenario.training_wait / HOUR * daily["training"]
    return composite(timely, worth, {"waits": penalty})
