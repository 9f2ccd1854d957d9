"""Policy trial: weekly mean waits of training jobs, simulated once and stored next to this module.

`python -m benchmarks.trial` makes the table, always with the same rows. Each run draws its jobs
from a random stream of its own, so that the same jobs meet every policy.
"""

from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

from physics import constants as k
from physics.experiments import WEEK, take_turns, weekly
from physics.jobs import platform_mix, sample_jobs
from physics.scheduling import Policy, Schedule, simulate

TABLE = Path(__file__).with_name("weeks.npz")
#: The policies by id, the better one for training last.
POLICIES = MappingProxyType(
    {"strict": Policy(order="priority"), "easy": Policy(order="priority", backfill="easy")}
)
FLEET = int(k.FLEET_GPUS)
#: Weeks of a run: a warm-up that does not count, the weeks that count, those that count if policies
#: alternate, and a tail that does not count, in which jobs of the last counted week still wait.
WARM = int(k.TRIAL_WARM_UP)
LENGTH = int(k.TRIAL_LENGTH)
SHORT = int(k.TRIAL_TURNS)
LAST = 8
#: Weeks of a block, after which alternating policies change.
BLOCKS = (1, 2, 4, 8)
assert WARM % (2 * max(BLOCKS)) == 0, "the first counted week must be the first of the first policy"
#: Resolution of the stored means [s].
STEP = k.MINUTE


def run(number: int) -> dict[str, np.ndarray]:
    """Simulate one run under every policy: mean waits of training jobs by week of submission [min].

    "strict" and "easy" are one policy throughout. In "turns1" to "turns8" both alternate on one
    fleet in blocks of so many weeks, and in "swapped1" to "swapped8" the other policy is first.
    """
    rng = np.random.default_rng([int(k.TRIAL_SEED), number])
    jobs = sample_jobs(platform_mix(), (WARM + LENGTH + LAST) * WEEK, rng)
    early = jobs[jobs["submit"] < (WARM + SHORT + LAST) * WEEK]
    waits = {}
    for name, policy in POLICIES.items():
        waits[name] = _counted(simulate(jobs, FLEET, policy), LENGTH)
    for block in BLOCKS:
        first, second = ([policy] * block for policy in POLICIES.values())
        waits[f"turns{block}"] = _counted(take_turns(early, FLEET, first + second), SHORT)
        waits[f"swapped{block}"] = _counted(take_turns(early, FLEET, second + first), SHORT)
    return waits


def _counted(schedule: Schedule, weeks: int) -> np.ndarray:
    """Mean waits of training in the weeks that count, in whole minutes."""
    waits = weekly(schedule, job_class="training", begin=WARM * WEEK)[:weeks]
    return np.round(waits / STEP).astype(np.uint16)


@lru_cache(maxsize=1)
def table() -> MappingProxyType[str, np.ndarray]:
    """Stored weekly waits of all runs, one row per run [s]."""
    with np.load(TABLE, allow_pickle=False) as stored:
        return MappingProxyType({name: stored[name] * STEP for name in stored.files})
