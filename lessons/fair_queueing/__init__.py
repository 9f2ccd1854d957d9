"""Fair queueing: for how long a scheduler remembers past use, and what follows from it."""

from lessons.fair_queueing import aging, lottery, memory, rules, strips, weights
from lessons.fair_queueing.settings import Teams, say
from ui.base.lesson import Challenge, Lesson, Preset, View

PRESETS = {
    "slurm": Preset(),
    "slurm_zero": Preset(changes={"half_life": "never"}),
    "batch": Preset(changes={"half_life": "10min"}),
    "kueue": Preset(changes={"weight_ratio": 3.0}, view="weights"),
    "banked": Preset(changes={"alone": 864000.0}, view="flows"),
}
#: What the first part lets one turn.
MEMORY = ("half_life", "alone")

LESSON = Lesson.of(
    "fair_queueing",
    Teams,
    say,
    views=[
        View("strips", strips, knobs=MEMORY, also=("weight_ratio",)),
        View("memory", memory, knobs=MEMORY, also=("weight_ratio",)),
        View("flows", rules, part=2, knobs=MEMORY, also=("weight_ratio",)),
        View("weights", weights, part=3, knobs=("weight_ratio", *MEMORY)),
        View("lottery", lottery, part=4, knobs=("tickets", "draws"), verdict="lottery"),
        View("aging", aging, part=5, knobs=("aging_ratio", "load"), verdict="aging"),
    ],
    presets=PRESETS,
    results={
        "A's next job starts": "wait:days",
        "Share won": "won:share",
        "Urgent jobs wait": "waits.urgent:time",
        "Patient jobs wait": "waits.patient:time",
    },
    challenge=Challenge(lambda: say("task", Teams()), memory.judge, Preset("", {"half_life": "1d"}, "memory")),
)
