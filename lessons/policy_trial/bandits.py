"""Policy trial, fourth act: a bandit that chooses the policy of each week, and what it takes for granted."""

import math
from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.policy_trial import choices
from lessons.policy_trial.settings import RULES, Trial
from physics import constants as k
from physics.experiments import bandit
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

RUNS = 30
MOST = int(k.TRIAL_ROUNDS.high or 1)
#: Top of the chart [h · weeks].
TOP = 3600.0


def arms(policies: str) -> tuple[list[float], list[float], float]:
    """Means and deviations of the rewards, and what a reward of 1 is [s]: rewards deviate by at most a half."""
    tried = choices.TURNS[policies]
    deviations = [choices.spread(name)[0] ** 0.5 for name in tried]
    unit = 2 * max(deviations)
    return [-choices.mean(name)[0] / unit for name in tried], [one / unit for one in deviations], unit


@lru_cache(maxsize=64)
def _regret(policies: str, rule: str, rounds: int, epsilon: float, explore: int) -> np.ndarray:
    means, deviations, unit = arms(policies)
    played = (
        bandit(means, deviations, rounds, rule, np.random.default_rng([int(k.TRIAL_SEED), run]), epsilon, explore)
        for run in range(RUNS)
    )
    return np.array([one["regret"].to_numpy() for one in played]) * unit / k.HOUR


def regret(trial: Trial) -> np.ndarray:
    """Regret of each run after each week [h · weeks], where each week is a fresh draw of its policy."""
    epsilon = trial.epsilon if trial.rule == "epsilon_greedy" else float(k.TRIAL_EPSILON)
    explore = trial.explore if trial.rule == "explore_then_commit" else int(k.TRIAL_EXPLORE)
    return _regret(trial.policies, trial.rule, trial.rounds, epsilon, explore)


def gaps(trial: Trial) -> list[float]:
    """By how much each policy is worse than the best, a week [h]."""
    best = choices.mean(choices.BEST)[0]
    return [(choices.mean(name)[0] - best) / float(k.HOUR) for name in choices.names(trial)]


def bound(trial: Trial) -> float:
    """Bound of Auer, Cesa-Bianchi and Fischer for UCB1 after these weeks [h · weeks]."""
    unit = arms(trial.policies)[2] / k.HOUR
    small = [gap / unit for gap in gaps(trial) if gap > 0]
    return unit * sum(8 * math.log(trial.rounds) / gap + (1 + math.pi**2 / 3) * gap for gap in small)


def told(trial: Trial) -> str:
    """Mean regret of the bandits after the last week, in words."""
    return f.rounded(float(regret(trial)[:, -1].mean()), 3)


def even(trial: Trial) -> float:
    """Regret of choosing every policy equally often [h · weeks]."""
    return trial.rounds * sum(gaps(trial)) / len(gaps(trial))


def metrics(trial: Trial) -> list[Metric]:
    """The regret, and the two policies alone and in turns."""
    alike = np.ptp(regret(trial)[:, -1]) < 1e-6
    rows = [
        Metric(
            f"Regret of {RULES[trial.rule]}",
            f"{told(trial)} h·weeks",
            f"by each of {RUNS} bandits" if alike else f"mean of {RUNS} bandits",
            help="Sum over the weeks of the chosen policy's mean wait minus the best one's.",
        ),
        Metric("Even shares would lose", f"{f.rounded(even(trial), 3)} h·weeks", "each policy equally often"),
    ]
    for name in ("strict", "easy"):
        rows.append(
            Metric(
                f"{choices.NAMES[name]} in turns",
                choices.hours(choices.mean(name, trial.policies, "turns")[0]),
                f"alone: {choices.hours(choices.mean(name)[0])}",
                help="Mean wait in weeks of this policy, where another policy had the week before.",
            )
        )
    return rows


def verdict(trial: Trial) -> Verdict:
    """Say what is lost, and what the bandit's theory takes for granted here."""
    alone = [choices.mean(name) for name in ("strict", "easy")]
    turned = [choices.mean(name, trial.policies, "turns") for name in ("strict", "easy")]
    return Verdict(
        f"In {trial.rounds} weeks {RULES[trial.rule]} loses {told(trial)} h·weeks, if every week is a "
        f"fresh draw. It is not: a week inherits the queue. In turns strict priority waits "
        f"{choices.hours(turned[0][0])} (alone {choices.hours(alone[0][0])}), EASY {choices.hours(turned[1][0])} "
        f"(alone {choices.hours(alone[1][0])}).",
        None,
    )


def figure(trial: Trial, look: Look) -> Figure:
    """Mean regret so far, beside even shares and the worst policy throughout."""
    title = "What does learning cost, if every week is a fresh draw?"
    return Figure("bandit", title, frame(trial), spec(look), alt_text(trial))


def frame(trial: Trial) -> pa.Table:
    """Rows: week, regret so far [h · weeks], by kind."""
    runs = regret(trial)
    at = np.unique(np.append(np.arange(0, trial.rounds, 2), trial.rounds - 1))
    worst, level = max(gaps(trial)), sum(gaps(trial)) / len(gaps(trial))
    mean, (lower, upper) = runs[:, at].mean(axis=0), np.percentile(runs[:, at], (25, 75), axis=0)
    value, end = float(mean[-1]), trial.rounds
    words = f"{RULES[trial.rule]}: {told(trial)} h·weeks"
    return stack(
        [
            {"kind": "band", "x": at + 1, "y": lower, "y2": upper},
            {"kind": "even", "x": [0, MOST], "y": [0.0, level * MOST]},
            {"kind": "worst", "x": [0, MOST], "y": [0.0, worst * MOST]},
            {"kind": "path", "x": at + 1, "y": mean},
            marks.label(0.62 * MOST, 0.62 * worst * MOST, "always the worst", align="right", dx=-8, dy=-8,
                        tone="bad", short="the worst"),
            marks.label(MOST, level * MOST, "even shares", align="right", dx=-4, dy=18, tone="quiet"),
            marks.point(end, value, size=120),
            marks.label(4, 0.93 * TOP, words, tone="accent", bold=True),
        ]
    )  # fmt: skip


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Regret against weeks."""
    x = axes.x("x:Q", "weeks", [0, MOST], values=[0, 52, 104, 156, 208])
    y = axes.y("y:Q", "regret (h · weeks)", [0, TOP], tickCount=6)
    base = alt.Chart().encode(x=x, y=y)

    drawn = base.encode(order="x:Q")
    layers = [
        base.transform_filter(only("band")).mark_area(color=look.accent, opacity=0.2).encode(y2="y2:Q"),
        marks.line(drawn, "worst", look.bad, 1.5, [6, 4]),
        marks.line(drawn, "even", look.quiet, 1.5, [3, 3]),
        marks.line(drawn, "path", look.accent, look.stroke),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look)


def alt_text(trial: Trial) -> str:
    """The chart in one sentence with its numbers."""
    return f"Regret of {RULES[trial.rule]} over {trial.rounds} weeks: {told(trial)} h·weeks at the end."


def words(trial: Trial) -> str:
    """What is drawn, and what is measured."""
    return (
        f"Rewards are normal draws with each policy's mean and deviation of a week, independent of each other; the "
        f"line is the mean of {RUNS} bandits, the band the middle half of them. What is said “in turns” is "
        f"simulated on one fleet whose policy changes every week, in {choices.RUNS} runs."
    )
