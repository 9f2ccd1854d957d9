"""Fair queueing: how long a scheduler remembers past use, and the consequences."""

from lessons.fair_queueing import memory, rules, strips
from lessons.fair_queueing.laboratory import aging, lottery
from lessons.fair_queueing.settings import say
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[strips.view, memory.view],
    further=[rules.view, rules.weights],
    laboratory=[lottery.view, aging.view],
    challenge=memory.judge,
)
