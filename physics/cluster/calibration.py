"""Compare a log with models: two formulas, and the simulator under several policies."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from physics import pace
from physics.arguments import LimitedCount, within_range
from physics.cluster.explain import RECORD, range_sentences, second_half, sentences, worth
from physics.cluster.jobs import ALL, Log, by_class, by_limit, frame_of, table, tested
from physics.cluster.machine.parts import AnySchedule, run
from physics.cluster.machine.policies import EASY, candidates
from physics.cluster.machine.steps import (
    Steps,
    down_of,
    idle_while_waiting,
    in_service,
    in_timeline,
    use_of,
)
from physics.cluster.trust.grades import UNRECORDED, Grade, by_groups, grade_of
from physics.cluster.trust.habits import Habits, habits
from physics.cluster.trust.theory import formulas
from physics.cluster.weeks import over_weeks, week_of
from physics.queueing import SteadyState
from physics.scheduling import Policy

COLUMNS = "mean low high median p95 distance unexplained idle"
#: Weeks of a block in which errors may cancel.
BLOCK = 8

Progress = Callable[[float, str], Any]


def silent(share: float, step: str) -> None:
    """Progress callback that does nothing."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """Theory, simulation, and record of one log; waits in seconds."""

    gpus: int  #: size of the cluster [1]
    policies: Mapping[str, Policy]  #: those that were tried, by name
    #: name of the one that comes closest to the record; EASY if nothing can be compared
    closest: str
    #: name of the one that changes are set against: the closest, unless another was asked for
    baseline: str
    #: distance of the baseline from the record, relative to the record [1]; NaN if nothing can be
    #: compared
    gap: float
    #: what the baseline leaves unexplained of the recorded mean wait [s]; NaN likewise
    unexplained: float
    recorded: bool  #: whether the log records waits
    waits: pd.DataFrame  #: record, formulas and policies: see `calibrate`
    by_class: pd.DataFrame  #: class (and "all"): see `calibrate`
    theory: dict[str, SteadyState]  #: the two formulas
    inputs: dict[str, float]  #: what they were given: see `calibrate`
    sentences: tuple[str, ...]  #: what must be said beside the numbers
    schedule: AnySchedule | None = field(repr=False)  #: of the baseline; None once it was let go
    unit: str  #: what a size counts: "GPU", "CPU" or "node"
    #: name of the policy closest in the first half of the log; "" if a half records no wait above 0
    chosen: str
    second: pd.DataFrame  #: it in the second half, see `calibrate`
    habits: Habits  #: what the log shows beyond the policies
    #: how well the baseline reproduces the log: see `physics.cluster.trust.grades`
    grade: Grade = UNRECORDED
    groups: pd.DataFrame = field(default_factory=pd.DataFrame)  #: by width and time limit: likewise

    @property
    def policy(self) -> Policy:
        """The baseline's policy."""
        return self.policies[self.baseline]


def policy_of(baseline: Policy | Calibration) -> Policy:
    """Return a baseline's policy; the baseline is a policy or a calibration."""
    if isinstance(baseline, Calibration):
        return baseline.policy
    if not isinstance(baseline, Policy):
        raise ValueError(f"baseline must be a Policy or a Calibration, got {baseline!r}")
    return baseline


