"""Checkpointed run with random interruptions: the time it takes, and its simulation.

- The job is T/τ segments; each is τ of work and then a dump of δ, the last one too.
- Interruptions are a Poisson process of mean spacing M; they strike while working, dumping, and
  restarting.
- An interruption of a segment throws the segment away, its dump included; a restart of R follows,
  then the segment anew.
- An interruption of a restart starts the restart over.
- When T/τ is not whole, the last segment is a full one of which the job is charged its share. A
  real run would stop early instead; `physics.checkpointing.expected_runtime_short_tail` says by
  how much that differs.

With a notice that is at least as long as a dump, nothing is thrown away: see `notice_saves`. Where
a replacement takes time, each interruption is followed by a `Wait`.

Arguments, here and in `physics.checkpointing.runtime`: `work`, T, to do [s]; `interval`, τ, work
between two dumps [s]; `dump`, δ, time to write a checkpoint [s]; `restart`, R, time from an
interruption until work goes on [s]; `mtbf`, M, mean time between interruptions of the whole job
[s]; `notice`, time between the notice and the interruption [s], 0 for none.
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physics.arguments import (
    Count,
    LimitedCount,
    NonNegative,
    Positive,
    within_range,
)

#: Failed attempts of a run that are drawn each by itself; more are summed by a normal law.
DRAWN_ONE_BY_ONE = 256
_POISSON_BELOW = 1e15  # above it a Poisson count differs from its mean by less than a part in 10⁷


@dataclass(frozen=True)
class RunTime:
    """Time of one run by activity, or its mean; `float(run)` is the total."""

    work: float  #: T, work that counts [s]
    dumps: float  #: checkpoints that were finished, the emergency ones of a notice included [s]
    lost: float  #: segments thrown away, broken dumps included [s]
    restarts: float  #: restarts, broken ones included [s]
    interruptions: float  #: how often the run was interrupted; of a last part segment its share [1]
    waits: float = 0.0  #: standing until every node is there again [s]

    @property
    def runtime(self) -> float:
        """Time from start to end [s]: the sum of the five parts."""
        return self.work + self.dumps + self.lost + self.restarts + self.waits

    def __float__(self) -> float:
        return self.runtime


@dataclass(frozen=True)
class Wait:
    """Wait between an interruption and the restart, during which the run cannot be interrupted."""

    mean: float = 0.0  #: mean wait for a machine [s]


#: A replacement that is there at once.
NO_WAIT = Wait()


def expm1_or_inf(x: float) -> float:
    """Return eˣ − 1, or infinity if it overflows."""
    try:
        return math.expm1(x)
    except OverflowError:
        return math.inf


@within_range
def gang_wait(
    delay: NonNegative, node_mtbf: Positive, nodes: Count = 1, paid: bool = False
) -> Wait:
    """Mean time from an interruption until all n nodes of the job are available again [s].

    M ((1 + D/M₁)ⁿ − 1) with M = M₁/n, infinite where a float cannot hold it; `paid` counts only the
    share of the gang that is there, M ((1 + D/M₁)ⁿ⁻¹ − 1). D is the mean delay until a struck node
    is replaced [s], M₁ the mean time between interruptions of one node [s]; nodes that stand are
    struck as well. Each node is up for a share a = M₁/(M₁ + D) of the time, independently of the
    others: the run takes 1/aⁿ times as long as with replacements at once, and costs 1/aⁿ⁻¹ times as
    much, for any distribution of the delay.

    Source: Barlow and Proschan, *Statistical Theory of Reliability and Life Testing*, 1975, chapter
    7 (availability of series systems).

    >>> round(gang_wait(delay=600, node_mtbf=18000, nodes=16).mean)
    776
    """
    return Wait(
        node_mtbf / nodes * expm1_or_inf((nodes - bool(paid)) * math.log1p(delay / node_mtbf))
    )


@within_range
def notice_saves(dump: NonNegative, notice: NonNegative) -> bool:
    """Whether a notice is long enough to write an emergency checkpoint.

    If True, the run stops at the notice, dumps its exact position and restarts: an interruption
    costs a dump and a restart and no work. If False the notice changes nothing.

    >>> notice_saves(dump=120, notice=120), notice_saves(dump=180, notice=120)
    (True, False)
    >>> notice_saves(dump=0, notice=0)
    False
    """
    return notice > 0 and dump <= notice


def split_segments(work: float, interval: float) -> tuple[int, float]:
    """Number of full segments, and the rest as a share of one, 0 where it is rounding [1]."""
    tail, full = math.modf(work / interval)
    if tail > 1 - 1e-9:
        return int(full) + 1, 0.0
    if tail > 1e-9:
        return int(full), tail
    return int(full), 0.0


def simulate_run(
    work: float,
    interval: float,
    dump: float,
    restart: float,
    mtbf: float,
    rng: np.random.Generator,
    notice: float = 0.0,
) -> RunTime:
    """Time of one simulated run by activity [s].

    >>> run = simulate_run(100 * 3600, 2400, 180, 360, 5 * 3600, np.random.default_rng(1))
    >>> run.work == 100 * 3600, round(run.dumps) == 150 * 180, run.runtime > run.work + run.dumps
    (True, True, True)
    """
    runs = simulate_runs(work, interval, dump, restart, mtbf, rng, 1, notice)
    return RunTime(**runs.drop(columns="runtime").iloc[0].to_dict())


@within_range
@np.errstate(over="ignore", invalid="ignore")  # beyond the range of a float a time is infinite
def simulate_runs(
    work: Positive,
    interval: Positive,
    dump: NonNegative,
    restart: NonNegative,
    mtbf: Positive,
    rng: np.random.Generator,
    runs: LimitedCount = 1000,
    notice: float = 0.0,
) -> pd.DataFrame:
    """Table of independent simulated runs of the complete model, one row per run [s].

    Its columns are the runtime and the fields of `RunTime` but waits; what is beyond the range of a
    float is infinite.

    The failed attempts of all segments are drawn at once: their number is negative binomial, the
    time of each an exponential cut off at the segment's length. The sum of more than 256 is drawn
    from the normal law with their exact mean and variance (its skewness, at most 1/8, is
    neglected). Failed restarts in the same way.

    Source: Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps",
    2006 (the complete cost function, and its figures 3 to 5 that compare it with a simulation).

    >>> rng = np.random.default_rng(1)
    >>> simulate_runs(3600, 600, 60, 60, 1e300, rng, runs=2).runtime.tolist()  # never interrupted
    [3960.0, 3960.0]
    """
    rng = np.random.default_rng(rng)
    segments = work / interval
    length = interval + dump
    lost = np.zeros(runs)
    if notice_saves(dump, notice):
        interrupted = _poisson(np.full(runs, segments * length / mtbf), rng)
        dumps = segments * dump + _times(interrupted, dump)
    else:
        interrupted = np.zeros(runs)
        dumps = np.full(runs, segments * dump)
        tail, full = math.modf(segments)
        for successes, share in ((full, 1.0), (math.ceil(tail), tail)):
            failed = _failed_attempts(np.full(runs, float(successes)), length, mtbf, rng)
            interrupted = interrupted + share * failed
            lost = lost + share * _time_of_failed(failed, length, mtbf, rng)
    broken = _failed_attempts(interrupted, restart, mtbf, rng)
    restarts = _times(interrupted, restart) + _time_of_failed(broken, restart, mtbf, rng)
    times = {"work": np.full(runs, work), "dumps": dumps, "lost": lost, "restarts": restarts}
    return pd.DataFrame(
        {"runtime": sum(times.values())} | times | {"interruptions": interrupted + broken}
    )


def simulate_runtimes(
    work: float,
    interval: float,
    dump: float,
    restart: float,
    mtbf: float,
    rng: np.random.Generator,
    runs: int = 1000,
    notice: float = 0.0,
) -> np.ndarray:
    """Run times of independent simulated runs [s], the first column of `simulate_runs`.

    >>> rng = np.random.default_rng(1)
    >>> simulate_runtimes(36000.0, 600.0, 60.0, 60.0, 3600.0, rng, runs=2).shape
    (2,)
    """
    table = simulate_runs(work, interval, dump, restart, mtbf, rng, runs, notice)
    return table["runtime"].to_numpy()


def _times(number: np.ndarray, duration: float) -> np.ndarray:
    """Time that a number of equal activities takes [s].

    0 where each takes none, even if their number is beyond counting.
    """
    if duration:
        return number * duration
    return np.zeros(number.shape)


def _poisson(mean: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw Poisson counts as floats; where a mean is too large to count, the mean itself."""
    countable = mean < _POISSON_BELOW
    return np.where(countable, rng.poisson(np.where(countable, mean, 0.0)), mean)


