"""Scheduling policy: policies that the visitor has tried on the message's jobs, and their dots."""

import re
from dataclasses import dataclass

from lessons.scheduling_policy import runs
from lessons.scheduling_policy.settings import HOUR, Scenario
from ui.base import format as f
from ui.charts import Rows, marks
from ui.charts.placing import beside_points

#: Most policies in a record; the latest ones stay.
MAX_TRIALS = 8
#: A policy in the record: name, share of interactive jobs in time, mean wait of training [h].
_RECORD = re.compile(r"([\w ,-]{1,40})=(\d\.\d{1,4})=(\d{1,4}\.\d)")
#: Names of policies on the chart, by order and by kind of quotas.
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
    here: bool = False  #: whether it is the current policy


def has_story_jobs(scenario: Scenario) -> bool:
    """Return whether these are the message's jobs, on which policies can be compared."""
    return runs.fifo(scenario) == Scenario()


def trial(scenario: Scenario) -> Trial:
    """Return the current policy and its simulated results."""
    wait = float(scenario.training_wait) / HOUR
    return Trial(name_of(scenario), float(scenario.in_time), wait, here=True)


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
    others = [other for other in read(own) if other.name != new.name]
    texts = []
    for tried in (*others[1 - MAX_TRIALS :], new):
        texts.append(f"{tried.name}={tried.in_time:.4f}={min(tried.wait, 9999.0):.1f}")
    return ";".join(texts)


def read(own: str) -> list[Trial]:
    """Parse the policies of a record, skipping invalid ones."""
    trials = []
    for text in own.split(";"):
        match = _RECORD.fullmatch(text)
        if match and float(match[2]) <= 1:
            trials.append(Trial(match[1], float(match[2]), float(match[3])))
    return trials[-MAX_TRIALS:]


def dots(
    trials: list[Trial], right: float, top: float, line: float, words: str, corner: str
) -> Rows:
    """Return dots of policies, labeled where space allows.

    A wait beyond the frame's `right` end [h] is an arrow with its number. The labels avoid the
    words at the share `line`, and the words in the `corner`.
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
