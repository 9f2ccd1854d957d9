"""Scheduling policy, going further: measures of schedulers, and the ranking that one score makes of policies."""

from dataclasses import replace

import streamlit as st

from lessons.scheduling_policy import queue
from lessons.scheduling_policy.runs import CLASSES
from lessons.scheduling_policy.settings import DAY, FOUR, HOUR, Scenario, say
from physics import constants as k
from physics.metrics import composite
from ui.base import format as f
from ui.base.lesson import Metric, Verdict

#: What weighs the score.
WEIGHTS = ("worth_training", "worth_penalty")


def score(scenario: Scenario) -> float:
    """Worth of the jobs that start in time in a day, minus a penalty for each hour that training waits."""
    found, completed, days = scenario.found, {}, k.SIMULATED_TIME / DAY
    for name in CLASSES:
        late = 1 - scenario.in_time if name == "interactive" else found.mean(name, "share_above_limit")
        completed[name] = found.mean(name, "count") * (1 - late) / days
    worth = {"interactive": 1.0, "search": 1.0, "training": scenario.worth_training}
    hours = scenario.training_wait / HOUR * found.mean("training", "count") / days
    return composite(completed, worth, {"hours of training wait": scenario.worth_penalty * hours})


def narrowed(scenario: Scenario) -> Scenario:
    """Return the settings that this part shows: a policy on the message's jobs, and the weights."""
    return replace(Scenario(), **{name: getattr(scenario, name) for name in (*WEIGHTS, *queue.POLICY)})


def ranking(scenario: Scenario) -> dict[str, float]:
    """Scores of the four policies on the message's jobs and of the present one, from the highest to the lowest."""
    weights = {name: getattr(scenario, name) for name in WEIGHTS}
    known = {words: replace(Scenario(), **changes, **weights) for words, changes in FOUR.values()}
    scores = {words: score(one) for words, one in (known | {"Yours": scenario}).items()}
    return dict(sorted(scores.items(), key=lambda one: -one[1]))


def metrics(scenario: Scenario) -> list[Metric]:
    """Return four measures of the present policy, and its score."""
    (used, used_se), (done, done_se), (jain, _), (even, _) = (
        scenario.found.whole[name] for name in ("utilization", "throughput", "jain", "balance")
    )
    return [
        Metric("Utilization", f.share(used), f"± {f.share(used_se, 2)}"),
        Metric("Jobs per day", f.significant(done * DAY), f"± {f.significant(done_se * DAY, 2)}"),
        Metric("Jain's index · balance", f"{f.significant(jain, 2)} · {f.significant(even, 2)}"),
        Metric("Score per day", f.significant(score(scenario)), "with these weights"),
    ]


def verdict(scenario: Scenario) -> Verdict:
    """Say which policy a score puts first."""
    return Verdict(say("score_verdict", scenario, found=next(iter(ranking(scenario)))))


def draw(page: object, scenario: Scenario) -> None:
    """Draw the ranking."""
    ranked = enumerate(ranking(scenario).items(), 1)
    rows = (f"| {place} | {words} | {f.significant(score)} |" for place, (words, score) in ranked)
    st.markdown("\n".join(("| | policy | score per day |", "|---|---|---|", *rows)))
