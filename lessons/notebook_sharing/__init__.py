"""Notebook sharing: what is gained when notebooks share a node and each cell gets its cores when it starts."""

from lessons.notebook_sharing import challenge, film, settings, values, verdict, words
from physics import constants as k
from ui.base.lesson import Challenge, Lesson, Preset

FOUR = {"combination": "ABCD", "loss": 0.2}
PRESETS = {
    "pair": Preset("The question's two notebooks"),
    "four": Preset("All four, 20 % loss", FOUR),
    "attentive": Preset("Attentive users", FOUR | {"think": "attentive"}),
    "overnight": Preset("Left overnight", FOUR | {"think": "overnight"}),
    "culled": Preset("Overnight, culled after an hour", FOUR | {"think": "overnight", "cull": k.HOUR}, view="idle"),
    "overhead": Preset("Overhead above the gain", {"combination": "AC", "loss": 0.2, "overhead": 10}, view="overhead"),
    "rigid": Preset("Rigid, behind a server left running", FOUR | {"moldable": False, "endless": 1}, view="gantt"),
}

LESSON = Lesson.of(
    "notebook_sharing",
    settings=settings.Study,
    main="copies",
    presets=PRESETS,
    values=values.live_values,
    results=values.results,
    metrics=words.metrics,
    verdict=verdict.verdict,
    remedies=verdict.remedies,
    views={
        "gantt": "Core timeline",
        "combinations": "All combinations",
        "overhead": "Overhead",
        "fit": "How many fit",
        "idle": "Idle core-hours",
        "film": "Animation",
    },
    film=film.showing,
    challenge=Challenge(challenge.task, challenge.judge),
)
