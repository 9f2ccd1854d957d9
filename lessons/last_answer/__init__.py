"""The last answer: what determines the length of a step that waits for all its answers."""

from lessons.last_answer import carry, gpus, spreads, steps
from lessons.last_answer.settings import bus, say
from ui.base.lesson import Curtain, Lesson, Preset, View

PRESETS = {
    "message": Preset(),
    "back": Preset({"gpus": 32}),
    "few": Preset({"gpus": 8}),
    "more": Preset({"extra": 0.1}),
    "limit": Preset({"longest": "4"}),
    "equal": Preset({"spread": "same", "gpus": 32}),
}
ROLLOUT = ("gpus", "answers", "extra", "spread", "longest")

LESSON = Lesson.of(
    say,
    views=[
        View("steps", steps, ROLLOUT, curtain=Curtain((1, 2, 3), stays=("answer", "last"))),
        View("gpus", gpus, ROLLOUT),
    ],
    further=[
        View(
            "carry",
            carry,
            ("extra", "gpus", "answers"),
            ("spread", "longest"),
            opens={"extra": 0.05},
        ),
        View(
            "spreads",
            spreads,
            ("spread", "gpus", "answers"),
            ("extra", "longest"),
            opens={"spread": "half"},
        ),
    ],
    presets=PRESETS,
    results={
        "Step": "step:time",
        "Busy slots": "busy:share",
        "Answers per GPU-hour": "rate:number",
        "Kept answers shorter by": "shorter:share",
    },
    challenge=steps.judge,
    start=Preset({"extra": 0.05}),
    places={"trip": bus, "bus": bus},
)
