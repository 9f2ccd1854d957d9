"""GPU slices (NVIDIA MIG): instances that fit on one 80 GB GPU, and unusable free slices."""

from physics.checkpointing.spares import gang_start_probability
from physics.slicing.layouts import (
    PROFILES,
    Placement,
    Profile,
    Stranded,
    assignment,
    bits,
    layouts,
    occupied,
    placeable,
    profile_of,
    room,
    stranded,
    unusable_slices,
)

__all__ = [
    "PROFILES",
    "Placement",
    "Profile",
    "Stranded",
    "assignment",
    "bits",
    "gang_start_probability",
    "layouts",
    "occupied",
    "placeable",
    "profile_of",
    "room",
    "stranded",
    "unusable_slices",
]
