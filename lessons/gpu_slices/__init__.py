"""GPU slices: which instances fit on one GPU, and which free slices no instance can use."""

from lessons.gpu_slices import settings, slots, stream
from lessons.gpu_slices.laboratory import film, fragments, gang, use
from ui.base.lesson import Curtain, Film, Lesson, Preset, View

TWO = "3g.40gb@0,3g.40gb@4"
PRESETS = {
    "message": Preset(view="slots"),
    "alone": Preset({"layout": TWO, "profile": "1g.10gb", "start": 6}, "slots"),
    "sevenths": Preset(
        {"layout": "4g.40gb@0,2g.20gb@4,1g.10gb@6", "profile": "1g.10gb", "start": 7}, "slots"
    ),
    "order": Preset({"layout": "2g.20gb@0,1g.10gb@4,1g.10gb@6", "profile": "3g.40gb"}, "slots"),
    "twice": Preset({"layout": "4g.40gb@0", "profile": "4g.40gb", "start": 4}, "slots"),
    "small": Preset(
        {"layout": ",".join(f"1g.10gb@{at}" for at in range(7)), "profile": "1g.10gb", "start": 7},
        "slots",
    ),
    "halves": Preset({"mix": "halves"}, "stream"),
    "gang": Preset({"nodes": 256, "block": 1}, "gang"),
    "larger": Preset({"nodes": 400, "block": 1}, "gang"),
}
STREAM = ("mix", "gpus", "draw")

LESSON = Lesson.of(
    settings.say,
    views=[
        View(
            "slots",
            slots,
            ("profile", "start"),
            ("layout",),
            curtain=Curtain((1,), stays=("label", "cell", "compute", "block", "piece", "chosen")),
        )
    ],
    further=[
        View("stream", stream, ("mix", "gpus")),
    ],
    laboratory=[
        Film("film", film, STREAM, name="stream", metrics="use_metrics"),
        View("fragments", fragments, ("asked", *STREAM), verdict="fragments"),
        View("use", use, STREAM, verdict="use"),
        View("gang", gang, ("free", "nodes", "needed", "block")),
    ],
    presets=PRESETS,
    results={
        "Instances": "instances:number",
        "Compute slices in use": "compute:number",
        "Memory slices in use": "memory:number",
    },
    challenge=slots.judge,
    start=Preset({"layout": settings.EMPTY}),
    places={"campsite": settings.campsite},
)
