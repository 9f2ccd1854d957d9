"""Sharing a GPU: how long two jobs take on one device, and which jobs to combine."""

from lessons.gpu_sharing import neighbor, pair, puzzle, race, ways
from lessons.gpu_sharing.laboratory import memory
from lessons.gpu_sharing.settings import say, workshop
from physics import constants as k
from ui.base.lesson import Curtain, Film, Lesson, Preset, View

PRESETS = {
    "message": Preset(view="pair"),
    "alike": Preset({"together": True, "neighbor": int(k.SHARE_INTENSITY)}, "pair"),
    "trainings": Preset({"together": True, "intensity": int(k.SHARE_NEIGHBOR)}, "pair"),
    "large": Preset({"together": True, "intensity": 256}, "pair"),
    "light": Preset({"together": True, "reach": 0.5, "neighbor_reach": 0.5}, "pair"),
    "turns": Preset({"switch": float(k.SHARE_SWITCH_NOTES)}, "ways"),
    "puzzle": Preset(view="puzzle"),
    "memory": Preset({"need": 48e9}, "memory"),
}
PAIR = ("neighbor", "intensity", "reach", "neighbor_reach")
WAYS = ("neighbor", "intensity", "quantum", "switch", "cut")

LESSON = Lesson.of(
    say,
    views=[
        View(
            "pair",
            pair,
            ("together", *PAIR, "accepted"),
            curtain=Curtain(
                (1, 2),
                stays=("full", "label", "empty", "card", "name", "bar", "demand", "accepted"),
            ),
        ),
        Film("race", race, PAIR, ("accepted",), name="race", metrics="pair_metrics"),
        View("puzzle", puzzle),
    ],
    further=[
        View(
            "neighbor",
            neighbor,
            (*PAIR, "accepted"),
            metrics="pair_metrics",
            opens={"neighbor": 4000},
        ),
        View("ways", ways, WAYS, ("reach", "neighbor_reach"), verdict="ways"),
    ],
    laboratory=[
        View("memory", memory, ("need", "other_need", "guard"), opens={"need": 48e9}),
    ],
    presets=PRESETS,
    results={
        "Time of each job": "now.time:times",
        "System throughput": "now.work:number",
        "System throughput of the puzzle": "total:number",
    },
    challenge=puzzle.judge,
    start=Preset(view="puzzle"),
    places={"workshop": workshop},
)
