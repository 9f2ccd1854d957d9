"""Policy trial: mean waits of training by week, simulated once and kept beside this file.

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
from physics.scheduling import Policy, simulate

TABLE = Path(__file__).with_name("weeks.npz")
#: The policies by id, the better one for training last.
POLICIES = MappingProxyType(
    {"strict": Policy(order="priority"), "easy": Policy(order="priority", backfill="easy")}
)
FLEET = int(k.FLEET_GPUS)
#: A run's weeks: not counted at its start, counted, counted where policies take turns, not counted
#: at its end, in which those wait that were submitted in the last week that counts.
WARM = int(k.TRIAL_WARM_UP)
LENGTH = int(k.TRIAL_LENGTH)
SHORT = int(k.TRIAL_TURNS)
LAST = 8
#: Means are kept to the minute [s].
STEP = float(k.MINUTE)


def run(number: int) -> dict[str, np.ndarray]:
    """Simulate one run under every policy: mean waits of training by week of submission, in whole
    minutes.

    strict, easy: one policy throughout. turns: both take turns week by week on one fleet.
    """
    rng = np.random.default_rng([int(k.TRIAL_SEED), number])
    jobs = sample_jobs(platform_mix(), (WARM + LENGTH + LAST) * WEEK, rng)
    early = jobs[jobs["submit"] < (WARM + SHORT + LAST) * WEEK]
    found = {name: (simulate(jobs, FLEET, policy), LENGTH) for name, policy in POLICIES.items()}
    found["turns"] = take_turns(early, FLEET, list(POLICIES.values())), SHORT
    waits = {
        name: weekly(one, job_class="training", begin=WARM * WEEK)[:n]
        for name, (one, n) in found.items()
    }
    return {name: np.round(values / STEP).astype(np.uint16) for name, values in waits.items()}


@lru_cache(maxsize=1)
def table() -> MappingProxyType[str, np.ndarray]:
    """All runs as they are kept, a row a run [s]."""
    with np.load(TABLE, allow_pickle=False) as kept:
        return MappingProxyType({name: kept[name] * STEP for name in kept.files})
