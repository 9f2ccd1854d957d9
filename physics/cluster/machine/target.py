"""Targets for a log's waits, and the sizes or loads that meet them, with sentences."""

import math
import re
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pandas as pd

from physics.cluster.machine.parts import run
from physics.cluster.say import first, say, time, written
from physics.scheduling import Policy

#: Usual measures of waits with their names in a sentence; any other percentile is possible, too.
MEASURES = {"mean": "mean wait", "p95": "P95 wait"}
#: Hours of a year, for the cost of a size.
YEAR_HOURS = 8760
#: The most load that is tried, as a multiple of today's.
MOST_LOAD = 3


def named(measure: str) -> str:
    """Return a measure in words, such as "P95 wait", or raise ValueError for an unknown one.

    >>> named("p95"), named("mean")
    ('P95 wait', 'mean wait')
    """
    if measure != "mean" and not re.fullmatch(r"p[1-9][0-9]?", str(measure)):
        raise ValueError(f"measure must be mean or a percentile such as p95, got {measure!r}")
    return MEASURES.get(measure, f"P{measure[1:]} wait")


def measured(wait: np.ndarray, measure: str) -> float:
    """Mean or percentile of waits [s]; infinite if some job never starts.

    The given percentage of the jobs waits no longer than the percentile.
    """
    if not np.isfinite(wait).all():
        return math.inf
    if measure == "mean":
        return float(wait.mean())
    return float(np.quantile(wait, int(measure[1:]) / 100, method="inverted_cdf"))


@dataclass(frozen=True, eq=False, kw_only=True)
class Target:
    """Target for a log's waits, with today's recorded and simulated waits, the error band."""

    policy: Policy  #: of the simulations
    measure: str  #: "mean", "p95" or another percentile of the waits
    limit: float  #: highest value of the measure that meets the target [s]
    job_class: str  #: class whose waits count; "" for all
    unit: str  #: what a size counts: "GPU", "CPU" or "node"
    recorded: float  #: the measure in the record [s]; NaN without one
    today: float  #: the measure as simulated, of the same jobs [s]

    by: ClassVar[str]  #: quantity that differs along the curve

    @property
    def apart(self) -> float:
        """Recorded minus simulated wait today, the model's error [s].

        The result is NaN without a record, and if a job never starts in the simulation.
        """
        if math.isinf(self.today):
            return math.nan
        return self.recorded - self.today

    @property
    def band(self) -> dict[str, tuple[float, float]]:
        """Corrections of a simulated wait, as factor and offset [s]: none, and by today's error.

        The two corrections are the ends of the error band.
        """
        ratio = math.nan
        if 0 < self.today < math.inf:
            ratio = self.recorded / self.today
        elif self.today == self.recorded:
            ratio = 1.0
        return {"simulated": (1.0, 0.0), "scaled": (ratio, 0.0), "plus": (1.0, self.apart)}

    def curve_of(self, simulated: pd.Series) -> pd.DataFrame:
        """Simulated waits with both ends of the error band, one row per size or load [s]."""
        return pd.DataFrame(
            {name: simulated * factor + more for name, (factor, more) in self.band.items()}
        )

    def met(self, name: str, simulated: float = 0.0) -> bool:
        """Whether a simulated wait, corrected to one end of the error band, is within the limit."""
        factor, more = self.band[name]
        return factor * simulated + more <= self.limit

    def wait(self, jobs: pd.DataFrame, gpus: int, down: tuple, parts: int = 1) -> float:
        """Measure of the class's simulated waits on `gpus` GPUs [s]; 0 if the class has no jobs."""
        wait = run(jobs, gpus, self.policy, down, parts).jobs["wait"].to_numpy(float)
        if self.job_class:
            wait = wait[(jobs["job_class"] == self.job_class).to_numpy()]
        if len(wait):
            return measured(wait, self.measure)
        return 0.0

    @property
    def measured(self) -> str:
        """Name of the measure and of its class of jobs."""
        if self.job_class:
            return f"{named(self.measure)} of {self.job_class} jobs"
        return named(self.measure)

    @property
    def words(self) -> str:
        """Sentence that states the target."""
        conditions = {"target_mean": self.measure == "mean", "target": True}
        return first(conditions, target=self, share=self.measure[1:])


