"""The other inverse question: how much load can a cluster take and keep a target of the waits?"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from physics.cluster.calibration import Calibration, Progress
from physics.cluster.change import Change, changed_jobs
from physics.cluster.jobs import checked
from physics.cluster.needed.target import Asked, band, measured, target
from physics.cluster.say import counted
from physics.numerics import checks
from physics.scheduling import Policy, simulate

#: The most load that is tried, as a multiple of today's, and its step.
MOST_LOAD, LOAD_STEP = 3, 0.02


@dataclass(frozen=True, eq=False)
class Kept:
    """The most load that keeps a target, in several draws; a load is a multiple of the log's jobs, and 0 is none."""

    measure: str  #: "mean", "p95" or another percentile of the waits
    limit: float  #: what it may be at most [s]
    simulated: tuple[float, ...]  #: the most in each draw, as simulated [1]
    scaled: tuple[float, ...]  #: if waits are longer by the factor record ÷ simulation that today's load has; or none
    plus: tuple[float, ...]  #: if waits are longer by the time record − simulation that today's load has; or none
    apart: float  #: the measure in the record − as simulated, at today's load [s]; NaN without a record
    curve: pd.DataFrame = field(repr=False)  #: loads that were tried: mean over draws of simulated, scaled, plus [s]
    size: int  #: of the cluster [1]
    unit: str = "GPU"  #: what a size counts: "GPU", "CPU" or "node"
    job_class: str = ""  #: whose waits count; "" for all

    along = "jobs, as a multiple of the log's"
    falls = False  # whether waits fall along the curve
    caution = ""

    @property
    def answer(self) -> float | None:
        """Where on the curve the target is met: the median of the draws."""
        return float(np.median(self.simulated)) or None

    @property
    def near(self) -> pd.DataFrame:
        """The useful part of the curve: up to the load at which the wait is three times the limit."""
        return self.curve[self.curve["simulated"] <= max(3 * self.limit, self.curve["simulated"].iloc[0])]

    @property
    def sentence(self) -> str:
        """The answer in words."""
        size, many = counted(self.size, self.unit), len(self.simulated)
        words = (
            f"With a {target(self.measure, self.limit, self.job_class)}, {size} can take "
            f"{_spread(self.simulated)} of the log's jobs as simulated ({counted(many, 'draw')} of jobs)"
        )
        if math.isnan(self.apart):
            return f"{words}; without recorded waits nothing tells how far that is off."
        if abs(self.apart) < 1.0:
            return f"{words}; at today's load the simulation waits as long as the record."
        scaled = "" if self.curve["scaled"].isna().all() else _spread(self.scaled)
        return f"{words}, {band(self.apart, scaled, _spread(self.plus))}."


def _spread(loads: tuple[float, ...]) -> str:
    """Say the least and the most of several loads.

    >>> _spread((0.7, 0.78, 0.72)), _spread((0.0, 0.0)), _spread((0.0, 0.1)), _spread((3.0, 3.0))
    ('70% to 78%', 'none', 'none to 10%', '300% or more')
    """
    if not any(loads):
        return "none"
    low, high = min(loads), max(loads)
    if not low:
        return f"none to {100 * high:.0f}%"
    words = f"{100 * low:.0f}%" if low == high else f"{100 * low:.0f}% to {100 * high:.0f}%"
    return f"{words} or more" if high >= MOST_LOAD else words


@checks.within_range
def what_load_keeps(
    jobs: pd.DataFrame,
    gpus: int,
    baseline: Policy | Calibration,
    measure: str = "p95",
    limit: float = 14_400.0,
    draws: int = 3,
    *,
    job_class: str | None = None,
    progress: Progress | None = None,
) -> Kept:
    """Search for the most load with which a log's jobs wait no longer than a limit.

    Args:
        jobs, gpus, baseline, measure, limit, job_class, progress: As `what_is_needed` takes them.
        draws: How often jobs are drawn, with seeds from 1 on: which jobs are left out, or come on top
            (`physics.cluster.Change`, arrivals), decides much.

    Returns: The most in each draw, in steps of 2 % up to three times the log's jobs, and the band of `what_is_needed`.

    Raises ValueError as `what_is_needed`.

    >>> jobs = pd.DataFrame({"submit": range(0, 1000, 10), "runtime": 8, "gpus": 1})
    >>> what_load_keeps(jobs, 2, Policy(), measure="mean", limit=0).simulated
    (2.0, 2.0, 2.0)
    """
    log, gpus = checked(jobs), checks.count("gpus", gpus, most=checks.MANY)
    draws = checks.count("draws", draws, most=100)
    asked = Asked.of(log, gpus, baseline, measure, limit, job_class)
    known: dict[tuple[int, int], float] = {}

    def simulated(seed: int, k: int) -> float:
        if (seed, k) not in known:
            if progress is not None:
                progress(1 - 1 / (1 + len(known) / 20), f"{100 * k * LOAD_STEP:.0f} % of the jobs")
            try:
                changed, _ = changed_jobs(log, Change(arrivals=k * LOAD_STEP), seed)
            except ValueError:  # nobody is left, or there would be more jobs than are simulated
                known[seed, k] = 0.0 if k * LOAD_STEP < 1 else math.inf
                return known[seed, k]
            wait = simulate(changed, gpus, asked.policy, log.down).jobs["wait"].to_numpy(float)
            mine = (changed["job_class"] == job_class).to_numpy() if job_class is not None else np.ones(len(wait), bool)
            known[seed, k] = measured(wait[mine], measure) if mine.any() else 0.0
        return known[seed, k]

    most, loads = round(MOST_LOAD / LOAD_STEP), {}
    for name, of in asked.band.items():
        seeds = () if asked.hopeless(name) else range(1, draws + 1)
        steps = (_last(most, round(1 / LOAD_STEP), lambda k, of=of, seed=seed: of(simulated(seed, k)) <= asked.limit)
                 for seed in seeds)  # fmt: skip
        loads[name] = tuple(round(k * LOAD_STEP, 9) for k in steps)
    tried = pd.DataFrame([(k * LOAD_STEP, one) for (_, k), one in known.items()], columns=["load", "simulated"])
    tried = tried.groupby("load").mean().sort_index()
    for name in ("scaled", "plus"):
        tried[name] = asked.band[name](tried["simulated"])
    return Kept(
        *(measure, asked.limit, loads["simulated"], loads["scaled"], loads["plus"], asked.recorded - asked.today),
        curve=tried,
        size=gpus,
        unit=log.unit,
        job_class=job_class or "",
    )


def _last(most: int, first: int, met: Callable[[int], bool]) -> int:
    """Largest of the numbers up to `most` that meets a target, as far as halving from one of them finds it; 0: none."""
    low, high = (first, most + 1) if met(first) else (0, first)
    while high - low > 1:
        middle = min((low + high) // 2, 2 * low) if low else (low + high) // 2
        low, high = (middle, high) if met(middle) else (low, middle)
    return low
