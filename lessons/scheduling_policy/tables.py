"""Scheduling policy, going further: parts that are tables of policies, and of what a stop would win
and lose.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import SimpleNamespace

import streamlit as st

from lessons.scheduling_policy import queue
from lessons.scheduling_policy.settings import FOUR, Scenario, say
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.knobs.declared import knobs_of
from ui.page import shell

#: What weighs the score.
WEIGHTS = ("worth_training", "worth_penalty")


def _part(written: Callable[[Scenario], str], **more: Callable) -> SimpleNamespace:
    """Make a view that is a table in Markdown."""

    def draw(page: object, scenario: Scenario) -> None:
        st.markdown(written(scenario))

    return SimpleNamespace(draw=draw, **more)


def _against_targets(policies: Mapping[str, Scenario]) -> str:
    """Return a row for each policy: both numbers, and whether they meet the targets."""
    rows = []
    for name, scenario in policies.items():
        row = "against_targets" if scenario.steady else "against_targets_overload"
        rows.append(say(row, scenario, name=name))
    return "\n".join([say("targets", Scenario()), *rows])


def _four(**weights: float) -> dict[str, Scenario]:
    """Return the question's four policies on the message's jobs."""
    return {name: replace(Scenario(), **changes, **weights) for name, changes in FOUR.values()}


def _beside_yours(scenario: Scenario) -> str:
    """Return the four policies beside the present settings."""
    return _against_targets(_four() | {"Your settings": scenario})


def _replay(page: object, scenario: Scenario) -> None:
    """Draw the way to a log of one's own."""
    shell.link("pages/your_cluster.py", "Replay a log on Your cluster", ":material/history:")


def _shares(scenario: Scenario) -> str:
    """Return some weights of training on the present jobs, and the present weights."""
    even = replace(scenario, weight_interactive=1, weight_search=1)
    rows = {
        f"Training {weight} to 1": replace(even, weight_training=weight) for weight in (50, 200)
    }
    return _against_targets(rows | {"Your shares": scenario})


def _quotas(scenario: Scenario) -> str:
    """Return the kinds of quotas on the present jobs."""
    kinds = knobs_of(Scenario)["quotas"].choices({})
    return _against_targets(
        {words: replace(scenario, quotas=kind) for kind, words in kinds.items()}
    )


def ranking(scenario: Scenario) -> dict[str, float]:
    """Scores of the four policies on the message's jobs and of the present one, from the highest to
    the lowest.
    """
    known = _four(**{name: getattr(scenario, name) for name in WEIGHTS}) | {"Yours": scenario}
    scores = {words: one.score for words, one in known.items()}
    return dict(sorted(scores.items(), key=lambda one: -one[1]))


def _ranked(scenario: Scenario) -> str:
    """Return the ranking that one score makes of policies."""
    ranked = enumerate(ranking(scenario).items(), 1)
    rows = (f"| {place} | {words} | {f.significant(score)} |" for place, (words, score) in ranked)
    return "\n".join(("| | policy | score per day |", "|---|---|---|", *rows))


def decisions(scenario: Scenario) -> str:
    """The two sides of the first decision that was refused and of the first that was made, as far
    as there are any.
    """
    one = scenario.weighed

    def job(row: int) -> str:
        return (
            f"{one.jobs['job_class'].iloc[row]}, {f.count(int(one.jobs['gpus'].iloc[row]), 'GPU')}"
        )

    rows = []
    for title, pays in (("First refused", False), ("First made", True)):
        for found in [each for each in one.decisions if each.pays == pays][:1]:
            jobs = {"head": job(found.head), "stopped": "; ".join(map(job, found.victims))}
            rows.append(say("decided", scenario, title=title, found=found, **jobs))
    if rows:
        return "\n".join([say("decisions", scenario), *rows])
    return say("no_decision", scenario)


def _first(scenario: Scenario) -> Verdict:
    """Say which policy a score puts first."""
    return Verdict(say("score_verdict", scenario, found=next(iter(ranking(scenario)))))


def _stops(scenario: Scenario) -> Verdict:
    """Say what stops win and lose, where waits have a steady state."""
    if not scenario.steady:
        return queue.overload(scenario)
    return Verdict(say("decision_verdict", scenario))


four = _part(_beside_yours, below=_replay)
shares = _part(_shares)
quotas = _part(_quotas)
decision = _part(decisions, verdict=_stops)
score = _part(_ranked, verdict=_first)
