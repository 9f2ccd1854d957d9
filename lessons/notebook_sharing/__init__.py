"""Notebook sharing: who gains and who loses when notebooks run one cell after the other."""

from lessons.notebook_sharing import pair, pauses, timeline
from lessons.notebook_sharing.laboratory import combinations, gpu
from lessons.notebook_sharing.settings import machine, say
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[pair.view],
    further=[timeline.view, pauses.view],
    laboratory=[combinations.view, gpu.view],
    challenge=pair.judge,
    places=dict.fromkeys(("posters", "downloads"), machine),
)
