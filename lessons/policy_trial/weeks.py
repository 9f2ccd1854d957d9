"""Policy trial: mean waits of training by week, simulated once and kept beside this file.

`python -m benchmarks.trial` makes the table; anybody can make the same rows again. Run i draws its jobs from a stream
of its own, so that the same jobs meet every policy.
"""

from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pandas as pd

from physics import constants as k
from physics.experiments import WEEK, take_turns, weekly
from physics.jobs import platform_mix, sample_jobs
from physics.scheduling import Policy, Schedule, simulate

TABLE = Path(__file__).with_name("weeks.npz")
#: The policies by id, the better one for training last.
POLICIES = MappingProxyType({"strict": Policy(order="priority"), "easy": Policy(order="priority", backfill="easy")})
FLEET = int(k.FLEET_GPUS)
#: A run's weeks: not counted at its start, counted, counted where policies take turns, not counted at its end, in which
#: those wait that were submitted in the last week that counts.
WARM, LENGTH, SHORT, LAST = int(k.TRIAL_WARM_UP), int(k.TRIAL_LENGTH), int(k.TRIAL_TURNS), 8
#: Means are kept to the minute [s].
STEP = float(k.MINUTE)


def draw(rng: np.random.Generator, weeks: int) -> pd.DataFrame:
    """Draw the jobs of so many weeks at the scheduling lesson's load."""
    return sample_jobs(platform_mix(), weeks * WEEK, rng)


def means(schedule: Schedule, first: int, weeks: int) -> np.ndarray:
    """Mean wait of training jobs by week of submission [s]."""
    return weekly(schedule, job_class="training", begin=first * WEEK)[:weeks]


def run(number: int) -> dict[str, np.ndarray]:
    """Simulate one run under every policy: rows of the table by name, in whole minutes.

    strict, easy: one policy throughout, by week. turns: both take turns week by week on one fleet, by week.
    """
    jobs, pair = draw(np.random.default_rng([int(k.TRIAL_SEED), number]), WARM + LENGTH + LAST), list(POLICIES.values())
    early = jobs[jobs["submit"] < (WARM + SHORT + LAST) * WEEK]
    found = {name: means(simulate(jobs, FLEET, policy), WARM, LENGTH) for name, policy in POLICIES.items()}
    found["turns"] = means(take_turns(early, FLEET, pair), WARM, SHORT)
    return {name: np.round(values / STEP).astype(np.uint16) for name, values in found.items()}


@lru_cache(maxsize=1)
def table() -> MappingProxyType[str, np.ndarray]:
    """All runs as they are kept, a row a run [s]."""
    with np.load(TABLE, allow_pickle=False) as kept:
        return MappingProxyType({name: kept[name] * STEP for name in kept.files})
