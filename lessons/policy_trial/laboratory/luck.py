"""Policy trial, laboratory: how often the best of several policies loses a trial."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lessons.policy_trial import choices
from physics.experiments import best_missed
from ui.base.format import Mean


class Luck(NamedTuple):
    """Results of trials with several policies."""

    wrong: Mean  #: share that a policy other than EASY wins [1]
    winner: Mean  #: the winner's mean in its trial, on average [s]
    lots: float  #: share of wrong trials if lots were drawn [1]


def lost(policies: int) -> Callable[..., float]:
    """Return a statistic: the share of trials that EASY loses against the others."""

    def statistic(worse: np.ndarray, better: np.ndarray) -> float:
        others = [worse.reshape(1, -1)] * (policies - 1)
        return best_missed(others, better.reshape(1, -1), 1)

    return statistic


def shortest(policies: int) -> Callable[..., float]:
    """Return a statistic: the mean of the shortest mean wait of all policies [s].

    Each policy has weeks of its own, so the shortest mean is above a time where all means are: the
    product of these chances, summed over time, is its average.
    """

    def statistic(worse: np.ndarray, better: np.ndarray) -> float:
        times = np.unique(np.concatenate(([0.0], worse.ravel(), better.ravel())))
        of_others = _above(worse, times) ** (policies - 1)
        return float((of_others * _above(better, times))[:-1] @ np.diff(times))

    return statistic


def _above(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Share of values above each time [1]."""
    return 1 - np.searchsorted(np.sort(values, axis=None), times, "right") / values.size


@lru_cache(maxsize=256)
def luck(weeks: int, policies: int) -> Luck:
    """Compare EASY with several policies that are all as slow as strict priority."""
    tried = choices.means("after", weeks)
    share = choices.estimate(lost(policies), *tried)
    winner = choices.estimate(shortest(policies), *tried)
    return Luck(share, winner, 1 - 1 / policies)
