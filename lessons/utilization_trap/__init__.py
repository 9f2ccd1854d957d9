"""Utilization trap: why 1-hour jobs wait four hours on a healthy, busy fleet."""

from lessons.utilization_trap import chart, day, knee, order, settings
from lessons.utilization_trap.laboratory import simulation
from physics import constants as k
from ui.base.lesson import Curtain, Drafted, Film, Lesson, Preset, View

PRESETS = {
    "director": Preset(),
    "one_job": Preset({"gpus_per_job": 1024}, "wait"),
    "small_jobs": Preset({"gpus_per_job": 8}, "wait"),
    "purchase": Preset({"added": k.TRAP_REQUESTED}),
    "alike": Preset({"scv": 0}, "spread"),
    "wild": Preset({"scv": 10}, "spread"),
}
ALL = ("utilization", "gpus_per_job", "target", "fleet", "job_length", "scv")

LESSON = Lesson.of(
    settings.say,
    views=[
        View(
            "wait",
            chart,
            ("utilization", "added", "gpus_per_job", "target"),
            ("fleet", "job_length", "scv"),
            curtain=Curtain((1, 2), stays=("beyond", "target", "overload"), at=(0.3, 0.45)),
        ),
        Film("film", day, ("utilization", "added"), name="fleet"),
    ],
    further=[
        View("knee", knee, ALL, ("added",), opens={"gpus_per_job": 8}),
        View("order", order, ("utilization", "scv"), ("added", "job_length")),
    ],
    laboratory=[
        View("spread", simulation, ALL, ("added",), words="derived", opens={"scv": 10}),
    ],
    presets=PRESETS,
    results={
        "Mean wait": "wait:time",
        "Jobs waiting": "now.mean_in_queue:number",
        "Utilization": "load:share",
    },
    challenge=chart.judge,
    of_cluster=settings.of_cluster,
    drafted=Drafted(
        "v2_08",
        lambda _, answer, right: {"act1_prediction": answer or "not_set", "act1_correct": right},
    ),
)
