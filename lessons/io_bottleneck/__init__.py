"""I/O bottleneck: why GPUs starve while the storage is nearly idle."""

from lessons.io_bottleneck import batch, crew, jitter, stages
from lessons.io_bottleneck.laboratory import cache, direct, field, shuffle
from lessons.io_bottleneck.settings import drafted, say
from ui.base.lesson import Drafted, Lesson

LESSON = Lesson.of(
    say,
    views=[batch.view, stages.view],
    further=[crew.sample, jitter.view],
    laboratory=[crew.view, cache.view, shuffle.view, direct.view, field.view],
    challenge=stages.judge,
    drafted=Drafted("v2_04", drafted),
)
PRESETS = LESSON.presets
