"""Scheduling policy, going further: measures of schedulers, and the ranking that one score makes of policies."""

from dataclasses import replace

import streamlit as st

from lessons.scheduling_policy import queue
from lessons.scheduling_policy.settings import FOUR, Scenario, say
from ui.base import format as f
from ui.base.lesson import Verdict

#: What weighs the score.
WEIGHTS = ("worth_training", "worth_penalty")


def narrowed(scenario: Scenario) -> Scenario:
    """Return the settings that this part shows: a policy on the message's jobs, and the weights."""
    return replace(Scenario(), **{name: getattr(scenario, name) for name in (*WEIGHTS, *queue.POLICY)})


def ranking(scenario: Scenario) -> dict[str, float]:
    """Scores of the four policies on the message's jobs and of the present one, from the highest to the lowest."""
    weights = {name: getattr(scenario, name) for name in WEIGHTS}
    known = {words: replace(Scenario(), **changes, **weights) for words, changes in FOUR.values()}
    scores = {words: one.score for words, one in (known | {"Yours": scenario}).items()}
    return dict(sorted(scores.items(), key=lambda one: -one[1]))


def verdict(scenario: Scenario) -> Verdict:
    """Say which policy a score puts first."""
    return Verdict(say("score_verdict", scenario, found=next(iter(ranking(scenario)))))


def draw(page: object, scenario: Scenario) -> None:
    """Draw the ranking."""
    ranked = enumerate(ranking(scenario).items(), 1)
    rows = (f"| {place} | {words} | {f.significant(score)} |" for place, (words, score) in ranked)
    st.markdown("\n".join(("| | policy | score per day |", "|---|---|---|", *rows)))
