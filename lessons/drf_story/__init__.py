"""DRF story: which job gets the next executor of a shared pool, step by step, and what "fair"
means.
"""

from lessons.drf_story import cheat, pool, properties
from lessons.drf_story.elsewhere import shared
from lessons.drf_story.jobs import WITH_GPUS
from lessons.drf_story.laboratory import lie, limits, own, presets, shares
from lessons.drf_story.laboratory.table import write
from lessons.drf_story.settings import SECOND_POOL, say
from ui.base.lesson import Curtain, Lesson, Preset, View

PRESETS = {
    "draft": Preset({"table": presets.NOTEBOOK.format(""), "executors": 15, "step": 15}),
    "paper": Preset(
        {"table": "A,,,1,4,1,;B,,,3,1,1,", "cpu": 9, "mem": 18e9, "policy_two": "asset", "step": 5}
    ),
    **presets.PRESETS,
}
HANDED = ("executors", "policy_one", "policy_two", "cpu", "mem")

LESSON = Lesson.of(
    say,
    views=[
        View(
            "pool",
            pool,
            ("step", *HANDED),
            ("gpu",),
            words="jobs_words",
            curtain=Curtain((1, 2), stays=("full", "bar", "label")),
        ),
        View("cheat", cheat, ("liar", "names", "claim_cpu", "claim_mem", "check"), ("cpu", "mem")),
    ],
    further=[
        View(
            "gpus",
            pool,
            ("step", *HANDED, "gpu"),
            opens=SECOND_POOL | {"table": write(WITH_GPUS)},
            after="reflection",
            words="jobs_words",
        ),
        View("properties", properties, verdict="properties"),
    ],
    laboratory=[
        View("shares", shares, ("step", *HANDED), opens={"step": 12}, words="jobs_words"),
        View("lie", lie, ("liar", "claim_cpu", "claim_mem", "cpu", "mem"), opens=presets.LIE),
        View("limits", limits, ("liar", "names", "cap"), ("cpu", "mem"), opens={"names": 3}),
        View("jobs", own, (*HANDED, "gpu"), metrics="pool_metrics"),
    ],
    presets=PRESETS,
    results=pool.results,
    challenge=cheat.judge,
    start=Preset(view="cheat"),
    places=dict.fromkeys(("kitchen", "studio"), shared),
)
