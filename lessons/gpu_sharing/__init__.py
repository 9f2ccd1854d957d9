"""Sharing a GPU: how long two jobs take on one device, and which jobs to put together."""

from lessons.gpu_sharing import memory, neighbor, pair, puzzle, ways
from lessons.gpu_sharing.settings import Sharing, say, workshop
from physics import constants as k
from ui.base.lesson import Challenge, Film, Lesson, Preset, View

PRESETS = {
    "message": Preset(view="pair"),
    "alike": Preset(changes={"together": True, "neighbor": int(k.SHARE_INTENSITY)}, view="pair"),
    "trainings": Preset(changes={"together": True, "intensity": int(k.SHARE_NEIGHBOR)}, view="pair"),
    "large": Preset(changes={"together": True, "intensity": 256}, view="pair"),
    "light": Preset(changes={"together": True, "reach": 0.5, "neighbor_reach": 0.5}, view="pair"),
    "turns": Preset(changes={"switch": float(k.SHARE_SWITCH_NOTES)}, view="ways"),
    "puzzle": Preset(view="puzzle"),
    "memory": Preset(changes={"need": 48e9}, view="memory"),
}
PAIR = ("neighbor", "intensity", "reach", "neighbor_reach")
WAYS = ("neighbor", "intensity", "quantum", "switch", "cut")

LESSON = Lesson.of(
    "gpu_sharing",
    Sharing,
    say,
    views=[
        View("pair", pair, knobs=("together", *PAIR, "accepted")),
        View("neighbor", neighbor, metrics="pair_metrics", knobs=(*PAIR, "accepted")),
        View("puzzle", puzzle, knobs=()),
        Film("ways", ways, part=2, knobs=WAYS, also=("reach", "neighbor_reach"), name="turns", verdict="ways"),
        View("memory", memory, part=3, knobs=("need", "other_need", "guard")),
    ],
    presets=PRESETS,
    results={
        "Time of each": "now.time:times",
        "System throughput": "now.work:number",
        "System throughput of the puzzle": "total:number",
    },
    challenge=Challenge(lambda: say("task", Sharing()), puzzle.judge, Preset(view="puzzle")),
    places={"workshop": workshop},
)
