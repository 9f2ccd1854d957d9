"""Policy trial, laboratory: a bandit's loss while it learns which policy is better."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lessons.policy_trial import choices
from physics import constants as k
from physics.experiments import bandit
from physics.numerics import mean_interval
from ui.base.format import Mean

#: Simulated runs of a bandit.
RUNS = 30


class Regret(NamedTuple):
    """Mean regret of several bandits, in seconds of mean wait, summed over weeks."""

    path: np.ndarray  #: after each week [s]
    end: Mean  #: after the last week [s]
    worst: Mean  #: of choosing the worse policy throughout [s]
    even: Mean  #: of choosing both policies equally often [s]
    bound: float  #: of Auer, Cesa-Bianchi and Fischer for UCB1 after the last week [s]


@lru_cache(maxsize=64)
def regret(rule: str, rounds: int) -> Regret:
    """Return a bandit's regret on fresh weeks of both policies."""
    habits = [choices.habit(name) for name in choices.PAIR]
    unit = 2 * max(float(habit.deviation) for habit in habits)
    means = [-float(habit.mean) / unit for habit in habits]
    deviations = [float(habit.deviation) / unit for habit in habits]
    epsilon = float(k.TRIAL_EPSILON)
    explore = int(k.TRIAL_EXPLORE)
    paths = []
    for number in range(RUNS):
        rng = np.random.default_rng([int(k.TRIAL_SEED), number])
        run = bandit(means, deviations, rounds, rule, rng, epsilon, explore)
        paths.append(run["regret"].to_numpy() * unit)
    difference = means[1] - means[0]
    bound = unit * (8 * math.log(rounds) / difference + (1 + math.pi**2 / 3) * difference)
    end = Mean(*mean_interval([float(path[-1]) for path in paths]))
    worst = choices.of_pair(choices.gap) * rounds
    return Regret(np.mean(paths, axis=0), end, worst, worst / 2, bound)
