"""Notebook sharing: who gains and who loses when notebooks share a node one cell after the other."""

from lessons.notebook_sharing import combinations, mix, pair, pauses
from lessons.notebook_sharing.settings import Study, machine, say
from physics import constants as k
from ui.base.lesson import Challenge, Lesson, Preset, View

PRESETS = {
    "pair": Preset(),
    "quick": Preset(changes={"second_length": int(k.NOTEBOOK_QUICK_CELL)}),
    "narrow": Preset(changes={"second_cores": 4}),
    "overhead": Preset(changes={"overhead": 30.0}),
    "four": Preset(changes={"loss": 0.2}, view="mix"),
}
PAIR = ("second_start", "second_length", "second_cores", "overhead", "loss")

LESSON = Lesson.of(
    "notebook_sharing",
    Study,
    say,
    views=[
        View("gantt", pair, knobs=PAIR),
        View("mix", mix, part=2, knobs=("combination", "cores", "overhead", "loss"), verdict="mix_best"),
        View("combinations", combinations, part=3, knobs=("cores", "overhead", "loss"), verdict="combinations"),
        View("pauses", pauses, part=4, knobs=("cull",), verdict="pauses_verdict"),
    ],
    presets=PRESETS,
    results={
        "Notebook 1 done": "ordered.one:seconds",
        "Notebook 2 done": "ordered.two:seconds",
        "Mean slowdown": "ordered.antt:number",
    },
    challenge=Challenge(lambda: say("task", Study()), pair.judge, Preset(changes=pair.START)),
    places=dict.fromkeys(("posters", "downloads"), machine),
)
