"""Scheduling policy: replications of a scenario, computed once and kept in little memory.

Replication i of seed s draws its jobs from a stream of its own, and in it each class from one of its own. So the same
jobs meet every policy, and turning a knob of one class leaves the jobs of the others as they were.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from threading import Lock
from typing import Any

import numpy as np
import pandas as pd

from lessons.scheduling_policy import effort
from physics import constants as k
from physics import metrics
from physics.jobs import JobClass, sample_jobs
from physics.scheduling import Schedule, average_tables, class_table, pooled_quantile, saturation_load, simulate
from ui.base import time_slices

CLASSES = ("interactive", "search", "training")
#: Waits at which the distribution is drawn [s]: 6 s to 100 days, evenly on a log axis, and the target itself.
WAITS = np.unique(np.append(np.geomspace(6.0, 100 * float(k.DAY), 110), float(k.INTERACTIVE_TARGET)))
#: Moments at which the queue is counted: every six hours of the simulated time [s].
MOMENTS = np.arange(0, float(k.SIMULATED_TIME) + 1, float(k.DAY) / 4)
#: Waits kept, of all replications of all scenarios together: 4 bytes each, some 4,400 a replication.
MOST_KEPT = 12_000_000
#: Replications after which the numbers are shown at first, and again while the others are simulated.
FEW = (3, 6, 11)
#: Quantiles of all waits together, by column.
QUANTILES = {"median_wait": 0.5, "p95_wait": 0.95}
#: What is measured of a whole schedule.
MEASURES = ("utilization", "throughput", "jain", "balance", "fragmentation")


@dataclass(frozen=True, eq=False)
class Outcome:
    """What is kept of one replication."""

    values: np.ndarray  #: `class_table`, a row for each of CLASSES, NaN for one without jobs
    columns: pd.Index  #: its columns
    waits: tuple[np.ndarray, ...]  #: waits of each class's jobs that started, sorted [s]
    lost: float  #: share of executed GPU-seconds that were lost [1]
    measures: tuple[float, ...] = ()  #: one for each of MEASURES, for a schedule of the whole fleet


@dataclass(frozen=True, eq=False)
class Board:
    """The replications of one scenario together."""

    table: pd.DataFrame  #: mean of each column and its standard error, a row a class
    runs: int
    waits: np.ndarray  #: share of each class's jobs started within each of WAITS; NaN without jobs
    lost: float  #: mean over the replications of the lost share of executed GPU-seconds [1]
    lost_se: float
    measures: dict[str, tuple[float, float]] = field(default_factory=dict)  #: means of MEASURES and standard errors

    @cached_property
    def _means(self) -> dict[str, dict[str, float]]:
        """The table as plain numbers: looking one up in a frame takes a hundred times as long."""
        return self.table.astype(float).to_dict()

    def mean(self, job_class: str, column: str) -> float:
        """Mean over the replications; NaN if there is none."""
        return self._means[column].get(job_class, math.nan)

    def error(self, job_class: str, column: str) -> float:
        """Standard error of it."""
        return self.mean(job_class, f"{column}_se")


def draw(scenario: Any, replication: int) -> pd.DataFrame:
    """Draw the jobs of one replication: the same whatever the policy, if need be the first days of them."""
    rng = np.random.default_rng([scenario.seed, replication])
    jobs = sample_jobs(scenario.mix, k.SIMULATED_TIME, rng)
    return jobs[jobs["submit"] < effort.simulated_time(scenario)]


def moments(scenario: Any) -> np.ndarray:
    """Return the moments at which the queue is counted [s]."""
    return MOMENTS[: 4 * effort.days(scenario) + 1]


def schedule(scenario: Any, replication: int) -> Schedule:
    """Simulate one replication, in turn with what others compute at length; not kept."""
    with time_slices.turn(time_slices.LONGEST):
        return simulate(draw(scenario, replication), scenario.fleet, scenario.policy)


def _measures(one: Schedule, at: np.ndarray) -> tuple[float, ...]:
    """Measure a schedule; what each class gets is the part of its time in the system in which it runs."""
    jobs = one.jobs
    if not jobs["can_start"].any():
        return (0.0, 0.0, 1.0, 1.0, 0.0)
    names, runtime = jobs["job_class"].to_numpy(), jobs["runtime"].to_numpy(float)
    inside = (jobs["end"] - jobs["submit"]).to_numpy()
    gets = [np.nansum(runtime[(names == name) & (inside > 0)]) for name in pd.unique(names)]
    gets = [
        got / np.nansum(inside[names == name]) if got else 0.0 for got, name in zip(gets, pd.unique(names), strict=True)
    ]
    runs, free = one.runs, np.full(len(at), one.capacity)
    for column, sign in (("start", -1), ("end", 1)):
        order = np.argsort(runs[column].to_numpy(), kind="stable")
        moved = np.concatenate(([0], np.cumsum(runs["gpus"].to_numpy()[order])))
        free += sign * moved[np.searchsorted(runs[column].to_numpy()[order], at, side="right")]
    mix = {int(size): float(share) for size, share in jobs["gpus"].value_counts(normalize=True).items()}
    stranded = {gpus: metrics.fragmentation([int(gpus)], mix) for gpus in np.unique(free)}
    return (
        metrics.utilization(one),
        metrics.throughput(one),
        metrics.jain(gets),
        metrics.balance(gets),
        float(np.mean([stranded[gpus] for gpus in free])),
    )


def queue(scenario: Any, replication: int = 0) -> np.ndarray:
    """Return the number of jobs that wait at each of the `moments` of one replication."""
    return _queue(scenario.effective, replication)


@lru_cache(maxsize=32)
def _queue(plain: Any, replication: int) -> np.ndarray:
    line = schedule(plain, replication).timeline
    place = np.searchsorted(line["time"].to_numpy(), moments(plain), side="right") - 1
    return np.where(place >= 0, line["queue_length"].to_numpy()[place.clip(min=0)], 0)


def outcome(scenario: Any, replication: int) -> Outcome:
    """Simulate one replication, and keep what is needed of it."""
    one, at = schedule(scenario, replication), moments(scenario)
    names, wait, can = (one.jobs[name].to_numpy() for name in ("job_class", "wait", "can_start"))
    waits = tuple(np.sort(wait[(names == name) & can].astype(np.float32)) for name in CLASSES)
    table, lost = class_table(one), float(one.jobs["lost"].sum())
    return Outcome(
        table.reindex(CLASSES).to_numpy(float),
        table.columns,
        waits,
        lost / one.executed if one.executed else 0.0,
        _measures(one, at),
    )


class Kept:
    """Outcomes of the scenarios asked for last, shared by all visitors, with at most MOST_KEPT waits."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self.most, self.lock, self.size = most, Lock(), 0
        self.found: OrderedDict[tuple, dict[int, Outcome]] = OrderedDict()
        self.boards: OrderedDict[tuple, Board] = OrderedDict()

    def get(self, key: tuple) -> dict[int, Outcome]:
        """Return a copy of what is known of a scenario."""
        with self.lock:
            if key in self.found:
                self.found.move_to_end(key)
            return dict(self.found.get(key, {}))

    def put(self, key: tuple, replication: int, found: Outcome) -> None:
        """Keep one outcome, and forget the scenarios not asked for longest."""
        with self.lock:
            known = self.found.setdefault(key, {})
            self.size += _size(found) - (_size(known[replication]) if replication in known else 0)
            known[replication] = found
            self.found.move_to_end(key)
            while self.size > self.most and len(self.found) > 1:
                self.size -= sum(map(_size, self.found.popitem(last=False)[1].values()))

    def board(self, key: tuple, make: Callable[[], Board]) -> Board:
        """Return a summary, made once."""
        with self.lock:
            if key in self.boards:
                self.boards.move_to_end(key)
                return self.boards[key]
        made = make()
        with self.lock:
            self.boards[key] = made
            while len(self.boards) > 256:
                self.boards.popitem(last=False)
        return made


