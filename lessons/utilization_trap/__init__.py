"""Utilization trap: why 1-hour jobs wait four hours on a healthy, busy fleet."""

from lessons.utilization_trap import chart, day, knee, order, settings, simulation
from physics import constants as k
from ui.base.lesson import Drafted, Film, Lesson, Preset, View

PRESETS = {
    "director": Preset(),
    "one_job": Preset(changes={"gpus_per_job": 1024}, view="wait"),
    "small_jobs": Preset(changes={"gpus_per_job": 8}, view="wait"),
    "purchase": Preset(changes={"added": k.TRAP_REQUESTED}),
    "alike": Preset(changes={"scv": 0}, view="spread"),
    "wild": Preset(changes={"scv": 10}, view="spread"),
}
ALL = ("utilization", "gpus_per_job", "target", "fleet", "job_length", "scv")

LESSON = Lesson.of(
    "utilization_trap",
    settings.Fleet,
    settings.say,
    views=[
        View(
            "wait", chart, knobs=("utilization", "added", "gpus_per_job", "target"), also=("fleet", "job_length", "scv")
        ),
        Film("film", day, knobs=("utilization", "added"), name="fleet", verdict="film_verdict"),
        View("spread", simulation, part=2, knobs=ALL, also=("added",), words="derived"),
        View("order", order, part=3, knobs=("utilization", "scv"), also=("added", "job_length")),
        View("knee", knee, part=4, knobs=ALL, also=("added",)),
    ],
    presets=PRESETS,
    values=simulation.errors,
    results={"Mean wait": "wait:time", "Jobs waiting": "now.mean_in_queue:number", "Utilization": "load:share"},
    challenge=chart.judge,
    of_cluster=settings.of_cluster,
    drafted=Drafted("v2_08", lambda _, answer, right: {"act1_prediction": answer or "not_set", "act1_correct": right}),
)
