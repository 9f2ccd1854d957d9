"""The inverse questions: how many GPUs does a target of the waits need, and how much load keeps it?"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Annotated

import numpy as np
import pandas as pd

from physics.arguments import Count, LimitedCount, NonNegative, count, within_range
from physics.cluster.calibration import Calibration, Progress, silent
from physics.cluster.change import Change, changed_jobs
from physics.cluster.jobs import Log, checked
from physics.cluster.machine.parts import run
from physics.cluster.say import say
from physics.scheduling import Policy

#: How a wait is measured most often, and its name in a sentence; any percentile of at most two
#: digits is one.
MEASURES = {"mean": "mean wait", "p95": "P95 of the wait"}
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
#: Hours of a year, for what a size costs.
YEAR_HOURS = 8760
#: Sizes below the first answer that are tried one by one, since a larger cluster may let jobs wait
#: longer.
NEIGHBORS = 8
#: The largest size that is tried, as a multiple of today's.
FARTHEST = 8
#: The most load that is tried, as a multiple of today's, and its step.
MOST_LOAD = 3
LOAD_STEP = 0.02


def named(measure: str) -> str:
    """Name a measure, or raise ValueError.

    >>> named("p95"), named("mean")
    ('P95 of the wait', 'mean wait')
    """
    if measure != "mean" and not re.fullmatch(r"p[1-9][0-9]?", str(measure)):
        raise ValueError(f"measure must be mean or a percentile such as p95, got {measure!r}")
    return MEASURES.get(measure, f"P{measure[1:]} of the wait")


def parse_target(text: str) -> tuple[str, float]:
    """Read a target such as "p95=4h", "mean=30min" or "90%=5min": the measure and its limit [s].

    >>> parse_target("p95=4h"), parse_target("mean=90s"), parse_target("90%=5min")
    (('p95', 14400.0), ('mean', 90.0), ('p90', 300.0))
    """
    found = re.fullmatch(
        r"(mean|p[1-9][0-9]?|[1-9][0-9]?%)=([0-9]{1,9}(?:\.[0-9]{1,9})?)(s|min|h|d)", str(text)
    )
    if not found:
        raise ValueError(f"needed must be such as p95=4h, mean=30min or 90%=5min, got {text!r}")
    measure, number, unit = found.groups()
    return f"p{measure[:-1]}" if measure.endswith("%") else measure, float(number) * UNITS[unit]


@dataclass(frozen=True, eq=False, kw_only=True)
class Target:
    """A target of a log's waits, what they are today, and so the band of what the model leaves
    unexplained.
    """

    policy: Policy  #: by which is simulated
    measure: str  #: "mean", "p95" or another percentile of the waits
    limit: float  #: what it may be at most [s]
    job_class: str  #: whose waits count; "" for all
    unit: str  #: what a size counts: "GPU", "CPU" or "node"
    recorded: float  #: the measure in the record [s]; NaN without one
    today: float  #: the measure as simulated, of the same jobs [s]

    @property
    def apart(self) -> float:
        """What the model leaves unexplained [s]; NaN without a record."""
        return self.recorded - self.today

    @property
    def band(self) -> dict[str, tuple[float, float]]:
        """Factor, and time on top [s], of a wait as simulated and at both ends of the band."""
        if self.today > 0:
            ratio = self.recorded / self.today
        elif self.recorded == 0:
            ratio = 1.0
        else:
            ratio = math.nan
        return {"simulated": (1.0, 0.0), "scaled": (ratio, 0.0), "plus": (1.0, self.apart)}

    def curve_of(self, simulated: pd.Series) -> pd.DataFrame:
        """The band of several sizes or loads."""
        return pd.DataFrame(
            {name: simulated * factor + more for name, (factor, more) in self.band.items()}
        )

    def met(self, name: str, simulated: float = 0.0) -> bool:
        """Whether a simulated wait meets the target at an end of the band; none does if that of 0 s
        does not.
        """
        factor, more = self.band[name]
        return factor * simulated + more <= self.limit

    def wait(self, jobs: pd.DataFrame, gpus: int, down: tuple, parts: int = 1) -> float:
        """The measure of jobs on so many GPUs [s]; 0 where nobody is left of the class."""
        wait = run(jobs, gpus, self.policy, down, parts).jobs["wait"].to_numpy(float)
        if self.job_class:
            mine = wait[(jobs["job_class"] == self.job_class).to_numpy()]
        else:
            mine = wait
        if len(mine):
            return _measured(mine, self.measure)
        return 0.0

    @property
    def measured(self) -> str:
        """Name of the measure, and whose it is."""
        if self.job_class:
            return f"{named(self.measure)} of {self.job_class}"
        return named(self.measure)

    @property
    def words(self) -> str:
        """The target in words."""
        if self.measure == "mean":
            name = "target_mean"
        else:
            name = "target"
        return say(name, found=self, share=self.measure[1:])

    def with_band(self, words: str, scaled: str, plus: str) -> str:
        """End a sentence with both ends of the band, if it is known."""
        stays = say("band_stays", plus=plus, apart=abs(self.apart))
        if math.isnan(self.band["scaled"][0]):
            name = "band_no_factor"
        else:
            name = "band"
        if not abs(self.apart) >= 1.0:
            if math.isnan(self.apart):
                name = "band_unknown"
            else:
                name = "band_none"
        return say(name, words=words, what=self.by, scaled=scaled, stays=stays)


@dataclass(frozen=True, eq=False, kw_only=True)
class Needed(Target):
    """The fewest GPUs that meet a target, and the sizes that were tried; a size is None where no
    tried one meets it.
    """

    gpus: int | None  #: fewest as simulated
    #: fewest if waits are longer by the factor record ÷ simulation that today's size has
    scaled: int | None
    #: fewest if waits are longer by the time record − simulation that today's size has
    plus: int | None
    most: int  #: largest size that was allowed
    curve: pd.DataFrame = field(
        repr=False
    )  #: gpus that were tried: simulated, scaled and plus [s], more [GPU·s]
    size: int = 0  #: of the cluster today [1]
    price: float = 1.0  #: of an hour of a GPU

    by = "size"  # what differs along the curve

    @property
    def along(self) -> str:
        """Name of what the curve's x axis counts."""
        return f"{self.unit}s"

    @property
    def answer(self) -> float | None:
        """Where on the curve the target is met."""
        return self.gpus

    @property
    def recommended(self) -> int | None:
        """The size to order: what meets the target if the model's error at today's size stays,
        whether as a factor or as a time; as simulated where that is not known or no size does.
        """
        corrected = [size for size in (self.scaled, self.plus) if size is not None]
        if math.isnan(self.apart) or not corrected:
            return self.gpus
        return max(corrected)

    @property
    def other(self) -> int | None:
        """The size that is farthest from it, if the model's error is on the other side."""
        sizes = [size for size in (self.gpus, self.scaled, self.plus) if size is not None]
        if not sizes:
            return None
        return max(sizes, key=lambda size: abs(size - self.recommended))

    def _order(self) -> str:
        """The size to order, what it costs in a year, and what it is otherwise."""
        size = self.recommended
        apart = size - self.size
        cost = say("needed_same")
        if apart:
            hours = abs(apart) * YEAR_HOURS
            money = ""
            if self.price != 1.0:
                money = say(
                    "needed_money", money=hours * self.price, price=self.price, unit=self.unit
                )
            more = "more" if apart > 0 else "fewer"
            costs = "cost" if apart > 0 else "save"
            cost = say("needed_cost", apart=abs(apart), unit=self.unit, more=more, costs=costs,
                       hours=hours, money=money)  # fmt: skip
        words = say("needed", found=self, size=size, cost=cost)
        if math.isnan(self.apart):
            return say("needed_alone", words=words)
        if abs(self.apart) < 1.0:
            return say("needed_sure", words=words)
        if self.scaled is None and self.plus is None:
            return say("needed_beyond", words=words, found=self)
        if math.isnan(self.band["scaled"][0]):
            return say("needed_no_factor", words=words)
        if self.other == size:
            return say("needed_either", words=words)
        enough = "enough" if self.other < size else "needed"
        return say("needed_other_side", words=words, other=self.other, enough=enough, found=self)

    @property
    def near(self) -> pd.DataFrame:
        """The useful part of the curve: up to 1.6 times the last size that misses the target."""
        missed = self.curve.index[self.curve["simulated"] > self.limit]
        return self.curve[self.curve.index <= 1.6 * max([*missed, *self.curve.index[:2]])]

    @property
    def sentence(self) -> str:
        """The answer in words."""
        if self.gpus is None:
            return say("needed_none", found=self) + (
                say("needed_emptied") if self.policy.emptied else ""
            )
        told = self._order()
        missed = self.curve["simulated"][
            (self.curve["simulated"] > self.limit) & (self.curve.index > self.gpus)
        ]
        if missed.empty:
            return told
        return told + say(
            "needed_larger", size=int(missed.idxmax()), wait=missed.max(), unit=self.unit
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Kept(Target):
    """The most load that keeps a target, in several draws; a load is a multiple of the log's jobs,
    and 0 is none.
    """

    simulated: tuple[float, ...]  #: the most in each draw, as simulated [1]
    scaled: tuple[
        float, ...
    ]  #: if waits are longer by the factor record ÷ simulation that today's load has; or none
    plus: tuple[
        float, ...
    ]  #: if waits are longer by the time record − simulation that today's load has; or none
    curve: pd.DataFrame = field(
        repr=False
    )  #: loads that were tried: mean over draws of simulated, scaled, plus [s]
    size: int  #: of the cluster [1]

    by = "load"  # what differs along the curve
    along = "jobs, as a multiple of the log's"

    @property
    def answer(self) -> float | None:
        """Where on the curve the target is met: the median of the draws."""
        return float(np.median(self.simulated)) or None

    @property
    def near(self) -> pd.DataFrame:
        """The useful part of the curve: up to the load at which the wait is three times the limit."""
        return self.curve[
            self.curve["simulated"] <= max(3 * self.limit, self.curve["simulated"].iloc[0])
        ]

    @property
    def sentence(self) -> str:
        """The answer in words."""
        simulated, scaled, plus = map(_spread, (self.simulated, self.scaled, self.plus))
        words = say("kept", found=self, spread=simulated, draws=len(self.simulated))
        return self.with_band(words, scaled, plus)


def _spread(loads: tuple[float, ...]) -> str:
    """Say the least and the most of several loads.

    >>> _spread((0.7, 0.78, 0.72)), _spread((0.0, 0.0)), _spread((0.0, 0.1)), _spread((3.0, 3.0))
    ('70% to 78%', 'none', 'none to 10%', '300% or more')
    """
    if not any(loads):
        return "none"
    low = min(loads)
    high = max(loads)
    if low:
        least = f"{100 * low:.0f}%"
    else:
        least = "none"
    if low == high:
        words = least
    else:
        words = f"{least} to {100 * high:.0f}%"
    if low and high >= MOST_LOAD:
        return f"{words} or more"
    return words


def _asked(
    log: Log,
    gpus: int,
    baseline: Policy | Calibration,
    measure: str,
    limit: float,
    job_class: str | None,
) -> Target:
    """Check what is asked, and simulate the log as it is."""
    named(measure)
    if not isinstance(baseline, Policy | Calibration):
        raise ValueError(f"baseline must be a Policy or a Calibration, got {baseline!r}")
    if isinstance(baseline, Calibration):
        policy = baseline.policy
    else:
        policy = baseline
    if job_class is None:
        mine = np.ones(len(log.submit), bool)
    else:
        mine = log.classes == job_class
    if not mine.any():
        raise ValueError(f"job_class must name a class of the log, got {job_class!r}")
    wait = run(log.frame, gpus, policy, log.down, log.parts).jobs["wait"].to_numpy(float)
    known = mine & log.recorded
    if known.any():
        recorded = _measured(log.wait[known], measure)
    else:
        recorded = math.nan
    today = _measured(wait[known if known.any() else mine], measure)
    return Target(policy=policy, measure=measure, limit=limit, job_class=job_class or "", unit=log.unit,
                  recorded=recorded, today=today)  # fmt: skip


def _measured(wait: np.ndarray, measure: str) -> float:
    """Mean or percentile of waits [s]; infinite if some job never starts. So many jobs wait no
    longer than it says.
    """
    if not np.isfinite(wait).all():
        return math.inf
    return float(
        wait.mean()
        if measure == "mean"
        else np.quantile(wait, int(measure[1:]) / 100, method="inverted_cdf")
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
        measure: "p95" or "mean" or another percentile; what of the waits is limited. With "p90"
            nine of ten jobs wait no longer than the limit.
        limit: What it may be at most [s].
        step: GPUs that are added or taken away at once: sizes differ from today's by multiples of
            it.
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

    >>> jobs = pd.DataFrame({"submit": [0, 0, 0, 9], "runtime": [10, 10, 10, 1], "gpus": [2, 2, 2, 1]})
    >>> what_is_needed(jobs, 2, Policy(), measure="mean", limit=5).gpus
    4
    """
    log = checked(jobs)
    if most is None:
        most = FARTHEST * gpus
    asked = _asked(log, gpus, baseline, measure, limit, job_class)
    frame = log.frame
    known = {}

    @cache
    def simulated(size: int) -> float:
        progress(1 - 1 / (1 + len(known) / 10), f"{size:,}")
        known[size] = asked.wait(frame, size, log.down, log.parts)
        return known[size]

    steps = range(
        math.ceil((math.ceil(log.gpus.max()) - gpus) / step), math.floor((most - gpus) / step) + 1
    )
    simulated(gpus)
    sizes: dict[str, int | None] = {}
    for name in asked.band:
        met = partial(lambda name, k: asked.met(name, simulated(gpus + k * step)), name)
        if asked.met(name):
            fewest = _fewest(steps, met)
        else:
            fewest = None
        if fewest is None:
            sizes[name] = None
        else:
            sizes[name] = gpus + fewest * step
    curve = asked.curve_of(pd.Series(known).rename_axis("gpus").sort_index())
    curve["more"] = (curve.index - gpus) * (log.end - log.begin)
    return Needed(
        **vars(asked),
        gpus=sizes.pop("simulated"),
        **sizes,
        most=most,
        curve=curve,
        size=gpus,
        price=price,
    )


def _fewest(steps: range, met: Callable[[int], bool]) -> int | None:
    """Return the least of consecutive numbers that meets a target, as far as a search from 0 finds
    it.
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
    while jump and down >= low and met(down):
        up = down
        down = max(low - 1, down - 2 * jump)
        jump = 2 * jump
    while up - down > 1:
        middle = (up + down) // 2
        if met(middle):
            down = down
            up = middle
        else:
            down = middle
            up = up
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
    """Search for the most load with which a log's jobs wait no longer than a limit.

    Args:
        jobs, gpus, baseline, measure, limit, job_class, progress: As `what_is_needed` takes them.
        draws: How often jobs are drawn, with seeds from 1 on: which jobs are left out, or come on
            top (`physics.cluster.Change`, arrivals), decides much.

    Returns: The most in each draw, in steps of 2% up to three times the log's jobs, and the band of
    `what_is_needed`.

    Raises ValueError as `what_is_needed`.

    >>> jobs = pd.DataFrame({"submit": range(0, 1000, 10), "runtime": 8, "gpus": 1})
    >>> what_load_keeps(jobs, 2, Policy(), measure="mean", limit=0).simulated
    (2.0, 2.0, 2.0)
    """
    log = checked(jobs)
    asked = _asked(log, gpus, baseline, measure, limit, job_class)
    known: dict[tuple[int, int], float] = {}

    @cache
    def simulated(seed: int, k: int) -> float:
        progress(1 - 1 / (1 + len(known) / 20), f"{100 * k * LOAD_STEP:.0f}% of the jobs")
        try:
            changed, _ = changed_jobs(log, Change(arrivals=k * LOAD_STEP), seed)
            known[seed, k] = asked.wait(changed, gpus, log.down, log.parts)
        except ValueError:  # nobody is left, or there would be more jobs than are simulated
            if k * LOAD_STEP < 1:
                known[seed, k] = 0.0
            else:
                known[seed, k] = math.inf
        return known[seed, k]

    most = round(MOST_LOAD / LOAD_STEP)
    today = round(1 / LOAD_STEP)
    loads = {}
    for name in asked.band:
        met = partial(lambda name, seed, k: asked.met(name, simulated(seed, k)), name)
        if asked.met(name):
            seeds = range(1, draws + 1)
        else:
            seeds = ()
        loads[name] = tuple(
            round(_last(most, today, partial(met, seed)) * LOAD_STEP, 9) for seed in seeds
        )
    tried = pd.Series(known.values(), [k * LOAD_STEP for _, k in known]).rename_axis("load")
    return Kept(
        **vars(asked), **loads, curve=asked.curve_of(tried.groupby("load").mean()), size=gpus
    )


def _last(most: int, first: int, met: Callable[[int], bool]) -> int:
    """Largest of the numbers up to `most` that meets a target, as far as halving from one of them
    finds it; 0: none.
    """
    if met(first):
        low = first
        high = most + 1
    else:
        low = 0
        high = first
    while high - low > 1:
        if low:
            middle = min((low + high) // 2, 2 * low)
        else:
            middle = (low + high) // 2
        if met(middle):
            low = middle
            high = high
        else:
            low = low
            high = middle
    return low
