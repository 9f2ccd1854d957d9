"""Policy trial: how often a trial picks the worse policy, counted over all simulated runs, and what weeks are like."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons.policy_trial.weeks import FLEET, POLICIES, WARM, table
from physics import constants as k
from physics.experiments import best_missed, wrong_choice
from physics.jobs import offered_load, platform_mix
from physics.numerics.statistics import mean_interval

#: The policies on trial, the better one last.
WORSE, BETTER = PAIR = tuple(POLICIES)
#: Groups of runs that are left out one at a time for an interval (the jackknife).
GROUPS = 12
RUNS = int(k.TRIAL_RUNS)
LOAD = offered_load(platform_mix(), FLEET)
assert WARM % 2 == 0, "where policies take turns, the first counted week must be the first policy's"


@dataclass(frozen=True)
class Share:
    """A share of trials."""

    value: float  #: [1]
    half: float  #: half width of its 95 % interval [1]


def tables(way: str) -> tuple[np.ndarray, np.ndarray]:
    """Weekly means of both policies where the trial is run in this way, a row a run [s]."""
    if way == "turns":
        return table()["turns"][:, ::2], table()["turns"][:, 1::2]
    return table()[WORSE], table()[BETTER]


@lru_cache(maxsize=128)
def windows(way: str, weeks: int) -> tuple[np.ndarray, np.ndarray]:
    """Cut all runs of both policies into windows of consecutive weeks: run, window, week [s]."""
    cut = [rows[:, : rows.shape[1] // weeks * weeks].reshape(len(rows), -1, weeks) for rows in tables(way)]
    return cut[0], cut[1]


@lru_cache(maxsize=512)
def missed(way: str, weeks: int) -> float:
    """Share of trials in which the worse policy has the shorter mean, ties half [1]."""
    return wrong_choice(*(one.mean(axis=2) for one in windows(way, weeks)), 1, way != "after")


@lru_cache(maxsize=256)
def lucky(weeks: int, policies: int) -> tuple[float, float]:
    """Share of trials that a policy other than EASY wins [1], and the winner's mean in the trial [s].

    The others are as slow as strict priority. Each policy has weeks of its own, so the shortest mean is above a time
    where all means are: the product of these chances, summed over time, is its average.
    """
    worse, better = (np.sort(one.mean(axis=2), axis=None) for one in windows("after", weeks))
    times = np.unique(np.concatenate(([0.0], worse, better)))
    above = [1 - np.searchsorted(one, times, "right") / len(one) for one in (worse, better)]
    shortest = (above[0] ** (policies - 1) * above[1])[:-1] @ np.diff(times)
    return best_missed([[worse]] * (policies - 1), [better], 1), float(shortest)


@lru_cache(maxsize=512)
def interval(way: str, weeks: int) -> Share:
    """The same with its 95 % interval, by leaving out a twelfth of the runs at a time."""
    found, value = [one.mean(axis=2) for one in windows(way, weeks)], missed(way, weeks)
    less = [
        wrong_choice(*(np.delete(one, out, axis=0) for one in found), 1, way != "after")
        for out in np.array_split(np.arange(RUNS), GROUPS)
    ]
    return Share(value, mean_interval([GROUPS * value - (GROUPS - 1) * one for one in less])[1])


@lru_cache(maxsize=8)
def mean(name: str, way: str = "after") -> tuple[float, float]:
    """Mean of a policy's weekly means and half the width of its 95 % interval, over the runs [s]."""
    return mean_interval(tables(way)[PAIR.index(name)].mean(axis=1))


@lru_cache(maxsize=1)
def blocks() -> Share:
    """Share of wrong trials where both policies run on one fleet, eight weeks each, one straight after the other."""
    found = table()["blocks"]
    strict, easy = found[:, ::2], found[:, 1::2]
    return Share(*mean_interval(((strict < easy) + 0.5 * (strict == easy)).mean(axis=1)))


@lru_cache(maxsize=4)
def spread(name: str) -> tuple[float, float]:
    """Variance of a week's mean [s²], and its correlation with that of the week after [1], over all runs together."""
    values = table()[name]
    return float(values.var()), float(np.corrcoef(values[:, :-1].ravel(), values[:, 1:].ravel())[0, 1])


@dataclass(frozen=True)
class Habit:
    """What weekly means are like under one policy."""

    mean: float  #: in the long run [s]
    turned: float  #: where another policy runs every other week [s]
    deviation: float  #: standard deviation of a week's [s]
    r: float  #: correlation of a week's with that of the week after [1]


@lru_cache(maxsize=4)
def habit(name: str) -> Habit:
    """Return what weeks are like under a policy."""
    variance, r = spread(name)
    return Habit(mean(name)[0], mean(name, "turns")[0], variance**0.5, r)


@lru_cache(maxsize=8)
def shuffled(weeks: int) -> float:
    """Share of wrong trials one after the other if weeks were independent: all weeks of all runs shuffled [1]."""
    rng = np.random.default_rng(int(k.TRIAL_SEED))
    strict, easy = (rng.permutation(table()[name].ravel()).reshape(table()[name].shape) for name in PAIR)
    return wrong_choice(strict, easy, weeks)
