"""The last answer: what determines the length of a step that waits for all its answers."""

from lessons.last_answer import carry, gpus, spreads, steps
from lessons.last_answer.settings import bus, say
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[steps.view, gpus.view],
    further=[carry.view, spreads.view],
    challenge=steps.judge,
    places={"trip": bus, "bus": bus},
)