@dataclass(frozen=True, eq=False, kw_only=True)
class Needed(Target):
    """Fewest GPUs that meet a target, with the sizes tried; None if no size tried meets it."""

    gpus: int | None  #: fewest as simulated
    #: fewest if waits are longer by the factor record ÷ simulation that today's size has
    scaled: int | None
    #: fewest if waits are longer by the time record − simulation that today's size has
    plus: int | None
    most: int  #: largest size that was allowed
    #: by size tried: simulated, scaled and plus [s], more [GPU·s]
    curve: pd.DataFrame = field(repr=False)
    size: int = 0  #: of the cluster today [1]
    price: float = 1.0  #: of an hour of a GPU

    by: ClassVar = "size"

    @property
    def along(self) -> str:
        """Name of the curve's x axis."""
        return f"{self.unit}s"

    @property
    def answer(self) -> float | None:
        """Number of GPUs with which the target is met, the position of the answer on the curve."""
        return self.gpus

    @property
    def recommended(self) -> int | None:
        """Number of GPUs to order so that the target is met even with the model's error."""
        corrected = [size for size in (self.scaled, self.plus) if size is not None]
        if math.isnan(self.apart) or not corrected:
            return self.gpus
        return max(corrected)

    @property
    def other(self) -> int | None:
        """Size farthest from the recommended one, for a model error in the other direction."""
        sizes = [size for size in (self.gpus, self.scaled, self.plus) if size is not None]
        ordered = self.recommended
        if ordered is None:
            return None
        return max(sizes, key=lambda size: abs(size - ordered))

    def _order(self, size: int) -> str:
        """Sentences on the size to order, its cost in a year, and the size for the other error."""
        more = size - self.size
        hours = abs(more) * YEAR_HOURS
        orders = {
            "needed_more": more > 0,
            "needed_same": more == 0,
            "needed_fewer": more < 0,
            "needed_money": more and self.price != 1.0,
        }
        money = hours * self.price
        texts = written(orders, target=self, size=size, apart=abs(more), hours=hours, money=money)
        other = self.other
        errors = {
            "today_never": math.isinf(self.today),
            "needed_alone": math.isnan(self.apart),
            "needed_sure": abs(self.apart) < 1.0,
            "needed_beyond": self.scaled is None and self.plus is None,
            "needed_no_factor": math.isnan(self.band["scaled"][0]),
            "needed_either": other == size,
            "needed_above": other is not None and other > size,
            "needed_below": True,
        }
        return "".join(texts) + first(errors, other=other, target=self)

    @property
    def near(self) -> pd.DataFrame:
        """Relevant part of the curve: up to 1.6 times the last size that misses the target."""
        missed = self.curve.index[self.curve["simulated"] > self.limit]
        return self.curve[self.curve.index <= 1.6 * max([*missed, *self.curve.index[:2]])]

    @property
    def sentence(self) -> str:
        """Sentence that says how many GPUs meet the target."""
        size = self.recommended
        if self.gpus is None or size is None:
            conditions = {"needed_none": True, "needed_emptied": self.policy.emptied}
            return "".join(written(conditions, target=self))
        waits = self.curve["simulated"]
        missed = waits[(waits > self.limit) & (waits.index > self.gpus)]
        if missed.empty:
            return self._order(size)
        larger = int(missed.idxmax())
        return self._order(size) + say(
            "needed_larger", size=larger, wait=missed.max(), unit=self.unit
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Kept(Target):
    """Highest load that meets a target, in several draws.

    A load is a multiple of the log's jobs, or 0.
    """

    simulated: tuple[float, ...]  #: highest load in each draw, as simulated [1]
    #: if waits are longer by the factor record ÷ simulation that today's load has; or empty
    scaled: tuple[float, ...]
    #: if waits are longer by the time record − simulation that today's load has; or empty
    plus: tuple[float, ...]
    #: by load tried: simulated, scaled, plus, means over the draws [s]
    curve: pd.DataFrame = field(repr=False)
    size: int  #: of the cluster [1]

    by: ClassVar = "load"
    along: ClassVar = "jobs, as a multiple of the log's"

    @property
    def answer(self) -> float | None:
        """Position on the curve at which the target is met: the median of the draws."""
        return float(np.median(self.simulated)) or None

    @property
    def near(self) -> pd.DataFrame:
        """Relevant part of the curve: up to the load at which the wait is three times the limit."""
        waits = self.curve["simulated"]
        return self.curve[waits <= max(3 * self.limit, waits.iloc[0])]

    @property
    def sentence(self) -> str:
        """Sentence that says up to which load the target is met."""
        simulated, scaled, plus = map(_spread, (self.simulated, self.scaled, self.plus))
        apart = abs(self.apart)
        stay = "stays" if time(apart).startswith("1 ") else "stay"
        conditions = {
            "today_never": math.isinf(self.today),
            "band_unknown": math.isnan(apart),
            "band_none": apart < 1.0,
            "band_no_factor": math.isnan(self.band["scaled"][0]),
            "band": True,
        }
        stays = say("band_stays", plus=plus, apart=apart, stay=stay)
        words = say("kept", target=self, spread=simulated, draws=len(self.simulated))
        return words + first(conditions, what=self.by, scaled=scaled, stays=stays)


def _spread(loads: tuple[float, ...]) -> str:
    """Describe the range of several loads.

    >>> _spread((0.7, 0.78, 0.72)), _spread((0.0, 0.0)), _spread((0.0, 0.1)), _spread((3.0, 3.0))
    ('70% to 78%', 'none', 'none to 10%', '300% or more')
    """
    if not any(loads):
        return "none"
    low = min(loads)
    high = max(loads)
    words = "none"
    if low:
        words = f"{100 * low:.0f}%"
    if low < high:
        words += f" to {100 * high:.0f}%"
    if low and high >= MOST_LOAD:
        words += " or more"
    return words
