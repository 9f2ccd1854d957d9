"""Policy trial: how often a trial picks a policy that is not the best, counted over all simulated runs."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons.policy_trial.settings import Trial
from lessons.policy_trial.weeks import FLEET, NAMES, TURNS, WARM, table
from physics import constants as k
from physics.experiments import best_missed, wrong_choice
from physics.jobs import offered_load, platform_mix
from physics.numerics.statistics import mean_interval
from ui.base import format as f

#: Groups of runs that are left out one at a time for an interval (the jackknife).
GROUPS = 12
RUNS = int(k.TRIAL_NUMBER.high or 1)
BEST = "easy"
LOAD = offered_load(platform_mix(), FLEET)
assert WARM % 6 == 0, "where policies take turns, the first counted week must be the first policy's"


@dataclass(frozen=True)
class Share:
    """A share of trials, and the half width of its 95 % interval."""

    value: float
    half: float

    @property
    def words(self) -> str:
        """Such as "31 %"."""
        return f.share(self.value, 2)

    @property
    def told(self) -> str:
        """Such as "31.1 ± 0.9 %", for a derivation; without an interval where no trial was wrong."""
        return f"{f.with_error(100 * self.value, 100 * self.half)} %" if self.half else f.share(self.value)


def names(trial: Trial) -> tuple[str, ...]:
    """Ids of the policies on trial, the best last."""
    return TURNS[trial.policies]


def label(name: str) -> str:
    """Name of a policy inside a sentence."""
    return NAMES[name] if name == "fifo" else NAMES[name][0].lower() + NAMES[name][1:]


def tables(policies: str, way: str) -> list[np.ndarray]:
    """Weekly means of each policy where the trial is run in this way, the best last [s]."""
    tried = TURNS[policies]
    if way == "turns":
        return [table()[policies][:, place :: len(tried)] for place in range(len(tried))]
    return [table()[name] for name in tried]


def _windows(policies: str, way: str, weeks: int) -> list[np.ndarray]:
    """Means of consecutive windows of each policy: exact, as weeks are whole minutes, and much faster at once."""
    found = tables(policies, way)
    return [one[:, : one.shape[1] // weeks * weeks].reshape(len(one), -1, weeks).mean(axis=2) for one in found]


def _missed(found: list[np.ndarray], paired: bool) -> float:
    *others, best = found
    return wrong_choice(*others, best, 1, paired) if len(others) == 1 else best_missed(others, best, 1, paired)


@lru_cache(maxsize=512)
def missed(policies: str, way: str, weeks: int) -> float:
    """Share of trials that do not pick the best policy, ties shared [1]."""
    return _missed(_windows(policies, way, weeks), way != "after")


@lru_cache(maxsize=512)
def interval(policies: str, way: str, weeks: int) -> Share:
    """The same with its 95 % interval, by leaving out a twelfth of the runs at a time."""
    found, value = _windows(policies, way, weeks), missed(policies, way, weeks)
    runs = np.array_split(np.arange(len(found[0])), GROUPS)
    less = [_missed([np.delete(one, out, axis=0) for one in found], way != "after") for out in runs]
    return Share(value, mean_interval([GROUPS * value - (GROUPS - 1) * one for one in less])[1])


def share(trial: Trial) -> Share:
    """The share that belongs to these settings."""
    return interval(trial.policies, trial.way, trial.weeks)


@lru_cache(maxsize=32)
def mean(name: str, policies: str = "", way: str = "after") -> tuple[float, float]:
    """Mean of a policy's weekly means and its half width [s]: alone in long runs, or where policies take turns."""
    values = table()[name] if not policies else tables(policies, way)[TURNS[policies].index(name)]
    return mean_interval(values.mean(axis=1))


@lru_cache(maxsize=4)
def over_jobs(name: str) -> tuple[float, float]:
    """Mean wait over the jobs of each run, averaged over the runs, and its half width [s]."""
    return mean_interval(table()["jobs"][:, ("fifo", "strict", "easy").index(name)])


@lru_cache(maxsize=1)
def blocks() -> tuple[Share, float]:
    """Back to back on one fleet, eight weeks each: share of wrong trials, and the difference that is seen [s]."""
    found = table()["blocks"]
    strict, easy = found[:, ::2], found[:, 1::2]
    wrong = ((strict < easy) + 0.5 * (strict == easy)).mean(axis=1)
    return Share(*mean_interval(wrong)), float((strict - easy).mean())


@lru_cache(maxsize=1)
def ties() -> tuple[float, float]:
    """Share of replayed weeks in which both have the same mean, and in which the worse is strictly better [1]."""
    strict, easy = table()["strict"], table()["easy"]
    return float((strict == easy).mean()), float((strict < easy).mean())


@lru_cache(maxsize=8)
def spread(name: str) -> tuple[float, float]:
    """Variance of a week's mean [s²], and its correlation with that of the week after [1], over all runs together.

    "turns" is the difference of adjacent weeks under strict priority and EASY, which share a queue.
    """
    strict, easy = tables("two", "turns")
    values = strict - easy if name == "turns" else table()[name]
    return float(values.var()), float(np.corrcoef(values[:, :-1].ravel(), values[:, 1:].ravel())[0, 1])


@lru_cache(maxsize=8)
def shuffled(weeks: int) -> float:
    """Share of wrong trials one after the other if weeks did not hang together: all weeks of all runs shuffled [1]."""
    rng = np.random.default_rng(int(k.TRIAL_SEED))
    strict, easy = (rng.permutation(table()[name].ravel()).reshape(table()[name].shape) for name in TURNS["two"])
    return wrong_choice(strict, easy, weeks)


def hours(seconds: float, digits: int = 3) -> str:
    """Write a time in hours, however long."""
    return f"{f.significant(seconds / k.HOUR, digits)} h"


def span(found: tuple[float, float]) -> str:
    """Write the 95 % interval of a mean in hours."""
    return f"{hours(found[0] - found[1])} to {hours(found[0] + found[1])} (95 %)"
