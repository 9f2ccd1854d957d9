"""Sharing a GPU: how long two jobs take on one device, and which jobs to combine."""

from lessons.gpu_sharing import neighbor, pair, puzzle, race, ways
from lessons.gpu_sharing.laboratory import memory
from lessons.gpu_sharing.settings import say, workshop
from ui.base.lesson import Film, Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("pair", pair), Film("race", race), View("puzzle", puzzle)],
    further=[View("neighbor", neighbor), View("ways", ways)],
    laboratory=[View("memory", memory)],
    challenge=puzzle.judge,
    places={"workshop": workshop},
)
