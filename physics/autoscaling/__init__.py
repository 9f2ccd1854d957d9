"""Autoscalers: how many replicas to request, and the results if replicas take time to start."""

from physics.autoscaling.fleet import reserve
from physics.autoscaling.rules import (
    HPA,
    Concurrency,
    Growth,
    Predictive,
    Threshold,
    desired_replicas,
    flapping_loads,
    scale_up_limit,
)
from physics.autoscaling.simulator import simulate_autoscaler

__all__ = [
    "HPA",
    "Concurrency",
    "Growth",
    "Predictive",
    "Threshold",
    "desired_replicas",
    "flapping_loads",
    "reserve",
    "scale_up_limit",
    "simulate_autoscaler",
]
