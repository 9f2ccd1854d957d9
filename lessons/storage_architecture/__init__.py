"""Storage architecture: a system with four times the necessary bandwidth that fails."""

from lessons.storage_architecture import clerk, loads
from lessons.storage_architecture.laboratory import burst, capacity, crowd, distance
from lessons.storage_architecture.settings import drafted, say
from physics.storage.designs import storage_loads
from ui.base.lesson import Drafted, Lesson

LESSON = Lesson.of(
    say,
    views=[clerk.view, loads.view],
    further=[loads.objects, loads.local],
    laboratory=[loads.size, burst.view, crowd.view, capacity.view, distance.view],
    challenge=loads.judge,
    drafted=Drafted("v2_04", drafted),
    places={"customs": storage_loads, "laboratory": storage_loads},
)
