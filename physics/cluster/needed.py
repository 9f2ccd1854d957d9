"""The inverse question: how many GPUs does a log need for a target of its waits?"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pandas as pd

from physics.cluster.calibration import Calibration, Progress, frame_of
from physics.cluster.jobs import checked
from physics.cluster.say import counted, time
from physics.numerics import checks
from physics.scheduling import Policy, simulate

#: How a wait is measured, and its name in a sentence.
MEASURES = {"mean": "mean wait", "p95": "P95 of the wait"}
#: Sizes below the first answer that are tried one by one, since a larger cluster may let jobs wait longer.
NEIGHBORS = 8
#: The largest size that is tried, as a multiple of today's.
FARTHEST = 8
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


@dataclass(frozen=True, eq=False)
class Needed:
    """The fewest GPUs that meet a target, and the sizes that were tried; a size is None where no tried one meets it."""

    measure: str  #: "mean" or "p95" of the waits
    limit: float  #: what it may be at most [s]
    gpus: int | None  #: fewest as simulated
    scaled: int | None  #: fewest if waits are longer by the factor record ÷ simulation that today's size has
    plus: int | None  #: fewest if waits are longer by the time record − simulation that today's size has
    today: int  #: size of the cluster today
    most: int  #: largest size that was allowed
    recorded: float  #: the measure in the record [s]; NaN without one
    simulated: float  #: the measure as simulated at today's size [s]
    curve: pd.DataFrame = field(repr=False)  #: gpus that were tried: simulated, scaled and plus [s]
    unit: str = "GPU"  #: what a size counts: "GPU", "CPU" or "node"

    @property
    def caution(self) -> str:
        """Which larger size misses the target, if any of those that were tried does; "" if none."""
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
        """The curve as far as it tells something: up to 1.6 times the last size that misses the target."""
        missed = self.curve.index[self.curve["simulated"] > self.limit]
        return self.curve[self.curve.index <= 1.6 * max([*missed, *self.curve.index[:2]])]

    @property
    def sentence(self) -> str:
        """The answer in words."""
        target = f"{MEASURES[self.measure]} of at most {time(self.limit)}"
        if self.gpus is None:
            return f"For a {target} no size up to {counted(self.most, self.unit)} is enough, even as simulated."
        words = f"For a {target} {counted(self.gpus, self.unit)} are enough as simulated"
        if math.isnan(self.recorded):
            return f"{words}; without recorded waits nothing tells how far that is off."
        if abs(self.recorded - self.simulated) < 1.0:
            return f"{words}; at today's size the simulation waits as long as the record."
        left = f"if the {time(abs(self.recorded - self.simulated))} that the model leaves unexplained stay"
        band = {"if waits stay as many times as long as simulated": self.scaled, left: self.plus}
        said = [f"{'none' if size is None else f'{size:,}'} {condition}" for condition, size in band.items()]
        return f"{words}, {', and '.join(said)}."


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

    Parameters
    ----------
    jobs : pandas.DataFrame
        A log, such as `physics.cluster.read_log` returns.
    gpus : int
        Size of the cluster today [1].
    baseline : Policy or Calibration
        What the cluster has; of a calibration, its baseline's policy.
    measure : {"p95", "mean"}
        What of the waits is limited.
    limit : float
        What it may be at most [s].
    step : int
        GPUs that are added or taken away at once: sizes differ from today's by multiples of it.
    most : int, optional
        Largest size that is tried, by default eight times today's.
    job_class : str, optional
        The class whose waits count, by default all.
    progress : callable, optional
        Called with the share that is done and the size that comes next.

    Returns
    -------
    Needed
        The answer as simulated, and a band of what the model leaves unexplained: waits times record ÷ simulated, and
        plus record − simulated, both at today's size. Without recorded waits the band is None.

    Raises
    ------
    ValueError
        As `physics.cluster.what_happened`; for another measure, or a class that is not in the log.

    Notes
    -----
    Sizes are doubled or halved until the target is met or missed, and then bisected. A larger cluster may let jobs wait
    longer (in one year's log 12 of 120 additional processors raised the mean), so none of the eight sizes below the
    answer meets it either; a smaller one further below is not found. A job wider than the cluster never starts: no such
    size meets any target.

    Examples
    --------
    >>> jobs = pd.DataFrame({"submit": [0, 0, 0, 9], "runtime": [10, 10, 10, 1], "gpus": [2, 2, 2, 1]})
    >>> what_is_needed(jobs, 2, Policy(), measure="mean", limit=5).gpus
    4
    """
    log, gpus, step = checked(jobs), checks.count("gpus", gpus, most=checks.MANY), checks.count("step", step)
    limit = checks.non_negative("limit", limit)
    most = FARTHEST * gpus if most is None else checks.count("most", most, most=checks.MANY)
    if measure not in MEASURES:
        raise ValueError(f"measure must be one of {', '.join(MEASURES)}, got {measure!r}")
    if not isinstance(baseline, Policy | Calibration):
        raise ValueError(f"baseline must be a Policy or a Calibration, got {baseline!r}")
    policy = baseline.policy if isinstance(baseline, Calibration) else baseline
    mine = np.ones(len(log.submit), bool) if job_class is None else log.classes == job_class
    if not mine.any():
        raise ValueError(f"job_class must name a class of the log, got {job_class!r}")
    slim, known = frame_of(log), {}

    def measured(wait: np.ndarray) -> float:
        if not np.isfinite(wait).all():
            return math.inf
        return float(wait.mean() if measure == "mean" else np.quantile(wait, 0.95))

    @cache
    def waits(size: int) -> np.ndarray:
        if progress is not None:
            progress(1 - 1 / (1 + len(known) / 10), f"{size:,}")
        known[size] = math.nan
        return simulate(slim, size, policy, log.down).jobs["wait"].to_numpy(float)

    def simulated(size: int) -> float:
        if math.isnan(known.get(size, math.nan)):
            known[size] = measured(waits(size)[mine])
        return known[size]

    compared = mine & log.recorded
    recorded = measured(log.wait[compared]) if compared.any() else math.nan
    today = measured(waits(gpus)[compared]) if compared.any() else simulated(gpus)
    ratio = recorded / today if today > 0 else 1.0 if recorded == 0 else math.nan
    adjusted = {
        "simulated": lambda wait: wait,
        "scaled": lambda wait: wait * ratio,
        "plus": lambda wait: wait + (recorded - today),
    }
    least = math.ceil((int(log.gpus.max()) - gpus) / step)
    sizes = range(max(least, math.ceil((1 - gpus) / step)), math.floor((most - gpus) / step) + 1)
    found = {
        name: None
        if math.isnan(of(0.0)) or (name == "plus" and recorded - today > limit)
        else _fewest(sizes, lambda k, of=of: of(simulated(gpus + k * step)) <= limit)
        for name, of in adjusted.items()
    }
    simulated(gpus)
    tried = pd.DataFrame({"gpus": sorted(known)})
    for name, of in adjusted.items():
        tried[name] = [of(known[size]) for size in tried.gpus]
    at = {name: None if k is None else gpus + k * step for name, k in found.items()}
    return Needed(
        *(measure, limit, at["simulated"], at["scaled"], at["plus"], gpus, most, recorded, today),
        curve=tried.set_index("gpus"),
        unit=log.unit,
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


def parse_target(text: str) -> tuple[str, float]:
    """Read a target such as "p95=4h" or "mean=30min": the measure and its limit [s].

    >>> parse_target("p95=4h"), parse_target("mean=90s")
    (('p95', 14400.0), ('mean', 90.0))
    """
    found = re.fullmatch(r"(mean|p95)=([0-9]{1,9}(?:\.[0-9]{1,9})?)(s|min|h|d)", str(text))
    if not found:
        raise ValueError(f"needed must be such as p95=4h or mean=30min, got {text!r}")
    measure, number, unit = found.groups()
    return measure, float(number) * UNITS[unit]
