"""Scheduling policy, going further: a day without a share of the nodes, and which policy has caught up first.

The nodes that are gone are one job that holds their GPUs for the day. It has a quota of its own and takes it back from
whoever runs, those that started last first; everything else is lent, so that each policy is otherwise what it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from lessons.scheduling_policy import runs
from lessons.scheduling_policy.settings import DAY, EASY, HOUR, Scenario, say
from physics import constants as k
from physics.scheduling import Schedule, simulate
from ui.base import format as f
from ui.base.lesson import Metric, Verdict
from ui.page import simulation

LESSON_ID = "policy"
GONE = "gone"
#: The policies compared: words and choices.
POLICIES = {
    "FIFO": Scenario(),
    "Strict priority": Scenario(order="priority"),
    "Priority with EASY": Scenario(**EASY),
    "Fair share with EASY": Scenario(order="fair_share", backfill="easy"),
    "Shortest first with EASY": Scenario(order="shortest", backfill="easy"),
}
RUNS = int(k.POLICY_OUTAGE_RUNS)
#: Moments at which the work done is compared, from the beginning of the outage on [s].
MOMENTS = np.arange(0, 25 * DAY + 1, 3 * HOUR)
BEGIN, SPAN = 10 * DAY, 35 * DAY


@dataclass(frozen=True)
class Recovery:
    """What the replications so far say: by policy, a row for each replication."""

    late: dict[str, list[np.ndarray]]  #: work not done that would have been done without the outage, at MOMENTS [GPU·s]
    lost: dict[str, list[float]]  #: work lost by those who were stopped [GPU·s]
    in_time: dict[str, list[float]]  #: share of the interactive jobs of these eight days that started in time [1]

    @property
    def runs(self) -> int:
        """Replications."""
        return len(self.late["FIFO"])


def with_outage(jobs: pd.DataFrame, scenario: Scenario) -> Schedule:
    """Run the jobs with a share of the fleet gone for a day; the last row of the schedule is what is gone."""
    gone = int(k.POLICY_GONE * scenario.fleet)
    hole = {"submit": BEGIN, "runtime": DAY, "estimate": DAY, "gpus": gone, "job_class": GONE}
    policy = replace(
        scenario.policy, quotas={GONE: gone}, borrowing=True, reclaim=True, classes=(*scenario.policy.classes, GONE)
    )
    return simulate(pd.concat([jobs, pd.DataFrame([hole])], ignore_index=True), scenario.fleet, policy)


def done(schedule: Schedule, jobs: int, at: np.ndarray) -> np.ndarray:
    """Useful work of the first so many jobs that had ended at each of these moments [GPU·s]."""
    frame = schedule.jobs.iloc[:jobs]
    order = np.argsort(frame["end"].to_numpy(), kind="stable")
    work = np.concatenate(([0.0], np.cumsum((frame["gpus"] * frame["runtime"]).to_numpy()[order])))
    return work[np.searchsorted(frame["end"].to_numpy()[order], at, side="right")]


def behind(scenario: Scenario, replication: int) -> tuple[np.ndarray, float, float]:
    """Work that the outage has kept from being done by each moment, and work lost by stopped jobs [GPU·s].

    And the share of interactive jobs that start in time, of those submitted on the day or in the week after it [1].
    """
    jobs = runs.draw(scenario, replication)
    jobs = jobs[jobs["submit"] < SPAN].reset_index(drop=True)
    plain, hit = simulate(jobs, scenario.fleet, scenario.policy), with_outage(jobs, scenario)
    at = BEGIN + MOMENTS
    then = hit.jobs[(hit.jobs["job_class"] == "interactive") & hit.jobs["submit"].between(BEGIN, BEGIN + 8 * DAY)]
    in_time = float((then["wait"] <= k.INTERACTIVE_TARGET).mean())
    return done(plain, len(jobs), at) - done(hit, len(jobs), at), float(hit.jobs["lost"].sum()), in_time


def look() -> Iterator[Recovery]:
    """One replication of every policy after the other."""
    found = Recovery(*({name: [] for name in POLICIES} for _ in range(3)))
    for run in range(RUNS):
        for name, scenario in POLICIES.items():
            for kept, value in zip((found.late, found.lost, found.in_time), behind(scenario, run), strict=True):
                kept[name].append(value)
        yield found


def half_made_good(late: np.ndarray) -> float:
    """Time from the outage's end until the mean is for good below half of its greatest value; infinity if never [s]."""
    above = np.flatnonzero(late > late.max() / 2)
    last = int(above[-1]) + 1 if len(above) else 0
    return float("inf") if last >= len(MOMENTS) else max(0.0, float(MOMENTS[last]) - DAY)


def table(found: Recovery) -> str:
    """How far each policy falls behind and when half of it is made good, Markdown."""
    lines = [
        "| | Lost by those stopped | Behind when the nodes are back | A week later | Half made good after | "
        "Interactive in 5 min, these 8 days |",
        "|---|---|---|---|---|---|",
    ]
    for name in POLICIES:
        late = np.array(found.late[name])
        back, week = (late[:, int(np.searchsorted(MOMENTS, time))] for time in (DAY, 8 * DAY))
        half = half_made_good(late.mean(axis=0))
        made = f.duration(half, 2) if np.isfinite(half) else "not in these days"
        cells = [
            _gpu_hours(np.array(found.lost[name])),
            _gpu_hours(back),
            _gpu_hours(week),
            made,
            _share(found.in_time[name]),
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _gpu_hours(work: np.ndarray) -> str:
    error = float(work.std(ddof=1)) / len(work) ** 0.5 / HOUR if len(work) > 1 else 0.0
    mean = float(work.mean()) / HOUR
    return f"{f.with_error(mean, error) if error > 0 else f.significant(mean)} GPU-h"


def _share(shares: list[float]) -> str:
    error = float(np.std(shares, ddof=1)) / len(shares) ** 0.5 if len(shares) > 1 else 0.0
    mean = float(np.mean(shares))
    return f"{f.with_error(100 * mean, 100 * error)}\u00a0%" if error > 0 else f.share(mean)


def metrics(scenario: Scenario) -> list[Metric]:
    """Return what is gone."""
    gone = int(k.POLICY_GONE * scenario.fleet)
    return [
        Metric("Nodes gone", f.share(k.POLICY_GONE), f.count(gone, "GPU")),
        Metric("For", f.duration(DAY), f"from day {f.significant(BEGIN / DAY)} on"),
    ]


def verdict(scenario: Scenario) -> Verdict:
    """Say what is simulated."""
    return Verdict(say("outage_verdict", scenario))


def draw(page: object, scenario: Scenario) -> None:
    """Draw the button, and what came of it."""
    if st.button("Simulate the day", key=f"{LESSON_ID}_outage_run", icon=":material/power_off:"):
        simulation.run(LESSON_ID, "outage", lambda rng: look(), RUNS, patience=np.inf)
    if isinstance(found := simulation.held(LESSON_ID, "outage"), Recovery):
        st.markdown(table(found))
        st.caption(say("outage_note", scenario, found=f.count(found.runs, "run")))
