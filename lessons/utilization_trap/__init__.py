"""Utilization trap: why 1-hour jobs wait four hours on a healthy, busy fleet."""

from lessons.utilization_trap import challenge, film, settings, values, verdict
from physics import constants as k
from ui.base.lesson import Challenge, Lesson, Preset

PRESETS = {
    "director": Preset("The director's cluster"),
    "one_job": Preset("One job takes the whole fleet (M/M/1)", {"gpus_per_job": 1024}),
    "small_jobs": Preset("8-GPU jobs", {"gpus_per_job": 8}),
    "purchase": Preset("The director buys 256 GPUs", {"added": k.TRAP_REQUESTED}),
    "alike": Preset("All jobs alike (SCV 0)", {"scv": 0}),
    "wild": Preset("Wild job lengths (SCV 10)", {"scv": 10}),
}

LESSON = Lesson.of(
    "utilization_trap",
    settings=settings.Fleet,
    main="utilization",
    presets=PRESETS,
    values=values.live_values,
    results=values.results,
    metrics=verdict.metrics,
    verdict=verdict.verdict,
    remedies=verdict.remedies,
    views={"wait": "Wait", "film": "Animation", "knee": "Job size and knee", "order": "Order of service"},
    challenge=Challenge(challenge.task, challenge.judge),
    of_cluster=settings.of_cluster,
    film=film.showing,
)
