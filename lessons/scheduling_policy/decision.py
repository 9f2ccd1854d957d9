"""Scheduling policy, going further: when preemption pays, shown on two decisions of one run."""

from dataclasses import replace
from functools import lru_cache

import streamlit as st

from lessons.scheduling_policy import queue
from lessons.scheduling_policy.runs import schedule
from lessons.scheduling_policy.settings import EASY, HOUR, Scenario, say
from physics.scheduling import Decision, Schedule
from ui.base import format as f
from ui.base.lesson import Metric, Verdict


def of(scenario: Scenario) -> Scenario:
    """Return the settings that this part shows: priority with EASY and preemption."""
    return replace(scenario, **EASY, preemption=True, reserved=0, quotas="none")


def weighed(scenario: Scenario) -> Scenario:
    """Return the same with preemption only where it pays, which weighs every decision."""
    return replace(of(scenario), rule="pays").effective


def metrics(scenario: Scenario) -> list[Metric]:
    """Return both targets, what is lost, and how often stopping paid."""
    late, training, *_ = queue.metrics(of(scenario))
    decisions = pair(weighed(scenario))[0].decisions
    made = sum(one.pays for one in decisions)
    return [
        late,
        training,
        Metric("GPU-hours lost", f.share(of(scenario).lost), "by stopped jobs"),
        Metric("Stopping pays", f.significant(made), f"of {f.count(len(decisions), 'decision')}, first run"),
    ]


def verdict(scenario: Scenario) -> Verdict:
    """Say what preemption costs here."""
    return Verdict(say("decision_verdict", of(scenario)))


def draw(page: object, scenario: Scenario) -> None:
    """Draw both sides of two decisions."""
    st.markdown(table(scenario))


def words(scenario: Scenario) -> str:
    """Return what is counted."""
    return say("decision_words", of(scenario))


@lru_cache(maxsize=16)
def pair(plain: Scenario) -> tuple[Schedule, Decision | None, Decision | None]:
    """The first replication, the first preemption that was refused in it, and the first that was made."""
    one = schedule(plain, 0)
    refused = next((decision for decision in one.decisions if not decision.pays), None)
    return one, refused, next((decision for decision in one.decisions if decision.pays), None)


def table(scenario: Scenario) -> str:
    """The two sides of both decisions, Markdown; what there is not is said."""
    one, refused, made = pair(weighed(scenario))
    shown = {"First refused": refused, "First made": made}
    there = {title: decision for title, decision in shown.items() if decision is not None}
    if not there:
        return say("no_decision", scenario)
    rows = [
        ("When", lambda d: f.duration(d.time)),
        ("First in line", lambda d: _job(one, d.head)),
        ("waits if nothing is stopped", lambda d: f.duration(d.wait)),
        ("**and loses by that**", lambda d: f"**{f.significant(d.waited / HOUR)} GPU-hours**"),
        ("Who would be stopped", lambda d: ", ".join(_job(one, victim) for victim in d.victims)),
        ("**and loses by that**", lambda d: f"**{f.significant(d.lost / HOUR)} GPU-hours**"),
    ]
    lines = [f"| | {' | '.join(there)} |", "|---" * (len(there) + 1) + "|"]
    lines += [f"| {label} | {' | '.join(write(one) for one in there.values())} |" for label, write in rows]
    return "\n".join(lines) + "".join(
        f"\n\n{title.split()[1].capitalize()}: none." for title in shown if title not in there
    )


def _job(one: Schedule, row: int) -> str:
    job = one.jobs.iloc[row]
    return f"{job['job_class']}, {f.count(int(job['gpus']), 'GPU')}"
