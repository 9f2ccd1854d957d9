"""Mean length of a step that waits for its answers, its busy slots, and the bias.

Reinforcement learning of language models works in such steps: write many answers, score them, learn
from them, then write again. Arguments as in `physics.rollouts.simulation`.

All formulas except `step_time` with a spread are exact for memoryless lengths, and only for these.
With half the places, a step of 1,024 answers takes 4% longer if lengths are exponential, and 100%
longer if they are equal. If they are log-normal, it takes 16%, 3%, or 0.6% longer for a standard
deviation of half, one, or two means.

A place writes at a constant pace here. On a GPU, fewer answers at once are each written faster, so
the formulas are for few answers on each GPU, such as 16, whose steps mostly read the model's
weights.

Source: Rényi, "On the theory of order statistics", 1953 (gaps between exponential order
statistics); Barlow and Proschan, *Statistical Theory of Reliability and Life Testing*, 1975 (total
time on test); "RollPacker", 2025, arXiv 2509.21009, and "APRIL", 2025, arXiv 2509.18521, for steps
that start more answers than they wait for.
"""

import math
from functools import lru_cache

import numpy as np

from physics.arguments import Count, Positive, elementwise
from physics.numerics import erfc
from physics.rollouts.simulation import Answers, Extra, Spread, simulate_steps

#: Answers that are simulated for a mean: 390 steps of 1,024 answers.
SIMULATED = 400_000
#: The random numbers are the same at every setting, so that results differ by the settings alone.
SEED = 20260301
#: Points of the grid of an integral.
POINTS = 2001


@elementwise
def last_of(n: Answers) -> float:
    """Mean time until the last of n simultaneous answers ends ÷ mean length of one answer [1].

    Hₙ = 1 + 1/2 + … + 1/n, for memoryless lengths: while k are left, the next one is done after a
    k-th of the mean.

    >>> round(last_of(1024), 2)
    7.51
    """
    return _memoryless_step(n, n, n)


@elementwise
def step_time(
    answers: Answers,
    places: Count | None = None,
    extra: Extra = 0,
    mean: Positive = 1.0,
    cv: Spread | None = None,
    longest: Positive | None = None,
) -> float:
    """Mean time until n of n + e answers are complete [s].

    - Memoryless lengths (`cv` and `longest` are None): mean × Σ 1 / min(p, n + e − k) over
      k = 0 … n − 1, exactly.
    - Equal lengths (`cv` is 0): mean × ⌈n / p⌉.
    - Log-normal lengths, or lengths that are cut off at `longest`, with a place for every answer:
      the mean of the n-th shortest of n + e lengths, by an integral that is good to a part in 10⁵.
    - The same with fewer places: that mean, and the mean time that waiting for a place adds. The
      latter is simulated with the same random numbers at every setting, and for 1,024 answers it is
      good to about 0.5% of the step.

    >>> round(step_time(1024), 2), round(step_time(1024, places=512), 2)
    (7.51, 7.82)
    >>> round(step_time(1024, extra=51), 2)
    3.04
    """
    started, used_places = _started_and_used(answers, places, extra)
    if cv == 0:
        length = mean if longest is None else min(mean, longest)
        return length * math.ceil(answers / used_places)
    if cv is None and longest is None:
        return mean * _memoryless_step(answers, started, used_places)
    limit = math.inf if longest is None else longest / mean
    at_once = _order_statistic(answers, started, cv, limit)
    if used_places == started:
        return mean * at_once
    return mean * (at_once + _added_by_waiting(answers, used_places, extra, cv, limit))


@elementwise
def busy_share(answers: Answers, places: Count | None = None, extra: Extra = 0) -> float:
    """Busy share of the places over many steps, for memoryless lengths [1].

    It is n means ÷ (p × step). However many answers are started, the places write for n means in a
    step of n kept answers, because each answer that is completed stands for one mean of writing.
    The share is a ratio of means, not the mean of the steps' ratios. Writing that is thrown away
    counts as busy; multiplied by `kept_mean`, the share is that of kept writing.

    >>> round(busy_share(1024), 3), round(busy_share(1024, places=512), 2)
    (0.133, 0.26)
    """
    started, used_places = _started_and_used(answers, places, extra)
    total_places = places or started  # places that are never used count as idle
    return answers / (total_places * _memoryless_step(answers, started, used_places))


