"""Policy trial: weekly mean waits of training jobs, simulated once and stored next to this module.

`python -m benchmarks.trial` makes the table, always with the same rows. A run draws its jobs once
and simulates every policy on them; its seed is its number.
"""

from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

from physics import constants as k
from physics.experiments import WEEK, take_turns, weekly
from physics.jobs import platform_mix, sample_jobs
from physics.scheduling import Policy, Schedule, simulate

PATH = Path(__file__).with_name("weeks.npz")
#: The policies by id, the better one for training last.
POLICIES = MappingProxyType(
    {"strict": Policy(order="priority"), "easy": Policy(order="priority", backfill="easy")}
)
FLEET = int(k.FLEET_GPUS)
#: Weeks before those that count.
WARM_UP_WEEKS = int(k.TRIAL_WARM_UP)
#: Weeks of a run that count.
COUNTED_WEEKS = int(k.TRIAL_LENGTH)
#: Weeks that count if policies alternate.
COUNTED_TURN_WEEKS = int(k.TRIAL_TURNS)
#: Weeks after those that count, in which jobs of the last counted week still wait.
TAIL_WEEKS = 8
#: Weeks of a block, after which alternating policies change.
BLOCKS = (1, 2, 4, 8)
assert WARM_UP_WEEKS % (2 * max(BLOCKS)) == 0, "the warm-up must have whole turns of both policies"
#: Resolution of the stored means [s].
RESOLUTION = k.MINUTE


def run(number: int) -> dict[str, np.ndarray]:
    """Simulate one run under every policy: mean waits of training jobs by week of submission [min].

    "strict" and "easy" are one policy throughout. In "turns1" to "turns8" both alternate on one
    fleet in blocks of 1 to 8 weeks, and in "swapped1" to "swapped8" the other policy is first.
    """
    rng = np.random.default_rng([int(k.TRIAL_SEED), number])
    weeks = WARM_UP_WEEKS + COUNTED_WEEKS + TAIL_WEEKS
    turn_weeks = WARM_UP_WEEKS + COUNTED_TURN_WEEKS + TAIL_WEEKS
    jobs = sample_jobs(platform_mix(), weeks * WEEK, rng)
    early = jobs[jobs["submit"] < turn_weeks * WEEK]
    waits = {}
    for name, policy in POLICIES.items():
        waits[name] = _counted(simulate(jobs, FLEET, policy), COUNTED_WEEKS)
    for block in BLOCKS:
        strict = [POLICIES["strict"]] * block
        easy = [POLICIES["easy"]] * block
        turns = take_turns(early, FLEET, strict + easy)
        swapped = take_turns(early, FLEET, easy + strict)
        waits[f"turns{block}"] = _counted(turns, COUNTED_TURN_WEEKS)
        waits[f"swapped{block}"] = _counted(swapped, COUNTED_TURN_WEEKS)
    return waits


def _counted(schedule: Schedule, weeks: int) -> np.ndarray:
    """Mean waits of training in the weeks that count, in whole minutes.

    Raises ValueError for a week without training jobs or a wait that the table cannot hold.
    """
    waits = weekly(schedule, job_class="training", begin=WARM_UP_WEEKS * WEEK)[:weeks]
    minutes = np.round(waits / RESOLUTION)
    if not (minutes <= np.iinfo(np.uint16).max).all():
        raise ValueError(f"weekly waits must be from 0 to 65,535 min, got {minutes.max():g}")
    return minutes.astype(np.uint16)


@lru_cache(maxsize=1)
def table() -> MappingProxyType[str, np.ndarray]:
    """Stored mean waits by policy: arrays (run, week) [s]."""
    with np.load(PATH, allow_pickle=False) as stored:
        return MappingProxyType({name: stored[name] * RESOLUTION for name in stored.files})
