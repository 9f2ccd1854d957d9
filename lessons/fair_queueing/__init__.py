"""Fair queueing: how long a scheduler remembers past use, and the consequences."""

from lessons.fair_queueing import memory, rules, strips, weights
from lessons.fair_queueing.laboratory import aging, lottery
from lessons.fair_queueing.settings import say
from physics import constants as k
from ui.base.lesson import Curtain, Lesson, Preset, View

PRESETS = {
    "slurm": Preset(),
    "slurm_zero": Preset({"half_life": "never", "alone": 30 * float(k.DAY)}),
    "batch": Preset({"half_life": "10min"}),
    "kueue": Preset({"weight_ratio": 3.0}, "weights"),
    "banked": Preset({"alone": 864000.0}, "flows"),
}
#: What the first part lets one turn.
MEMORY = ("half_life", "alone")

LESSON = Lesson.of(
    say,
    views=[
        View(
            "strips",
            strips,
            MEMORY,
            ("weight_ratio",),
            curtain=Curtain((1, 2, 3), stays=("return",)),
        ),
        View("memory", memory, MEMORY, ("weight_ratio",)),
    ],
    further=[
        View("flows", rules, MEMORY, ("weight_ratio",)),
        View(
            "weights",
            weights,
            ("weight_ratio", *MEMORY),
            opens={"weight_ratio": 3.0},
            verdict="weights_verdict",
        ),
    ],
    laboratory=[
        View("lottery", lottery, ("tickets", "draws"), verdict="lottery"),
        View("aging", aging, ("aging_ratio", "load"), verdict="aging"),
    ],
    presets=PRESETS,
    results={
        "A's next job starts": "wait:days",
        "Share won": "luck.won:share",
        "Urgent jobs wait": "waits.urgent:time",
        "Patient jobs wait": "waits.patient:time",
    },
    challenge=memory.judge,
    start=Preset({"half_life": memory.HALF_LIFE}, "memory"),
)
