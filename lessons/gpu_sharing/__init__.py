"""Sharing a GPU: how much two jobs slow each other on one device, and whom to put beside whom."""

from lessons.gpu_sharing import film, puzzle, settings, values, verdict
from physics import constants as k
from ui.base.lesson import Challenge, Lesson, Preset

PRESETS = {
    "message": Preset("The message's pair", view="pair"),
    "alike": Preset("Two that decode", {"neighbor": int(k.SHARE_INTENSITY)}, view="pair"),
    "trainings": Preset("Two trainings", {"intensity": int(k.SHARE_NEIGHBOR)}, view="pair"),
    "large": Preset("Decoding 256 sequences", {"intensity": 256}, view="pair"),
    "light": Preset("Two that fill nothing", {"reach": 0.5, "neighbor_reach": 0.5}, view="pair"),
    "turns": Preset("Turns with a switch of 10 ms", {"switch": float(k.SHARE_SWITCH_NOTES)}, view="ways"),
    "puzzle": Preset("Eight jobs, alike with alike", view="puzzle"),
}

LESSON = Lesson.of(
    "gpu_sharing",
    settings=settings.Sharing,
    main="neighbor",
    presets=PRESETS,
    values=values.live_values,
    results=values.results,
    metrics=verdict.metrics,
    verdict=verdict.verdict,
    remedies=verdict.remedies,
    views={"pair": "The pair", "ways": "Three ways", "puzzle": "Puzzle", "film": "Animation"},
    challenge=Challenge(puzzle.task, puzzle.judge),
    film=film.showing,
)
