"""Scheduling policy, laboratory: simulated runs with a day without some of the nodes."""

from functools import lru_cache
from typing import Any

import numpy as np

from lessons.scheduling_policy.runs import FLEET, draw
from physics import constants as k
from physics.scheduling.simulator import work_behind
from ui.base import time_slices

#: GPUs that are gone during the outage, and simulated runs.
NODES = int(k.POLICY_GONE * k.FLEET_GPUS)
OUTAGES = int(k.POLICY_OUTAGE_RUNS)
#: Start of the outage, and times since then at which the finished work is compared [s].
BEGIN = 10 * float(k.DAY)
AFTER = np.arange(0, 15 * float(k.DAY) + 1, 6 * float(k.HOUR))


@lru_cache(maxsize=16)
def behind(scenario: Any) -> np.ndarray:
    """Work delayed by an outage at each moment after it, one row per run [GPU·s]."""
    moments = BEGIN + AFTER
    results = []
    with time_slices.turn(time_slices.LONGEST):
        for replication in range(OUTAGES):
            jobs = draw(scenario, replication)
            jobs = jobs[jobs["submit"] < moments[-1]].reset_index(drop=True)
            outage = (NODES, BEGIN, float(k.DAY))
            results.append(work_behind(jobs, FLEET, scenario.policy, *outage, moments))
    return np.array(results)
