"""Storage architecture: a system with four times the necessary bandwidth that fails
nevertheless.
"""

from lessons.storage_architecture import clerk, loads
from lessons.storage_architecture.laboratory import burst, capacity, crowd, distance
from lessons.storage_architecture.settings import drafted, say
from physics.storage.designs import storage_loads
from ui.base.lesson import Drafted, Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("clerk", clerk), View("loads", loads)],
    further=[View("objects", loads.objects), View("local", loads.local)],
    laboratory=[
        View("size", loads.size),
        View("checkpoint", burst),
        View("jobs", crowd),
        View("capacity", capacity),
        View("distance", distance),
    ],
    challenge=loads.judge,
    drafted=Drafted("v2_04", drafted),
    places={"customs": storage_loads, "laboratory": storage_loads},
)
