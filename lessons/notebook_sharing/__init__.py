"""Notebook sharing: who gains and who loses when notebooks on a node run one cell after the
other.
"""

from lessons.notebook_sharing import pair, pauses, timeline
from lessons.notebook_sharing.laboratory import combinations, gpu
from lessons.notebook_sharing.settings import machine, say
from physics import constants as k
from ui.base.lesson import Curtain, Lesson, Preset, View

#: Length of the second cell where it is as long as the first [s].
EQUAL = int(k.NOTEBOOK_PAIR_CELL)
PRESETS = {
    "quick": Preset(),
    "pair": Preset({"second_length": EQUAL}),
    "narrow": Preset({"second_length": EQUAL, "second_cores": 4}),
    "overhead": Preset({"second_length": EQUAL, "overhead": 30.0}),
    "four": Preset({"loss": 0.2}, "mix"),
}
PAIR = ("second_start", "second_length", "second_cores", "overhead", "loss")

LESSON = Lesson.of(
    say,
    views=[
        View("gantt", pair, PAIR, curtain=Curtain((1, 2, 3), stays=("edge", "Equal", "One after")))
    ],
    further=[
        View("mix", timeline, ("combination", "cores", "overhead", "loss"), verdict="mix_best"),
        View("pauses", pauses, ("cull",)),
    ],
    laboratory=[
        View("combinations", combinations, ("cores", "overhead", "loss")),
        View("gpu", gpu, ("users", "gpu_cell")),
    ],
    presets=PRESETS,
    results={
        "Notebook 1 done": "ordered.one:seconds",
        "Notebook 2 done": "ordered.two:seconds",
        "Mean slowdown": "ordered.antt:number",
    },
    challenge=pair.judge,
    start=Preset(pair.START),
    places=dict.fromkeys(("posters", "downloads"), machine),
)
