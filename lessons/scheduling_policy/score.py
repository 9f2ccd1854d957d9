"""Scheduling policy, going further: measures of schedulers, and the ranking that one score makes of policies."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from lessons.scheduling_policy import queue
from lessons.scheduling_policy.runs import CLASSES, MEASURES, Board
from lessons.scheduling_policy.settings import DAY, FOUR, HOUR, Scenario, say
from physics import constants as k
from physics.metrics import composite
from ui.base import format as f
from ui.base.lesson import Metric, Verdict
from ui.knobs.declared import moved

LESSON_ID = "policy"
LABELS = {
    "utilization": "Utilization",
    "throughput": "Throughput",
    "jain": "Jain's index",
    "balance": "Balance",
    "fragmentation": "Fragmentation",
}
#: Weights of the score that the page opens with: of a job that starts in time, and of an hour that training waits.
WEIGHTS = {name: getattr(k, f"POLICY_WORTH_{name.upper()}") for name in (*CLASSES, "penalty")}


def _written(found: Board, name: str) -> str:
    mean, error = found.measures[name]
    if name == "throughput":
        return f"{f.with_error(mean * DAY, error * DAY) if error > 0 else f.significant(mean * DAY)} jobs per day"
    if name in ("jain", "balance"):
        return f.with_error(mean, error) if error > 0 else f.significant(mean, 2)
    return f"{f.with_error(100 * mean, 100 * error)}\u00a0%" if error > 0 else f.share(mean)


def table(found: Board) -> str:
    """Return the measures as a table, Markdown."""
    heads = " | ".join(LABELS[name] for name in MEASURES)
    cells = " | ".join(_written(found, name) for name in MEASURES)
    return f"| {heads} |\n{'|---' * len(MEASURES)}|\n| {cells} |"


def score(found: Board, weights: dict[str, float]) -> float:
    """Worth of the jobs that start in time in a day, minus a penalty for each hour that training waits."""
    days = float(k.SIMULATED_TIME) / DAY
    completed, hours = {}, 0.0
    for name in CLASSES:
        jobs = found.mean(name, "count")
        within = found.mean(name, "share_within_target")
        share = within if name == "interactive" else 1 - found.mean(name, "share_above_limit")
        completed[name] = jobs * share / days if jobs > 0 else 0.0
        if name == "training" and jobs > found.mean(name, "never_started"):
            hours = found.mean(name, "mean_wait") / HOUR * (jobs - found.mean(name, "never_started")) / days
    worth = {name: weights[name] for name in CLASSES}
    return composite(completed, worth, {"hours of training wait": weights["penalty"] * hours})


def ranking(weights: dict[str, float], scenario: Scenario | None = None) -> pd.DataFrame:
    """The four policies, and the present one, from the highest score to the lowest."""
    known = {words: replace(Scenario(), **changes).effective for words, changes in FOUR.values()}
    if scenario is not None and scenario.effective not in known.values():
        known["yours"] = scenario
    scores = {words: score(one.found, weights) for words, one in known.items()}
    order = sorted(scores, key=lambda words: -scores[words])
    return pd.DataFrame({"policy": order, "score": [scores[words] for words in order]})


def metrics(scenario: Scenario) -> list[Metric]:
    """Return four measures of the present policy; the table has all."""
    found = scenario.found
    return [Metric(LABELS[name], _written(found, name)) for name in MEASURES[:4]]


def verdict(scenario: Scenario) -> Verdict:
    """Say what a score does."""
    return Verdict(say("score_verdict", scenario))


def draw(page: object, scenario: Scenario) -> None:
    """Draw four visible weights, the ranking that they make, and the measures."""
    columns, weights = st.columns(4), {}
    for column, (name, constant) in zip(columns, WEIGHTS.items(), strict=True):
        label = "Penalty per hour" if name == "penalty" else f"Worth: {name}"
        low, high, key = float(constant.low), float(constant.high), f"{LESSON_ID}_worth_{name}"
        weights[name] = column.slider(label, low, high, float(constant), 0.5, key=key, persist_state="session")
    own = scenario if not moved(scenario.effective, queue.POLICY) else None
    ranked = ranking(weights, own)
    rows = [
        f"| {place} | {words} | {f.significant(score)} |"
        for place, (words, score) in enumerate(ranked.itertuples(index=False), 1)
    ]
    st.markdown("\n".join(("| | policy | score per day |", "|---|---|---|", *rows)))
    st.markdown(table(scenario.found))


def words(scenario: Scenario) -> str:
    """Return what each measure counts."""
    return say("score_words", scenario)
