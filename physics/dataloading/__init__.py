"""The input pipeline of a training step: what an accelerator needs, what the loader delivers, and
what holds it up.
"""

from physics.dataloading.pipeline import (
    COMPUTE,
    IOPS,
    NODE_LINK,
    STAGES,
    STORAGE,
    WORKERS,
    InputPipeline,
    demand,
    input_pipeline,
    lru_hit_share,
    prefetch_depth_for,
    stream_rate,
)

__all__ = [
    "COMPUTE",
    "IOPS",
    "NODE_LINK",
    "STAGES",
    "STORAGE",
    "WORKERS",
    "InputPipeline",
    "demand",
    "input_pipeline",
    "lru_hit_share",
    "prefetch_depth_for",
    "stream_rate",
]
