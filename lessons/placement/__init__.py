"""Placement: eight free GPUs are not a node, and how long a node is worth waiting for."""

from lessons.placement import chart, step, stream
from lessons.placement.laboratory import dimensions, film
from lessons.placement.settings import say, site
from ui.base.lesson import Curtain, Film, Lesson, Preset, View

PRESETS = {
    "message": Preset(view="wait"),
    "ethernet": Preset({"between": 1.25e9}, "wait"),
    "scatter": Preset({"whole": False}, "stream"),
    "five": Preset({"mix": "five"}, "stream"),
    "worst": Preset({"rule": "worst"}, "film"),
}
LINKS = ("between", "spread")
STEP = ("parameters", "compute", *LINKS, "overlap")

LESSON = Lesson.of(
    say,
    views=[
        View(
            "wait",
            chart,
            ("wait", "runtime", "parameters", "compute", *LINKS),
            ("overlap",),
            curtain=Curtain((1, 2, 3), stays=("wait", "start now")),
        )
    ],
    further=[
        View("step", step, STEP, ("runtime",), after="reflection", opens={"overlap": 0.5}),
        View("stream", stream, ("mix", "whole", "load")),
    ],
    laboratory=[
        Film("film", film, ("mix", "rule", "whole", "load"), name="stream"),
        View("dimensions", dimensions, ("cores", "packing", "load"), verdict="dimensions"),
    ],
    presets=PRESETS,
    results={
        "Start now: done after": "ends.now:hours",
        "Wait: done after": "ends.later:hours",
        "Worth waiting up to": "break_even:hours",
    },
    challenge=chart.judge,
    start=Preset(chart.START),
    places=dict.fromkeys(("crane", "bricks"), site),
)
