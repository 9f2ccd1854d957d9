"""DRF story: which job gets the next executor of a shared pool, step by step, and what "fair"
means.
"""

from lessons.drf_story import cheat, pool, properties
from lessons.drf_story.jobs import WITH_GPUS
from lessons.drf_story.laboratory import lie, limits, own, shares
from lessons.drf_story.laboratory.table import write
from lessons.drf_story.settings import SECOND_POOL, say, shared
from ui.base.lesson import Curtain, Lesson, Preset, View

#: The notebook's jobs: equal executors, unequal starts; with a cap for each job where one is filled
#: in.
NOTEBOOK = "Heaviest,60,240,2,16,1,{0};Medium,40,240,2,16,1,{0};Light evaluation,20,40,2,16,1,{0}"
#: A job that claims eight times the memory that it needs.
LIE = {
    "table": "A,,,16,1,1,;B,,,1,2,1,",
    "cpu": 100,
    "mem": 100e9,
    "executors": 60,
    "claim_mem": 8,
}
PRESETS = {
    "draft": Preset({"table": NOTEBOOK.format(""), "executors": 15, "step": 15}),
    "paper": Preset(
        {"table": "A,,,1,4,1,;B,,,3,1,1,", "cpu": 9, "mem": 18e9, "policy_two": "asset", "step": 5}
    ),
    "weight": Preset({"table": "Parsing,,,20,20,10,;Joins,,,5,80,1,;Evaluation,,,5,20,1,"}, "jobs"),
    "ceilings": Preset({"table": NOTEBOOK.format(5), "executors": 20}, "jobs"),
    "asset": Preset(
        {
            "table": "A,,,1,3,1,;B,,,1,1,1,",
            "cpu": 30,
            "mem": 30e9,
            "executors": 40,
            "policy_two": "asset",
        },
        "jobs",
    ),
    "lie": Preset(LIE, "lie"),
    "whole": Preset({"table": "A,,,4,1,1,;B,,,4,4,1,;C,,,1,1,1,", "cpu": 8, "mem": 12e9}, "jobs"),
}
HANDED = ("executors", "policy_one", "policy_two", "cpu", "mem")
#: The second pool, with GPUs, after its last step.
GPUS = SECOND_POOL | {"table": write(WITH_GPUS)}

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
            opens=GPUS,
            after="reflection",
            words="jobs_words",
        ),
        View("properties", properties, verdict="properties"),
    ],
    laboratory=[
        View("shares", shares, ("step", *HANDED), opens={"step": 12}, words="jobs_words"),
        View("lie", lie, ("liar", "claim_cpu", "claim_mem", "cpu", "mem"), opens=LIE),
        View("limits", limits, ("liar", "names", "cap"), ("cpu", "mem"), opens={"names": 3}),
        View("jobs", own, (*HANDED, "gpu"), metrics="pool_metrics"),
    ],
    presets=PRESETS,
    results=pool.results,
    challenge=cheat.judge,
    start=Preset(view="cheat"),
    places=dict.fromkeys(("kitchen", "studio"), shared),
)