@within_range
def calibrate(
    jobs: pd.DataFrame,
    gpus: LimitedCount,
    policies: Mapping[str, Policy] | None = None,
    progress: Progress = silent,
    baseline: str | None = None,
) -> Calibration:
    """Compare two formulas and the simulator with the recorded waits.

    Args:
        jobs: A log, such as `physics.cluster.read_log` returns.
        gpus: Size of the cluster [1].
        policies: What is simulated, by name; by default `candidates`.
        progress: Called with the share that is done and the name of what comes next.
        baseline: Name of the policy that changes are to be set against, by default the one that
            comes closest.

    Returns: Mean waits with ranges from the weeks (`physics.cluster.mean_over_weeks`; a wait's are
    cut at 0), NaN for logs of fewer than 13 weeks. A formula's range is computed anew without
    each week in turn. `waits` has mean, low, high, median, p95 [s], distance [1], unexplained [s]
    and idle, the GPU time idle while something waited [GPU·s], in the time that the records cover;
    `by_class` has jobs, record, record_low, record_high, simulated, low, high [s], distance [1] and
    unexplained [s] of the baseline. `second` has jobs, record, simulated [s] and distance [1] in
    the second half of the log, by submission, of the policy that comes closest in its first half:
    by class, by time limit, and of all; the distance of all is that of the classes. `inputs` holds
    arrival_rate λ [1/s], arrival_scv, length S [s], length_scv, mean_width, running_width, servers
    c and load. A formula's wait is infinite, and it has no interval, where it has no steady state.

    Raises ValueError as `physics.cluster.what_happened`; for policies that are no mapping of names
    to policies, or a baseline that is none of them.

    Servers: c = GPUs ÷ mean width, at least 1 and rounded, of a job that is seen running (widths
    weighted by runtime). With it λ S ÷ c is what the log asks for, also where wide jobs are the
    long ones; the plain mean width would then count far too many servers. What rounding c leaves
    over is taken up by S. That jobs of different widths share such servers is an approximation
    without a known error; it is exact where all are equally wide.

    A policy's distance from the record is Σ n |simulated − recorded mean| ÷ Σ n · recorded mean
    over classes with n jobs, so that errors of two classes do not cancel. Only jobs with a recorded
    wait count, all are simulated: one that still runs with its run time so far, one that still
    waits not at all. Jobs wider than the cluster never start and are left out of the means.

    What a policy leaves unexplained is Σ n |mean record − mean simulated| ÷ Σ n over blocks of
    eight weeks with n jobs, so that errors of two seasons do not cancel either. A change is decided
    only beyond it.

    Source: Allen, *Probability, Statistics, and Queueing Theory*, 2nd ed., 1990, chapter 5; Miller,
    "The jackknife: a review", Biometrika 61, 1974.

    >>> from physics.cluster import synthetic_log
    >>> fit = calibrate(synthetic_log(days=60), 1024)
    >>> fit.closest, fit.gap
    ('EASY', 0.0)
    """
    log = tested(jobs)
    if policies is None:
        policies = candidates(jobs, gpus)
    _require_policies(policies, baseline)
    week = week_of(log.submit, log.begin)
    inputs, theory, intervals = formulas(log, in_service(log, gpus), week)
    rows: dict[str, tuple] = {}
    if log.recorded.any():
        rows[RECORD] = (*_row(log, log.wait, week), _idle(log, gpus, *use_of(log)))
    for name, state in theory.items():
        percentiles = map(state.wait_percentile, (0.5, 0.95))
        off = _relative(state.mean_wait, log.wait)
        rows[name] = (state.mean_wait, *intervals[name], *percentiles, off, math.nan, math.nan)
    replays = _replay(log, gpus, policies, week, progress, baseline)
    baseline = replays.baseline
    table_of_waits = frame_of(rows | replays.rows, COLUMNS)
    waits = table_of_waits.clip(lower=0)  # nobody waits less
    simulated = replays.waits[baseline]
    groups = by_groups(log, simulated)
    grade = grade_of(log, groups)
    log_habits = habits(log, gpus)
    chosen, second = _choice_of_first_half(log, replays)
    texts = sentences(
        log, replays.schedule, theory, inputs, waits, replays.closest, baseline, grade
    )
    texts += log_habits.sentences
    if chosen:
        texts.append(second_half(chosen, second))
    if RECORD in rows:
        texts += _range_of_mean(table_of_waits.loc[RECORD], log.wait, week)
    else:
        texts += _range_of_mean(table_of_waits.loc[baseline], simulated, week)
    progress(1.0, "")
    return Calibration(
        gpus=gpus,
        policies=policies,
        closest=replays.closest,
        baseline=baseline,
        gap=float(waits.loc[baseline, "distance"]),
        unexplained=float(waits.loc[baseline, "unexplained"]),
        recorded=RECORD in rows,
        waits=waits,
        by_class=_by_class(log, simulated, week),
        theory=theory,
        inputs=inputs,
        sentences=tuple(texts),
        schedule=replays.schedule,
        unit=log.unit,
        chosen=chosen,
        second=second,
        habits=log_habits,
        grade=grade,
        groups=groups,
    )


