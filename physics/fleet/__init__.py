"""Shared fleet whose jobs read from one store while they compute: a job's hours, the bottleneck,
and the cost.
"""

from physics.fleet.steady_state import BINDING, Fleet, fleet_cost, one_fleet

__all__ = ["BINDING", "Fleet", "fleet_cost", "one_fleet"]
