"""Storage architecture: four times the bandwidth needed, and what fails all the same."""

from lessons.storage_architecture import film, settings, values, verdict
from ui.base.lesson import Challenge, Lesson, Preset

PRESETS = {
    "cto": Preset("The CTO's design: 4 MB files"),
    "small": Preset("Small samples: 62.5 kB files", {"file_size": 62.5e3}),
    "servers": Preset("Small samples, five metadata servers", {"file_size": 62.5e3, "metadata_servers": 5}),
    "shards": Preset("Packed into 1 GB shards", {"organization": "shards"}),
    "objects": Preset("Object store, a 62.5 kB object a sample", {"organization": "objects", "request_size": 62.5e3}),
    "ranges": Preset("Object store, ranges of 8 MB", {"organization": "objects", "prefixes": 8}),
    "local": Preset("Copied to the GPU nodes' own drives", {"organization": "local"}),
    "whole": Preset("All of the data on every node", {"organization": "local", "local_copy": "whole"}),
    "together": Preset("Twenty jobs that start together", {"phases": "aligned"}, view="jobs"),
    "checkpoint": Preset(
        "Twelve storage nodes and a checkpoint", {"organization": "shards", "storage_nodes": 12}, view="checkpoint"
    ),
}

LESSON = Lesson.of(
    "storage_architecture",
    settings=settings.Design,
    presets=PRESETS,
    values=values.live_values,
    results=values.results,
    metrics=values.metrics,
    verdict=verdict.verdict,
    remedies=verdict.remedies,
    views={
        "loads": "Limits in use",
        "all": "All limits",
        "size": "How large is a read?",
        "film": "Animation",
        "checkpoint": "Part 2: checkpoints",
        "jobs": "Many jobs' checkpoints",
        "capacity": "Capacity and copies",
        "distance": "Part 3: move the data or the job?",
    },
    film=film.showing,
    challenge=Challenge(verdict.task, verdict.judge),
)
