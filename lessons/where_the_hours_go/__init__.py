"""Where the hours go: five lessons in one model, and why fewer GPUs can give results sooner."""

from lessons.where_the_hours_go import full, hours, more
from lessons.where_the_hours_go.elsewhere import port
from lessons.where_the_hours_go.settings import say
from ui.base.lesson import Curtain, Lesson, Preset, View

PRESETS = {
    "director": Preset(),
    "proposal": Preset({"gpus": 768, "workers": 2}),
    "purchase": Preset({"gpus": 1280}),
    "packed": Preset({"samples": 16}),
    "nodes": Preset({"gpus": 768, "workers": 2, "nodes": 3}, "full"),
}
CENTER = ("gpus", "workers", "samples", "metadata", "nodes")

LESSON = Lesson.of(
    say,
    views=[
        View(
            "hours",
            hours,
            (*CENTER, "order"),
            curtain=Curtain((1, 2, 3), stays=("outline",)),
        ),
        View("full", full, CENTER, ("order",)),
    ],
    further=[View("more", more, CENTER, ("order",), opens={"workers": 2}, after="reflection")],
    presets=PRESETS,
    results={
        "Result after": "now.total:time",
        "Wait": "now.wait:time",
        "Wait of urgent jobs": "urgent_wait:time",
        "GPUs computing": "computing:number",
        "Cost in 30 days": "now.cost:money",
    },
    challenge=hours.judge,
    places={"port": port, "workshop": port},
)
