"""Lessons of the app, one folder each, listed in menu order.

A lesson's code is imported when the lesson is first needed, so that a new server draws its first
page sooner. Pages import their lesson from here, not from its folder, and one thread imports at a
time: two pages that a new server opens at once would otherwise wait for each other's unfinished
imports, and one of them would fail.
"""

from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

import ui.page.home  # imports what all pages share, before two of them can be opened at once
from ui.base import lesson

if TYPE_CHECKING:  # at run time, `__getattr__` returns them
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

    #: All lessons; this imports the code of each.
    LESSONS: tuple[lesson.Lesson, ...]

#: File with the systems that the sources describe and the lessons on them, for the Sources page.
SYSTEMS = Path(__file__).with_name("systems.toml")
#: Pages of the lessons in capitals, in menu order.
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


def _imported(page: str) -> lesson.Lesson:
    """Import a lesson's code and return the lesson."""
    with _IMPORTING:
        return import_module(f"lessons.{page}").LESSON


def __getattr__(name: str) -> object:
    """Return `LESSONS`, or a lesson by the name of its page in capitals."""
    if name == "LESSONS":
        return lesson.lessons()
    if name in _MENU:
        return lesson.with_page(name.lower())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


lesson.enroll([name.lower() for name in _MENU], _imported)
