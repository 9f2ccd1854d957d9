"""What a lesson's lesson.toml repeats of a constant is that constant."""

import pytest

from lessons import LESSONS
from physics import constants as k

PAGES = {lesson.page: lesson for lesson in LESSONS}
#: Of a lesson: the case, preset, part, or start, the quantity, and the constant.
REPEATED = [
    ("utilization_trap", "cases", "bought", "added", k.TRAP_REQUESTED),
    ("utilization_trap", "presets", "purchase", "added", k.TRAP_REQUESTED),
    ("utilization_trap", "cases", "merged", "fleet", 2 * k.TRAP_FLEET),
    ("scheduling_policy", "presets", "ten", "training_rate", k.POLICY_TEN_A_DAY),
    ("scheduling_policy", "presets", "draft", "training_rate", k.POLICY_TEN_A_DAY),
    ("io_bottleneck", "cases", "nodes", "storage_nodes", k.IO_MORE_STORAGE_NODES),
    ("io_bottleneck", "presets", "more_nodes", "storage_nodes", k.IO_MORE_STORAGE_NODES),
    ("io_bottleneck", "cases", "more", "accelerators", k.IO_ACCELERATORS + k.IO_MORE_ACCELERATORS),
    ("io_bottleneck", "cases", "packed", "packing", k.IO_PACKED),
    ("io_bottleneck", "cases", "slow", "latency", k.IO_SLOW_DECODE_LATENCY),
    ("io_bottleneck", "cases", "slow", "decode_time", k.IO_SLOW_DECODE_TIME),
    ("io_bottleneck", "presets", "decoding", "decode_time", k.IO_SLOW_DECODE_TIME),
    ("io_bottleneck", "cases", "few_cores", "cores", k.IO_FEW_CORES),
    ("io_bottleneck", "opens", "sample", "cores", k.IO_FEW_CORES),
    ("io_bottleneck", "cases", "room", "cached", k.IO_ROOM),
    ("io_bottleneck", "presets", "epoch", "cached", k.IO_ROOM),
    ("io_bottleneck", "cases", "deep", "prefetch_depth", k.IO_PREFETCH_DEPTH.high),
    ("storage_architecture", "start", "", "accelerators", k.STORAGE_CHALLENGE_FLEET),
    ("drf_story", "opens", "gpus", "cpu", k.DRF_SECOND_CPU),
    ("drf_story", "opens", "gpus", "mem", k.DRF_SECOND_MEMORY),
    ("drf_story", "opens", "gpus", "gpu", k.DRF_SECOND_GPUS),
    ("notebook_sharing", "cases", "pair", "second_length", k.NOTEBOOK_PAIR_CELL),
    ("notebook_sharing", "presets", "pair", "second_length", k.NOTEBOOK_PAIR_CELL),
    ("notebook_sharing", "start", "", "second_length", k.NOTEBOOK_QUICK_CELL),
    ("failures_at_scale", "cases", "grown", "gpus", k.SCALE_GROWN),
    ("failures_at_scale", "presets", "next_year", "gpus", k.SCALE_GROWN),
    ("failures_at_scale", "start", "", "stall", k.SCALE_TASK_STALL),
]


@pytest.mark.parametrize(("page", "kind", "name", "quantity", "constant"), REPEATED)
def test_settings_of_a_case_are_the_constants_that_they_repeat(
    page, kind, name, quantity, constant
):
    lesson = PAGES[page]
    settings = {
        "cases": lambda: lesson.say.cases[name],
        "presets": lambda: lesson.presets[name].changes,
        "opens": lambda: lesson.view(name).opens,
        "start": lambda: lesson.challenge.preset.changes,
    }[kind]()
    assert settings[quantity] == constant
