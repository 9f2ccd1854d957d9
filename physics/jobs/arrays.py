"""Waiting job arrays in one record of Slurm's accounting, such as 700_[2-101%1].

Reference: SchedMD, "Job Array Support".
"""

import re

#: Name, tasks, and the most tasks that may run at a time by the user's wish.
ARRAY = re.compile(r"(.+)_\[([0-9,:-]+)(?:%([0-9]{1,9}))?[^\]]*\]?")
STRETCH = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?(?::([0-9]{1,9}))?")
#: Most tasks of one array, more than Slurm allows.
MOST_TASKS = 4_000_001


def tasks_of(identity: str) -> tuple[list[str], bool]:
    """Names of the tasks in a record of a job array, and whether the number running is limited.

    >>> tasks_of("700_[2-4%1]"), tasks_of("7_[1,5-9:2]")
    ((['700_2', '700_3', '700_4'], True), (['7_1', '7_5', '7_7', '7_9'], False))
    >>> tasks_of("700_2"), tasks_of("7_[x]")
    ((['700_2'], False), (['7_[x]'], False))
    """
    array = ARRAY.fullmatch(identity)
    if array is None:
        return [identity], False
    name, stretches, throttle = array.groups()
    numbers: list[int] = []
    for text in stretches.split(","):
        stretch = STRETCH.fullmatch(text)
        if stretch is None:
            continue
        low = int(stretch[1])
        high = int(stretch[2] or low)
        step = int(stretch[3] or 1)
        if step < 1 or (high - low) // step + len(numbers) >= MOST_TASKS:
            return [identity], False
        numbers += range(low, high + 1, step)
    if not numbers:
        return [identity], False
    return [f"{name}_{number}" for number in numbers], throttle is not None