KEPT = Kept()


def _size(one: Outcome) -> int:
    """Waits that an outcome holds."""
    return sum(map(len, one.waits))


def board(scenario: Any) -> Board:
    """Average the replications 0, 1, … of a scenario, simulating those that are not known yet.

    `TooLong` ends it once they have taken `time_slices.LONGEST` of processor time; those that are done are kept.
    """
    plain = scenario.effective
    wanted = effort.runs(plain, scenario.replications)

    def make() -> Board:
        known, end = KEPT.get(plain), time.thread_time() + time_slices.LONGEST
        for replication in range(wanted):
            if replication not in known:
                with time_slices.turn(end - time.thread_time()):
                    known[replication] = outcome(plain, replication)
                KEPT.put(plain, replication, known[replication])
        return summary([known[one] for one in range(wanted)])

    return KEPT.board((plain, wanted), make)


def coarse(scenario: Any) -> Iterator[Any]:
    """Yield the scenario with ever more replications, as long as not all of them are known: first numbers, soon."""
    plain = scenario.effective
    wanted = effort.runs(plain, scenario.replications)
    for few in FEW:
        if few < wanted and len(KEPT.get(plain)) < wanted:
            yield replace(scenario, replications=few)


def days_of(scenario: Any) -> int:
    """Return the days that a replication simulates."""
    return effort.days(scenario.effective)