@elementwise
def kept_mean(answers: Answers, places: Count | None = None, extra: Extra = 0) -> float:
    """Mean length of kept answers ÷ mean length of all answers, for memoryless lengths [1].

    Kept answers are shorter, because long answers are the ones that are dropped. S is the writing
    so far on answers that are not complete, in means. Until the next answer is complete, S grows by
    1. Each of the k answers that are being written is equally likely to be that one, so it takes a
    k-th of S with it on average. After n answers, the result is (n − S) / n. With a place for every
    answer, this is 1 − e/n × step.

    >>> round(kept_mean(1024, extra=51), 3), round(kept_mean(1024, places=512, extra=51), 3)
    (0.849, 0.852)
    """
    started, used_places = _started_and_used(answers, places, extra)
    unfinished_writing = 0.0
    for completed in range(answers):
        writing = min(used_places, started - completed)
        unfinished_writing = (unfinished_writing + 1) * (writing - 1) / writing
    return (answers - unfinished_writing) / answers


@elementwise
def stale_share(answers: Answers, extra: Extra) -> float:
    """Share of the kept answers started in an earlier step, if unfinished ones are continued [1].

    e / (n + e): with a place for every answer, a step begins with e old answers and n new ones,
    which without memory are equally likely to be among the first n. The step is as long as
    `step_time` says, and no length is lost: the mean of the kept answers is that of all.

    >>> round(stale_share(1024, 51), 3)
    0.047
    """
    return extra / (answers + extra)


def _started_and_used(answers: int, places: int | None, extra: int) -> tuple[int, int]:
    """Return the number of answers that are started, and of places that write them at once."""
    started = answers + extra
    return started, min(places or started, started)


def _memoryless_step(answers: int, started: int, places: int) -> float:
    """Mean of a step of memoryless answers ÷ mean length of one answer [1].

    Σ 1 / min(p, m − k) for k from 0 to n − 1, with n kept of m started answers on p places.
    """
    unfinished = np.arange(started - answers + 1, started + 1)
    return math.fsum(1 / np.minimum(unfinished, places))


@lru_cache(maxsize=256)
def _order_statistic(rank: int, started: int, cv: float | None, limit: float) -> float:
    """Mean of the length at one rank among all started, in means of one [1].

    Integrated by the trapezoidal rule over the normal quantile z of a length. A coarse grid finds
    where the rank is likely; a fine grid covers only that range.
    """
    coarse = np.linspace(-12, 12, POINTS)
    logs = _log_density(coarse, rank, started)
    likely = coarse[logs > logs.max() - 50]
    margin = coarse[1] - coarse[0]
    fine = np.linspace(likely[0] - margin, likely[-1] + margin, POINTS)
    logs = _log_density(fine, rank, started)
    weights = np.exp(logs - logs.max())
    lengths = np.minimum(_quantiles(fine, cv), limit)
    return float(weights @ lengths / weights.sum())


def _log_density(grid: np.ndarray, rank: int, started: int) -> np.ndarray:
    """Logarithm of the density of a rank's normal quantile, up to a constant [1]."""
    return (
        (rank - 1) * np.log(_above(-grid)) + (started - rank) * np.log(_above(grid)) - grid**2 / 2
    )


def _above(grid: np.ndarray) -> np.ndarray:
    """Probability that a standard normal number is above each of these [1]."""
    return erfc(grid / math.sqrt(2)) / 2


def _quantiles(grid: np.ndarray, cv: float | None) -> np.ndarray:
    """Lengths at normal quantiles, exponential or log-normal, in means of one [1]."""
    if cv is None:
        return -np.log(_above(grid))
    spread = math.sqrt(math.log1p(cv**2))
    return np.exp(spread * grid - spread**2 / 2)


@lru_cache(maxsize=256)
def _added_by_waiting(
    answers: int, places: int, extra: int, cv: float | None, limit: float
) -> float:
    """Simulate the mean time that waiting for places adds to a step, in means of one answer [1]."""
    rng = np.random.default_rng(SEED)
    table = simulate_steps(
        answers,
        rng,
        places,
        extra,
        cv=cv,
        longest=limit if math.isfinite(limit) else None,
        steps=max(4, SIMULATED // (answers + extra)),
    )
    return float((table["step"] - table["at_once"]).mean())
