"""Fair queueing: whose turn it is, and for how long past use is held against somebody."""

from lessons.fair_queueing import aging, flows, lottery, memory
from lessons.fair_queueing.settings import Teams, say
from ui.base.lesson import Film, Lesson, Preset, View

PRESETS = {
    "slurm": Preset(view="memory"),
    "slurm_zero": Preset(changes={"half_life": "never"}, view="memory"),
    "batch": Preset(changes={"half_life": "10min"}, view="memory"),
    "kueue": Preset(changes={"half_life": "7d", "weight_ratio": 3.0}, view="memory"),
    "banked": Preset(changes={"alone": 864000.0}, view="flows"),
    "small": Preset(changes={"tickets": 0.01, "draws": 1000}, view="lottery"),
    "one_rate": Preset(changes={"aging_ratio": 1.0}, view="aging"),
    "strict": Preset(changes={"aging_ratio": 100.0}, view="aging"),
}

LESSON = Lesson.of(
    "fair_queueing",
    Teams,
    say,
    views=[
        View("memory", memory),
        View("flows", flows, part=2),
        View("lottery", lottery, part=3),
        View("aging", aging, part=4),
        Film("film", flows, part=2, name="turns"),
    ],
    presets=PRESETS,
    results={
        "A's next job starts": "locked_out:days",
        "Share won": "won:share",
        "Urgent jobs wait": "urgent:time",
        "Patient jobs wait": "patient:time",
    },
    challenge=aging.judge,
)
