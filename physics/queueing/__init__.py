"""Queues with one waiting line: M/M/c, M/G/1, G/G/c, and one server with priority classes.

M/G/1 has several disciplines.
"""

from physics.queueing.priority import aging_waits, priority_waits
from physics.queueing.response import mg1_response, mg1_response_of
from physics.queueing.simulation import QueueRecords, Replications, replicate_queue, simulate_queue
from physics.queueing.steady_state import (
    SteadyState,
    erlang_b,
    erlang_c,
    highest_utilization,
    mgc,
    mmc,
)

__all__ = [
    "QueueRecords",
    "Replications",
    "SteadyState",
    "aging_waits",
    "erlang_b",
    "erlang_c",
    "highest_utilization",
    "mg1_response",
    "mg1_response_of",
    "mgc",
    "mmc",
    "priority_waits",
    "replicate_queue",
    "simulate_queue",
]
