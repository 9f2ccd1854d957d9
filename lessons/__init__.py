"""The lessons, a room each, in menu order: the only list there is."""

from lessons.utilization_trap import LESSON as UTILIZATION_TRAP
from ui.base.lesson import enroll

LESSONS = enroll((UTILIZATION_TRAP,))
