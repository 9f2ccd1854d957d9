"""Demands of a fleet on a file system, an object store, and the link between two sites."""

from physics.storage.demands import (
    EGRESS_TIERS,
    ObjectStorePlan,
    Relocation,
    checkpoint_write,
    data_rate,
    egress_cost,
    metadata_capacity,
    metadata_rate,
    move_or_not,
    node_local_bandwidth,
    object_store_plan,
)

__all__ = [
    "EGRESS_TIERS",
    "ObjectStorePlan",
    "Relocation",
    "checkpoint_write",
    "data_rate",
    "egress_cost",
    "metadata_capacity",
    "metadata_rate",
    "move_or_not",
    "node_local_bandwidth",
    "object_store_plan",
]
