"""Scheduling a shared cluster: policies, the simulator, its tables, and the saturation load.

This module only gathers names. The rules are in docs/decisions.md, "Cluster simulator".
"""

from physics.scheduling.machine import Decision
from physics.scheduling.policy import Emptied, Policy, Preemption
from physics.scheduling.saturation import saturation_load
from physics.scheduling.schedule import Schedule
from physics.scheduling.scoreboard import average_tables, class_table, pooled_quantile
from physics.scheduling.simulator import simulate

__all__ = [
    "Decision",
    "Emptied",
    "Policy",
    "Preemption",
    "Schedule",
    "average_tables",
    "class_table",
    "pooled_quantile",
    "saturation_load",
    "simulate",
]
