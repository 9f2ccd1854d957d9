"""I/O bottleneck: why GPUs starve beside storage that is nearly idle."""

from lessons.io_bottleneck import batch, cache, field, film, jitter, shuffle, stages
from lessons.io_bottleneck.settings import SLOW, Job, drafted, say
from physics import constants as k
from ui.base.lesson import Drafted, Film, Lesson, Preset, View

PRESETS = {
    "lead": Preset(),
    "more_nodes": Preset(changes={"storage_nodes": k.IO_MORE_STORAGE_NODES}, view="load"),
    "decoding": Preset(changes=SLOW, view="sample"),
    "jitter": Preset(changes={"reading": 0.9}, view="jitter"),
    "epoch": Preset(changes={"cached": k.IO_ROOM}, view="cache"),
}
READS = ("workers", "packing", "latency")
#: What else moves the picture of one batch.
CROWD = ("storage_nodes", "accelerators", "decode_time", "cached")

LESSON = Lesson.of(
    "io_bottleneck",
    Job,
    say,
    views=[
        View("batch", batch, knobs=READS, also=CROWD),
        View(
            "load",
            stages,
            knobs=("workers", "packing", "storage_nodes", "accelerators", "node_link"),
            also=("latency", "decode_time", "cached"),
        ),
        Film("film", film, knobs=READS, also=CROWD, name="worker"),
        View("sample", batch, part=2, knobs=("decode_time", *READS), also=CROWD, words="batch_words"),
        View("jitter", jitter, part=3, knobs=("reading", "prefetch_depth", "scv")),
        View("cache", cache, part=4, knobs=("cached",), also=("decode_time", *READS)),
        View("shuffle", shuffle, part=5, knobs=("shuffle_buffer",), verdict="mixed"),
        View("field", field, part=6, knobs=(), verdict="field"),
    ],
    presets=PRESETS,
    results={
        "Accelerator utilization": "utilization:share",
        "Step time": "step_time:ms",
        "Data read": "achieved:rate",
        "Storage load": "storage_load:share2",
    },
    challenge=stages.CHALLENGE,
    drafted=Drafted("v2_04", drafted),
)
