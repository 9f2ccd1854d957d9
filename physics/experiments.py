"""Trials of a policy: weekly means, alternation, wrong choices, weeks needed, and bandits."""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Annotated

import numpy as np
import pandas as pd

from physics.arguments import (
    Count,
    Finite,
    Finites,
    InnerShare,
    NonNegative,
    NonNegatives,
    Positive,
    Share,
    count,
    elementwise,
    one_of,
    several,
    within_range,
)
from physics.scheduling.policy import Policy
from physics.scheduling.schedule import Schedule, outcomes
from physics.scheduling.simulator import simulate
from physics.scheduling.workload import check

__all__ = ["WEEK", "bandit", "best_missed", "take_turns", "weekly", "weeks_needed", "wrong_choice"]

WEEK = 604800.0  #: [s]
BANDITS = ("ucb1", "epsilon_greedy", "explore_then_commit", "thompson")
MOMENT = 1.0  #: [s]
MOST_WEEKS = 1_000_000
MOST_TURNS = 2_000
MOST_ROUNDS = 10_000_000


@within_range
def weekly(
    schedule: Schedule,
    column: str = "wait",
    job_class: str | None = None,
    begin: Finite = 0.0,
    length: Positive = WEEK,
) -> np.ndarray:
    """Mean of a column over the jobs submitted in each week, in its unit; NaN for an empty week.

    Args:
        schedule, column: What `physics.scheduling.simulate` returns, and a column of its jobs, as
            "wait" or "slowdown".
        job_class: Jobs of this class only; by default all.
        begin, length: Start of the first week, before which submissions are left out, and length of
            a week [s].

    A job belongs to the week at whose start it is submitted and not to the one that ends then. Jobs
    that can never start are left out. Raises ValueError for an unknown column, or more than a
    million weeks.

    Source: Batches of a fixed length in time, as in Law, *Simulation Modeling and Analysis*, 5th
    edition, 2015, section 9.5.3.

    >>> from physics.scheduling import simulate
    >>> jobs = pd.DataFrame({"submit": [0, 5, 10], "runtime": [8, 8, 1], "gpus": [1, 1, 1]})
    >>> weekly(simulate(jobs, 1), length=10).tolist()  # waits of 0, 3 and 6 s
    [1.5, 6.0]
    """
    jobs = schedule.jobs
    if column not in jobs or not pd.api.types.is_any_real_numeric_dtype(jobs[column]):
        raise ValueError(
            f"column must be a column of numbers of the schedule's jobs, got {column!r}"
        )
    submit = jobs["submit"].to_numpy(float)
    if not len(submit) or submit.max() < begin:
        return np.array([])
    if (submit.max() - begin) / length >= MOST_WEEKS:
        raise ValueError(f"length must make at most {MOST_WEEKS:,} weeks, got {length:g}")
    week = np.floor((submit - begin) / length)
    # The division may round a submission at the edge of a week into the next or the previous one.
    week += (submit >= begin + (week + 1) * length).astype(float) - (submit < begin + week * length)
    counts = (week >= 0) & jobs["can_start"].to_numpy(bool)
    if job_class is not None:
        counts &= np.asarray(jobs.get("job_class") == job_class)
    weeks = int(week.max()) + 1
    rows = week[counts].astype(np.int64)
    total = np.bincount(rows, jobs[column].to_numpy(float)[counts], weeks)
    with np.errstate(invalid="ignore"):
        return total / np.bincount(rows, minlength=weeks)


