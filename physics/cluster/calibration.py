"""Compare a log with models: two formulas, and the simulator under several policies."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from physics import constants as c
from physics.arguments import LimitedCount, within_range
from physics.cluster.explain import range_sentences
from physics.cluster.jobs import Log, frame_of, tested
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
from physics.cluster.say import alike, policy, say, together, written
from physics.cluster.trust.distance import (
    compared_by_class,
    compared_in_second_half,
    distance,
    distance_of_mean,
    row_of_waits,
)
from physics.cluster.trust.grades import UNRECORDED, Grade, by_groups, grade_of
from physics.cluster.trust.habits import Habits, habits
from physics.cluster.trust.theory import MARKOV, Theory, formulas
from physics.queueing import SteadyState
from physics.scheduling import Policy

#: Row of the recorded waits in a table of waits, and the table's columns.
RECORD = "record"
COLUMNS = "mean low high median p95 distance unexplained idle"

#: Called with the share of the work that is done and the name of the next step.
Progress = Callable[[float, str], Any]


def silent(share: float, step: str) -> None:
    """Progress callback that does nothing."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """Theory, simulation, and record of one log; waits in seconds."""

    gpus: int  #: size of the cluster [1]
    policies: Mapping[str, Policy]  #: those that were tried, by name
    #: name of the policy closest to the record; EASY if nothing can be compared
    closest: str
    #: name of the policy that changes are compared with: the closest, unless another is requested
    baseline: str
    #: distance of the baseline from the record, relative to the record [1]; NaN if nothing can be
    #: compared
    gap: float
    #: part of the recorded mean wait that the baseline does not explain [s]; NaN likewise
    unexplained: float
    recorded: bool  #: whether the log records waits
    waits: pd.DataFrame  #: record, formulas and policies: see `calibrate`
    by_class: pd.DataFrame  #: class (and "all"): see `calibrate`
    theory: dict[str, SteadyState]  #: results of the two formulas, by name
    inputs: dict[str, float]  #: arguments of the formulas: see `calibrate`
    sentences: tuple[str, ...]  #: caveats to show with the numbers
    schedule: AnySchedule | None = field(repr=False)  #: of the baseline; None once it is dropped
    unit: str  #: what a size counts: "GPU", "CPU" or "node"
    #: name of the policy closest in the first half of the log; "" if a half records no wait above 0
    chosen: str
    second: pd.DataFrame  #: waits under this policy in the second half: see `calibrate`
    habits: Habits  #: what the log shows beyond the policies
    #: how well the baseline reproduces the log: see `physics.cluster.trust.grades`
    grade: Grade = UNRECORDED
    #: waits by time limit and width: see `physics.cluster.trust.grades.by_groups`
    groups: pd.DataFrame = field(default_factory=pd.DataFrame)

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
        policies: Policies to simulate, by name; by default `candidates`.
        progress: Called with the share that is done and the name of the next policy.
        baseline: Name of the policy with which changes will be compared, by default the closest.

    Returns: Mean waits with ranges from the log's weeks (`physics.cluster.mean_over_weeks`, cut at
    0), which are NaN for fewer than 13 weeks. A formula's range comes from leaving out each week
    once. If a formula has no steady state, its wait is infinite and has no range.

    - `waits`: mean, low, high, median, p95 [s], distance [1], unexplained [s], and idle, the GPU
      time idle while jobs waited in the time that the records cover [GPU·s].
    - `by_class`: jobs, record, record_low, record_high, simulated, low, high [s], distance [1] and
      unexplained [s] of the baseline.
    - `second`: jobs, record, simulated [s] and distance [1] in the log's second half, by
      submission, for the policy that is closest in the first half: by class, by time limit, and for
      all jobs, whose distance is compared by class.
    - `inputs`: arrival_rate λ [1/s], arrival_scv, length S [s], length_scv, mean_width,
      running_width, servers c and load.

    Raises ValueError as `physics.cluster.what_happened`; for policies that are no mapping of names
    to policies, or a baseline that is none of them.

    Servers: c = GPUs ÷ mean width of a running job (widths weighted by runtime), rounded and at
    least 1. Then λ S ÷ c is the requested load even if wide jobs are the long ones; with the plain
    mean width, c would be far too large. S makes up for rounding c. Jobs of different widths do not
    share such servers exactly, and the error is not known; it is 0 if all jobs are equally wide.

    Distance of a policy from the record: Σ n |simulated − recorded mean| ÷ Σ n · recorded mean over
    classes with n jobs, so that errors of two classes do not cancel. Only jobs with a recorded wait
    count. All jobs are simulated, running ones with their run time so far, except jobs that still
    wait. Jobs wider than the cluster never start and are left out of the means.

    Unexplained wait of a policy: Σ n |mean record − mean simulated| ÷ Σ n over blocks of eight
    weeks with n jobs, so that errors of two seasons do not cancel. A change with a smaller effect
    is undecided.

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
    theory = formulas(log, in_service(log, gpus))
    replays = _replay(log, gpus, policies, progress, baseline)
    progress(1.0, "")
    return _fit(log, gpus, policies, theory, replays)


def _require_policies(policies: Mapping[str, Policy], baseline: str | None) -> None:
    """Raise ValueError unless policies are named, and the baseline is one of them."""
    is_map = isinstance(policies, Mapping) and len(policies) > 0
    if not is_map or not all(isinstance(policy, Policy) for policy in policies.values()):
        raise ValueError(f"policies must map at least one name to a Policy, got {policies!r}")
    if baseline is not None and baseline not in policies:
        raise ValueError(f"baseline must be one of {', '.join(policies)}, got {baseline!r}")


@dataclass(eq=False)
class _Replays:
    """Waits of a log's jobs as simulated under several policies, by the policies' names."""

    waits: dict[str, np.ndarray] = field(default_factory=dict)  #: of each job [s]
    rows: dict[str, tuple] = field(default_factory=dict)  #: of the table of waits
    distance: dict[str, float] = field(default_factory=dict)  #: from the record, in the whole log
    early: dict[str, float] = field(default_factory=dict)  #: and in its first half
    closest: str = ""
    baseline: str = ""  #: the closest, unless another is requested
    schedule: AnySchedule = field(init=False)  #: of the baseline alone: each takes much memory


def _replay(
    log: Log,
    gpus: int,
    policies: Mapping[str, Policy],
    progress: Progress,
    baseline: str | None,
) -> _Replays:
    """Simulate a log's jobs under each policy."""
    replays = _Replays()
    frame = log.frame
    for number, (name, rules) in enumerate(policies.items()):
        progress(number / len(policies), name)
        schedule = run(frame, gpus, rules, log.down, log.parts)
        wait = schedule.jobs["wait"].to_numpy(float)
        row = row_of_waits(log, wait)
        idle = _idle(log, gpus, *in_timeline(schedule, "busy", "queue_length"))
        replays.waits[name] = wait
        replays.rows[name] = (*row, idle)
        replays.distance[name] = row[COLUMNS.split().index("distance")]
        replays.early[name] = distance(log, wait, log.early)
        replays.closest = _nearest(replays.distance)
        replays.baseline = baseline or replays.closest
        if name == replays.baseline:
            replays.schedule = schedule
    return replays


