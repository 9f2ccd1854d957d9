"""A shared fleet whose jobs read from one store while they compute: where a job's hours go, what is
full, and what it costs.
"""

from physics.fleet.steady_state import BINDING, Fleet, fleet_cost, one_fleet

__all__ = ["BINDING", "Fleet", "fleet_cost", "one_fleet"]
