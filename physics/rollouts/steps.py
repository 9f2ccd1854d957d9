"""Mean length of a step that waits for its answers, its busy slots, and the bias.

Reinforcement learning of language models works in such steps: write many answers, score them, learn
from them, then write again. Arguments as in `physics.rollouts.simulation`.

All formulas but `step_time` with a spread are exact for memoryless lengths, and only for these: of
log-normal lengths with a standard deviation of half, one, or two means, half the places make a step
of 1,024 answers 16%, 3%, and 0.5% longer, of exponential ones 4%, of equal ones 100%. A place
writes at a constant pace here. On a GPU, fewer answers at once are each written faster, so the
formulas are for few answers on each GPU, such as 16, whose steps mostly read the model's weights.

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

#: Answers that are played for a mean: 390 steps of 1,024 answers.
PLAYED = 400_000


@elementwise
def last_of(n: Answers) -> float:
    """Mean time until the last of n simultaneous answers ends ÷ mean length of one answer [1].

    Hₙ = 1 + 1/2 + … + 1/n, for memoryless lengths: while k are left, the next one is done after a
    k-th of the mean.

    >>> round(last_of(1024), 2)
    7.51
    """
    return _harmonic_steps(n, n, n)


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

    Memoryless (`cv` and `longest` None): mean × Σ 1 / min(p, n + e − k), k = 0 … n − 1, exact.
    Equal lengths (`cv` 0): mean × ⌈n / p⌉. Log-normal lengths, or those cut off at the `longest`:
    with a place for every answer the mean of the n-th of n + e order statistics, by an integral
    that is good to a part in 10⁵; with fewer places that mean and the mean of what waiting for a
    place adds to it, simulated with the same random numbers at every setting: for 1,024 answers
    good to about 0.5%.

    >>> round(step_time(1024), 2), round(step_time(1024, places=512), 2)
    (7.51, 7.82)
    >>> round(step_time(1024, extra=51), 2)
    3.04
    """
    started, places = _started_and_places(answers, places, extra)
    if cv == 0:
        length = mean if longest is None else min(mean, longest)
        return length * math.ceil(answers / places)
    if cv is None and longest is None:
        return mean * _harmonic_steps(answers, started, places)
    limit = math.inf if longest is None else longest / mean
    at_once = _order_statistic(answers, started, cv, limit)
    if places == started:
        return mean * at_once
    return mean * (at_once + _waiting(answers, places, extra, cv, limit))


@elementwise
def busy_share(answers: Answers, places: Count | None = None, extra: Extra = 0) -> float:
    """Busy share of the slots over many steps, for memoryless lengths [1].

    n means ÷ (p × step): the places write for n means in a step of n kept answers, whatever is
    started, because each that is done stands for one mean of writing. It is the ratio of means, not
    the mean of the steps' ratios. Writing that is thrown away counts; times `kept_mean` it is the
    share that is kept.

    >>> round(busy_share(1024), 3), round(busy_share(1024, places=512), 2)
    (0.133, 0.26)
    """
    started, writing = _started_and_places(answers, places, extra)
    return answers / ((places or started) * _harmonic_steps(answers, started, writing))


@elementwise
def kept_mean(answers: Answers, places: Count | None = None, extra: Extra = 0) -> float:
    """Mean length of kept answers ÷ mean length of all answers, for memoryless lengths [1].

    What is dropped is what was long. S, the writing on answers that are not done, in means: until
    the next one is done it grows by 1, and the k that are being written are equally likely to be
    that one, so that it takes a k-th of S with it. (n − S) / n after n of them; with a place for
    every answer 1 − e/n × step.

    >>> round(kept_mean(1024, extra=51), 3), round(kept_mean(1024, places=512, extra=51), 3)
    (0.849, 0.852)
    """
    started, places = _started_and_places(answers, places, extra)
    unfinished = 0.0
    for done in range(answers):
        writing = min(places, started - done)
        unfinished = (unfinished + 1) * (writing - 1) / writing
    return (answers - unfinished) / answers


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


def _started_and_places(answers: int, places: int | None, extra: int) -> tuple[int, int]:
    """Number of answers that are started, and of places that write them at once [1]."""
    started = answers + extra
    return started, min(places or started, started)


def _harmonic_steps(answers: int, started: int, places: int) -> float:
    """Mean of a step of memoryless answers ÷ mean length of one answer [1].

    Σ 1 / min(p, m − k) for k from 0 to n − 1, with n kept of m started answers on p places.
    """
    unfinished = np.arange(started - answers + 1, started + 1)
    return math.fsum(1 / np.minimum(unfinished, places))


@lru_cache(maxsize=256)
def _order_statistic(rank: int, started: int, cv: float | None, limit: float) -> float:
    """Mean of the length at one rank among all started, in means of one [1].

    Integrated over the normal quantile z of a length, by the trapezoidal rule, on a grid that is
    drawn around where the rank is likely.
    """
    grid = np.linspace(-12, 12, 2001)
    for _ in range(2):
        below = erfc(-grid / math.sqrt(2)) / 2
        above = erfc(grid / math.sqrt(2)) / 2
        logs = (rank - 1) * np.log(below) + (started - rank) * np.log(above) - grid**2 / 2
        likely = grid[logs > logs.max() - 50]
        weights = np.exp(logs - logs.max())
        lengths = _quantiles(grid, above, cv)
        mean = float(weights @ np.minimum(lengths, limit) / weights.sum())
        margin = grid[1] - grid[0]
        grid = np.linspace(likely[0] - margin, likely[-1] + margin, 2001)
    return mean


def _quantiles(grid: np.ndarray, above: np.ndarray, cv: float | None) -> np.ndarray:
    """Lengths at normal quantiles, exponential or log-normal, in means of one [1]."""
    if cv is None:
        return -np.log(above)
    spread = math.sqrt(math.log1p(cv**2))
    return np.exp(spread * grid - spread**2 / 2)


@lru_cache(maxsize=256)
def _waiting(answers: int, places: int, extra: int, cv: float | None, limit: float) -> float:
    """Mean time that waiting for a place adds to a step ÷ mean length of one answer [1].

    Simulated.
    """
    rng = np.random.default_rng(20260301)
    table = simulate_steps(
        answers,
        rng,
        places,
        extra,
        cv=cv,
        longest=limit if math.isfinite(limit) else None,
        steps=max(4, PLAYED // (answers + extra)),
    )
    return float((table["step"] - table["at_once"]).mean())