@within_range
def take_turns(
    jobs: pd.DataFrame, capacity: Count, policies: Sequence[Policy], length: Positive = WEEK
) -> Schedule:
    """Schedule of one fleet whose policies alternate block by block.

    At a change, running jobs continue and waiting jobs stay queued.

    Args:
        jobs, capacity: As `physics.scheduling.simulate` takes them.
        policies, length: The first policy starts at time 0 or a whole number of rounds earlier;
            each next one starts `length` seconds later.

    Raises ValueError for no policy, or one that remembers more than who runs and who waits: fair
    share, conservative backfill, preemption, reserved GPUs, a longest wait; for jobs that
    `simulate` refuses, and turns too short for them.

    Exact: between two changes it is `simulate`, begun with the jobs that run and those that wait.
    The schedule's policy is the first one.

    Four GPUs, backfill from 10 s on: the job of 1 GPU waits beside the first 10 s though there is
    room.

    >>> jobs = pd.DataFrame({"submit": [0, 1, 2], "runtime": [30, 5, 8], "gpus": [3, 4, 1]})
    >>> take_turns(jobs, 4, [Policy(), Policy(backfill="easy")], length=10).jobs["start"].tolist()
    [0.0, 30.0, 10.0]
    """
    policies = several("policies", policies)
    for policy in policies:
        if not isinstance(policy, Policy):
            raise ValueError(f"policies must be Policy records, got {policy!r}")
        remembers = policy.order == "fair_share" or policy.backfill == "conservative"
        if remembers or policy.preemption or policy.max_wait or policy.reserved:
            raise ValueError(
                "policies must remember nothing but who runs and waits, and reserve nothing, got "
                f"{policy!r}"
            )
    if not policies:
        raise ValueError("policies must be at least one, got none")
    submit, runtime, estimate, gpus = check(jobs)
    start = np.full(len(jobs), np.nan)
    can_start = gpus <= capacity
    rows = np.argsort(submit, kind="stable")
    waiting = rows[can_start[rows]]
    running = rows[:0]
    if len(waiting) and np.ptp(submit[waiting]) + runtime[waiting].sum() > MOST_TURNS * length:
        raise ValueError(
            f"length must make at most {MOST_TURNS:,} turns if jobs run one by one, got {length:g}"
        )
    turn = -1
    if len(waiting):
        turn = math.floor(submit[waiting[0]] / length) - 1
    while len(waiting):
        turn = turn + 1
        if not len(running):
            turn = max(turn, math.floor(submit[waiting[0]] / length))
        begin = turn * length
        end = (turn + 1) * length
        # Running jobs are submitted a moment early, to an empty fleet in which all of them fit.
        queue = waiting[submit[waiting] < end]
        early = begin - MOMENT
        present = np.append(running, queue)
        done = np.append(early - start[running], np.zeros(len(queue)))
        arrivals = np.append(np.full(len(running), early), np.maximum(submit[queue], begin))
        rows = jobs.iloc[present].assign(
            submit=arrivals, runtime=runtime[present] - done, estimate=estimate[present] - done
        )
        schedule = simulate(rows, capacity, policies[turn % len(policies)])
        starts = schedule.jobs["start"].to_numpy()[len(running) :]
        start[queue[starts < end]] = starts[starts < end]
        waiting = waiting[np.isnan(start[waiting])]
        present = present[~np.isnan(start[present])]
        running = present[start[present] + runtime[present] > end]
    ends = start + runtime
    runs = np.column_stack((np.arange(len(jobs)), start, ends))[can_start]
    return Schedule(outcomes(jobs, can_start, start, ends), capacity, policies[0], runs)


@within_range
def wrong_choice(
    worse: np.ndarray, better: np.ndarray, weeks: Count, paired: bool = False
) -> float:
    """Share of trials in which the worse of two policies has the lower mean [1]; ties count half.

    Args:
        worse, better: Weekly means under the policy with the higher and the one with the lower
            mean, any unit, as arrays of shape (replications, weeks); NaN for a week without a
            value.
        weeks: Length of a trial of one policy [weeks].
        paired: Whether both policies are tried on the same replication and window. Otherwise any of
            one is set against any of the other, those of the same number included.

    Windows do not overlap and begin with the first week; what is left over is not used. Weeks that
    are NaN are left out of a window's mean, and a window of nothing else is no choice. All pairs
    are counted, none is drawn. Raises ValueError for trials longer than the tables, tables of
    different shape that are to be paired, or no choice at all.

    Source: The count of pairs with ties half is the statistic of Mann and Whitney, "On a test of
    whether one of two random variables is stochastically larger than the other", 1947.

    >>> wrong_choice([[3, 5, 4, 8]], [[2, 4, 6, 4]], weeks=2)  # means 4 and 6 against 3 and 5
    0.25
    """
    return _missed("worse", [worse], "better", better, weeks, paired)


