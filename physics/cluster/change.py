"""What-if analysis: the jobs of a log under a change, compared with a baseline."""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from physics import constants as c
from physics.arguments import (
    LimitedCount,
    LimitedWhole,
    NonNegative,
    finite,
    within_range,
)
from physics.cluster.calibration import Calibration, Progress, policy_of, silent
from physics.cluster.explain import change_sentences, worth
from physics.cluster.jobs import Log, by_class, by_need, frame_of, ratios, table, tested
from physics.cluster.machine.changed import AWAY, Change, changed_jobs
from physics.cluster.machine.parts import AnySchedule, run
from physics.cluster.machine.steps import use_by_time
from physics.cluster.say import say, written
from physics.cluster.weeks import WEEK, over_weeks, weekly_sums
from physics.scheduling import Policy

#: Subject of a sentence of doubt about the model's results.
ABOUT_A_CHANGE = "what it says about a change"


@dataclass(frozen=True, eq=False)
class Difference:
    """Simulated effect of a change, compared with a baseline on the same jobs; times in seconds."""

    change: Change
    gpus: tuple[int, int]  #: of the baseline and of the change [1]
    classes: pd.DataFrame  #: a row per class, and "all"; columns: see `what_if`
    #: a row per week; columns: begin [s], jobs [1], record, baseline, changed, difference [s]
    weekly: pd.DataFrame
    #: rows: baseline, changed, difference; columns: provided, used, lost [GPU·s], cost
    costs: pd.DataFrame
    #: part of the recorded mean wait that the baseline does not explain [s]; a smaller difference
    #: is undecided
    unexplained: float
    undecided: bool  #: of all jobs together
    jobs: tuple[int, int]  #: of the baseline and of the change [1]
    sentences: tuple[str, ...]  #: caveats to show with the numbers
    unit: str  #: what a size counts: "GPU", "CPU" or "node"
    #: jobs that fit in the baseline's cluster and, though the change keeps them, never start [1]
    unstarted: int = 0
    #: GPU time that is idle with the change only because of placement; 0 without nodes [GPU·s]
    fragmented: float = 0.0
    #: by hour or day with the change: begin, length [s], used, fragmented [GPU·s]; empty without
    #: nodes
    used: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False)
    left_out: int = 0  #: jobs of the log that do not start both without and with the change [1]
    #: by time limit and width, and "all": columns as `classes`
    groups: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False)

    @property
    def compared(self) -> bool:
        """Whether any job starts both before and with the change, so that waits can be compared."""
        return math.isfinite(self.classes.loc["all", "difference"])


@within_range
def what_if(
    jobs: pd.DataFrame,
    gpus: LimitedCount,
    baseline: Policy | Calibration,
    change: Change,
    *,
    price: NonNegative = 1.0,
    seed: LimitedWhole = 1,
    progress: Progress = silent,
) -> Difference:
    """Simulate the log's jobs without and with a change.

    Args:
        jobs: A log, such as `physics.cluster.read_log` returns.
        gpus: Size of the cluster in the baseline [1].
        baseline: Policy of the cluster, or a calibration of the same jobs on as many GPUs.
        change: Change to simulate.
        price: Price of a GPU-hour, in any currency; with 1 costs are GPU-hours.
        seed: Seed of the draw of jobs that are left out or added.
        progress: Called with the share that is done and the name of the next step.

    Returns: A `Difference`. Its table `classes` has a row per class of the log and one for all
    jobs. Means, percentiles and shares are over the jobs that start without and with the change:

    - record, baseline, changed: mean waits [s]
    - difference: changed − baseline [s]
    - low, high: range of the difference (`physics.cluster.mean_over_weeks`) [s]
    - record_p95, baseline_p95, changed_p95: 95th percentiles of the waits [s]
    - shorter, longer: shares of jobs whose wait changes by more than a second [1]
    - jobs: jobs of the group that the change keeps [1]
    - never_started: those of them that fit in the baseline's cluster and never start [1]
    - unexplained: part of the recorded mean that the calibration leaves open; 0 for a policy [s]
    - undecided: `physics.cluster.undecided`, or whether the change leaves any job unstarted

    Its table `costs` has the columns:

    - provided: GPU time of the cluster in the time that the records cover [GPU·s]
    - used, lost: GPU time of all jobs, and of work done twice after a preemption [GPU·s]
    - cost: provided × price

    Raises ValueError as `physics.cluster.what_happened` and `physics.scheduling.simulate`; for a
    class that is not in the log, a change that leaves no job or makes too many, a calibration of
    other jobs, a price below zero.

    Source: Common random numbers: Law, *Simulation Modeling and Analysis*, 5th edition, 2015,
    section 11.2.

    >>> jobs = pd.DataFrame({"submit": [0, 1, 2], "runtime": [10, 5, 8], "gpus": [3, 4, 1]})
    >>> difference = what_if(jobs, 4, Policy(), Change(policy=Policy(backfill="easy")))
    >>> difference.classes.loc["all", ["baseline", "changed", "shorter"]].round(2).tolist()
    [7.33, 3.0, 0.33]
    """
    log = tested(jobs)
    classes = sorted(set(log.classes))
    speeds = change.speed if isinstance(change.speed, Mapping) else ()
    for name in (*change.moved, *change.capped, *speeds):
        if name not in classes:
            raise ValueError(
                "moved, capped and speed must name classes of the log, "
                f"{', '.join(classes)}, got {name!r}"
            )
    progress(0.0, "baseline")
    before = _baseline(log, gpus, baseline)
    progress(0.5, "change")
    changed, new_index = changed_jobs(log, change, seed)
    policy = change.policy or policy_of(baseline)
    _require_owners(log, policy)
    placement = change.placed(jobs.attrs.get("node_sizes", ()))
    after = run(changed, change.gpus or gpus, policy, log.down, log.parts, **placement)
    difference = _compare(log, before, after, new_index, change, baseline, price)
    progress(1.0, "")
    return difference


