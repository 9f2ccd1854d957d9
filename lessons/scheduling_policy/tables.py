"""Scheduling policy: parts that are tables of policies, and of a preemption's gain and loss."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from lessons.scheduling_policy import goals
from lessons.scheduling_policy.settings import FOUR, Scenario, say
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.page import shell

#: Named cases beyond the question's four policies, most of which keep GPUs free.
KEEPING = {
    "FIFO, EASY": "arrival",
    "FIFO, EASY, 16 kept": "kept",
    "FIFO, EASY, 40 kept": "kept40",
    "Priority, EASY, 40 kept": "both40",
}


def table_view(view: str, table: Callable[[Scenario], str], **more: Callable) -> View:
    """Return a view whose content is a Markdown table."""

    def draw(page: object, scenario: Scenario) -> None:
        """Draw the table."""
        st.markdown(table(scenario))

    return View(view, draw=draw, **more)


def against_targets(policies: Mapping[str, Scenario]) -> str:
    """Return a line per policy with both mean waits and whether they meet the targets."""
    lines = [say("targets", Scenario())]
    for name, scenario in policies.items():
        line = "against_targets" if scenario.steady else "against_targets_overload"
        lines.append(say(line, scenario, name=name))
    return "\n".join(lines)


def four_policies(**weights: float) -> dict[str, Scenario]:
    """Return the question's four policies on the message's jobs."""
    return {name: replace(Scenario(), **changes, **weights) for name, changes in FOUR.values()}


def _beside_yours(scenario: Scenario) -> str:
    """Return the table of the question's policies, those that keep GPUs, and the current one."""
    policies = four_policies()
    for name, case in KEEPING.items():
        policies[name] = replace(Scenario(), **say.cases[case])
    return against_targets(policies | {"Your settings": scenario})


def _link_replay(page: object, scenario: Scenario) -> None:
    """Draw a link to the page that replays the visitor's own log."""
    shell.link("pages/your_cluster.py", "Replay a log on Your cluster", ":material/history:")


def _job_texts(jobs: pd.DataFrame, rows: Sequence[int]) -> str:
    """Write the class and the GPUs of the jobs in these rows."""
    columns = jobs[["job_class", "gpus"]].iloc[list(rows)].itertuples(index=False)
    return "; ".join(f"{job.job_class}, {f.count(job.gpus, 'GPU')}" for job in columns)


def decisions(scenario: Scenario) -> str:
    """Gain and loss of the first preemption refused and the first one made, if there are any."""
    weighed = scenario.weighed
    lines = [say("decisions", scenario)]
    for title, pays in (("First preemption refused", False), ("First preemption made", True)):
        decision = next((each for each in weighed.decisions if each.pays == pays), None)
        if decision:
            head = _job_texts(weighed.jobs, [decision.head])
            stopped = _job_texts(weighed.jobs, decision.victims)
            texts = {"title": title, "head": head, "stopped": stopped}
            lines.append(say("decided", scenario, found=decision, **texts))
    if len(lines) > 1:
        return "\n".join(lines)
    return say("no_decision", scenario)


@verdict_of(say)
def _decision_verdict(scenario: Scenario) -> Outcome:
    """Return the verdict on what preemptions gain and lose, if waits have a steady state."""
    if scenario.steady:
        return "decision_verdict", None
    return goals.overload(scenario), False


four = table_view("four", _beside_yours, below=_link_replay)
decision = table_view("decision", decisions, verdict=_decision_verdict)
