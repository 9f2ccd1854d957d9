"""Scheduling policy: replications of a scenario, computed once and stored compactly.

Each replication of a seed draws the jobs of each class from a random stream of its own. So the same
jobs meet every policy, and a knob of one class does not change the jobs of the others.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from physics import constants as k
from physics.jobs import sample_jobs
from physics.scheduling import Schedule, class_table, saturation_load, simulate
from physics.scheduling.scoreboard import Board, whole_of
from ui.base import time_slices

CLASSES = ("interactive", "search", "training")
FLEET = int(k.FLEET_GPUS)
#: Moments at which the queue is counted: every six hours of the simulated time [s].
MOMENTS = np.arange(0, float(k.SIMULATED_TIME) + 1, float(k.DAY) / 4)
#: Numbers of replications after which the page shows preliminary numbers.
FEW = (3, 6, 11)
#: Most jobs to simulate for one result.
MOST_JOBS = 250_000
#: With this many jobs in a replication, the page shows preliminary numbers after the first one.
MANY_JOBS = 9_000

#: Averages by scenario and number of replications. If there are many, all are dropped, because
#: they are quick to compute again from the cached outcomes.
BOARDS: dict[tuple[Any, int], Board] = {}


def draw(scenario: Any, replication: int) -> pd.DataFrame:
    """Draw the jobs of one replication, which are the same for every policy."""
    return sample_jobs(
        scenario.mix, k.SIMULATED_TIME, np.random.default_rng([scenario.seed, replication])
    )


def schedule(scenario: Any, replication: int) -> Schedule:
    """Simulate one replication without caching it, taking turns with other visitors."""
    with time_slices.turn(time_slices.LONGEST):
        return simulate(draw(scenario, replication), FLEET, scenario.policy)


@lru_cache(maxsize=16)
def first(plain: Any) -> Schedule:
    """The first replication, which the pictures show."""
    return schedule(plain, 0)


def fifo(scenario: Any) -> Any:
    """Return the scenario with FIFO on the same jobs."""
    arrivals = ("interactive_rate", "training_rate", "training_gpus", "seed")
    return type(scenario)(**{name: getattr(scenario.effective, name) for name in arrivals})


def moment(scenario: Any) -> float:
    """Return the time that the animation shows first [s].

    That is when a large job blocks all others in the message's case, or the queue is longest.
    """
    plain = fifo(scenario)
    if plain == type(scenario)():
        return float(k.POLICY_BLOCKED)
    longest = float(MOMENTS[np.argmax(first(plain).queue_at(MOMENTS))])
    return min(max(longest, float(k.DAY)), MOMENTS[-1] - k.DAY)


def blocked(plain: Any) -> dict[str, int]:
    """Return the GPUs of the longest-waiting job, the jobs behind it, and the idle GPUs [1].

    These are counted at the time that the animation shows first.
    """
    schedule = first(plain)
    now = moment(plain)
    waits = schedule.waits.query("begin <= @now < end")
    past = schedule.timeline["time"].searchsorted(now, side="right")
    idle = FLEET - int(schedule.timeline["busy"].iloc[past - 1])
    if waits.empty:
        return {"head": 0, "behind": 0, "idle": idle}
    head = waits.loc[waits["begin"].idxmin(), "row"]
    gpus = int(schedule.jobs["gpus"].iloc[head])
    return {"head": gpus, "behind": len(waits) - 1, "idle": idle}


@lru_cache(maxsize=4096)
def outcome(plain: Any, replication: int) -> tuple[pd.DataFrame, tuple[float, ...]]:
    """Simulate one replication and return its table of classes and its overall measures."""
    if replication:
        run = schedule(plain, replication)
    else:
        run = first(plain)
    return class_table(run), whole_of(run)


def board(scenario: Any) -> Board:
    """Average the replications of a scenario, simulating those not yet cached.

    Raises
    ------
    TooLong
        If they take more than `time_slices.LONGEST` of processor time. The replications that are
        done stay in the cache.
    """
    plain = scenario.effective
    key = (plain, scenario.counted)
    if key in BOARDS:
        return BOARDS[key]
    with time_slices.turn(time_slices.LONGEST):
        averages = Board.of(outcome(plain, number) for number in range(scenario.counted))
    if len(BOARDS) > 256:
        BOARDS.clear()
    return BOARDS.setdefault(key, averages)


def coarse(scenario: Any) -> Iterator[Any]:
    """Yield the scenario with few replications, then with more, for quick first numbers."""
    many = k.SIMULATED_TIME / scenario.between > MANY_JOBS
    for few in (1, *FEW) if many else FEW:
        if few < scenario.counted and (scenario.effective, scenario.counted) not in BOARDS:
            yield replace(scenario, replications=few)


@lru_cache(maxsize=256)
def saturation(plain: Any) -> float:
    """Return the highest load that a policy can serve with its mix, accurate to about one point."""
    jobs = min(40_000, int(250 / plain.between / plain.training_rate))
    rng = np.random.default_rng(plain.seed)
    with time_slices.turn(time_slices.LONGEST):
        return saturation_load(plain.mix, FLEET, plain.policy, rng, jobs)
