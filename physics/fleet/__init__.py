"""Shared fleet whose jobs read while they compute: hours, bottleneck, and cost."""

from physics.fleet.steady_state import BINDING, Fleet, fleet_cost, one_fleet

__all__ = ["BINDING", "Fleet", "fleet_cost", "one_fleet"]
