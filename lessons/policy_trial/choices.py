"""Policy trial: how often a trial picks the worse policy, what weeks are like, and what a bandit
loses on the way.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lessons.policy_trial.weeks import FLEET, POLICIES, WARM, table
from physics import constants as k
from physics.experiments import bandit, best_missed, weeks_needed, wrong_choice
from physics.jobs import offered_load, platform_mix
from physics.numerics import mean_interval

#: The policies on trial, the better one last.
WORSE, BETTER = PAIR = tuple(POLICIES)
#: Groups of runs that are left out one at a time for an interval (the jackknife), and bandits that
#: are played.
GROUPS = 12
BANDITS = 30
RUNS = int(k.TRIAL_RUNS)
LOAD = offered_load(platform_mix(), FLEET)
assert WARM % 2 == 0, "where policies take turns, the first counted week must be the first policy's"


class Habit(NamedTuple):
    """What weekly means are like under one policy, over all runs together."""

    mean: float  #: in the long run [s]
    turned: float  #: where another policy runs every other week [s]
    deviation: float  #: standard deviation of a week's [s]
    r: float  #: correlation of a week's with that of the week after [1]


class Regret(NamedTuple):
    """Mean regret of several bandits, in seconds of mean wait, summed over weeks."""

    path: np.ndarray  #: after each week [s]
    end: float  #: after the last week [s]
    worst: float  #: of choosing the worse policy throughout [s]
    even: float  #: of choosing both policies equally often [s]
    bound: float  #: of Auer, Cesa-Bianchi and Fischer for UCB1 after the last week [s]


class Luck(NamedTuple):
    """What comes of trials of several policies."""

    wrong: float  #: share that a policy other than EASY wins [1]
    winner: float  #: the winner's mean in its trial, on average [s]
    lots: float  #: share of wrong trials if lots were drawn [1]
    weeks: int  #: of all policies together


def tables(way: str) -> list[np.ndarray]:
    """Weekly means of both policies where the trial is run in this way, a row a run [s]."""
    return [
        table()["turns"][:, place::2] if way == "turns" else table()[name]
        for place, name in enumerate(PAIR)
    ]


@lru_cache(maxsize=128)
def windows(way: str, weeks: int) -> list[np.ndarray]:
    """Cut all runs of both policies into windows of consecutive weeks: run, window, week [s]."""
    return [
        rows[:, : rows.shape[1] // weeks * weeks].reshape(len(rows), -1, weeks)
        for rows in tables(way)
    ]


@lru_cache(maxsize=512)
def missed(way: str, weeks: int) -> float:
    """Share of trials in which the worse policy has the shorter mean, ties half [1]."""
    return wrong_choice(*(one.mean(axis=2) for one in windows(way, weeks)), 1, way != "after")


@lru_cache(maxsize=512)
def error(way: str, weeks: int) -> float:
    """Half width of that share's 95% interval, by leaving out a twelfth of the runs at a time [1]."""
    found = [one.mean(axis=2) for one in windows(way, weeks)]
    value = missed(way, weeks)
    less = [
        wrong_choice(*(np.delete(one, out, axis=0) for one in found), 1, way != "after")
        for out in np.array_split(np.arange(RUNS), GROUPS)
    ]
    return mean_interval([GROUPS * value - (GROUPS - 1) * one for one in less])[1]


@lru_cache(maxsize=8)
def shuffled(weeks: int) -> float:
    """Share of wrong trials one after the other if weeks were independent: all weeks of all runs
    shuffled [1].
    """
    rng = np.random.default_rng(int(k.TRIAL_SEED))
    return wrong_choice(
        *(rng.permutation(one.ravel()).reshape(one.shape) for one in tables("after")), weeks
    )


@lru_cache(maxsize=256)
def luck(weeks: int, policies: int) -> Luck:
    """Set EASY and so many policies less one against each other.

    The others are as slow as strict priority. Each policy has weeks of its own, so the shortest
    mean is above a time where all means are: the product of these chances, summed over time, is its
    average.
    """
    worse, better = (np.sort(one.mean(axis=2), axis=None) for one in windows("after", weeks))
    times = np.unique(np.concatenate(([0.0], worse, better)))
    above = [1 - np.searchsorted(one, times, "right") / len(one) for one in (worse, better)]
    shortest = (above[0] ** (policies - 1) * above[1])[:-1] @ np.diff(times)
    missed = best_missed([[worse]] * (policies - 1), [better], 1)
    return Luck(missed, float(shortest), 1 - 1 / policies, policies * weeks)


@lru_cache(maxsize=4)
def habit(name: str) -> Habit:
    """Return what weeks are like under a policy."""
    values = table()[name]
    turned = tables("turns")[PAIR.index(name)]
    r = np.corrcoef(values[:, :-1].ravel(), values[:, 1:].ravel())[0, 1]
    return Habit(float(values.mean()), float(turned.mean()), float(values.std()), float(r))


@lru_cache(maxsize=64)
def regret(rule: str, rounds: int) -> Regret:
    """Play bandits on fresh draws of both policies' weeks; rewards are waits, scaled to a deviation
    of at most ½.
    """
    habits = [habit(name) for name in PAIR]
    unit = 2 * max(one.deviation for one in habits)
    means = [-one.mean / unit for one in habits]
    deviations = [one.deviation / unit for one in habits]
    chances = (np.random.default_rng([int(k.TRIAL_SEED), run]) for run in range(BANDITS))
    limits = float(k.TRIAL_EPSILON), int(k.TRIAL_EXPLORE)
    played = [
        bandit(means, deviations, rounds, rule, rng, *limits)["regret"].to_numpy()
        for rng in chances
    ]
    gap = means[1] - means[0]
    bound = unit * (8 * math.log(rounds) / gap + (1 + math.pi**2 / 3) * gap)
    path = np.mean(played, axis=0) * unit
    worst = rounds * gap * unit
    return Regret(path, float(path[-1]), worst, worst / 2, bound)


def days(deviation: float, difference: float, r: float) -> dict[str, int]:
    """Return days of each of two things until their difference is as long as its margin of error,
    and other counts.
    """
    found = {
        "needed": (r, difference),
        "independent": (0.0, difference),
        "halved": (r, difference / 2),
    }
    counts = {name: math.ceil(weeks_needed(deviation**2, *case)) for name, case in found.items()}
    more = {"doubled": 2 * counts["needed"], "eightfold": 8 * counts["needed"]}
    return counts | more | {"shortest": counts["independent"] // 2}
