"""DRF story: which job gets the next executor of a shared pool, step by step, and what "fair" means."""

from lessons.drf_story import elsewhere, film, lie, own, pool, properties, shares
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
        View("properties", properties, part=2, knobs=(), verdict="properties"),
        View("lie", lie, part=3, knobs=("liar", "claim_cpu", "claim_mem", "cpu", "mem")),
        View("jobs", own, part=4, knobs=HANDED),
    ],
    presets=PRESETS,
    results=pool.results,
    challenge=CHALLENGE,
    places={"kitchen": elsewhere.shared, "studio": elsewhere.shared},
)
