"""What if: the same jobs under a changed policy, size, load or estimates, set against a baseline."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from physics import constants as c
from physics.cluster.calibration import Calibration, Progress, frame_of
from physics.cluster.happened import Log, by_class, checked
from physics.cluster.weeks import WEEK, over_weeks, week_of
from physics.numerics import checks
from physics.scheduling import Policy, Schedule, simulate

REQUESTED, PERFECT = "requested", "perfect"
#: Jobs that a changed log may have, how many times its arrivals, and how many times its runtimes as estimates.
MOST_JOBS, MOST_ARRIVALS, MOST_ESTIMATE = 2_000_000, 10.0, 1_000.0
#: A class that jobs are moved to when they leave the cluster.
AWAY = "away"


@dataclass(frozen=True)
class Change:
    """What is different from the baseline; whatever is not named stays as it is.

    Parameters
    ----------
    policy : Policy, optional
        The whole new policy: order, backfill, reserved slice, preemption and whatever else it knows.
    gpus : int, optional
        New size of the cluster [1].
    arrivals : float
        Jobs that come, as a multiple of the log's: below 1 each is kept with that probability, above 1 jobs of weeks
        drawn from the log come on top, at the same hour of the week [1].
    estimates : {"requested", "perfect"} or float
        What the scheduler is told: as the log says, the runtime, or a multiple of the runtime from 1 to 1,000.
    moved : mapping of str to str
        A class whose jobs count as another one, whose rules they then follow; "away": they leave the cluster.
    capped : mapping of str to int
        A class whose jobs ask for at most so many GPUs, and run so much longer that their work stays the same: a best
        case, as if all scaled perfectly [1].

    Raises
    ------
    ValueError
        For something that is none of these.

    Examples
    --------
    >>> Change(gpus=576, moved={"interactive": "away"}).gpus
    576
    """

    policy: Policy | None = None
    gpus: int | None = None
    arrivals: float = 1.0
    estimates: str | float = REQUESTED
    moved: Mapping[str, str] = field(default_factory=dict)
    capped: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.policy is not None and not isinstance(self.policy, Policy):
            raise ValueError(f"policy must be a Policy, got {self.policy!r}")
        if self.gpus is not None:
            checks.count("gpus", self.gpus, most=checks.MANY)
        if checks.positive("arrivals", self.arrivals) > MOST_ARRIVALS:
            raise ValueError(f"arrivals must be at most {MOST_ARRIVALS:g} times those of the log, got {self.arrivals}")
        factor = 1.0 if self.estimates in (REQUESTED, PERFECT) else checks.finite("estimates", self.estimates)
        if not 1 <= factor <= MOST_ESTIMATE:
            raise ValueError(f"estimates must be 1 to {MOST_ESTIMATE:,g} times the runtime, got {self.estimates}")
        for name, mapping in (("moved", self.moved), ("capped", self.capped)):
            if not isinstance(mapping, Mapping):
                raise ValueError(f"{name} must map class names, got {mapping!r}")
        for name, target in self.moved.items():
            if not isinstance(target, str) or not target:
                raise ValueError(f"moved must name a class for {name}, got {target!r}")
        for name, gpus in self.capped.items():
            checks.count(f"cap of {name}", gpus, most=checks.MANY)


@dataclass(frozen=True, eq=False)
class Difference:
    """A change against a baseline on the same jobs; times in seconds."""

    change: Change
    gpus: tuple[int, int]  #: of the baseline and of the change [1]
    classes: pd.DataFrame  #: class (and "all"), see `what_if`
    weekly: pd.DataFrame  #: week: begin [s], jobs, baseline, changed, difference [s]
    costs: pd.DataFrame  #: baseline, changed, difference: provided, used, lost [GPU·s] and cost
    gap: float  #: calibration gap that differences are held against [1]
    undecided: bool  #: of all jobs together
    jobs: tuple[int, int]  #: of the baseline and of the change
    sentences: tuple[str, ...]  #: what must be said beside the numbers

    @property
    def compared(self) -> bool:
        """Whether any job starts both before and with the change, so that there are waits to compare."""
        return math.isfinite(self.classes.loc["all", "difference"])


COLUMNS = [
    *("jobs", "baseline", "changed", "difference", "low", "high"),
    *("baseline_p95", "changed_p95", "shorter", "longer", "never_started", "undecided"),
]


@checks.within_range
def what_if(
    jobs: pd.DataFrame,
    gpus: int,
    baseline: Policy | Calibration,
    change: Change,
    gap: float | None = None,
    price: float = 1.0,
    seed: int = 1,
    progress: Progress | None = None,
) -> Difference:
    """Simulate the log's jobs as they are and with a change.

    Parameters
    ----------
    jobs : pandas.DataFrame
        A log, such as `physics.cluster.read_log` returns.
    gpus : int
        Size of the cluster in the baseline [1].
    baseline : Policy or Calibration
        What it had. Of a calibration of the same jobs on as many GPUs: its baseline's.
    change : Change
        What is different.
    gap : float, optional
        Relative distance of the baseline from the record; by default the calibration's, and unknown (NaN) for a policy.
    price : float
        Of a GPU-hour, in any currency; with 1 costs are GPU-hours.
    seed : int
        Of the jobs that are drawn.
    progress : callable, optional
        Called with the share that is done and the name of what comes next.

    Returns
    -------
    Difference
        `classes` has a row a class of the log and one for all: jobs (of the log that are in both), baseline, changed
        and difference (mean waits; changed − baseline over jobs that start in both), low and high (95 %, paired, by
        week), baseline_p95, changed_p95 [s], shorter, longer (shares of jobs that wait by more than a second less or
        more [1]), never_started (with the change) and undecided: the difference relative to the baseline's mean wait is
        smaller than the gap, or its interval holds 0. `costs`: provided GPU time from the first submission to the last,
        used and lost (work done twice after a preemption) GPU time of all jobs, and provided × price.

    Raises
    ------
    ValueError
        As `physics.cluster.what_happened` and `physics.scheduling.simulate`; for a class that is not in the log, a
        change that leaves no job or makes too many, a calibration of other jobs, a price or gap below zero.

    References
    ----------
    Common random numbers: Law, *Simulation Modeling and Analysis*, 5th edition, 2015, section 11.2.

    Examples
    --------
    >>> jobs = pd.DataFrame({"submit": [0, 1, 2], "runtime": [10, 5, 8], "gpus": [3, 4, 1]})
    >>> found = what_if(jobs, 4, Policy(), Change(policy=Policy(backfill="easy")))
    >>> found.classes.loc["all", ["baseline", "changed", "shorter"]].round(2).tolist()
    [7.33, 3.0, 0.33]
    """
    log, gpus = checked(jobs), checks.count("gpus", gpus, most=checks.MANY)
    price, seed = checks.non_negative("price", price), checks.count("seed", seed, least=0, most=checks.MANY)
    if not isinstance(change, Change):
        raise ValueError(f"change must be a Change, got {change!r}")
    if gap is not None:
        gap = checks.non_negative("gap", gap)
    known = {str(name) for name in set(log.classes)}
    for name in (*change.moved, *change.capped):
        if name not in known:
            raise ValueError(f"moved and capped must name classes of the log, {', '.join(sorted(known))}, got {name!r}")
    slim = frame_of(log)
    if progress is not None:
        progress(0.0, "baseline")
    before, gap = _baseline(slim, gpus, baseline, gap)
    if progress is not None:
        progress(0.5, "change")
    changed, place = changed_jobs(log, change, seed)
    size = gpus if change.gpus is None else change.gpus
    after = simulate(changed, size, before.policy if change.policy is None else change.policy)
    difference = _compare(log, before, after, place, change, gap, price)
    if progress is not None:
        progress(1.0, "")
    return difference


def _baseline(slim: pd.DataFrame, gpus: int, baseline: Policy | Calibration, gap: float | None):
    """Schedule of the baseline and the gap that goes with it."""
    if isinstance(baseline, Policy):
        return simulate(slim, gpus, baseline), math.nan if gap is None else gap
    if not isinstance(baseline, Calibration):
        raise ValueError(f"baseline must be a Policy or a Calibration, got {baseline!r}")
    same = ("submit", "runtime", "gpus", "estimate", "job_class")
    if baseline.gpus != gpus or not baseline.schedule.jobs[list(same)].equals(slim[list(same)]):
        raise ValueError(f"baseline must be a calibration of the same jobs on {gpus:,} GPUs, got another one")
    return baseline.schedule, baseline.gap if gap is None else gap


def changed_jobs(log: Log, change: Change, seed: int = 1) -> tuple[pd.DataFrame, np.ndarray]:
    """The jobs of a change, and the row of each of the log's jobs among them, −1 if it is not there."""
    frame = frame_of(log)
    length, width = frame["runtime"].to_numpy(float), frame["gpus"].to_numpy(np.int64)
    classes = log.classes.copy()
    for name, most in change.capped.items():
        narrowed = (log.classes == name) & (width > most)
        stretch = np.where(narrowed, width / int(most), 1.0)
        length, width = length * stretch, np.where(narrowed, int(most), width)
        frame = frame.assign(estimate=frame["estimate"] * stretch)
    for name, target in change.moved.items():
        classes[log.classes == name] = target
    frame = frame.assign(runtime=length, gpus=width, job_class=classes)
    if change.estimates == PERFECT:
        frame = frame.assign(estimate=length)
    elif change.estimates != REQUESTED:
        frame = frame.assign(estimate=length * float(change.estimates))
    keep = ~(np.isin(log.classes, [name for name, target in change.moved.items() if target == AWAY]))
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
    """As many more jobs: each week gets those of weeks drawn from the log, shifted to the same time of the week."""
    if len(frame) * (1 + share) > MOST_JOBS:
        raise ValueError(f"arrivals must make at most {MOST_JOBS:,} jobs, got {len(frame) * (1 + share):,.0f}")
    submit = frame["submit"].to_numpy(float)
    week, last = week_of(submit), submit.max()
    # The last week is a part of one: it is filled, but drawn only if it is the only one.
    drawable = max(1, int(week[-1]))
    first = np.searchsorted(week, np.arange(drawable + 1))
    rounds, rows, moves = math.ceil(share), [], []
    for to in range(int(week[-1]) + 1):
        for source in rng.integers(drawable, size=rounds).tolist():
            mine = np.arange(first[source], first[source + 1])
            mine = mine[rng.random(len(mine)) < share / rounds]
            rows.append(mine)
            moves.append(np.full(len(mine), (to - source) * WEEK))
    chosen, moved = np.concatenate(rows), np.concatenate(moves)
    more = frame.iloc[chosen].assign(submit=submit[chosen] + moved)
    return more[more["submit"] <= last]


