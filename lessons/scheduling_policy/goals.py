"""Scheduling policy, first picture: training wait and on-time share of each policy."""

from dataclasses import replace
from typing import Any

import streamlit as st

from lessons.scheduling_policy import film, tried
from lessons.scheduling_policy.settings import EASY, FOUR, HOUR, Scenario, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.base.lesson.view import once
from ui.charts import Rows, chart, marks
from ui.knobs import remedies as search
from ui.knobs.declared import moved
from ui.record import ledger

#: Right end of the frame [h]: the wait of training is shorter under every policy with a steady
#: state, unless GPUs are kept without backfill.
LONGEST = 40.0
#: Top of the frame, with room for the words in the goals' corner.
TOP = 1.12
#: On-time share in the prediction's question: about nine in ten interactive jobs.
NINE = 0.9
NINE_WORDS = "you said: nine in ten"
GOALS = f"goals: {f.share(k.POLICY_INTERACTIVE_SHARE)}, {f.duration(k.POLICY_TRAINING_WAIT)}"
#: Settings that make up the policy; the challenge allows only these to change.
POLICY = ("order", "backfill", "reserved", "preemption")
#: Changes to try if a target is missed, without quotas, the smallest first.
FIXES = [
    {"backfill": "easy"},
    {"order": "priority"},
    {"reserved": 8},
    EASY,
    {"backfill": "easy", "reserved": 8},
    {"preemption": True},
    EASY | {"reserved": 8},
]


@chart(say, "queue", x=[0, LONGEST], y=[0, TOP])
def figure(
    scenario: Scenario, guess: str | None = None, own: str = "", playing: bool = False
) -> Rows:
    """Chart of the goals, the prediction, a dot per policy tried, and the current policy."""
    current = tried.current_trial(scenario)
    others = {}
    if tried.has_story_jobs(scenario):
        for trial in (tried.current_trial(Scenario()), *tried.read(own)):
            others[trial.name] = replace(trial, is_current=False)
        others.pop(current.name, None)
    guess_rows = []
    if guess in FOUR and not playing:
        label = marks.label(LONGEST, NINE, NINE_WORDS, dx=-4, dy=-10, tone="quiet")
        guess_rows = [{"kind": "nine", "y": NINE}, label]
    return [
        {
            "kind": "goals",
            "x": 0.0,
            "x2": k.POLICY_TRAINING_WAIT / HOUR,
            "y": float(k.POLICY_INTERACTIVE_SHARE),
            "y2": TOP,
        },
        marks.label(0, TOP, GOALS, dx=6, dy=9, tone="good"),
        *guess_rows,
        *tried.dots(
            [*others.values(), current],
            max_wait=LONGEST,
            max_share=TOP,
            line_share=NINE,
            line_text=NINE_WORDS,
            corner_text=GOALS,
        ),
    ]


def beside(page: Any, scenario: Scenario) -> None:
    """Draw the fleet under the current policy next to the chart."""
    page.show_film("policy_film_boards", film.showing, scenario, "policy", film.OPENS)


def below(page: object, scenario: Scenario) -> None:
    """Draw the table of classes, except before the tour, and record the policy for its dot."""
    if scenario.steady and page.stop is None:
        st.markdown(once(say, "classes", scenario))
    if tried.has_story_jobs(scenario):
        record = ledger.own(page.lesson.id)
        ledger.update(page.lesson.id, own=tried.with_current(record, scenario))


@verdict_of(say)
def verdict(scenario: Scenario) -> Outcome:
    """Return the sentence that names the bottleneck, and whether the targets are met."""
    if not scenario.steady:
        return overload(scenario), False
    if not scenario.enough:
        return _why_late(scenario), False
    if scenario.training_wait > k.POLICY_TRAINING_WAIT:
        return "training_pays", None
    return "both_met", True


def overload(scenario: Scenario) -> str:
    """Return the name of the sentence about a load that has no steady state."""
    return "overload" if scenario.load >= 1 else "above_limit"


def _why_late(scenario: Scenario) -> str:
    """Return the name of the sentence on why interactive jobs start late."""
    if scenario.quotas in ("own", "reclaimed"):
        return "quota_too_small"
    if scenario.quotas == "none":
        if scenario.order == "arrival" and scenario.backfill == "none":
            return "head_blocks"
        if scenario.preemption:
            return "few_are_stopped"
    return "nothing_is_stopped"


@verdict_of(say)
def judge(scenario: Scenario) -> Outcome:
    """Return the verdict on the challenge: won, or the target that the policy misses."""
    labels = moved(scenario.effective, POLICY)
    if labels:
        return "challenge_moved", None, {"found": labels}
    if not scenario.enough:
        return "challenge_late", False
    if not scenario.met:
        return "challenge_training", False
    without = scenario.order == "arrival" and not scenario.preemption
    return "won_without" if without else "won", True


def remedies(scenario: Scenario) -> str:
    """Return the smallest change found that meets both targets, or the load that would fit."""
    if scenario.load >= 1:
        return say("feasible", scenario)
    if scenario.met:
        return ""
    for fix in FIXES:
        changes = {"quotas": "none"} | fix
        fixed = replace(scenario, **changes)
        # Four replications are enough to reject a policy that is far from the target.
        if replace(fixed, replications=4).in_time > k.POLICY_INTERACTIVE_SHARE - 0.02 and fixed.met:
            words = []
            for name, value in changes.items():
                if value != getattr(scenario, name):
                    words.append(search.worded(scenario, name, value))
            return say("remedies", fixed, found=" and ".join(words))
    return say("no_remedy", scenario)


view = View("queue", figure=figure, beside=beside, verdict=verdict, remedies=remedies, below=below)
