"""Scheduling policy, laboratory: simulated runs with a day without some of the nodes."""

from functools import lru_cache
from typing import Any

import numpy as np

from lessons.scheduling_policy.runs import FLEET, draw
from physics import constants as k
from physics.scheduling.simulator import work_behind
from ui.base import time_slices

#: Nodes that an outage takes, its runs, when it begins, and moments since then at which the work
#: done is compared [s].
NODES = int(k.POLICY_GONE * k.FLEET_GPUS)
OUTAGES = int(k.POLICY_OUTAGE_RUNS)
BEGIN = 10 * float(k.DAY)
AFTER = np.arange(0, 15 * float(k.DAY) + 1, 6 * float(k.HOUR))


@lru_cache(maxsize=16)
def behind(scenario: Any) -> np.ndarray:
    """Work delayed by an outage at each moment after it, one row per run [GPU·s]."""
    results = []
    with time_slices.turn(time_slices.LONGEST):
        for replication in range(OUTAGES):
            jobs = draw(scenario, replication)
            jobs = jobs[jobs["submit"] < BEGIN + AFTER[-1]].reset_index(drop=True)
            results.append(
                work_behind(jobs, FLEET, scenario.policy, NODES, BEGIN, float(k.DAY), BEGIN + AFTER)
            )
    return np.array(results)