def _compare(
    log: Log, before: Schedule, after: Schedule, place: np.ndarray, change: Change, gap: float, price: float
) -> Difference:
    there = place >= 0
    old = before.jobs["wait"].to_numpy(float)
    new = np.full(len(old), np.nan)
    new[there] = after.jobs["wait"].to_numpy(float)[place[there]]
    never = there.copy()
    never[there] = ~after.jobs["can_start"].to_numpy(bool)[place[there]]
    week = week_of(log.submit)
    weeks = int(week[-1]) + 1
    both = np.isfinite(old) & np.isfinite(new)
    rows = {}
    for name, mine in by_class(log.classes):
        shared = mine & both
        if not (mine & there).any():
            continue
        unknown = math.nan
        mean, low, high = over_weeks(np.where(shared, new - old, np.nan), week, weeks)
        base, changed = (float(wait[shared].mean()) if shared.any() else unknown for wait in (old, new))
        p95s = [float(np.quantile(wait[shared], 0.95)) if shared.any() else unknown for wait in (old, new)]
        apart = (new - old)[shared]
        shares = [float(one.mean()) if len(apart) else unknown for one in (apart < -1, apart > 1)]
        row = (int((mine & there).sum()), base, changed, mean, low, high, *p95s, *shares, int((mine & never).sum()))
        rows[name] = (*row, undecided(mean, low, high, base, gap))
    classes = pd.DataFrame.from_dict(rows, orient="index", columns=COLUMNS)
    overall = bool(classes["undecided"].iloc[-1])
    return Difference(
        change=change,
        gpus=(before.capacity, after.capacity),
        classes=classes,
        weekly=_weekly(log, old, new, both, week),
        costs=_costs(log, before, after, price),
        gap=gap,
        undecided=overall,
        jobs=(len(before.jobs), len(after.jobs)),
        sentences=tuple(_sentences(classes, change, there, len(after.jobs), gap)),
    )