def _failed_attempts(
    successes: np.ndarray, length: float, mtbf: float, rng: np.random.Generator
) -> np.ndarray:
    """Draw how many attempts fail before `successes` of them last `length` undisturbed.

    The number is negative binomial.
    """
    odds = expm1_or_inf(length / mtbf)  # of failing
    gamma = rng.standard_gamma(np.minimum(successes, 1e300))
    mean = np.where(np.isinf(successes), np.inf, gamma) * odds
    return _poisson(np.where((successes > 0) & (odds > 0), mean, 0.0), rng)


def _time_of_failed(
    attempts: np.ndarray, length: float, mtbf: float, rng: np.random.Generator
) -> np.ndarray:
    """Draw the summed time of attempts that were interrupted before `length` [s].

    The time of each is exponential, on condition that it ends before `length`.
    """
    few = attempts <= DRAWN_ONE_BY_ONE
    run = np.repeat(np.flatnonzero(few), attempts[few].astype(int))
    times = -mtbf * np.log1p(rng.random(run.size) * math.expm1(-length / mtbf))
    total = np.bincount(run, weights=times, minlength=attempts.size).astype(float)
    mean, deviation = _cut_off_moments(length, mtbf)
    many = attempts[~few]
    summed = many * mean + np.sqrt(many) * deviation * rng.standard_normal(many.size)
    total[~few] = np.where(np.isinf(many), np.inf, summed)
    return total


def _cut_off_moments(length: float, mtbf: float) -> tuple[float, float]:
    """Mean and standard deviation of an exponential time that ends before `length` [s].

    `mtbf` is its mean without that condition.
    """
    ratio = length / mtbf
    if ratio < 1e-2:  # all but uniform on 0 to length; the written-out forms would cancel
        return length / 2 * (1 - ratio / 6), length / math.sqrt(12) * math.sqrt(1 - ratio**2 / 20)
    if ratio > 700:
        return mtbf, mtbf
    half = ratio / 2
    return mtbf - length / math.expm1(ratio), mtbf * math.sqrt(1 - (half / math.sinh(half)) ** 2)