def _idle(log: Log, gpus: int, busy: Steps, queue: Steps) -> float:
    """GPU time idle while jobs wait, in the time that the records cover [GPU·s]."""
    return idle_while_waiting(busy, queue, gpus, down_of(log)).between(log.begin, log.end)


def _nearest(distances: Mapping[str, float]) -> str:
    """Name of the first policy at the least distance; EASY, or the first, if none is known."""
    finite = {name: value for name, value in distances.items() if not math.isnan(value)}
    if finite:
        return min(finite, key=finite.__getitem__)
    if EASY in distances:
        return EASY
    return next(iter(distances))


def _fit(
    log: Log,
    gpus: int,
    policies: Mapping[str, Policy],
    theory: Theory,
    replays: _Replays,
) -> Calibration:
    """Compare record, formulas and simulations."""
    rows: dict[str, tuple] = {}
    if log.recorded.any():
        rows[RECORD] = (*row_of_waits(log, log.wait), _idle(log, gpus, *use_of(log)))
    for name, state in theory.results.items():
        mean = state.mean_wait
        percentiles = map(state.wait_percentile, (0.5, 0.95))
        error = distance_of_mean(mean, log.wait)
        rows[name] = (mean, *theory.ranges[name], *percentiles, error, math.nan, math.nan)
    uncut_waits = frame_of(rows | replays.rows, COLUMNS)
    waits = uncut_waits.clip(lower=0)  # nobody waits less
    baseline = replays.baseline
    simulated = replays.waits[baseline]
    groups = by_groups(log, simulated)
    chosen, second = _choice_of_first_half(log, replays)
    fit = Calibration(
        gpus=gpus,
        policies=policies,
        closest=replays.closest,
        baseline=baseline,
        gap=float(waits.loc[baseline, "distance"]),
        unexplained=float(waits.loc[baseline, "unexplained"]),
        recorded=RECORD in rows,
        waits=waits,
        by_class=compared_by_class(log, simulated),
        theory=theory.results,
        inputs=theory.inputs,
        sentences=(),
        schedule=replays.schedule,
        unit=log.unit,
        chosen=chosen,
        second=second,
        habits=habits(log, gpus),
        grade=grade_of(log, groups),
        groups=groups,
    )
    texts = [*_on_fit(fit, log), *fit.habits.sentences, *_on_second_half(chosen, second)]
    if fit.recorded:
        texts += range_sentences(uncut_waits.loc[RECORD], log.wait, log.week)
    else:
        texts += range_sentences(uncut_waits.loc[baseline], simulated, log.week)
    return replace(fit, sentences=tuple(texts))