def _require_policies(policies: Mapping[str, Policy], baseline: str | None) -> None:
    """Raise ValueError unless policies are named, and the baseline is one of them."""
    is_map = isinstance(policies, Mapping) and len(policies) > 0
    if not is_map or not all(isinstance(policy, Policy) for policy in policies.values()):
        raise ValueError(f"policies must map at least one name to a Policy, got {policies!r}")
    if baseline is not None and baseline not in policies:
        raise ValueError(f"baseline must be one of {', '.join(policies)}, got {baseline!r}")


@dataclass(eq=False)
class _Replays:
    """A log's jobs under several policies, by name."""

    waits: dict[str, np.ndarray] = field(default_factory=dict)  #: of each job [s]
    rows: dict[str, tuple] = field(default_factory=dict)  #: of the table of waits
    distance: dict[str, float] = field(default_factory=dict)  #: from the record, in the whole log
    early: dict[str, float] = field(default_factory=dict)  #: and in its first half
    closest: str = ""
    baseline: str = ""  #: the closest, unless another was asked for
    schedule: AnySchedule = field(init=False)  #: of the baseline alone: each takes much memory


def _replay(
    log: Log,
    gpus: int,
    policies: Mapping[str, Policy],
    week: np.ndarray,
    progress: Progress,
    baseline: str | None,
) -> _Replays:
    """Simulate a log's jobs under each policy."""
    replays = _Replays()
    frame = log.frame
    for number, (name, policy) in enumerate(policies.items()):
        progress(number / len(policies), name)
        schedule = run(frame, gpus, policy, log.down, log.parts)
        wait = schedule.jobs["wait"].to_numpy(float)
        row = _row(log, wait, week)
        idle = _idle(log, gpus, *in_timeline(schedule, "busy", "queue_length"))
        replays.waits[name] = wait
        replays.rows[name] = (*row, idle)
        replays.distance[name] = row[COLUMNS.split().index("distance")]
        replays.early[name] = _distance(log, wait, log.early)
        replays.closest = _nearest(replays.distance)
        replays.baseline = baseline or replays.closest
        if name == replays.baseline:
            replays.schedule = schedule
    return replays


def _choice_of_first_half(log: Log, replays: _Replays) -> tuple[str, pd.DataFrame]:
    """Name of the policy closest in the log's first half, and how it does in the second; "" and an
    empty table if a half records no wait above 0.
    """
    chosen = _nearest(replays.early)
    second = pd.DataFrame()
    if replays.early[chosen] < math.inf:
        second = _second_half(log, replays.waits[chosen])
    if second.empty:
        chosen = ""
    return chosen, second


def _range_of_mean(row: pd.Series, wait: np.ndarray, week: np.ndarray) -> list[str]:
    """Sentences on how well the weeks determine a mean wait."""
    name = "mean wait"
    return [worth(wait, week, name), *range_sentences(row["mean"], row["low"], row["high"], name)]


def _nearest(distance: Mapping[str, float]) -> str:
    """Name of the first least distance; where none is known EASY's, or else the first."""
    numbers = {name: off for name, off in distance.items() if not math.isnan(off)}
    if numbers:
        return min(numbers, key=numbers.__getitem__)
    if EASY in distance:
        return EASY
    return next(iter(distance))


def _idle(log: Log, gpus: int, busy: Steps, queue: Steps) -> float:
    """GPU time idle while something waits, in the time that the records cover."""
    return idle_while_waiting(busy, queue, gpus, down_of(log)).between(log.begin, log.end)


