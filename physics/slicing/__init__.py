"""GPU slices (NVIDIA MIG): which instances fit side by side on one 80 GB GPU, and what stays free
but useless.
"""

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
