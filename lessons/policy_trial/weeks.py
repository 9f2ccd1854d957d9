"""Policy trial: weekly mean waits of training jobs, simulated once and stored next to this module.

`python -m benchmarks.trial` makes the table; anybody can make the same rows again. Run i draws its
jobs from a stream of its own, so that the same jobs meet every policy.
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
#: A run's weeks: not counted at its start, counted, counted where policies alternate, not counted
#: at its end, in which those wait that were submitted in the last week that counts.
WARM = int(k.TRIAL_WARM_UP)
LENGTH = int(k.TRIAL_LENGTH)
SHORT = int(k.TRIAL_TURNS)
LAST = 8
#: Weeks that a policy keeps the fleet before the other one gets it, where they alternate.
BLOCKS = (1, 2, 4, 8)
assert WARM % (2 * max(BLOCKS)) == 0, "the first counted week must be the first of the first policy"
#: Means are kept to the minute [s].
STEP = k.MINUTE


def run(number: int) -> dict[str, np.ndarray]:
    """Simulate one run under every policy: mean waits of training jobs by week of submission [min].

    strict, easy: one policy throughout. turns1 to turns8: both alternate on one fleet, each for so
    many weeks; swapped1 to swapped8: the same with the other policy first.
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
    with np.load(TABLE, allow_pickle=False) as kept:
        return MappingProxyType({name: kept[name] * STEP for name in kept.files})
