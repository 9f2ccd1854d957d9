"""The inverse question: how many GPUs does a target of the waits need?"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial

import pandas as pd

from physics import constants as c
from physics.cluster.calibration import Calibration, Progress, frame_of
from physics.cluster.jobs import checked
from physics.cluster.needed.target import Asked, band, measured, target
from physics.cluster.say import counted, number, time
from physics.numerics import checks
from physics.scheduling import Policy, simulate

#: Sizes below the first answer that are tried one by one, since a larger cluster may let jobs wait longer.
NEIGHBORS = 8
#: The largest size that is tried, as a multiple of today's.
FARTHEST = 8


@dataclass(frozen=True, eq=False)
class Needed:
    """The fewest GPUs that meet a target, and the sizes that were tried; a size is None where no tried one meets it."""

    measure: str  #: "mean", "p95" or another percentile of the waits
    limit: float  #: what it may be at most [s]
    gpus: int | None  #: fewest as simulated
    scaled: int | None  #: fewest if waits are longer by the factor record ÷ simulation that today's size has
    plus: int | None  #: fewest if waits are longer by the time record − simulation that today's size has
    today: int  #: size of the cluster today
    most: int  #: largest size that was allowed
    recorded: float  #: the measure in the record [s]; NaN without one
    simulated: float  #: the measure as simulated at today's size [s]
    curve: pd.DataFrame = field(repr=False)  #: gpus that were tried: simulated, scaled and plus [s], more [GPU·s]
    unit: str = "GPU"  #: what a size counts: "GPU", "CPU" or "node"
    job_class: str = ""  #: whose waits count; "" for all
    emptied: bool = False  #: whether the machine is emptied at fixed hours, for which jobs wait at any size

    falls = True  # whether waits fall along the curve

    @property
    def along(self) -> str:
        """Name of what the curve's x axis counts."""
        return f"{self.unit}s"

    @property
    def answer(self) -> float | None:
        """Where on the curve the target is met."""
        return self.gpus

    @property
    def caution(self) -> str:
        """Sentence that names a larger tried size that misses the target; "" if none does."""
        missed = self.curve["simulated"][self.curve["simulated"] > self.limit]
        missed = missed[missed.index > (self.gpus or math.inf)]
        if missed.empty:
            return ""
        return (
            f"More is not always better here: with {counted(int(missed.idxmax()), self.unit)} the same jobs miss the "
            f"target, with {time(missed.max())}. Jobs pack differently at each size, so leave room."
        )

    @property
    def near(self) -> pd.DataFrame:
        """The useful part of the curve: up to 1.6 times the last size that misses the target."""
        missed = self.curve.index[self.curve["simulated"] > self.limit]
        return self.curve[self.curve.index <= 1.6 * max([*missed, *self.curve.index[:2]])]

    @property
    def sentence(self) -> str:
        """The answer in words."""
        asked = target(self.measure, self.limit, self.job_class)
        if self.gpus is None:
            why = " At every size jobs wait for the hours at which the machine is emptied." if self.emptied else ""
            return f"For a {asked} no size up to {counted(self.most, self.unit)} is enough, even as simulated.{why}"
        more = self.curve.loc[self.gpus, "more"] / float(c.HOUR)
        cost = f" ({number(abs(more))} {self.unit}-hours {'more' if more > 0 else 'fewer'} than today)" if more else ""
        enough = f"{counted(self.gpus, self.unit)} {'is' if self.gpus == 1 else 'are'} enough"
        words = f"For a {asked} {enough} as simulated{cost}"
        if math.isnan(self.recorded):
            return f"{words}; without recorded waits nothing tells how far that is off."
        if abs(self.recorded - self.simulated) < 1.0:
            return f"{words}; at today's size the simulation waits as long as the record."
        scaled, plus = ("none" if size is None else f"{size:,}" for size in (self.scaled, self.plus))
        return f"{words}, {band(self.recorded - self.simulated, scaled if self.simulated > 0 else '', plus)}."