@within_range
def best_missed(
    others: Sequence[np.ndarray], best: np.ndarray, weeks: Count, paired: bool = False
) -> float:
    """Share of trials in which a policy other than the best has the lowest mean [1].

    Ties share the choice.

    As `wrong_choice`, which this is for one other policy: `others` and `best` are weekly means
    under each other policy, and under the one with the lowest mean.

    >>> # 3, 4 and 2 in the first week, 5, 1 and 2 in the second
    >>> best_missed([[[3, 5]], [[4, 1]]], [[2, 2]], weeks=1, paired=True)
    0.5
    """
    others = several("others", others)
    if not others:
        raise ValueError("others must be at least one policy, got none")
    return _missed("others", others, "best", best, weeks, paired)


def _missed(
    name: str, others: list[np.ndarray], best_name: str, best: np.ndarray, weeks: int, paired: bool
) -> float:
    """Share of trials in which the best policy is not chosen [1]; names are for errors."""
    tables = [_windows(best_name, best, weeks)]
    tables += [_windows(name, other, weeks) for other in others]
    if paired:
        if len({np.shape(table) for table in (best, *others)}) > 1:
            raise ValueError(
                f"{name} and {best_name} must have the same shape where they are paired"
            )
        means = np.array(tables)
        means = means[:, ~np.isnan(means).any(axis=0)]
        is_lowest = means == means.min(axis=0)
        right = is_lowest[0] / is_lowest.sum(axis=0)
    else:
        best_means, *other_means = (table[~np.isnan(table)] for table in tables)
        # Row k: the chance that k of the policies so far tie with this window of the best one, and
        # that none is below it.
        chances = np.zeros((len(tables), len(best_means)))
        chances[0] = 1.0
        for means in map(np.sort, other_means):
            below = np.searchsorted(means, best_means, "left")
            up_to = np.searchsorted(means, best_means, "right")
            total = len(means) or math.nan
            one_tie_fewer = np.vstack((np.zeros(len(best_means)), chances[:-1]))
            tied = one_tie_fewer * ((up_to - below) / total)
            chances = chances * ((len(means) - up_to) / total) + tied
        right = (chances / np.arange(1, len(tables) + 1)[:, None]).sum(axis=0)
    if not len(right) or np.isnan(right).any():
        raise ValueError(
            f"{name} and {best_name} must leave at least one choice, got windows without a value"
        )
    return 1 - math.fsum(right) / len(right)


@elementwise
def weeks_needed(
    variance: NonNegative, correlation: Finite, difference: Positive, confidence: InnerShare = 0.95
) -> Finite:
    """Weeks per policy until a difference of means equals its interval's half-width [weeks].

    Not rounded: 2 z² σ² (1 + r) ÷ ((1 − r) Δ²), for a variance σ² of one week's mean (the average
    of both policies), a correlation r of one week and the next, −1 < r < 1, a difference Δ of the
    two means, and z the two-sided normal quantile. Normal approximation; weeks as a first-order
    autoregression, whose mean over n weeks has the variance σ² (1 + r) ÷ ((1 − r) n) for large n.
    At this number a true difference of Δ is found only half of the time.

    Source: Priestley, *Spectral Analysis and Time Series*, 1981, section 5.3.2 (variance of the
    mean of an autoregression); Student's comparison of two means for large samples.

    >>> round(weeks_needed(variance=4, correlation=0.5, difference=2), 1)  # 2 · 3.84 · 4 · 3 ÷ 4
    23.0
    """
    if not -1 < correlation < 1:
        raise ValueError(f"correlation must be above −1 and below 1, got {correlation}")
    z = NormalDist().inv_cdf((1 - confidence) / 2)
    return 2 * (z / difference) ** 2 * variance * ((1 + correlation) / (1 - correlation))


