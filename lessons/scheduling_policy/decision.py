"""Scheduling policy: one decision to preempt or not, with its two sides. No Streamlit in here."""

from dataclasses import replace
from functools import lru_cache

from lessons.scheduling_policy.runs import schedule
from lessons.scheduling_policy.settings import HOUR, Scenario
from physics.scheduling import Decision, Schedule
from ui.base import format as f


def weighed(scenario: Scenario) -> Scenario:
    """The present settings, with a preemption that must pay."""
    return replace(scenario, preemption=True, rule="pays", quotas="none").effective


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
        return "In this replication no job ever waits that could have others stopped."
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


def note(scenario: Scenario) -> str:
    """What is counted, and how often it paid."""
    one, _, _ = pair(weighed(scenario))
    asked, made = len(one.decisions), sum(decision.pays for decision in one.decisions)
    return (
        "The present settings with preemption that must pay, first replication. One side is the width of the first in "
        "line times its wait by the estimates of what runs; the other is the widths of those stopped times their work "
        f"since the last checkpoint and one restart. Asked {f.count(asked, 'time')}, at every pass anew, and stopped "
        f"{f.count(made, 'time')}."
    )


def _job(one: Schedule, row: int) -> str:
    job = one.jobs.iloc[row]
    return f"{job['job_class']}, {f.count(int(job['gpus']), 'GPU')}"
