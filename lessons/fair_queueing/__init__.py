"""Fair queueing: how long a scheduler remembers past use, and the consequences."""

from lessons.fair_queueing import memory, rules, strips, weights
from lessons.fair_queueing.laboratory import aging, lottery
from lessons.fair_queueing.settings import say
from ui.base.lesson import Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("strips", strips), View("memory", memory)],
    further=[View("flows", rules), View("weights", weights)],
    laboratory=[View("lottery", lottery), View("aging", aging)],
    challenge=memory.judge,
)