def unexplained(record: np.ndarray, simulated: np.ndarray, week: np.ndarray) -> float:
    """Error of simulated mean waits [s]: mean of |record − simulation| over blocks of eight weeks,
    weighted by jobs.

    >>> unexplained(np.array([2.0, 4.0, 7.0]), np.array([3.0, 5.0, 6.0]), np.array([0, 7, 8]))
    1.0
    """
    both = np.isfinite(record) & np.isfinite(simulated)
    if not both.any():
        return math.nan
    off = np.bincount(week[both] // BLOCK, record[both] - simulated[both])
    return float(np.abs(off).sum() / both.sum())


def _row(log: Log, wait: np.ndarray, week: np.ndarray) -> tuple[float, ...]:
    """Mean with its interval, median, P95, distance from the record, and what is left unexplained
    of it.
    """
    compared = np.where(_compared(log), wait, np.nan)
    finite = compared[np.isfinite(compared)]
    pace.step()
    middle = np.full(2, np.nan)
    if len(finite):
        middle = np.quantile(finite, (0.5, 0.95))
    off = _distance(log, wait)
    return *over_weeks(compared, week), *middle, off, unexplained(log.wait, wait, week)


def _compared(log: Log) -> np.ndarray:
    """Mask of the jobs with a recorded wait; of all jobs where none is recorded."""
    return log.recorded | ~log.recorded.any()


def _relative(mean: float, wait: np.ndarray) -> float:
    """Distance of a mean from the recorded one, relative to it; 0 where both are 0, NaN where one
    is missing.
    """
    recorded = wait[np.isfinite(wait)]
    if not len(recorded):
        return math.nan
    record = float(recorded.mean())
    return _ratio(abs(mean - record), record)


def _ratio(off: float, record: float) -> float:
    """One number ÷ another; infinity, or 0, where the other is 0."""
    if record:
        return off / record
    if off:
        return off * math.inf
    return 0.0


def _distance(log: Log, wait: np.ndarray, mine: np.ndarray | bool = True) -> float:
    """Distance of some jobs' simulated waits from the recorded ones, class by class; NaN if no job
    has both.
    """
    shared = mine & log.recorded & np.isfinite(wait)
    if not shared.any():
        return math.nan
    apart = wait - log.wait
    groups = (members & shared for _, members in by_class(log.classes)[:-1])
    off = sum(abs(float(apart[group].sum())) for group in groups)
    return _ratio(off, float(log.wait[shared].sum()))


def _by_class(log: Log, wait: np.ndarray, week: np.ndarray) -> pd.DataFrame:
    """Record and baseline, class by class."""

    def row(mine: np.ndarray) -> tuple:
        """Means of some jobs with their ranges, and how far apart they are."""
        record = over_weeks(np.where(mine, log.wait, np.nan), week)
        simulated = over_weeks(np.where(mine, wait, np.nan), week)
        off = _relative(simulated[0], log.wait[mine])
        left = unexplained(log.wait[mine], wait[mine], week[mine])
        return int(mine.sum()), *record, *simulated, off, left

    columns = "jobs record record_low record_high simulated low high distance unexplained"
    return table(by_class(log.classes), _compared(log), row, columns).clip(lower=0)


def _second_half(log: Log, wait: np.ndarray) -> pd.DataFrame:
    """Record and simulation of the log's second half, by class, by time limit and of all; empty
    without a wait.
    """
    shared = ~log.early & log.recorded & np.isfinite(wait)
    if not log.wait[shared].sum() > 0:
        return pd.DataFrame()
    *groups, everyone = by_class(log.classes)
    if len(groups) < 2:
        groups = []
    groups += [(f"time limit {name}", mine) for name, mine in by_limit(log.estimate).items()]

    def row(mine: np.ndarray) -> tuple:
        """Number and mean waits of some jobs, and how far apart these are."""
        simulated = float(wait[mine].mean())
        record = log.wait[mine]
        return len(record), float(record.mean()), simulated, _relative(simulated, record)

    halves = table([*groups, everyone], shared, row, "jobs record simulated distance")
    halves.loc[ALL, "distance"] = _distance(log, wait, shared)
    return halves
