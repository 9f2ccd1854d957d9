"""Policy trial: fresh trials, simulated on request."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import streamlit as st

from lessons.policy_trial import choices
from lessons.policy_trial.often import what
from lessons.policy_trial.settings import Trial
from lessons.policy_trial.weeks import FLEET, LAST, LENGTH, POLICIES, SHORT, WARM, draw, means
from physics.experiments import take_turns
from physics.scheduling import simulate
from ui.base import format as f
from ui.page import simulation

RUNS = 20


@dataclass(frozen=True)
class Fresh:
    """Trials that were simulated: how many, and how many were wrong, ties shared."""

    wrong: float
    runs: int

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share of wrong trials [1]."""
        z, n, p = NormalDist().inv_cdf(0.975), self.runs, self.wrong / self.runs
        middle, half = p + z * z / 2 / n, z * (p * (1 - p) / n + z * z / 4 / n / n) ** 0.5
        return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def once(trial: Trial, rng: np.random.Generator) -> float:
    """Simulate one trial; 1 if it misses the best policy, 0 if not, a part of it where the lowest mean is shared."""
    policies = [POLICIES[name] for name in choices.names(trial)]
    many, n = len(policies), trial.weeks
    if trial.way == "turns":
        turned = means(take_turns(draw(rng, WARM + many * n + LAST), FLEET, policies), WARM, many * n)
        found = [turned[place::many].sum() for place in range(many)]
    else:
        same = draw(rng, WARM + n + LAST)
        found = []
        for place, policy in enumerate(policies):
            jobs = draw(rng, WARM + n + LAST) if place and trial.way == "after" else same
            found.append(means(simulate(jobs, FLEET, policy), WARM, n).sum())
    lowest = min(found)
    return 1 - (found[-1] == lowest) / found.count(lowest)


def start(trial: Trial, rng: np.random.Generator) -> Iterator[Fresh]:
    """Simulate trials, with the count so far after each."""
    wrong = 0.0
    for run in range(RUNS):
        wrong += once(trial, rng)
        yield Fresh(wrong, run + 1)


def key(trial: Trial) -> tuple[str, str, int]:
    """What fresh trials belong to."""
    return trial.policies, trial.way, trial.weeks


def offer(trial: Trial) -> Fresh | None:
    """Draw the button that simulates, and return what was simulated for these settings."""
    held = simulation.held("trial", key(trial))
    label = "More fresh trials" if held else "Simulate fresh trials"
    help = f"Up to {RUNS} trials with new jobs, which are not in the table; each press draws others."
    if simulation.button("trial", key(trial), RUNS, label, help):
        simulation.run("trial", key(trial), lambda rng: start(trial, rng), RUNS)
    return held if isinstance(held, Fresh) else None


def words(trial: Trial, found: Fresh) -> str:
    """What was found, beside the table."""
    low, high = found.interval
    known = choices.missed(*key(trial))
    place = "lies inside" if low <= known <= high else "lies outside, which chance alone can do"
    return (
        f"**Fresh:** {what(trial)} in {f.significant(found.wrong)} of {f.count(found.runs, 'trial')}, 95 % interval "
        f"{f.share(low, 2)} to {f.share(high, 2)}. The table's {f.share(known)} {place}."
    )


def show(trial: Trial, found: Fresh | None) -> None:
    """Put what was simulated into words."""
    if found is not None:
        st.markdown(words(trial, found))


def about(trial: Trial) -> str:
    """What the table is."""
    strict, easy = (choices.hours(choices.over_jobs(name)[0]) for name in ("strict", "easy"))
    return (
        f"Counted over all trials in {choices.RUNS} simulated runs of {LENGTH} weeks (of {SHORT} in turns), at the "
        f"load of the lesson on scheduling policy ({f.share(choices.LOAD)}), without the first {WARM} weeks of a run. "
        f"“True” is the mean over weeks, each counted alike. Counted by jobs, busy weeks weigh more: strict priority "
        f"{strict}, EASY {easy}."
    )
