"""Allocation of a shared pool's executors: dominant resource fairness and other policies."""

from physics.fairness.allocation import POLICIES, Allocation, Claimant, allocate, jain_index
from physics.fairness.division import Division, Properties, check_properties, divide

__all__ = [
    "POLICIES",
    "Allocation",
    "Claimant",
    "Division",
    "Properties",
    "allocate",
    "check_properties",
    "divide",
    "jain_index",
]
