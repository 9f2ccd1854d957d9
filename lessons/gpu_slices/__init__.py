"""GPU slices: which instances fit on one GPU, and which free slices no instance can use."""

from lessons.gpu_slices import slots, stream
from lessons.gpu_slices.laboratory import film, fragments, gang, use
from lessons.gpu_slices.settings import campsite, say
from ui.base.lesson import Film, Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("slots", slots)],
    further=[View("stream", stream)],
    laboratory=[
        Film("film", film),
        View("fragments", fragments),
        View("use", use),
        View("gang", gang),
    ],
    challenge=slots.judge,
    places={"campsite": campsite},
)
