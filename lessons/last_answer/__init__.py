"""The last answer: what determines the length of a step that waits for all its answers."""

from lessons.last_answer import carry, gpus, spreads, steps
from lessons.last_answer.settings import bus, say
from ui.base.lesson import Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("steps", steps), View("gpus", gpus)],
    further=[View("carry", carry), View("spreads", spreads)],
    challenge=steps.judge,
    places={"trip": bus, "bus": bus},
)
