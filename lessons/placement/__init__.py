"""Placement: eight free GPUs are not a node, and how long a node is worth waiting for."""

from lessons.placement import chart, film, step, stream
from lessons.placement.settings import Training, say, site
from ui.base.lesson import Challenge, Film, Lesson, Preset, View

PRESETS = {
    "message": Preset(view="wait"),
    "ethernet": Preset(changes={"between": 1.25e9}, view="wait"),
    "scatter": Preset(changes={"whole": False}, view="stream"),
    "five": Preset(changes={"mix": "five"}, view="stream"),
    "worst": Preset(changes={"rule": "worst"}, view="film"),
}
LINKS = ("between", "spread")
STEP = ("parameters", "compute", *LINKS, "overlap")

LESSON = Lesson.of(
    "placement",
    Training,
    say,
    views=[
        View("wait", chart, knobs=("wait", "runtime", *LINKS), also=("parameters", "compute", "overlap")),
        View("step", step, part=2, knobs=STEP, also=("runtime",), after="reflection"),
        View("stream", stream, part=3, knobs=("mix", "whole", "load")),
        Film("film", film, part=4, knobs=("mix", "rule", "whole", "load"), name="stream"),
    ],
    presets=PRESETS,
    results={
        "Start now: done after": "now_ends:hours",
        "Wait: done after": "later_ends:hours",
        "Worth waiting up to": "break_even:hours",
    },
    challenge=Challenge(lambda: say("task", Training()), chart.judge, Preset("", chart.START)),
    places=dict.fromkeys(("crane", "bricks"), site),
)
