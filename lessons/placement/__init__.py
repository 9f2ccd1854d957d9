"""Placement: eight free GPUs are not a node, and how long a node is worth waiting for."""

from lessons.placement import challenge, film, settings, values, verdict
from ui.base.lesson import Challenge, Lesson, Preset

VIEWS = {"wait": "Now or later", "step": "One step", "stream": "A stream of jobs", "film": "Animation"}
PRESETS = {
    "message": Preset("The message's training", view="wait"),
    "four": Preset("Two nodes with four free GPUs", {"spread": 4}, view="wait"),
    "hidden": Preset("Half of the communication hidden", {"overlap": 0.5}, view="step"),
    "ethernet": Preset("10 Gb/s Ethernet between nodes", {"between": 1.25e9}, view="step"),
    "worst": Preset("A stream spread out: worst fit", {"rule": "worst"}, view="stream"),
    "scatter": Preset("The stream may scatter", {"whole": False}, view="stream"),
    "five": Preset("Challenge: jobs of 5 GPUs", challenge.START, view="stream"),
}

LESSON = Lesson.of(
    "placement",
    settings=settings.Training,
    presets=PRESETS,
    values=values.live_values,
    results=values.results,
    metrics=verdict.metrics,
    verdict=verdict.verdict,
    remedies=verdict.remedies,
    views=VIEWS,
    challenge=Challenge(challenge.task, challenge.judge),
    film=film.showing,
)
