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

import numpy as np
import pandas as pd

from lessons.scheduling_policy import effort
from lessons.scheduling_policy.settings import CLASSES, Scenario, feasible_rate
from physics import constants as k
from physics import metrics
from physics.jobs import sample_jobs
from physics.scheduling import Schedule, average_tables, class_table, pooled_quantile, saturation_load, simulate
from ui.base import time_slices

#: Waits at which the distribution is drawn [s]: 6 s to 100 days, evenly on a log axis, and the target itself.
WAITS = np.unique(np.append(np.geomspace(6.0, 100 * float(k.DAY), 110), float(k.INTERACTIVE_TARGET)))
#: Moments at which the queue is counted: every six hours of the simulated time [s].
MOMENTS = np.arange(0, float(k.SIMULATED_TIME) + 1, float(k.DAY) / 4)
#: Waits kept, of all replications of all scenarios together: 4 bytes each, some 4,400 a replication.
MOST_KEPT = 12_000_000
#: Quantiles of all waits together, by column.
QUANTILES = {"median_wait": 0.5, "p95_wait": 0.95}
#: The four answers of the prediction: words, order and backfill; the last one has partitions.
FOUR = {
    "a": ("FIFO", "arrival", "none"),
    "b": ("Strict priority", "priority", "none"),
    "c": ("Priority with EASY", "priority", "easy"),
    "d": ("Three partitions, EASY in each", "arrival", "easy"),
}
PARTITIONED = "d"
#: What is measured of a whole schedule.
MEASURES = ("utilization", "throughput", "jain", "balance", "fragmentation")


@dataclass(frozen=True, eq=False)
class Outcome:
    """What is kept of one replication."""

    values: np.ndarray  #: `class_table`, a row for each of CLASSES, NaN for one without jobs
    columns: pd.Index  #: its columns
    waits: tuple[np.ndarray, ...]  #: waits of each class's jobs that started, sorted [s]
    queue: np.ndarray  #: jobs waiting at each of the moments
    lost: float  #: share of executed GPU-seconds that were lost [1]
    measures: tuple[float, ...] = ()  #: one for each of MEASURES, for a schedule of the whole fleet


@dataclass(frozen=True, eq=False)
class Board:
    """The replications of one scenario together."""

    table: pd.DataFrame  #: mean of each column and its standard error, a row a class
    runs: int
    waits: np.ndarray  #: share of each class's jobs started within each of WAITS; NaN without jobs
    queue: np.ndarray  #: mean jobs waiting at each of the moments
    queue_high: np.ndarray  #: nine of ten replications have at most so many
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


def draw(scenario: Scenario, replication: int) -> pd.DataFrame:
    """Draw the jobs of one replication: the same whatever the policy, if need be the first days of them."""
    rng = np.random.default_rng([scenario.seed, replication])
    jobs = sample_jobs(scenario.mix, k.SIMULATED_TIME, rng)
    return jobs[jobs["submit"] < effort.simulated_time(scenario)]


def moments(scenario: Scenario) -> np.ndarray:
    """Return the moments at which the queue is counted [s]."""
    return MOMENTS[: 4 * effort.days(scenario) + 1]


def schedule(scenario: Scenario, replication: int) -> Schedule:
    """Simulate one replication, in turn with what others compute at length; not kept."""
    with time_slices.turn(time_slices.LONGEST):
        return simulate(draw(scenario, replication), scenario.fleet, scenario.policy)


def outcome_of(schedules: list[Schedule], at: np.ndarray) -> Outcome:
    """Keep what is needed of one replication: one schedule, or one for each partition."""
    tables = [class_table(one) for one in schedules]
    waits: list[list[np.ndarray]] = [[] for _ in CLASSES]
    queue = np.zeros(len(at), np.int32)
    for one in schedules:
        names, wait, can = (one.jobs[name].to_numpy() for name in ("job_class", "wait", "can_start"))
        for place, name in enumerate(CLASSES):
            waits[place].append(wait[(names == name) & can].astype(np.float32))
        queue += _waiting(one, at)
    lost = sum(float(one.jobs["lost"].sum()) for one in schedules)
    executed = sum(one.executed for one in schedules)
    table = pd.concat(tables) if len(tables) > 1 else tables[0]
    values = table.reindex(CLASSES).to_numpy(float)
    merged = tuple(np.sort(np.concatenate(parts)) for parts in waits)
    measures = _measures(schedules[0], at) if len(schedules) == 1 else ()
    return Outcome(values, table.columns, merged, queue, lost / executed if executed else 0.0, measures)


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


def _waiting(one: Schedule, at: np.ndarray) -> np.ndarray:
    """Jobs in the queue at each of these moments, stopped ones included."""
    jobs = one.jobs[one.jobs["can_start"].to_numpy()]
    started, stopped = jobs["start"].to_numpy(), np.zeros(0)
    if jobs["preemptions"].any():
        runs = one.runs
        started = runs["start"].to_numpy()
        last = one.jobs["end"].to_numpy()[runs["row"].to_numpy()]
        stopped = runs["end"].to_numpy()[runs["end"].to_numpy() < last]
    joined = np.searchsorted(np.sort(np.concatenate((jobs["submit"].to_numpy(), stopped))), at, side="right")
    return (joined - np.searchsorted(np.sort(started), at, side="right")).astype(np.int32)


