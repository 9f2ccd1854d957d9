"""Sharing a GPU: how long two jobs take on one device, and which jobs to combine."""

from lessons.gpu_sharing import neighbor, pair, puzzle, race, ways
from lessons.gpu_sharing.laboratory import memory
from lessons.gpu_sharing.settings import say, workshop
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[pair.view, race.view, puzzle.view],
    further=[neighbor.view, ways.view],
    laboratory=[memory.view],
    challenge=puzzle.judge,
    places={"workshop": workshop},
)
