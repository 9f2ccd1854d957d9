"""Stuttering answers: why an answer pauses while it is being written."""

from lessons.stuttering_answers import apart, film, pieces, strip
from lessons.stuttering_answers.settings import counter, say
from physics import constants as k
from ui.base.lesson import Curtain, Film, Lesson, Preset, View

PRESETS = {
    "message": Preset(),
    "four": Preset({"gpus": 4}),
    "memory": Preset({"bandwidth": 6.7e12}),
    "cut": Preset({"piece": "512"}),
    "small": Preset({"piece": "128"}, "pieces"),
    "short": Preset({"prompt": 2000}),
}
CHAT = ("piece", "rate", "prompt", "answer", "gpus", "bandwidth")
CURTAIN = Curtain((1,), stays=("prompt", "writing", "token", "other token", "answer", "■", "steps"))

LESSON = Lesson.of(
    say,
    views=[
        View("strip", strip, CHAT, curtain=CURTAIN),
        Film("film", film, CHAT, name="answers"),
        View("pieces", pieces, CHAT),
    ],
    further=[
        View(
            "apart",
            apart,
            ("prompt_gpus", "rate", "prompt", "answer"),
            fixed={"gpus": int(k.STUTTER_POOL)},
            opens={"rate": 20.0},
        )
    ],
    presets=PRESETS,
    results={
        "Longest pause": "now.stop:time",
        "First token": "now.first:time",
        "Tokens per second": "tokens_per_second:number",
    },
    challenge=strip.judge,
    places={"clerk": counter, "crossing": counter},
)
