"""Policy trial: what a bandit loses that chooses the policy of each week, if every week is a fresh draw."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons.policy_trial import choices
from physics import constants as k
from physics.experiments import bandit

RUNS = 30
RULES = ("ucb1", "epsilon_greedy", "explore_then_commit", "thompson")


@dataclass(frozen=True)
class Regret:
    """Regret of several bandits, in seconds of mean wait, summed over weeks."""

    runs: np.ndarray  #: after each week, a row a bandit [s]
    worst: float  #: of choosing the worse policy throughout [s]
    bound: float  #: of Auer, Cesa-Bianchi and Fischer for UCB1 after the last week [s]

    @property
    def end(self) -> float:
        """Mean after the last week [s]."""
        return float(self.runs[:, -1].mean())

    @property
    def even(self) -> float:
        """Regret of choosing both policies equally often [s]."""
        return self.worst / 2


@lru_cache(maxsize=64)
def regret(rule: str, rounds: int) -> Regret:
    """Play bandits on fresh draws of both policies' weeks; rewards are waits, scaled to a deviation of at most ½."""
    deviations = [choices.spread(name)[0] ** 0.5 for name in choices.PAIR]
    unit = 2 * max(deviations)
    means = [-choices.mean(name)[0] / unit for name in choices.PAIR]
    played = [
        bandit(means, [one / unit for one in deviations], rounds, rule,
               np.random.default_rng([int(k.TRIAL_SEED), run]), float(k.TRIAL_EPSILON), int(k.TRIAL_EXPLORE))
        for run in range(RUNS)
    ]  # fmt: skip
    gap = means[1] - means[0]
    bound = unit * (8 * math.log(rounds) / gap + (1 + math.pi**2 / 3) * gap)
    return Regret(np.array([one["regret"].to_numpy() for one in played]) * unit, rounds * gap * unit, bound)