def less_than_asked(scenario: Any) -> str:
    """Say what was simulated less than asked for, and why; "" if nothing was."""
    return effort.words(scenario.effective, scenario.replications)


def summary(outcomes: list[Outcome]) -> Board:
    """Average over replications; the distribution of waits pools all their jobs."""
    tables = [pd.DataFrame(one.values, index=list(CLASSES), columns=one.columns) for one in outcomes]
    table = average_tables(tables)
    jobs = sum(one["count"].fillna(0).to_numpy() for one in tables)
    started = [[one.waits[place] for one in outcomes] for place in range(len(CLASSES))]
    for column, share in QUANTILES.items():
        table[column], table[f"{column}_se"] = zip(*(pooled_quantile(parts, share) for parts in started), strict=True)
    within = [sum(np.searchsorted(one, WAITS, side="right") for one in parts) for parts in started]
    with np.errstate(invalid="ignore", divide="ignore"):
        waits = np.array(within) / jobs[:, None]
    lost = np.array([one.lost for one in outcomes])
    error = lost.std(ddof=1) / np.sqrt(len(lost)) if len(lost) > 1 else np.nan
    return Board(
        table,
        len(outcomes),
        waits,
        float(lost.mean()),
        float(error),
        _averaged(outcomes),
    )


def _averaged(outcomes: list[Outcome]) -> dict[str, tuple[float, float]]:
    """Means of the measures and their standard errors."""
    columns = zip(MEASURES, zip(*(one.measures for one in outcomes), strict=True), strict=False)
    runs = len(outcomes)
    return {
        name: (float(np.mean(some)), float(np.std(some, ddof=1) / np.sqrt(runs)) if runs > 1 else math.nan)
        for name, some in columns
    }


def saturation_jobs(scenario: Any) -> int:
    """How many jobs find the saturation load to about a point: it hangs on the few large ones among them."""
    wanted, least, most = 400, 12_000, 40_000
    if scenario.backfill == "conservative":
        wanted, least, most = (285, 6_000, 12_000) if scenario.estimates == 1 else (190, 4_000, 12_000)
    elif scenario.general:
        wanted, least, most = 190, 4_000, 16_000
    *_, training = scenario.mix
    rate = sum(one.arrival_rate for one in scenario.mix)
    return int(min(most, max(least, wanted * rate / training.arrival_rate)))


@lru_cache(maxsize=256)
def _saturation(plain: Any) -> float | None:
    planned_long = plain.order == "arrival" and plain.estimates > 1
    if plain.backfill == "conservative" and (plain.general or planned_long):
        return None
    rng, jobs = np.random.default_rng(plain.seed), saturation_jobs(plain)
    with time_slices.turn(time_slices.LONGEST):
        return saturation_load(plain.mix, plain.fleet, plain.policy, rng, jobs)


def saturation(scenario: Any) -> float | None:
    """The load that the present policy can carry with the present mix; None where finding it takes too long."""
    return _saturation(scenario.effective)


def work_scv(one: JobClass) -> float:
    """Return the squared coefficient of variation of a job's work, GPUs × runtime, the two being independent [1].

    (1 + SCV of the width) (1 + SCV of the runtime) − 1.
    """
    sizes = getattr(one.gpus, "values", None)
    width = 1.0 if sizes is None else sum(v * v for v in sizes) / len(sizes) / one.gpus.mean**2
    low, high = getattr(one.runtime, "low", None), getattr(one.runtime, "high", None)
    length = 2.0 if low is None else 1 + (high - low) ** 2 / 12 / one.runtime.mean**2
    return width * length - 1