def _require_owners(log: Log, policy: Policy) -> None:
    """Raise ValueError for a policy about users or accounts of a log that names none."""
    owners = list(policy.limits)
    if policy.order == "fair_share" and policy.share_by != "class":
        owners.append(policy.share_by)
    for owner in owners:
        if not (getattr(log, owner) != "").any():
            raise ValueError(f"jobs must name {owner}s for a policy by {owner}, got no such name")


def _baseline(log: Log, gpus: int, baseline: Policy | Calibration) -> AnySchedule:
    """Schedule of the baseline; a calibration has it already."""
    if not isinstance(baseline, Calibration):
        return run(log.frame, gpus, policy_of(baseline), log.down, log.parts)
    schedule = baseline.schedule
    if (
        schedule is None
        or baseline.gpus != gpus
        or not schedule.jobs[list(log.frame)].equals(log.frame)
    ):
        raise ValueError(
            f"baseline must be a calibration of the same jobs on a cluster of {gpus:,}, got "
            "another one"
        )
    return schedule


#: Columns of `_Waits.table`; `what_if` describes them.
COLUMNS = (
    "record baseline changed difference low high record_p95 baseline_p95 changed_p95 "
    "shorter longer jobs never_started"
)


@dataclass(frozen=True, eq=False)
class _Waits:
    """Waits of a log's jobs without and with a change [s]; NaN of a job that never starts."""

    log: Log
    old: np.ndarray
    new: np.ndarray
    present: np.ndarray  #: mask of the jobs that the change keeps
    fits: np.ndarray  #: mask of the jobs that are no wider than the baseline's cluster

    @property
    def both(self) -> np.ndarray:
        """Mask of the jobs that start without and with the change."""
        return np.isfinite(self.old) & np.isfinite(self.new)

    @property
    def never(self) -> np.ndarray:
        """Mask of the jobs that fit, that the change keeps, and that never start with it."""
        return self.fits & self.present & ~np.isfinite(self.new)

    def table(self, groups: Iterable[tuple[str, np.ndarray]]) -> pd.DataFrame:
        """Waits of each group of jobs, without and with the change."""
        return table(groups, self.present, self._row, COLUMNS)

    def _row(self, group: np.ndarray) -> tuple:
        """Waits of a group's jobs, and how many wait shorter, longer, or forever: see `COLUMNS`."""
        compared = group & self.both
        difference = np.where(compared, self.new - self.old, np.nan)
        waits = [pd.Series(wait[compared]) for wait in (self.log.wait, self.old, self.new)]
        changes = pd.Series(difference[compared])
        return (
            *(wait.mean() for wait in waits),
            *over_weeks(difference, self.log.week),
            *(wait.quantile(0.95) for wait in waits),
            (changes < -1).mean(),
            (changes > 1).mean(),
            int(group.sum()),
            int((group & self.never).sum()),
        )

    def weekly(self) -> pd.DataFrame:
        """Means of the jobs of each week."""
        both = self.both
        week = self.log.week
        weeks = int(week[-1]) + 1
        columns: dict[str, np.ndarray] = {
            "begin": self.log.begin + WEEK * np.arange(weeks),
            "jobs": np.bincount(week[both], minlength=weeks),
        }
        waits = {"record": self.log.wait, "baseline": self.old, "changed": self.new}
        for name, wait in waits.items():
            columns[name] = ratios(*weekly_sums(np.where(both, wait, np.nan), week))
        columns["difference"] = columns["changed"] - columns["baseline"]
        return pd.DataFrame(columns)


