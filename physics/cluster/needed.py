"""Inverse questions: how many GPUs does a target for the waits need, and how much load meets it?"""

import math
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

import numpy as np
import pandas as pd

from physics.arguments import Count, LimitedCount, NonNegative, count, within_range
from physics.cluster.calibration import Calibration, Progress, policy_of, silent
from physics.cluster.jobs import Log, tested
from physics.cluster.machine.changed import Change, changed_jobs
from physics.cluster.machine.parts import run
from physics.cluster.machine.target import (
    MOST_LOAD,
    Kept,
    Needed,
    Target,
    measured,
    named,
)
from physics.scheduling import Policy

#: Units of a limit [s].
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
#: Sizes below the first answer that are tried one by one, since a larger cluster may be slower.
NEIGHBORS = 8
#: Largest size that is tried, as a multiple of today's.
FARTHEST = 8
#: Step between the loads that are tried, as a share of today's.
LOAD_STEP = 0.02


def parse_target(text: str) -> tuple[str, float]:
    """Parse a target such as "p95=4h", "mean=30min", or "90%=5min" into measure and limit [s].

    >>> parse_target("p95=4h"), parse_target("mean=90s"), parse_target("90%=5min")
    (('p95', 14400.0), ('mean', 90.0), ('p90', 300.0))
    """
    match = re.fullmatch(
        r"(mean|p[1-9][0-9]?|[1-9][0-9]?%)=([0-9]{1,9}(?:\.[0-9]{1,9})?)(s|min|h|d)", str(text)
    )
    if not match:
        raise ValueError(f"needed must be such as p95=4h, mean=30min or 90%=5min, got {text!r}")
    measure, number, unit = match.groups()
    return f"p{measure[:-1]}" if measure.endswith("%") else measure, float(number) * UNITS[unit]


def _target(
    log: Log,
    gpus: int,
    baseline: Policy | Calibration,
    measure: str,
    limit: float,
    job_class: str | None,
) -> Target:
    """Check a question, and build its target by simulating the log as it is."""
    named(measure)
    policy = policy_of(baseline)
    compared = np.ones(len(log.submit), bool)
    if job_class is not None:
        compared = log.classes == job_class
    if not compared.any():
        raise ValueError(f"job_class must name a class of the log, got {job_class!r}")
    recorded = math.nan
    if log.recorded[compared].any():
        compared &= log.recorded
        recorded = measured(log.wait[compared], measure)
    wait = run(log.frame, gpus, policy, log.down, log.parts).jobs["wait"].to_numpy(float)
    return Target(
        policy=policy,
        measure=measure,
        limit=limit,
        job_class=job_class or "",
        unit=log.unit,
        recorded=recorded,
        today=measured(wait[compared], measure),
    )


@within_range
def what_is_needed(
    jobs: pd.DataFrame,
    gpus: LimitedCount,
    baseline: Policy | Calibration,
    measure: str = "p95",
    limit: NonNegative = 14_400.0,
    step: Count = 1,
    most: LimitedCount | None = None,
    *,
    job_class: str | None = None,
    price: NonNegative = 1.0,
    progress: Progress = silent,
) -> Needed:
    """Search for the fewest GPUs with which a log's jobs wait no longer than a limit.

    Args:
        jobs: A log, such as `physics.cluster.read_log` returns.
        gpus: Size of the cluster today [1].
        baseline: What the cluster has; of a calibration, its baseline's policy.
        measure: "p95" or "mean" or another percentile of the waits, which is limited. With "p90"
            nine of ten jobs wait no longer than the limit.
        limit: Highest value of the measure that meets the target [s].
        step: Step between sizes: sizes differ from today's by multiples of it [1].
        most: Largest size that is tried, by default eight times today's.
        job_class: The class whose waits count, by default all.
        price: Of an hour of a GPU, in any currency; with 1 costs are in GPU-hours alone.
        progress: Called with the share that is done and the size that comes next.

    Returns: The answer as simulated, and a band of what the model leaves unexplained: waits times
    record ÷ simulated, and plus record − simulated, both at today's size. Without recorded waits
    the band is None.

    Raises ValueError as `physics.cluster.what_happened`; for another measure, or a class that is
    not in the log.

    Sizes are doubled or halved until the target is met or missed, and then bisected. A larger
    cluster may let jobs wait longer (in one year's log 12 of 120 additional processors raised the
    mean), so none of the eight sizes below the answer meets it either; a smaller one further below
    is not found. A job wider than the cluster never starts: no such size meets any target.

    >>> jobs = pd.DataFrame({"submit": [0, 0, 0, 9], "runtime": [10, 10, 10, 1]})
    >>> what_is_needed(jobs.assign(gpus=[2, 2, 2, 1]), 2, Policy(), measure="mean", limit=5).gpus
    4
    """
    log = tested(jobs)
    most = most or FARTHEST * gpus
    target = _target(log, gpus, baseline, measure, limit, job_class)
    frame = log.frame
    waits: dict[int, float] = {}

    def met(name: str, k: int) -> bool:
        """Whether today's size plus k steps meets the target, at an end of the error band."""
        size = gpus + k * step
        if size not in waits:
            progress(1 - 1 / (1 + len(waits) / 10), f"{size:,}")
            waits[size] = target.wait(frame, size, log.down, log.parts)
        return target.met(name, waits[size])

    widest = math.ceil(log.gpus.max())
    steps = range(math.ceil((widest - gpus) / step), math.floor((most - gpus) / step) + 1)
    sizes: dict[str, Any] = {}  # a size, or None, for each end of the band
    for name in target.band:
        met(name, 0)  # so that the curve has today's size
        sizes[name] = None
        if target.met(name):
            fewest = _fewest(steps, partial(met, name))
            if fewest is not None:
                sizes[name] = gpus + fewest * step
    curve = target.curve_of(pd.Series(waits).rename_axis("gpus").sort_index())
    curve["more"] = (curve.index - gpus) * (log.end - log.begin)
    return Needed(
        **vars(target),
        gpus=sizes.pop("simulated"),
        **sizes,
        most=most,
        curve=curve,
        size=gpus,
        price=price,
    )