def _choice_of_first_half(log: Log, replays: _Replays) -> tuple[str, pd.DataFrame]:
    """Name of the policy closest in the log's first half, and its waits in the second half.

    The result is "" and an empty table if a half records no wait above 0.
    """
    chosen = _nearest(replays.early)
    if replays.early[chosen] < math.inf:
        second = compared_in_second_half(log, replays.waits[chosen])
        if not second.empty:
            return chosen, second
    return "", pd.DataFrame()


def _on_fit(fit: Calibration, log: Log) -> list[str]:
    """Sentences on how well the baseline reproduces the log."""
    row = fit.waits.loc[fit.baseline]
    near = fit.waits.loc[fit.closest]
    mean = fit.waits["mean"]
    compared = not math.isnan(near["distance"])
    others = _alike_as_closest(fit)
    near_words, *other_words = alike(near["mean"], *mean[others])
    same = mean[[fit.closest, *others] if others else list(fit.policies)]
    record, simulated = alike(mean.get(RECORD, math.nan), row["mean"])
    idle_words, explains_all = _idle_words(fit, others)
    conditions = {
        "far_off": fit.grade.poor and row["distance"] < math.inf,
        "waits_of_nothing": row["distance"] == math.inf,
        "mean_wait": not math.isnan(row["distance"]),
        "unexplained": row["unexplained"] > 0,
        "no_starts": fit.recorded and not compared,
        "no_waits": not fit.recorded,
        "closest": compared,
        "asked_for": compared and fit.baseline != fit.closest,
        "alike": ", ".join(map("{} ({})".format, map(policy, others), other_words)),
        "all_shorter": compared and same.min() < same.max() == near["mean"] < mean[RECORD],
        "idle_all": compared and explains_all,
        "idle_part": compared and not explains_all,
        "not_compared": fit.recorded and int((~log.recorded).sum()),
        "still_running": int(log.running.sum()),
        "still_waiting": len(log.waiting),
        "never_start": fit.schedule is not None and len(fit.schedule.never_started),
        "servers": True,
        "overload": not fit.theory[MARKOV].stable,
    }
    return written(
        conditions,
        **vars(fit),
        row=row,
        near=near,
        near_words=near_words,
        record=record,
        simulated=simulated,
        **idle_words,
    )


def _alike_as_closest(fit: Calibration) -> list[str]:
    """Names of the policies that fit a log about as well as the closest one."""
    mean = fit.waits["mean"]
    error = fit.waits["unexplained"]
    closest = fit.closest
    return [
        name
        for name in fit.policies
        if name != closest and abs(mean[name] - mean[closest]) < min(error[name], error[closest])
    ]


def _idle_words(fit: Calibration, others: list[str]) -> tuple[dict[str, str], bool]:
    """Hours idle while jobs waited, for sentences; whether the baseline explains all of them."""
    idle = fit.waits["idle"]
    record = idle.get(RECORD, math.nan)
    simulated = idle[fit.baseline]
    alternatives = others if fit.baseline == fit.closest else []
    times = (record, simulated, max(record - simulated, 0.0), *idle[alternatives])
    in_record, explained, rest, *hours = together(time / c.HOUR for time in times)
    pairs = map("{} {}".format, map(policy, alternatives), hours)
    words = {"idle": in_record, "explained": explained, "rest": rest, "beside": ""}
    if alternatives:
        words["beside"] = f" ({', '.join(pairs)})"
    return words, record <= simulated or in_record == explained


def _on_second_half(chosen: str, second: pd.DataFrame) -> list[str]:
    """Sentence on how well the policy closest to a log's first half predicts the second half."""
    if second.empty:
        return []
    total = second.iloc[-1]
    worst = second.loc[second["distance"].idxmax()]
    where = ""
    if worst["distance"] > total["distance"]:
        simulated, record = alike(worst["simulated"], worst["record"])
        where = say("farthest", row=worst, simulated=simulated, record=record)
    simulated, record = alike(total["simulated"], total["record"])
    values = {"all": total, "simulated": simulated, "record": record, "where": where}
    return [say("second_half", chosen=chosen, **values)]
