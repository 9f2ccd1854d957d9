"""Where the hours go: five lessons in one model, and why fewer GPUs can give results sooner."""

from lessons.where_the_hours_go import full, hours, more
from lessons.where_the_hours_go.elsewhere import port
from lessons.where_the_hours_go.laboratory import grows
from lessons.where_the_hours_go.settings import say
from ui.base.lesson import Curtain, Lesson, Preset, View

PRESETS = {
    "director": Preset(),
    "proposal": Preset({"gpus": 768, "workers": 2}),
    "purchase": Preset({"gpus": 1280}),
    "packed": Preset({"samples": 16}),
    "nodes": Preset({"gpus": 768, "workers": 2, "nodes": 3}, "full"),
}
#: The repaired center with fewer GPUs, and three jobs in ten more than today.
GROWN = {"gpus": 768, "workers": 2, "nodes": 3, "metadata": 8, "demand": 1.3}
CENTER = ("gpus", "workers", "samples", "metadata", "nodes")

LESSON = Lesson.of(
    say,
    views=[
        View(
            "hours",
            hours,
            (*CENTER, "order"),
            ("demand",),
            curtain=Curtain((1, 2, 3), stays=("outline",)),
        ),
        View("full", full, CENTER, ("order", "demand")),
    ],
    further=[
        View("more", more, CENTER, ("order", "demand"), opens={"workers": 2}, after="reflection")
    ],
    laboratory=[
        View("grows", grows, ("demand", *CENTER), ("order",), opens=GROWN, after="reflection")
    ],
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