def outcome(scenario: Scenario, replication: int, partitioned: bool = False) -> Outcome:
    """Simulate one replication under the scenario's policy, or with a third of the fleet for each class."""
    if not partitioned:
        return outcome_of([schedule(scenario, replication)], moments(scenario))
    jobs, part = draw(scenario, replication), scenario.fleet // int(k.POLICY_PARTITIONS)
    return outcome_of(
        [
            simulate(jobs[jobs["job_class"] == name].reset_index(drop=True), part, scenario.policy)
            for name in CLASSES
            if (jobs["job_class"] == name).any()
        ],
        moments(scenario),
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


def at_hand(scenario: Scenario) -> bool:
    """Say whether the board of a scenario needs no simulation."""
    plain = scenario.effective
    with KEPT.lock:
        return (plain, False, effort.runs(plain, scenario.replications)) in KEPT.boards


def _size(one: Outcome) -> int:
    """Waits that an outcome holds."""
    return sum(map(len, one.waits))


def board(
    scenario: Scenario,
    runs: int | None = None,
    answer: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Board:
    """Average the replications 0, 1, … of a scenario, simulating those that are not known yet.

    Parameters
    ----------
    scenario : Scenario
    runs : int, optional
        How many; by default what the scenario says.
    answer : str, optional
        "a" to "d": one of the four answers in the place of the scenario's policy.
    progress : callable, optional
        Called after each new replication with how many are known and how many are wanted.
    """
    plain = scenario.effective
    if answer is not None:
        _, order, backfill = FOUR[answer]
        mix = {name: getattr(scenario, name) for name in MIX}
        plain = replace(Scenario(), **mix, order=order, backfill=backfill).effective
    runs = effort.runs(plain, scenario.replications) if runs is None else runs
    partitioned = answer == PARTITIONED
    key = (plain, partitioned)

    def make() -> Board:
        for done in _simulate(key, runs):
            if progress:
                progress(done, runs)
        known = KEPT.get(key)
        return summary([known.get(one) or outcome(plain, one, partitioned) for one in range(runs)])

    return KEPT.board((*key, runs), make)


def _simulate(key: tuple[Scenario, bool], runs: int) -> Iterator[int]:
    """Simulate those of the first replications that are not known yet; yield after each how many are.

    `TooLong` ends it once they have taken `time_slices.LONGEST` of processor time; those that are done are kept.
    """
    known, end = KEPT.get(key), time.thread_time() + time_slices.LONGEST
    for replication in range(runs):
        if replication not in known:
            with time_slices.turn(end - time.thread_time()):
                found = outcome(key[0], replication, key[1])
            KEPT.put(key, replication, found)
            yield replication + 1


def missing(scenario: Scenario, runs: int) -> Iterator[int]:
    """Simulate what a board of so many replications lacks, one at a time; yield after each how many are known."""
    return _simulate((scenario.effective, False), runs)


#: What of a scenario are jobs and fleet, not policy.
MIX = ("interactive_rate", "training_rate", "training_size", "estimates", "fleet", "seed")


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
    queue = np.array([one.queue for one in outcomes])
    lost = np.array([one.lost for one in outcomes])
    error = lost.std(ddof=1) / np.sqrt(len(lost)) if len(lost) > 1 else np.nan
    return Board(
        table,
        len(outcomes),
        waits,
        queue.mean(axis=0),
        np.quantile(queue, 0.9, axis=0),
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


def saturation_is_slow(scenario: Scenario) -> bool:
    """Say whether finding the saturation load takes longer than a moment."""
    return scenario.backfill == "conservative" or scenario.general


def saturation_jobs(scenario: Scenario) -> int:
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
def _saturation(plain: Scenario) -> float | None:
    planned_long = plain.order == "arrival" and plain.estimates > 1
    if plain.backfill == "conservative" and (plain.general or planned_long):
        return None
    rng, jobs = np.random.default_rng(plain.seed), saturation_jobs(plain)
    with time_slices.turn(time_slices.LONGEST):
        return saturation_load(plain.mix, plain.fleet, plain.policy, rng, jobs)


def saturation(scenario: Scenario) -> float | None:
    """The load that the present policy can carry with the present mix; None where finding it takes too long."""
    return _saturation(scenario.effective)


#: Steps of the knob for training jobs [1/s], and the error of a saturation load [1].
RATE_STEP, POINT = 0.5 / float(k.DAY), 0.01


def carried_rate(scenario: Scenario) -> float:
    """Highest rate of training jobs that the policy carries for sure, among the knob's steps [1/s]; 0 if none.

    A mix with fewer trainings is another mix and has a limit of its own: each step is compared with its own limit, and
    must lie a point below it, which is the error with which limits are known.
    """
    most = saturation(scenario)
    least, now = (round(rate / RATE_STEP) for rate in (k.TRAINING_RATE.low, scenario.training_rate))
    step = min(now - 1, int(feasible_rate(scenario, min(1.0, most or 0.0)) / RATE_STEP))

    def carried(step: int) -> bool:
        other = replace(scenario, training_rate=float(f"{step * RATE_STEP:.12g}"))
        return other.load <= (saturation(other) or 0.0) - POINT

    if step < least or not carried(step):
        while step >= least and not carried(step):
            step -= 1
        return step * RATE_STEP if step >= least else 0.0
    while step + 1 < now and carried(step + 1):
        step += 1
    return step * RATE_STEP