def undecided(difference: float, low: float, high: float, base: float, gap: float) -> bool:
    """Whether a difference says nothing: smaller than the gap allows, with 0 in its interval, or no number.

    >>> undecided(-50.0, -70.0, -30.0, base=100.0, gap=0.6), undecided(-50.0, -70.0, -30.0, base=100.0, gap=0.2)
    (True, False)
    """
    if not math.isfinite(difference) or (math.isfinite(gap) and abs(difference) < gap * base):
        return True
    return gap == math.inf or low <= 0 <= high or difference == 0


def _weekly(log: Log, old: np.ndarray, new: np.ndarray, both: np.ndarray, week: np.ndarray) -> pd.DataFrame:
    """Means of the jobs of each week."""
    weeks = int(week[-1]) + 1
    number = np.bincount(week[both], minlength=weeks)
    sums = [np.bincount(week[both], wait[both], weeks) for wait in (old, new)]
    base, changed = (np.divide(one, number, out=np.full(weeks, np.nan), where=number > 0) for one in sums)
    begin = log.submit[0] + WEEK * np.arange(weeks)
    return pd.DataFrame(
        {"begin": begin, "jobs": number, "baseline": base, "changed": changed, "difference": changed - base}
    )


def _costs(log: Log, before: Schedule, after: Schedule, price: float) -> pd.DataFrame:
    """GPU time provided, used and lost, and what is provided costs."""
    span = float(log.submit[-1] - log.submit[0])
    rows = {}
    for name, schedule in (("baseline", before), ("changed", after)):
        provided = schedule.capacity * span
        lost = float(schedule.jobs["lost"].sum())
        rows[name] = (provided, schedule.executed, lost, checks.finite("cost", provided / float(c.HOUR) * price))
    rows["difference"] = tuple(new - old for old, new in zip(rows["baseline"], rows["changed"], strict=True))
    return pd.DataFrame.from_dict(rows, orient="index", columns=["provided", "used", "lost", "cost"])


