"""Scheduling policy: policies that the visitor has tried on the message's jobs, and their dots."""

import re
from dataclasses import dataclass

from lessons.scheduling_policy.settings import HOUR, Scenario
from ui.base import format as f
from ui.charts import marks
from ui.charts.described import Rows
from ui.charts.placing import beside_points

#: Policies whose dots stay, the last ones.
KEPT = 8
#: One policy as the record keeps it: name, share of interactive jobs in time, training's wait [h].
_WRITTEN = re.compile(r"([\w ,-]{1,40})=(\d\.\d{1,4})=(\d{1,4}\.\d)")
#: What a policy is called on the chart.
_ORDERS = {
    "arrival": "FIFO",
    "priority": "Priority",
    "fair_share": "Fair share",
    "shortest": "Shortest first",
}
_QUOTAS = {"own": "Partitions", "lent": "Quotas lent", "reclaimed": "Quotas reclaimed"}


@dataclass(frozen=True)
class Trial:
    """Policy with its position on the chart."""

    name: str
    in_time: float  #: share of interactive jobs that start within the target [1]
    wait: float  #: mean training wait [h]
    here: bool = False  #: whether it is the present one


def counts(scenario: Scenario) -> bool:
    """Return whether these are the message's jobs, on which policies can be compared."""
    plain = scenario.effective
    names = ("interactive_rate", "training_rate", "training_gpus", "seed")
    return all(getattr(plain, name) == getattr(Scenario, name) for name in names)


def trial(scenario: Scenario) -> Trial:
    """Return the current policy and its simulated results."""
    return Trial(
        name_of(scenario), float(scenario.in_time), float(scenario.training_wait) / HOUR, here=True
    )


def name_of(scenario: Scenario) -> str:
    """Return a policy's name on the chart."""
    plain = scenario.effective
    words = [_ORDERS[plain.order]]
    if plain.quotas != "none":
        words = [_QUOTAS[plain.quotas]]
    elif plain.backfill == "easy":
        words.append("EASY")
    if plain.reserved:
        words.append(f"{plain.reserved} kept")
    if plain.preemption:
        words.append("preemption")
    return ", ".join(words)


def added(own: str, scenario: Scenario) -> str:
    """Return the record with the current policy as its last one."""
    new = trial(scenario)
    others = [trial for trial in read(own) if trial.name != new.name]
    kept = [*others[1 - KEPT :], new]
    return ";".join(
        f"{trial.name}={trial.in_time:.4f}={min(trial.wait, 9999.0):.1f}" for trial in kept
    )


def read(own: str) -> list[Trial]:
    """Parse the policies of a record, skipping invalid ones."""
    trials = []
    for text in own.split(";"):
        match = _WRITTEN.fullmatch(text)
        if match and float(match[2]) <= 1:
            trials.append(Trial(match[1], float(match[2]), float(match[3])))
    return trials[-KEPT:]


def dots(
    trials: list[Trial], right: float, top: float, line: float, words: str, corner: str
) -> Rows:
    """Return dots of policies, labeled where space allows.

    A wait beyond the frame [h] is an arrow with its number.

    The names avoid the line at a share with its words, and what stands in the corner.
    """
    positions = []
    labels = []
    for trial in trials:
        positions.append((min(trial.wait, right) / right, trial.in_time / top))
        label = trial.name
        if trial.wait > right:
            label = f"{label}: {f.duration(trial.wait * HOUR)} →"
        labels.append(label)
    sides = beside_points(positions, labels, line / top, words, corner)
    rows: Rows = []
    for trial, label, side in zip(trials, labels, sides, strict=True):
        style = {"tone": "quiet", "size": 70}
        if trial.here:
            style = {"tone": "accent", "size": 130, "role": "here"}
        if trial.wait > right:
            style["shape"] = "triangle-right"
        x = min(trial.wait, right)
        y = trial.in_time
        rows.append(marks.point(x, y, **style))
        if side:
            rows.append(marks.label(x, y, label, tone=style["tone"], bold=trial.here, **side))
    return rows
