"""GPU slices: which instances fit on one GPU, and what stays free that no further instance can use."""

from lessons.gpu_slices import film, fragments, gang, settings, slots, stream
from ui.base.lesson import Film, Lesson, Preset, View

TWO = "3g.40gb@0,3g.40gb@4"
PRESETS = {
    "message": Preset(view="slots"),
    "alone": Preset(changes={"layout": TWO, "profile": "1g.10gb", "start": 6}, view="slots"),
    "sevenths": Preset(
        changes={"layout": "4g.40gb@0,2g.20gb@4,1g.10gb@6", "profile": "1g.10gb", "start": 7}, view="slots"
    ),
    "order": Preset(changes={"layout": "2g.20gb@0,1g.10gb@4,1g.10gb@6", "profile": "3g.40gb"}, view="slots"),
    "twice": Preset(changes={"layout": "4g.40gb@0", "profile": "4g.40gb", "start": 4}, view="slots"),
    "small": Preset(
        changes={"layout": ",".join(f"1g.10gb@{at}" for at in range(7)), "profile": "1g.10gb", "start": 7}, view="slots"
    ),
    "halves": Preset(changes={"mix": "halves"}, view="stream"),
    "gang": Preset(changes={"nodes": 256, "block": 1}, view="gang"),
    "larger": Preset(changes={"nodes": 400, "block": 1}, view="gang"),
}
STREAM = ("mix", "gpus", "draw")

LESSON = Lesson.of(
    "gpu_slices",
    settings.Slices,
    settings.say,
    views=[
        View("slots", slots, knobs=("profile", "start", "gpu")),
        View("stream", stream, part=2, knobs=STREAM, verdict="stream"),
        Film("film", film, part=3, knobs=STREAM, name="stream", metrics="stream_metrics", verdict="stream"),
        View("fragments", fragments, part=4, knobs=("asked", *STREAM), verdict="fragments"),
        View("gang", gang, part=5, knobs=("free", "nodes", "needed", "block")),
    ],
    presets=PRESETS,
    results={
        "Customer's instances placed": "served:number",
        "Compute slices in use": "compute:number",
        "Memory slices in use": "memory:number",
    },
    challenge=slots.judge,
    places={"campsite": settings.campsite},
)
