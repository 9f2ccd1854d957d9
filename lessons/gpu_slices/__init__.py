"""GPU slices: which instances fit on one GPU, and which free slices no instance can use."""

from lessons.gpu_slices import slots, stream
from lessons.gpu_slices.laboratory import film, fragments, gang, use
from lessons.gpu_slices.settings import campsite, say
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[slots.view],
    further=[stream.view],
    laboratory=[film.view, fragments.view, use.view, gang.view],
    challenge=slots.judge,
    places={"campsite": campsite},
)
