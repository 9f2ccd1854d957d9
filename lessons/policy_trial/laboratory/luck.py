"""Policy trial, laboratory: how often the best of several policies loses a trial."""

from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from lessons.policy_trial import choices
from physics.experiments import best_missed
from ui.base.format import Mean


class Luck(NamedTuple):
    """Results of trials with several policies."""

    wrong: Mean  #: share of trials that a policy other than EASY wins [1]
    winner: Mean  #: the winner's mean wait in its trial, averaged over trials [s]
    lots: float  #: share of wrong trials if the winner were drawn at random [1]


def share_lost(worse: np.ndarray, better: np.ndarray, policies: int) -> float:
    """Share of trials that EASY loses against the others, which are all as slow as `worse` [1]."""
    others = [worse.reshape(1, -1)] * (policies - 1)
    return best_missed(others, better.reshape(1, -1), 1)


def mean_shortest(worse: np.ndarray, better: np.ndarray, policies: int) -> float:
    """Mean of the shortest mean wait of all policies [s].

    Each policy has weeks of its own, so the shortest mean is above a time where all means are: the
    product of these chances, summed over time, is its average.
    """
    times = np.unique(np.concatenate(([0.0], worse.ravel(), better.ravel())))
    of_others = _above(worse, times) ** (policies - 1)
    return float((of_others * _above(better, times))[:-1] @ np.diff(times))


def _above(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Share of values above each time [1]."""
    return 1 - np.searchsorted(np.sort(values, axis=None), times, "right") / values.size


@lru_cache(maxsize=256)
def luck(weeks: int, policies: int) -> Luck:
    """Compare EASY with several policies that are all as slow as strict priority."""
    means = choices.means("after", weeks)
    share = choices.estimate(partial(share_lost, policies=policies), *means)
    winner = choices.estimate(partial(mean_shortest, policies=policies), *means)
    return Luck(share, winner, 1 - 1 / policies)
