"""I/O bottleneck: why GPUs starve while the storage is nearly idle."""

from lessons.io_bottleneck import batch, crew, jitter, stages
from lessons.io_bottleneck.laboratory import cache, direct, field, shuffle
from lessons.io_bottleneck.settings import FEW_CORES, SLOW, drafted, say
from physics import constants as k
from ui.base.lesson import Curtain, Drafted, Lesson, Preset, View

PRESETS = {
    "lead": Preset(),
    "more_nodes": Preset({"storage_nodes": k.IO_MORE_STORAGE_NODES}, "load"),
    "decoding": Preset(SLOW, "sample"),
    "jitter": Preset({"reading": 0.9}, "jitter"),
    "epoch": Preset({"cached": k.IO_ROOM}, "cache"),
}
READS = ("workers", "packing", "latency")
#: What else moves the picture of one batch.
CROWD = ("storage_nodes", "accelerators", "decode_time", "cached")

LESSON = Lesson.of(
    say,
    views=[
        View("batch", batch, READS, CROWD, curtain=Curtain((3, 4), stays=("step", "GPU:"))),
        View(
            "load",
            stages,
            ("workers", "packing", "storage_nodes", "accelerators", "node_link"),
            ("latency", "decode_time", "cached"),
        ),
    ],
    further=[
        View("sample", crew, ("decode_time", "cores", *READS), CROWD, opens=FEW_CORES),
        View("jitter", jitter, ("reading", "prefetch_depth", "scv"), opens={"reading": 0.9}),
    ],
    laboratory=[
        View("crew", crew, READS, CROWD),
        View("cache", cache, ("cached",), ("decode_time", *READS), opens={"cached": k.IO_ROOM}),
        View("shuffle", shuffle, ("shuffle_buffer",), verdict="mixed"),
        View(
            "direct",
            direct,
            ("packing", "latency", "decode_time"),
            ("workers", "cached"),
            verdict="direct",
        ),
        View("field", field, verdict="field"),
    ],
    presets=PRESETS,
    results={
        "Accelerator utilization": "utilization:share",
        "Step time": "step_time:ms",
        "Data read": "achieved:rate",
        "Storage load": "storage_load:share2",
    },
    challenge=stages.judge,
    start=stages.START,
    drafted=Drafted("v2_04", drafted),
)
