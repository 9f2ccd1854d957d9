"""The lessons, a folder each, in menu order: the only list there is.

Pages take their lesson from here, not from its folder: two pages that a cold server opens at once
would otherwise wait for each other's half-made imports, and one of them would fail.
"""

from pathlib import Path

from lessons.autoscaling import LESSON as AUTOSCALING
from lessons.drf_story import LESSON as DRF_STORY
from lessons.fair_queueing import LESSON as FAIR_QUEUEING
from lessons.gpu_sharing import LESSON as GPU_SHARING
from lessons.gpu_slices import LESSON as GPU_SLICES
from lessons.io_bottleneck import LESSON as IO_BOTTLENECK
from lessons.notebook_sharing import LESSON as NOTEBOOK_SHARING
from lessons.placement import LESSON as PLACEMENT
from lessons.policy_trial import LESSON as POLICY_TRIAL
from lessons.scheduling_policy import LESSON as SCHEDULING_POLICY
from lessons.spot_training import LESSON as SPOT_TRAINING
from lessons.storage_architecture import LESSON as STORAGE_ARCHITECTURE
from lessons.utilization_trap import LESSON as UTILIZATION_TRAP
from ui.base.lesson import enroll

#: What the sources describe and where it is here; the page of sources draws it.
SYSTEMS = Path(__file__).with_name("systems.toml")
LESSONS = enroll(
    (
        UTILIZATION_TRAP,
        SCHEDULING_POLICY,
        IO_BOTTLENECK,
        STORAGE_ARCHITECTURE,
        DRF_STORY,
        FAIR_QUEUEING,
        NOTEBOOK_SHARING,
        AUTOSCALING,
        SPOT_TRAINING,
        GPU_SLICES,
        GPU_SHARING,
        PLACEMENT,
        POLICY_TRIAL,
    )
)