def _fewest(steps: range, met: Callable[[int], bool]) -> int | None:
    """Return the least number of steps that meets a target, by a search from 0; None if none.

    Jumps up (or down) double until a number meets (or misses) the target; then follow bisection and
    the neighbors below. `down` misses the target, and `up` meets it.
    """
    if not steps:
        return None
    low = steps[0]
    high = steps[-1]
    up = min(max(0, low), high)
    jump = 1
    down = up - 1
    while not met(up):
        if up == high:
            return None
        down = up
        up = min(high, up + jump)
        jump = 2 * jump
    jump = 1
    while down >= low and met(down):
        up = down
        down = max(low - 1, down - 2 * jump)
        jump = 2 * jump
    while up - down > 1:
        middle = (up + down) // 2
        if met(middle):
            up = middle
        else:
            down = middle
    while below := [k for k in range(max(low, up - NEIGHBORS), up) if met(k)]:
        up = below[0]
    return up


@within_range
def what_load_keeps(
    jobs: pd.DataFrame,
    gpus: LimitedCount,
    baseline: Policy | Calibration,
    measure: str = "p95",
    limit: NonNegative = 14_400.0,
    draws: Annotated[int, partial(count, most=100)] = 3,
    *,
    job_class: str | None = None,
    progress: Progress = silent,
) -> Kept:
    """Search for the highest load with which a log's jobs wait no longer than a limit.

    Args:
        jobs, gpus, baseline, measure, limit, job_class, progress: As `what_is_needed` takes them.
        draws: Number of draws of the jobs that are left out or added, with seeds from 1 on
            (`physics.cluster.Change`, arrivals); the answer depends much on these jobs.

    Returns: The highest load in each draw, in steps of 2% up to three times the log's jobs, and the
    band of `what_is_needed`.

    Raises ValueError as `what_is_needed`.

    >>> jobs = pd.DataFrame({"submit": range(0, 1000, 10), "runtime": 8, "gpus": 1})
    >>> what_load_keeps(jobs, 2, Policy(), measure="mean", limit=0).simulated
    (2.0, 2.0, 2.0)
    """
    log = tested(jobs)
    target = _target(log, gpus, baseline, measure, limit, job_class)
    waits: dict[tuple[int, int], float] = {}

    def met(name: str, seed: int, k: int) -> bool:
        """Whether draw `seed`, at k load steps, meets the target at the error band's end `name`."""
        load = k * LOAD_STEP
        if (seed, k) not in waits:
            progress(1 - 1 / (1 + len(waits) / 20), f"{100 * load:.0f}% of the jobs")
            # with a ValueError no job is left, or there are more jobs than are simulated
            waits[seed, k] = 0.0 if load < 1 else math.inf
            with suppress(ValueError):
                changed, _ = changed_jobs(log, Change(arrivals=load), seed)
                waits[seed, k] = target.wait(changed, gpus, log.down, log.parts)
        return target.met(name, waits[seed, k])

    most = round(MOST_LOAD / LOAD_STEP)
    today = round(1 / LOAD_STEP)
    loads: dict[str, Any] = {}  # of each draw, for each end of the band
    for name in target.band:
        seeds = range(1, draws + 1) if target.met(name) else range(0)
        largest = [_last(most, today, partial(met, name, seed)) for seed in seeds]
        loads[name] = tuple(round(k * LOAD_STEP, 9) for k in largest)
    means = pd.Series(waits.values(), [k * LOAD_STEP for _, k in waits]).rename_axis("load")
    curve = target.curve_of(means.groupby("load").mean())
    return Kept(**vars(target), **loads, curve=curve, size=gpus)


def _last(most: int, first: int, met: Callable[[int], bool]) -> int:
    """Largest number up to `most` that meets a target, by bisection from `first`; 0 if none."""
    low = 0
    high = first
    if met(first):
        low = first
        high = most + 1
    while high - low > 1:
        middle = (low + high) // 2
        if low:
            middle = min(middle, 2 * low)
        if met(middle):
            low = middle
        else:
            high = middle
    return low
