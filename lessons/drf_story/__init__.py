"""DRF story: which job gets the next executor of a shared pool, step by step, and what "fair" means."""

from lessons.drf_story import fairness, film, lie, own, pool, properties, shares
from lessons.drf_story.challenge import CHALLENGE
from lessons.drf_story.presets import PRESETS
from lessons.drf_story.settings import Scenario, say
from ui.base.lesson import Film, Lesson, View

HANDED = ("executors", "policy_one", "policy_two", "cpu", "mem")

LESSON = Lesson.of(
    "drf_story",
    Scenario,
    say,
    views=[
        View("pool", pool, knobs=("step", *HANDED)),
        View("shares", shares, knobs=("step", *HANDED)),
        Film("film", film, knobs=HANDED, name="pool"),
        View("fairness", fairness, part=2, knobs=("measure", *HANDED)),
        View("properties", properties, part=3, knobs=()),
        View("lie", lie, part=4, knobs=("liar", "claim_cpu", "claim_mem", "cpu", "mem")),
        View("jobs", own, part=5, knobs=("executors", "policy_two", "cpu", "mem", "gpu", "gpu_mem")),
    ],
    presets=PRESETS,
    results=pool.results,
    challenge=CHALLENGE,
)