@within_range
def bandit(
    means: Finites,
    deviations: NonNegatives,
    rounds: int,
    rule: Annotated[str, one_of(BANDITS)],
    rng: np.random.Generator,
    epsilon: Share = 0.1,
    explore: Count = 10,
) -> pd.DataFrame:
    """Table of a bandit that chooses among arms with normal rewards, one row per round.

    Args:
        means, deviations: μ and σ of each arm's reward, any unit.
        rule: "ucb1": the highest mean so far + √(2 ln t ÷ plays of the arm), t plays so far in all.
            "epsilon_greedy": with probability epsilon any arm, otherwise the highest mean so far.
            "explore_then_commit": all arms in turn, `explore` times each, then the one with the
            highest mean for good. "thompson": the highest of one draw from each arm's normal
            posterior, the deviations known. Ties go to the lowest arm.
        epsilon, explore: Of epsilon_greedy [1]; of explore_then_commit, rounds an arm [1].

    Columns: `round` from 1, `arm` from 0, `reward`, and `regret`, the sum so far of max μ − μ of
    the arm. All rules but thompson play each arm once first; with thompson's flat prior an arm that
    was never played is as likely to be drawn above all others as below. For normal rewards of a
    deviation of at most ½ the mean regret of ucb1 after n rounds stays below Σ 8 ln n/Δ_i + (1 +
    π²/3) Σ Δ_i, Δ_i = max μ − μ_i.

    Source: Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem",
    2002, theorem 1; Thompson, "On the likelihood that one unknown probability exceeds another",
    1933; Lattimore and Szepesvári, *Bandit Algorithms*, 2020, chapters 6 and 36.

    >>> rng = np.random.default_rng(1)
    >>> bandit([0, 1], [0, 0], 4, "explore_then_commit", rng, explore=1)["regret"].tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    mu = np.array(means)
    sigma = np.array(deviations)
    if not len(mu) or len(mu) != len(sigma):
        raise ValueError(
            f"means and deviations must be one number an arm, got {len(mu)} and {len(sigma)}"
        )
    rounds = count("rounds", rounds, most=MOST_ROUNDS)
    rng = np.random.default_rng(rng)
    noise = rng.standard_normal(rounds)
    plays = np.zeros(len(mu))
    total = np.zeros(len(mu))
    arms: list[int] = []
    rewards = []
    exploring = len(mu)  # rounds in which all arms are played in turn
    if rule == "explore_then_commit":
        exploring = explore * exploring
    for t in range(rounds):
        if rule == "thompson":
            arm = _thompson_arm(plays, total, sigma, rng.standard_normal(len(mu)))
        elif t < exploring:
            arm = t % len(mu)
        elif rule == "ucb1":
            arm = int(np.argmax(total / plays + np.sqrt(2 * math.log(t) / plays)))
        elif rule == "explore_then_commit" and t > exploring:
            arm = arms[-1]
        elif rule == "epsilon_greedy" and rng.random() < epsilon:
            arm = int(rng.integers(len(mu)))
        else:
            arm = int(np.argmax(total / plays))
        reward = mu[arm] + sigma[arm] * noise[t]
        plays[arm] += 1
        total[arm] += reward
        arms.append(arm)
        rewards.append(reward)
    regret = np.cumsum(mu.max() - mu[arms])
    return pd.DataFrame(
        {"round": np.arange(1, rounds + 1), "arm": arms, "reward": rewards, "regret": regret}
    )


def _thompson_arm(plays: np.ndarray, total: np.ndarray, sigma: np.ndarray, draw: np.ndarray) -> int:
    """Return the arm with the highest posterior draw; one never played draws ± infinity."""
    new = plays == 0
    if new.any() and (new.all() or draw[new].max() > 0):
        return int(np.argmax(np.where(new, draw, -np.inf)))
    plays = np.maximum(plays, 1)
    return int(np.argmax(np.where(new, -np.inf, total / plays + sigma / np.sqrt(plays) * draw)))


def _windows(name: str, values: np.ndarray, weeks: int) -> np.ndarray:
    """Means of consecutive windows of weeks, one row a replication; NaN for an empty window."""
    try:
        table = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a table of numbers, a row a replication") from None
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError(
            f"{name} must be a table of finite numbers or NaN, a row a replication and a column a "
            "week"
        )
    if table.shape[1] < weeks:
        raise ValueError(f"weeks must be at most the {table.shape[1]} of {name}, got {weeks}")
    if weeks == 1:
        return table
    windows = table.shape[1] // weeks
    means = []
    for row in table[:, : windows * weeks].reshape(-1, weeks).tolist():
        finite = [value for value in row if not math.isnan(value)]
        means.append(math.fsum(finite) / len(finite) if finite else math.nan)
    return np.array(means).reshape(len(table), windows)
