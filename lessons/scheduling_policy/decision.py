"""Scheduling policy, going further: when preemption pays, shown on two decisions of one run."""

from dataclasses import replace

import streamlit as st

from lessons.scheduling_policy.settings import EASY, HOUR, Scenario, say
from ui.base import format as f


def narrowed(scenario: Scenario) -> Scenario:
    """Return the settings that this part shows: priority with EASY and preemption."""
    return replace(scenario, **EASY, preemption=True, reserved=0, quotas="none")


def draw(page: object, scenario: Scenario) -> None:
    """Draw both sides of two decisions."""
    st.markdown(table(scenario))


def table(scenario: Scenario) -> str:
    """The two sides of the first decision that was refused and of the first that was made, as far as there are any."""
    one = scenario.weighed

    def job(row: int) -> str:
        return f"{one.jobs['job_class'].iloc[row]}, {f.count(int(one.jobs['gpus'].iloc[row]), 'GPU')}"

    lines = ["| | First in line | loses by waiting | Who would be stopped | loses by that |", "|---|---|---|---|---|"]
    for title, pays in (("First refused", False), ("First made", True)):
        for found in [each for each in one.decisions if each.pays == pays][:1]:
            waited, lost = (f"**{f.significant(work / HOUR)} GPU-hours**" for work in (found.waited, found.lost))
            stopped = "; ".join(job(victim) for victim in found.victims)
            head = f"{job(found.head)}, for {f.duration(found.wait)}"
            lines.append(f"| {title} | {head} | {waited} | {stopped} | {lost} |")
    return "\n".join(lines) if len(lines) > 2 else say("no_decision", scenario)
