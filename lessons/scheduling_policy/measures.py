"""Scheduling policy: the measures that schedulers are compared by, and what one number makes of a policy."""

import numpy as np
import pandas as pd
import streamlit as st

from lessons.scheduling_policy.runs import FOUR, MEASURES, Board, board
from lessons.scheduling_policy.settings import CLASSES, DAY, HOUR, Scenario
from physics import constants as k
from physics.metrics import balance, composite, jain
from ui.base import format as f
from ui.base.lesson import Result

LESSON_ID = "policy"
#: Users of the example on balance, one of them starved.
USERS = 100
LABELS = {
    "utilization": "Utilization",
    "throughput": "Throughput",
    "jain": "Jain's index",
    "balance": "Balance",
    "fragmentation": "Fragmentation",
}
#: Weights of the score that the page opens with: of a job that starts in time, and of an hour that training waits.
WEIGHTS = {name: getattr(k, f"POLICY_WORTH_{name.upper()}") for name in (*CLASSES, "penalty")}


def results(found: Board) -> list[Result]:
    """The measures, to be pinned, kept and handed in."""
    return [Result(LABELS[name], *_written(found, name)) for name in MEASURES]


def _written(found: Board, name: str) -> tuple[float, str]:
    mean, error = found.measures[name]
    if name == "throughput":
        return mean, f"{f.with_error(mean * DAY, error * DAY) if error > 0 else f.significant(mean * DAY)} jobs a day"
    if name in ("jain", "balance"):
        return mean, f.with_error(mean, error) if error > 0 else f.significant(mean, 2)
    return mean, f"{f.with_error(100 * mean, 100 * error)}\u00a0%" if error > 0 else f.share(mean)


def table(found: Board) -> str:
    """The row under the scoreboard, Markdown."""
    cells = [_written(found, name)[1] for name in MEASURES]
    return "\n".join(
        (
            f"| {' | '.join(LABELS[name] for name in MEASURES)} |",
            "|---" * len(MEASURES) + "|",
            f"| {' | '.join(cells)} |",
        )
    )


def note() -> str:
    """What each measure counts, and what an index of fairness does not see."""
    starved = [1.0] * (USERS - 1) + [0.0]
    return (
        "Utilization and throughput count from the first submission to the last end. Jain's index and the balance, "
        "least ÷ most, compare what part of its time in the system each class is running. Fragmentation is the share "
        "of the free GPUs that a job drawn from the mix cannot use, every six hours; the fleet is one pool here. "
        f"An index of fairness can look away: one starved user of {USERS} leaves Jain's index at "
        f"{f.significant(jain(starved), 2)}, and the balance at {f.significant(balance(starved))}."
    )


def score(found: Board, weights: dict[str, float]) -> float:
    """Worth of the jobs that start in time, a day, minus a penalty for each hour that training waits."""
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


def ranking(weights: dict[str, float], own: Board | None = None) -> pd.DataFrame:
    """The four policies, and the present one, from the highest score to the lowest."""
    boards = {words: board(Scenario(), answer=answer) for answer, (words, _, _) in FOUR.items()}
    if own is not None and not any(own is one for one in boards.values()):
        boards["yours"] = own
    scores = {words: score(one, weights) for words, one in boards.items()}
    order = sorted(scores, key=lambda words: -scores[words])
    return pd.DataFrame({"policy": order, "score": [scores[words] for words in order]})


def draw_score(own: Board, mine: bool) -> None:
    """Four visible weights and the ranking that they make."""
    st.markdown(
        "Worth of a job that starts in time, interactive within 5 min and the others within 48 h, minus a penalty for "
        "each hour that a training job waits. The weights are yours, not measured."
    )
    columns, weights = st.columns(4), {}
    for column, (name, constant) in zip(columns, WEIGHTS.items(), strict=True):
        label = "Penalty an hour" if name == "penalty" else f"Worth: {name}"
        low, high = float(constant.low), float(constant.high)
        weights[name] = column.slider(
            label, low, high, float(constant), 0.5, key=f"{LESSON_ID}_worth_{name}", persist_state="session"
        )
    ranked = ranking(weights, own if mine else None)
    usual = ranking({name: float(one) for name, one in WEIGHTS.items()}, own if mine else None)
    rows = [
        f"| {place} | {words} | {f.significant(score)} |"
        for place, (words, score) in enumerate(ranked.itertuples(index=False), 1)
    ]
    st.markdown("\n".join(("| | policy | score a day |", "|---|---|---|", *rows)))
    first, before = ranked["policy"].iloc[0], usual["policy"].iloc[0]
    turned = f"; at the weights that the page opens with it is {before}" if first != before else ""
    gap = ranked["score"].iloc[0] - ranked["score"].iloc[1]
    lead = "Two policies lead together" if np.isclose(gap, 0) else f"First is {first}{turned}"
    st.caption(f"{lead}. A score ranks by its weights: say them whenever you say it.")
