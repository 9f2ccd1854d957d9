"""Input pipeline of a training step: demand, the loader's throughput, and the bottleneck."""

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
