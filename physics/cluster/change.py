"""What if: the same jobs under a changed policy, size, load or estimates, set against a baseline."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from physics import constants as c
from physics.arguments import (
    MANY,
    LimitedCount,
    LimitedWhole,
    NonNegative,
    Positive,
    count,
    finite,
    refusing,
    within_range,
)
from physics.cluster.calibration import Calibration, Progress, silent
from physics.cluster.explain import change_sentences, quota_sentence, worth
from physics.cluster.jobs import Log, by_class, by_need, checked, table
from physics.cluster.machine.parts import run
from physics.cluster.weeks import WEEK, over_weeks, week_of, weekly_sums
from physics.scheduling import Policy, Schedule

REQUESTED = "requested"
PERFECT = "perfect"
#: Jobs that a changed log may have, how many times its arrivals, and how many times its runtimes as
#: estimates.
MOST_JOBS = 2_000_000
MOST_ARRIVALS = 10.0
MOST_ESTIMATE = 1_000.0
#: A class that jobs are moved to when they leave the cluster.
AWAY = "away"


@refusing
@dataclass(frozen=True)
class Change:
    """Differences from the baseline; everything that is not named stays as it is.

    Args:
        policy: The whole new policy: order, backfill, reserved slice, preemption and whatever else
            it knows.
        gpus: New size of the cluster [1].
        arrivals: Jobs that come, as a multiple of the log's: below 1 each is kept with that
            probability, above 1 jobs of weeks drawn from the log come on top, at the same hour of
            the week [1].
        estimates: "requested", "perfect" or a number; what the scheduler is told: as the log says,
            the runtime, or a multiple of the runtime from 1 to 1,000.
        moved: A class whose jobs count as another one, whose rules they then follow; "away": they
            leave the cluster.
        capped: A class whose jobs ask for at most so many GPUs, and run so much longer that their
            work stays the same: a best case, as if all scaled perfectly [1].

    Raises ValueError for something that is none of these.

    >>> Change(gpus=576, moved={"interactive": "away"}).gpus
    576
    """

    policy: Policy | None = None
    gpus: LimitedCount | None = None
    arrivals: Positive = 1.0
    estimates: str | float = REQUESTED
    moved: Mapping[str, str] = field(default_factory=dict)
    capped: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.arrivals > MOST_ARRIVALS:
            raise ValueError(
                f"arrivals must be at most {MOST_ARRIVALS:g} times those of the log, got {self.arrivals}"
            )
        if self.estimates in (REQUESTED, PERFECT):
            factor = 1.0
        else:
            factor = finite("estimates", self.estimates)
        if not 1 <= factor <= MOST_ESTIMATE:
            raise ValueError(
                f"estimates must be 1 to {MOST_ESTIMATE:,g} times the runtime, got {self.estimates}"
            )
        for name, mapping in (("moved", self.moved), ("capped", self.capped)):
            if not isinstance(mapping, Mapping):
                raise ValueError(f"{name} must map class names, got {mapping!r}")
        for name, target in self.moved.items():
            if not isinstance(target, str) or not target:
                raise ValueError(f"moved must name a class for {name}, got {target!r}")
        for name, gpus in self.capped.items():
            count(f"cap of {name}", gpus, most=MANY)


@dataclass(frozen=True, eq=False)
class Difference:
    """A change against a baseline on the same jobs; times in seconds."""

    change: Change
    gpus: tuple[int, int]  #: of the baseline and of the change [1]
    classes: pd.DataFrame  #: class (and "all"), see `what_if`
    weekly: pd.DataFrame  #: week: begin [s], jobs, record, baseline, changed, difference [s]
    costs: pd.DataFrame  #: baseline, changed, difference: provided, used, lost [GPU·s] and cost
    #: what the baseline leaves unexplained of the mean wait, which a difference must reach [s]
    unexplained: float
    undecided: bool  #: of all jobs together
    jobs: tuple[int, int]  #: of the baseline and of the change
    sentences: tuple[str, ...]  #: what must be said beside the numbers
    unit: str  #: what a size counts: "GPU", "CPU" or "node"
    #: jobs that started in the record and, though the change keeps them, never start with it [1]
    unstarted: int = 0
    left_out: int = 0  #: jobs of the log without a wait before or with the change [1]
    #: by time limit and width, and "all": columns as `classes`
    groups: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False)

    @property
    def compared(self) -> bool:
        """Whether any job starts both before and with the change, so that there are waits to
        compare.
        """
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
    """Simulate the log's jobs as they are and with a change.

    Args:
        jobs: A log, such as `physics.cluster.read_log` returns.
        gpus: Size of the cluster in the baseline [1].
        baseline: What it had. Of a calibration of the same jobs on as many GPUs: its baseline's.
        change: What is different.
        price: Of a GPU-hour, in any currency; with 1 costs are GPU-hours.
        seed: Of the jobs that are drawn.
        progress: Called with the share that is done and the name of what comes next.

    Returns: `classes` has a row a class of the log and one for all: record (mean recorded wait),
    baseline, changed and difference (mean waits; changed − baseline over jobs that start in both),
    low and high (range from the weeks, paired: `physics.cluster.mean_over_weeks`), unexplained (by the
    calibration; 0 of a policy), record_p95, baseline_p95, changed_p95 [s], shorter, longer (shares
    of jobs that wait by more than a second less or more [1]), jobs (of the log that are in both),
    never_started (with the change) and undecided (`physics.cluster.undecided`; a change that leaves
    jobs unstarted decides nothing). `costs`: provided
    GPU time in the time that the records cover, used and lost (work done twice after a preemption)
    GPU time of all jobs, and provided × price.

    Raises ValueError as `physics.cluster.what_happened` and `physics.scheduling.simulate`; for a
    class that is not in the log, a change that leaves no job or makes too many, a calibration of
    other jobs, a price below zero.

    Source: Common random numbers: Law, *Simulation Modeling and Analysis*, 5th edition, 2015,
    section 11.2.

    >>> jobs = pd.DataFrame({"submit": [0, 1, 2], "runtime": [10, 5, 8], "gpus": [3, 4, 1]})
    >>> found = what_if(jobs, 4, Policy(), Change(policy=Policy(backfill="easy")))
    >>> found.classes.loc["all", ["baseline", "changed", "shorter"]].round(2).tolist()
    [7.33, 3.0, 0.33]
    """
    log = checked(jobs)
    known = {str(name) for name in set(log.classes)}
    for name in (*change.moved, *change.capped):
        if name not in known:
            raise ValueError(
                f"moved and capped must name classes of the log, {', '.join(sorted(known))}, got {name!r}"
            )
    progress(0.0, "baseline")
    before = _baseline(log, gpus, baseline)
    progress(0.5, "change")
    changed, place = changed_jobs(log, change, seed)
    if change.gpus is None:
        size = gpus
    else:
        size = change.gpus
    if change.policy is not None:
        policy = change.policy
    elif isinstance(baseline, Calibration):
        policy = baseline.policy
    else:
        policy = baseline
    after = run(changed, size, policy, log.down, log.parts)
    difference = _compare(log, before, after, place, change, baseline, price)
    progress(1.0, "")
    return difference


def _baseline(log: Log, gpus: int, baseline: Policy | Calibration) -> Schedule:
    """Schedule of the baseline."""
    if isinstance(baseline, Policy):
        return run(log.frame, gpus, baseline, log.down, log.parts)
    if not isinstance(baseline, Calibration):
        raise ValueError(f"baseline must be a Policy or a Calibration, got {baseline!r}")
    if baseline.gpus != gpus or not baseline.schedule.jobs[list(log.frame)].equals(log.frame):
        raise ValueError(
            f"baseline must be a calibration of the same jobs on a cluster of {gpus:,}, got another one"
        )
    return baseline.schedule


def changed_jobs(log: Log, change: Change, seed: int = 1) -> tuple[pd.DataFrame, np.ndarray]:
    """The jobs of a change, and the row of each of the log's jobs among them, −1 if it is not
    there.
    """
    frame = log.frame
    length = frame["runtime"].to_numpy(float)
    width = frame["gpus"].to_numpy()
    classes = log.classes.copy()
    for name, most in change.capped.items():
        narrowed = (log.classes == name) & (width > most)
        stretch = np.where(narrowed, width / int(most), 1.0)
        length = length * stretch
        width = np.where(narrowed, int(most), width)
        frame = frame.assign(estimate=frame["estimate"] * stretch)
    for name, target in change.moved.items():
        classes[log.classes == name] = target
    frame = frame.assign(runtime=length, gpus=width, job_class=classes)
    if change.estimates == PERFECT:
        frame = frame.assign(estimate=length)
    elif change.estimates != REQUESTED:
        frame = frame.assign(estimate=length * float(change.estimates))
    keep = ~(
        np.isin(log.classes, [name for name, target in change.moved.items() if target == AWAY])
    )
    rng = np.random.default_rng(seed)
    if change.arrivals < 1:
        keep &= rng.random(len(frame)) < change.arrivals
    if not keep.any():
        raise ValueError("change must leave at least one job, got none")
    place = np.where(keep, np.cumsum(keep) - 1, -1)
    kept = frame[keep].reset_index(drop=True)
    if change.arrivals > 1:
        kept = pd.concat([kept, _more(kept, change.arrivals - 1, rng)], ignore_index=True)
    return kept, place


def _more(frame: pd.DataFrame, share: float, rng: np.random.Generator) -> pd.DataFrame:
    """As many more jobs: each week gets those of weeks drawn from the log, shifted to the same time
    of the week.
    """
    if len(frame) * (1 + share) > MOST_JOBS:
        raise ValueError(
            f"arrivals must make at most {MOST_JOBS:,} jobs, got {len(frame) * (1 + share):,.0f}"
        )
    submit = frame["submit"].to_numpy(float)
    week = week_of(submit, submit.min())
    last = submit.max()
    # The last week is a part of one: it is filled, but drawn only if it is the only one.
    drawable = max(1, int(week[-1]))
    first = np.searchsorted(week, np.arange(drawable + 1))
    rounds = math.ceil(share)
    rows = []
    moves = []
    for to in range(int(week[-1]) + 1):
        for source in rng.integers(drawable, size=rounds).tolist():
            mine = np.arange(first[source], first[source + 1])
            mine = mine[rng.random(len(mine)) < share / rounds]
            rows.append(mine)
            moves.append(np.full(len(mine), (to - source) * WEEK))
    chosen = np.concatenate(rows)
    moved = np.concatenate(moves)
    more = frame.iloc[chosen].assign(submit=submit[chosen] + moved)
    return more[more["submit"] <= last]


def _compare(
    log: Log, before: Schedule, after: Schedule, place: np.ndarray, change: Change, baseline: Policy | Calibration,
    price: float,
) -> Difference:  # fmt: skip
    there = place >= 0
    week = week_of(log.submit, log.begin)
    old = before.jobs["wait"].to_numpy(float)
    new = np.full(len(place), np.nan)
    new[there] = after.jobs["wait"].to_numpy(float)[place[there]]
    both = np.isfinite(old) & np.isfinite(new)
    apart = np.where(both, new - old, np.nan)

    def row(mine: np.ndarray) -> tuple:
        waits = [pd.Series(wait[mine & both]) for wait in (log.wait, old, new)]
        differences = apart[mine & both]
        return (
            *(wait.mean() for wait in waits),
            *over_weeks(np.where(mine, apart, np.nan), week),
            *(wait.quantile(0.95) for wait in waits),
            *(pd.Series(some).mean() for some in (differences < -1, differences > 1)),
            *(int(mine.sum()), int((mine & ~np.isfinite(new)).sum())),
        )

    columns = "record baseline changed difference low high record_p95 baseline_p95 changed_p95 shorter longer jobs"
    classes = table(by_class(log.classes), there, row, f"{columns} never_started")
    groups = table(by_need(log), there, row, f"{columns} never_started")
    calibrated = isinstance(baseline, Calibration)
    if calibrated:
        classes["unexplained"] = baseline.by_class["unexplained"].reindex(classes.index)
    else:
        classes["unexplained"] = 0.0
    numbers = classes[["difference", "low", "high", "unexplained"]]
    # a job wider than the cluster itself is left out of everything
    unstarted = int((there & ~np.isfinite(new) & (log.gpus <= before.capacity)).sum())
    classes["undecided"] = [
        unstarted > 0 or undecided(*row) for row in numbers.itertuples(index=False)
    ]
    everyone = classes.iloc[-1]
    kept = int(there.sum())
    if calibrated:
        gap = baseline.gap
        poor = baseline.grade.poor
    else:
        gap = math.nan
        poor = False
    said = change_sentences(
        everyone, gap, bool(change.capped), len(place) - kept, len(after.jobs) - kept, poor
    )
    names = classes_without_quota(change, {str(name) for name in set(log.classes)})
    if names:
        said.append(quota_sentence(names, change.policy.borrowing))
    if np.isfinite(everyone["difference"]):
        said.append(worth(new - old, week, "change"))
    return Difference(
        change=change,
        gpus=(before.capacity, after.capacity),
        classes=classes,
        weekly=_weekly(log, old, new, both, week),
        costs=_costs(log, before, after, price),
        unexplained=float(everyone["unexplained"]),
        undecided=bool(everyone["undecided"]),
        jobs=(len(before.jobs), len(after.jobs)),
        sentences=tuple(said),
        unit=log.unit,
        unstarted=unstarted,
        left_out=int((~both).sum()),
        groups=groups,
    )


def classes_without_quota(change: Change, classes: Collection[str]) -> list[str]:
    """Classes of a log that have jobs with a change and that its quotas do not name."""
    if change.policy is None or change.policy.quotas is None:
        return []
    present = {change.moved.get(name, name) for name in classes} - {AWAY}
    return sorted(present - set(change.policy.quotas))


def undecided(difference: float, low: float, high: float, unexplained: float) -> bool:
    """Whether a difference of mean waits decides nothing.

    It decides only if |difference| is at least what the model leaves unexplained and 0 lies outside
    its interval.

    Args:
        difference: Change of a mean wait [s]; NaN if there is nothing to compare.
        low, high: Ends of its interval [s]; NaN if there is none, and then nothing is decided.
        unexplained: What the model leaves unexplained of the recorded mean wait [s]; NaN if that is
            not known, and then nothing is decided either.

    >>> undecided(-5544.0, -7000.0, -4000.0, unexplained=7960.0), undecided(-5544.0, -7000.0, -4000.0, unexplained=60.0)
    (True, False)
    """
    there = math.isfinite(difference) and not math.isnan(low) and not math.isnan(high)
    return not (there and abs(difference) >= unexplained and not low <= 0 <= high)


def _weekly(
    log: Log, old: np.ndarray, new: np.ndarray, both: np.ndarray, week: np.ndarray
) -> pd.DataFrame:
    """Means of the jobs of each week."""
    weeks = int(week[-1]) + 1
    number = np.bincount(week[both], minlength=weeks)
    columns = {"begin": log.begin + WEEK * np.arange(weeks), "jobs": number}
    for name, wait in (("record", log.wait), ("baseline", old), ("changed", new)):
        total, known = weekly_sums(np.where(both, wait, np.nan), week)
        columns[name] = np.divide(total, known, out=np.full(weeks, np.nan), where=known > 0)
    return pd.DataFrame(columns | {"difference": columns["changed"] - columns["baseline"]})


def _costs(log: Log, before: Schedule, after: Schedule, price: float) -> pd.DataFrame:
    """GPU time provided, used and lost, and what is provided costs."""
    span = log.end - log.begin
    rows = {}
    for name, schedule in (("baseline", before), ("changed", after)):
        provided = schedule.capacity * span
        lost = float(schedule.jobs["lost"].sum())
        rows[name] = (
            provided,
            schedule.executed,
            lost,
            finite("cost", provided / float(c.HOUR) * price),
        )
    costs = pd.DataFrame.from_dict(
        rows, orient="index", columns=["provided", "used", "lost", "cost"]
    )
    costs.loc["difference"] = costs.loc["changed"] - costs.loc["baseline"]
    return costs