@checks.within_range
def what_is_needed(
    jobs: pd.DataFrame,
    gpus: int,
    baseline: Policy | Calibration,
    measure: str = "p95",
    limit: float = 14_400.0,
    step: int = 1,
    most: int | None = None,
    *,
    job_class: str | None = None,
    progress: Progress | None = None,
) -> Needed:
    """Search for the fewest GPUs with which a log's jobs wait no longer than a limit.

    Args:
        jobs: A log, such as `physics.cluster.read_log` returns.
        gpus: Size of the cluster today [1].
        baseline: What the cluster has; of a calibration, its baseline's policy.
        measure: "p95" or "mean" or another percentile; what of the waits is limited. With "p90" nine of ten jobs wait
            no longer than the limit.
        limit: What it may be at most [s].
        step: GPUs that are added or taken away at once: sizes differ from today's by multiples of it.
        most: Largest size that is tried, by default eight times today's.
        job_class: The class whose waits count, by default all.
        progress: Called with the share that is done and the size that comes next.

    Returns: The answer as simulated, and a band of what the model leaves unexplained: waits times record ÷ simulated,
    and plus record − simulated, both at today's size. Without recorded waits the band is None.

    Raises ValueError as `physics.cluster.what_happened`; for another measure, or a class that is not in the log.

    Sizes are doubled or halved until the target is met or missed, and then bisected. A larger cluster may let jobs wait
    longer (in one year's log 12 of 120 additional processors raised the mean), so none of the eight sizes below the
    answer meets it either; a smaller one further below is not found. A job wider than the cluster never starts: no such
    size meets any target.

    >>> jobs = pd.DataFrame({"submit": [0, 0, 0, 9], "runtime": [10, 10, 10, 1], "gpus": [2, 2, 2, 1]})
    >>> what_is_needed(jobs, 2, Policy(), measure="mean", limit=5).gpus
    4
    """
    log, gpus, step = checked(jobs), checks.count("gpus", gpus, most=checks.MANY), checks.count("step", step)
    most = FARTHEST * gpus if most is None else checks.count("most", most, most=checks.MANY)
    asked = Asked.of(log, gpus, baseline, measure, limit, job_class)
    slim, known = frame_of(log), {}

    @cache
    def simulated(size: int) -> float:
        if progress is not None:
            progress(1 - 1 / (1 + len(known) / 10), f"{size:,}")
        wait = simulate(slim, size, asked.policy, log.down).jobs["wait"].to_numpy(float)
        known[size] = measured(wait[asked.mine], measure)
        return known[size]

    least = math.ceil((int(log.gpus.max()) - gpus) / step)
    sizes = range(max(least, math.ceil((1 - gpus) / step)), math.floor((most - gpus) / step) + 1)
    simulated(gpus)
    at = {}
    for name, of in asked.band.items():
        met = partial(lambda of, k: of(simulated(gpus + k * step)) <= asked.limit, of)
        found = None if asked.hopeless(name) else _fewest(sizes, met)
        at[name] = None if found is None else gpus + found * step
    tried = pd.DataFrame({"gpus": sorted(known)}).set_index("gpus")
    for name, of in asked.band.items():
        tried[name] = [of(known[size]) for size in tried.index]
    tried["more"] = (tried.index - gpus) * (log.end - log.begin)
    return Needed(
        *(measure, asked.limit, at["simulated"], at["scaled"], at["plus"], gpus, most, asked.recorded, asked.today),
        curve=tried,
        unit=log.unit,
        job_class=job_class or "",
        emptied=asked.policy.emptied is not None,
    )


def _fewest(steps: range, met: Callable[[int], bool]) -> int | None:
    """Return the least of consecutive numbers that meets a target, as far as a search from 0 finds it."""
    if not steps:
        return None
    low, high = steps[0], steps[-1]
    up, jump = min(max(0, low), high), 1
    down = up - 1
    while not met(up):
        if up == high:
            return None
        down, up, jump = up, min(high, up + jump), 2 * jump
    jump = 1
    while jump and down >= low and met(down):
        up, down, jump = down, max(low - 1, down - 2 * jump), 2 * jump
    while up - down > 1:
        middle = (up + down) // 2
        down, up = (down, middle) if met(middle) else (middle, up)
    while below := [k for k in range(max(low, up - NEIGHBORS), up) if met(k)]:
        up = below[0]
    return up
