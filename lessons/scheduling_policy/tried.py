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
_RECORD = re.compile(r"([\w ,-]{1,60})=(\d\.\d{1,4})=(\d{1,4}\.\d)")
#: Names of policies on the chart, by order and by kind of quotas.
_ORDERS = {
    "arrival": "FIFO",
    "priority": "Priority",
    "fair_share": "Fair share",
    "shortest": "Shortest first",
}
_QUOTAS = {"own": "partitions", "lent": "quotas lent", "reclaimed": "reclaimed"}


@dataclass(frozen=True)
class Trial:
    """Policy with its position on the chart."""

    name: str
    in_time: float  #: share of interactive jobs that start within the target [1]
    wait: float  #: mean training wait [h]
    is_current: bool = False


def has_story_jobs(scenario: Scenario) -> bool:
    """Return whether these are the message's jobs, on which policies can be compared."""
    return runs.fifo(scenario) == Scenario()


def current_trial(scenario: Scenario) -> Trial:
    """Return the current policy and its simulated results."""
    wait = float(scenario.training_wait) / HOUR
    return Trial(name_of(scenario), float(scenario.in_time), wait, is_current=True)


def name_of(scenario: Scenario) -> str:
    """Return a policy's name on the chart; sizes of quotas, weights and checkpoints are not in it.

    Of policies with the same name, the chart shows the last one.
    """
    effective = scenario.effective
    words = [_ORDERS[effective.order]]
    if effective.backfill == "easy":
        words.append("EASY")
    if effective.quotas != "none":
        words.append(_QUOTAS[effective.quotas])
    if effective.reserved:
        words.append(f"{effective.reserved} kept")
    if effective.preemption:
        words.append("preemption")
    return ", ".join(words)


def with_current(record: str, scenario: Scenario) -> str:
    """Return the record with the current policy as its last one."""
    current = current_trial(scenario)
    others = [policy for policy in read(record) if policy.name != current.name]
    texts = []
    for policy in [*others, current][-MAX_TRIALS:]:
        texts.append(f"{policy.name}={policy.in_time:.4f}={min(policy.wait, 9999.0):.1f}")
    return ";".join(texts)


def read(record: str) -> list[Trial]:
    """Parse the policies of a record, skipping invalid ones."""
    trials = []
    for text in record.split(";"):
        match = _RECORD.fullmatch(text)
        if match and float(match[2]) <= 1:
            trials.append(Trial(match[1], float(match[2]), float(match[3])))
    return trials[-MAX_TRIALS:]


def dots(
    trials: list[Trial],
    *,
    max_wait: float,
    max_share: float,
    line_share: float,
    line_text: str,
    corner_text: str,
) -> Rows:
    """Return dots of policies, labeled where space allows.

    A wait beyond the frame is an arrow with its number.

    Args:
        trials: The policies, the current one last.
        max_wait: Right end of the frame [h].
        max_share: Top of the frame [1].
        line_share: Share at which a line has the text `line_text` over its right end [1].
        corner_text: Text in the upper left corner.
    """
    positions = []
    labels = []
    for trial in trials:
        positions.append((min(trial.wait, max_wait) / max_wait, trial.in_time / max_share))
        label = trial.name
        if trial.wait > max_wait:
            label = f"{label}: {f.duration(trial.wait * HOUR)} →"
        labels.append(label)
    offsets = beside_points(positions, labels, line_share / max_share, line_text, corner_text)
    rows: Rows = []
    for trial, label, offset in zip(trials, labels, offsets, strict=True):
        style = {"tone": "quiet", "size": 70}
        if trial.is_current:
            style = {"tone": "accent", "size": 130, "role": "here"}
        if trial.wait > max_wait:
            style["shape"] = "triangle-right"
        x = min(trial.wait, max_wait)
        y = trial.in_time
        rows.append(marks.point(x, y, **style))
        if offset:
            bold = trial.is_current
            rows.append(marks.label(x, y, label, tone=style["tone"], bold=bold, **offset))
    return rows
