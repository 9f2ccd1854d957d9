"""DRF story: who gets the next executor of a shared pool, step by step, and what "fair" means."""

from lessons.drf_story import challenge, film, presets, settings, values, verdict
from ui.base.lesson import Challenge, Lesson

LESSON = Lesson.of(
    "drf_story",
    settings=settings.Scenario,
    main="step",
    presets=presets.PRESETS,
    values=values.live_values,
    results=values.results,
    metrics=values.metrics,
    verdict=verdict.verdict,
    remedies=verdict.remedies,
    views={
        "pool": "The pool",
        "shares": "Dominant shares",
        "before": "Before and after",
        "log": "Step log",
        "fairness": "How fair?",
        "properties": "Properties",
        "lie": "Misreporting",
        "film": "Animation",
    },
    film=film.showing,
    challenge=Challenge(challenge.task, challenge.judge),
)