def _sentences(classes: pd.DataFrame, change: Change, there: np.ndarray, jobs: int, gap: float) -> Iterator[str]:
    """What must be said beside the numbers."""
    everyone = classes.iloc[-1]
    compared = math.isfinite(everyone["difference"])
    if not compared:
        yield "No job starts both before and with the change: there is no wait to compare."
    elif gap == math.inf:
        yield "The simulation waits where the record does not: no difference can be told from the calibration gap."
    elif math.isfinite(gap) and abs(everyone["difference"]) < gap * everyone["baseline"]:
        yield f"Undecided: the difference is smaller than the calibration gap of {gap:.1%}."
    elif everyone["low"] <= 0 <= everyone["high"]:
        yield "Undecided: the interval by weeks holds no difference at all."
    if compared and math.isnan(gap):
        yield "The calibration gap is not known, so that only the interval tells what is decided."
    if compared and not math.isfinite(everyone["low"]):
        yield "The log has fewer than eight weeks: no interval is given."
    if missing := int((~there).sum()):
        yield f"{missing:,} job{'s' * (missing > 1)} of the log {'are' if missing > 1 else 'is'} not in the change."
    if added := jobs - int(there.sum()):
        yield f"{added:,} job{'s' * (added > 1)} drawn from the log's own weeks come{'s' * (added == 1)} on top."
    if never := int(everyone["never_started"]):
        yield f"{never:,} job{'s' * (never > 1)} can never start with the change and stay out of the comparison."
    if change.capped:
        yield "Capped jobs run longer with the same work: a best case, as if all scaled perfectly."
