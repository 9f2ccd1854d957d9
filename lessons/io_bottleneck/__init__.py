"""I/O bottleneck: why GPUs starve beside a store that is nearly idle."""

from lessons.io_bottleneck import challenge, film, settings, values, verdict
from physics import constants as k
from physics.dataloading.mlperf import WORKLOADS
from ui.base.lesson import Lesson, Preset

PRESETS = {
    "lead": Preset("The team lead's job"),
    "eight_workers": Preset("8 workers per GPU", {"workers": 8}),
    "packed": Preset(f"{int(k.IO_PACKED)} samples per read", {"packing": k.IO_PACKED}),
    "more_nodes": Preset("48 storage nodes", {"storage_nodes": k.IO_MORE_STORAGE_NODES}),
    "decoding": Preset(
        "Slow decoding instead",
        {"latency": k.IO_SLOW_DECODE_LATENCY, "decode_time": k.IO_SLOW_DECODE_TIME},
        view="sample",
    ),
    "jitter": Preset("Fast enough, but jittery (12 workers)", {"workers": 12}, view="jitter"),
    "epoch": Preset("Second epoch, room for 65 %", {"cached": values.CACHED}, view="cache"),
    "local": Preset("Node-local NVMe drives", {"context": settings.LOCAL, "latency": k.IO_LOCAL_LATENCY}),
} | {
    w.name.lower().replace("-", "").replace(" on ", "_"): Preset(
        f"MLPerf: {w.name}",
        {"sample_size": w.sample_size, "batch": w.batch_size, "compute_time": w.compute_time},
    )
    for w in WORKLOADS
}

LESSON = Lesson.of(
    "io_bottleneck",
    settings=settings.Job,
    presets=PRESETS,
    values=values.live_values,
    results=values.results,
    metrics=verdict.metrics,
    verdict=verdict.verdict,
    remedies=verdict.remedies,
    views={
        "load": "Stages",
        "sample": "One sample",
        "workers": "Workers",
        "timeline": "Timeline",
        "film": "Animation",
        "jitter": "Jitter and prefetch",
        "cache": "Second epoch",
        "shuffle": "Shuffle buffer",
        "field": "Published figures",
    },
    film=film.showing,
    challenge=challenge.CHALLENGE,
)
