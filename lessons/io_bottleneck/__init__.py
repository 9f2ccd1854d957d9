"""I/O bottleneck: why GPUs starve while the storage is nearly idle."""

from lessons.io_bottleneck import batch, crew, jitter, stages
from lessons.io_bottleneck.laboratory import cache, direct, field, shuffle
from lessons.io_bottleneck.settings import drafted, say
from ui.base.lesson import Drafted, Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("batch", batch), View("load", stages)],
    further=[View("sample", crew), View("jitter", jitter)],
    laboratory=[
        View("crew", crew),
        View("cache", cache),
        View("shuffle", shuffle),
        View("direct", direct),
        View("field", field),
    ],
    challenge=stages.judge,
    drafted=Drafted("v2_04", drafted),
)
PRESETS = LESSON.presets
