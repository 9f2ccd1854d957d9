"""Lessons of the app, one folder each, listed in menu order.

A lesson's code is imported when somebody asks for the lesson, so that a server that has just
started draws its first page sooner. Pages take their lesson from here, not from its folder, and one
thread imports at a time: two pages that a cold server opens at once would otherwise wait for each
other's half-made imports, and one of them would fail.
"""

from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

import ui.page.home  # what all pages share is there before two of them are opened
from ui.base import lesson

if TYPE_CHECKING:  # made by `__getattr__`
    from lessons.autoscaling import LESSON as AUTOSCALING
    from lessons.drf_story import LESSON as DRF_STORY
    from lessons.failures_at_scale import LESSON as FAILURES_AT_SCALE
    from lessons.fair_queueing import LESSON as FAIR_QUEUEING
    from lessons.gpu_sharing import LESSON as GPU_SHARING
    from lessons.gpu_slices import LESSON as GPU_SLICES
    from lessons.io_bottleneck import LESSON as IO_BOTTLENECK
    from lessons.last_answer import LESSON as LAST_ANSWER
    from lessons.notebook_sharing import LESSON as NOTEBOOK_SHARING
    from lessons.placement import LESSON as PLACEMENT
    from lessons.policy_trial import LESSON as POLICY_TRIAL
    from lessons.scheduling_policy import LESSON as SCHEDULING_POLICY
    from lessons.spot_training import LESSON as SPOT_TRAINING
    from lessons.storage_architecture import LESSON as STORAGE_ARCHITECTURE
    from lessons.stuttering_answers import LESSON as STUTTERING_ANSWERS
    from lessons.utilization_trap import LESSON as UTILIZATION_TRAP
    from lessons.where_the_hours_go import LESSON as WHERE_THE_HOURS_GO

    #: All lessons; whoever asks for them imports the code of each.
    LESSONS: tuple[lesson.Lesson, ...]

#: What the sources describe and where it is here; the page of sources draws it.
SYSTEMS = Path(__file__).with_name("systems.toml")
_MENU = (
    "UTILIZATION_TRAP",
    "SCHEDULING_POLICY",
    "IO_BOTTLENECK",
    "STORAGE_ARCHITECTURE",
    "DRF_STORY",
    "WHERE_THE_HOURS_GO",
    "FAIR_QUEUEING",
    "NOTEBOOK_SHARING",
    "AUTOSCALING",
    "SPOT_TRAINING",
    "GPU_SLICES",
    "GPU_SHARING",
    "PLACEMENT",
    "POLICY_TRIAL",
    "STUTTERING_ANSWERS",
    "LAST_ANSWER",
    "FAILURES_AT_SCALE",
)
_IMPORTING = RLock()


def _made(page: str) -> lesson.Lesson:
    with _IMPORTING:
        return import_module(f"lessons.{page}").LESSON


def __getattr__(name: str) -> object:
    """Return `LESSONS`, or a lesson by the name of its page in capitals."""
    if name == "LESSONS":
        return lesson.lessons()
    if name in _MENU:
        return lesson.with_page(name.lower())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


lesson.enroll([name.lower() for name in _MENU], _made)