def _compare(
    log: Log,
    before: AnySchedule,
    after: AnySchedule,
    new_index: np.ndarray,
    change: Change,
    baseline: Policy | Calibration,
    price: float,
) -> Difference:
    """Compare the schedules without and with a change.

    `new_index` is the position of each of the log's jobs in the schedule with the change, −1 if the
    change removes it.
    """
    present = new_index >= 0
    new = np.full(len(new_index), np.nan)
    new[present] = after.jobs["wait"].to_numpy(float)[new_index[present]]
    old = before.jobs["wait"].to_numpy(float)
    waits = _Waits(log, old, new, present, log.gpus <= before.capacity)
    unstarted = int(waits.never.sum())
    classes = waits.table(by_class(log.classes))
    _add_undecided(classes, baseline, unstarted)
    everyone = classes.loc["all"]
    used = pd.DataFrame()
    if change.on_nodes:
        used = use_by_time(after, log.begin, log.end)
    return Difference(
        change=change,
        gpus=(before.capacity, after.capacity),
        classes=classes,
        weekly=waits.weekly(),
        costs=_costs(log, before, after, price),
        unexplained=float(everyone["unexplained"]),
        undecided=bool(everyone["undecided"]),
        jobs=(len(before.jobs), len(after.jobs)),
        sentences=tuple(filter(None, _sentences(waits, after, change, baseline, everyone))),
        unit=log.unit,
        unstarted=unstarted,
        left_out=int((~waits.both).sum()),
        groups=waits.table(by_need(log)),
        fragmented=after.fragmented,
        used=used,
    )


def _add_undecided(classes: pd.DataFrame, baseline: Policy | Calibration, unstarted: int) -> None:
    """Add the columns unexplained [s] and undecided to a table of waits, in place."""
    classes["unexplained"] = 0.0
    if isinstance(baseline, Calibration):
        classes["unexplained"] = baseline.by_class["unexplained"].reindex(classes.index)
    numbers = classes[["difference", "low", "high", "unexplained"]]
    classes["undecided"] = [
        unstarted > 0 or undecided(*row) for row in numbers.itertuples(index=False)
    ]


def _sentences(
    waits: _Waits,
    after: AnySchedule,
    change: Change,
    baseline: Policy | Calibration,
    everyone: pd.Series,
) -> list[str]:
    """Caveats to show with a change's numbers; some may be empty."""
    log = waits.log
    gap = math.nan
    texts = []
    if isinstance(baseline, Calibration):
        gap = baseline.gap
        texts.append(baseline.grade.doubt(ABOUT_A_CHANGE))
    jobs_kept = int(waits.present.sum())
    missing = len(waits.present) - jobs_kept
    added = len(after.jobs) - jobs_kept
    texts += change_sentences(everyone, gap, bool(change.capped), missing, added)
    texts.append(quota_warning(change, set(log.classes)))
    if np.isfinite(everyone["difference"]):
        texts.append(worth(waits.new - waits.old, log.week, "change"))
    conditions = {
        "fragmented": change.on_nodes,
        "outages_on_nodes": change.on_nodes and log.down,
        "nodes_of_parts": change.on_nodes and log.parts > 1,
    }
    provided = after.capacity * (log.end - log.begin)
    share = after.fragmented / max(provided, 1.0)
    return texts + written(conditions, time=after.fragmented, unit=log.unit, share=share)


def quota_warning(change: Change, classes: Collection[str]) -> str:
    """Sentence on the classes that have jobs after a change but no quota; "" without any."""
    policy = change.policy
    if policy is None or policy.quotas is None:
        return ""
    present = {change.moved.get(name, name) for name in classes} - {AWAY}
    names = sorted(present - set(policy.quotas))
    if not names:
        return ""
    return say("no_quota_borrows" if policy.borrowing else "no_quota", names=", ".join(names))


def undecided(difference: float, low: float, high: float, unexplained: float) -> bool:
    """Whether a difference of mean waits is inconclusive.

    A difference is conclusive only if it is at least `unexplained`, up or down, and its range
    excludes 0.

    Args:
        difference: Change of a mean wait [s]; NaN if there is nothing to compare.
        low, high: Ends of its range [s]; NaN if there is none, and then nothing is decided.
        unexplained: Part of the recorded mean wait that the model does not explain [s]; NaN if it
            is not known, and then nothing is decided either.

    >>> undecided(-5544.0, -7000.0, -4000.0, unexplained=7960.0)
    True
    >>> undecided(-5544.0, -7000.0, -4000.0, unexplained=60.0)
    False
    """
    if not math.isfinite(difference) or math.isnan(low) or math.isnan(high):
        return True
    if math.isnan(unexplained) or abs(difference) < unexplained:
        return True
    return bool(low <= 0 <= high)


def _costs(log: Log, before: AnySchedule, after: AnySchedule, price: float) -> pd.DataFrame:
    """Table of GPU time provided, used, and lost [GPU·s], and of the cost of what is provided."""
    span = log.end - log.begin
    rows = {}
    for name, schedule in (("baseline", before), ("changed", after)):
        provided = schedule.capacity * span
        cost = finite("cost", provided / c.HOUR * price)
        rows[name] = (provided, schedule.executed, float(schedule.jobs["lost"].sum()), cost)
    costs = frame_of(rows, "provided used lost cost")
    costs.loc["difference"] = costs.loc["changed"] - costs.loc["baseline"]
    return costs
