"""Notebook sharing: a pair of notebooks, mixes of four, users' pauses, and all results."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import ClassVar, NamedTuple

import numpy as np

from physics import constants as k
from physics.notebooks import (
    Cell,
    NotebookRun,
    ThinkTime,
    alone,
    antt,
    greatest_median,
    least_idle_share,
    run,
    stp,
)
from physics.notebooks.node import COMBINATIONS, synthetic
from physics.notebooks.sessions import Session, Spread, simulate_sessions
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob

#: Names of the policies, by their ids in `physics.notebooks.run`.
SCHEDULERS = {
    "naive": "Equal shares",
    "partitioned": "Fixed parts",
    "dynamic": "Scheduling by cell",
}
#: Moments this close are equal but for rounding [s].
TIE = 1e-9
#: Cores of the node that the pair shares; the first notebook's cell can use them all.
CORES = int(k.NOTEBOOK_CORES)
FIRST = (Cell(CORES, CORES * k.NOTEBOOK_PAIR_CELL),)  #: cells of the pair's first notebook


def seconds(time: float) -> str:
    """Write a time in seconds, even beyond a minute, so that times can be compared."""
    return f"{f.significant(time)} s"


class SharedRun(NamedTuple):
    """Run of several notebooks on one node, compared with each notebook alone."""

    run: NotebookRun
    one: float  #: finish time of the first notebook [s]
    two: float  #: finish time of the last notebook in the list, the second of a pair [s]
    last: float  #: time at which all have finished [s]
    antt: float  #: mean slowdown: time together ÷ time alone, averaged over the notebooks [1]
    stp: float  #: system throughput: sum of time alone ÷ time together [1]


@dataclass(frozen=True)
class Study:
    """Settings of the lesson with all results derived from them; all SI."""

    page: ClassVar[str] = "notebook_sharing"

    second_start: int = knob(k.NOTEBOOK_SECOND_START, spoken=seconds)
    second_length: int = knob(k.NOTEBOOK_QUICK_CELL, spoken=seconds)
    second_cores: int = knob(k.NOTEBOOK_SECOND_CORES, spoken="core")
    combination: str = choice(
        {names: " + ".join(names) for names in COMBINATIONS}, default=COMBINATIONS[-1]
    )
    cores: int = knob(k.NOTEBOOK_CORES)
    overhead: float = knob(k.NOTEBOOK_OVERHEAD, spoken=seconds)
    loss: float = knob(k.NOTEBOOK_LOSS, unit=0.01)
    cull: float = knob(k.NOTEBOOK_CULL, unit=k.HOUR)
    users: int = knob(k.NOTEBOOK_GPU_USERS, spoken="notebook")
    gpu_cell: int = knob(k.NOTEBOOK_GPU_CELL, spoken=seconds)

    @cached_property
    def equal(self) -> SharedRun:
        """Run of the pair with equal shares of the cores."""
        return self._pair("naive")

    @cached_property
    def ordered(self) -> SharedRun:
        """Run of the pair with its cells one after the other."""
        return self._pair("dynamic")

    @cached_property
    def short_first(self) -> SharedRun:
        """Run of the message's two cells one after the other, the short one first."""
        short = (Cell(CORES, CORES * k.NOTEBOOK_QUICK_CELL),)
        return _outcome((FIRST, short), CORES, "dynamic", (0.0, 0.0), (TIE, 0.0))

    def _pair(self, scheduler: str) -> SharedRun:
        """Return the run of the pair under one policy."""
        second = (Cell(self.second_cores, self.second_cores * self.second_length),)
        starts = (0.0, float(self.second_start))
        # If both cells are requested at the same moment, notebook 1 goes first here; the scheduler
        # would prefer the cell with fewer cores.
        asks = ()
        if scheduler == "dynamic":
            asks = (0.0, max(TIE, starts[1]))
        loss = round(self.loss, 9)
        return _outcome((FIRST, second), CORES, scheduler, starts, asks, self.overhead, loss)

    @property
    def gain(self) -> float:
        """Time that the first notebook gains if the cells run one after the other [s]."""
        return _zero(self.equal.one - self.ordered.one)

    @property
    def delay(self) -> float:
        """Time that the second notebook loses if the cells run one after the other [s]."""
        return _zero(self.ordered.two - self.equal.two)

    @property
    def left(self) -> float:
        """Work left in the first cell when the second one starts, as time on all cores [s]."""
        return max(0.0, k.NOTEBOOK_PAIR_CELL - self.second_start)

    @property
    def better(self) -> dict[str, bool | None]:
        """Whether the cells one after the other are better than equal shares; None if equal.

        For notebooks `one` and `two`, better is to finish sooner; the `mean` is of the slowdowns.
        """
        changes = {
            "one": self.gain,
            "two": -self.delay,
            "mean": _zero(self.equal.antt - self.ordered.antt),
        }
        return {name: change > 0 if change else None for name, change in changes.items()}

    @property
    def nobody_loses(self) -> bool:
        """Whether running one after the other delays neither notebook."""
        return self.gain >= 0 and self.delay <= 0

    @property
    def work(self) -> float:
        """Work of both cells of the pair [core-seconds]."""
        return k.NOTEBOOK_PAIR_CELL * CORES + float(self.second_length * self.second_cores)

    @property
    def quick_slowdown(self) -> float:
        """Time of the second notebook one after the other ÷ its time alone [1]."""
        return (self.ordered.two - self.second_start) / self.second_length

    @property
    def unchanged(self) -> float:
        """Finish time of notebook 2 at which both policies' mean slowdown is equal [s]."""
        first = self.ordered.one / k.NOTEBOOK_PAIR_CELL
        return self.second_start + (2 * self.equal.antt - first) * self.second_length

    @property
    def even_length(self) -> float:
        """Length of the second cell at which both policies have the same mean slowdown [s].

        If both cells start at the same moment and use all cores, x = T2/T1 solves x² + x = 1.
        """
        return (math.sqrt(5) - 1) / 2 * k.NOTEBOOK_PAIR_CELL

    @property
    def break_even(self) -> float:
        """Overhead per cell at which two equal cells no longer gain on average [s].

        It is the h that solves 1.5 (1 + h/T) = 2.
        """
        return k.NOTEBOOK_PAIR_CELL / 3

    @property
    def four_equal(self) -> SharedRun:
        """Run of four users with the pair's first cell each, with equal shares of the cores."""
        return _outcome((FIRST,) * 4, CORES, "naive")

    @property
    def four_ordered(self) -> SharedRun:
        """Run of four users with the pair's first cell each, one after the other."""
        return _outcome((FIRST,) * 4, CORES, "dynamic")

    @cached_property
    def outcomes(self) -> dict[str, SharedRun]:
        """Result of the selected mix by scheduler."""
        return {name: self.mixed(self.combination, name) for name in SCHEDULERS}

    def mixed(self, combination: str, scheduler: str) -> SharedRun:
        """Simulate a mix such as "ACD" under one scheduler."""
        cost = {}
        if scheduler == "dynamic":
            cost = {"overhead": self.overhead}
        elif scheduler == "naive":
            cost = {"loss": round(self.loss, 9)}
        notebooks = tuple(tuple(synthetic(name, self.cores)) for name in combination)
        return _outcome(notebooks, self.cores, scheduler, **cost)

    @property
    def lowest(self) -> dict[str, object]:
        """Lowest mean slowdown of the mix [1], and the names of the schedulers that achieve it."""
        slowdowns = {name: outcome.antt for name, outcome in self.outcomes.items()}
        names = [SCHEDULERS[name].lower() for name in _lowest(slowdowns)]
        return {"antt": min(slowdowns.values()), "winners": " and ".join(names)}

    @property
    def table(self) -> dict[str, dict[str, float]]:
        """Mean slowdown of every combination, by scheduler [1]."""
        rows = {}
        for names in COMBINATIONS:
            rows[names] = {name: self.mixed(names, name).antt for name in SCHEDULERS}
        return rows

    @property
    def best(self) -> dict[str, int]:
        """Number of mixes in which each scheduler has the lowest mean slowdown [1]."""
        winners = list(chain.from_iterable(self._winners))
        return {name: winners.count(name) for name in SCHEDULERS}

    @property
    def _winners(self) -> list[list[str]]:
        """Schedulers with the lowest mean slowdown in each mix of more than one notebook."""
        return [_lowest(row) for names, row in self.table.items() if len(names) > 1]

    @property
    def mixes(self) -> int:
        """Number of mixes of more than one notebook [1]."""
        return sum(len(names) > 1 for names in COMBINATIONS)

    @property
    def tied(self) -> int:
        """Number of mixes in which equal shares and scheduling by cell tie as best [1]."""
        return sum({"naive", "dynamic"} <= {*winners} for winners in self._winners)

    @property
    def throughputs(self) -> dict[str, float]:
        """System throughput of all four notebooks together, by scheduler [1]."""
        return {name: self.mixed(COMBINATIONS[-1], name).stp for name in SCHEDULERS}

    @property
    def gpu(self) -> dict[str, Spread]:
        """Best, average, and worst slowdown of users who share a GPU, by kind of session [1]."""
        kinds = sessions(self.gpu_cell).items()
        return {name: _on_one_gpu(session, self.users) for name, session in kinds}

    @property
    def gpu_held(self) -> dict[str, dict[str, float]]:
        """Idle share of one user's GPU [1], and the cost of all idle GPUs [$], by session."""
        costs = {}
        for name, session in sessions(self.gpu_cell).items():
            idle = session.idle_if_held
            hours = self.users * idle / k.HOUR
            costs[name] = {"idle": idle / session.length, "cost": hours * k.NOTEBOOK_GPU_HOUR}
        return costs

    @property
    def pauses(self) -> dict[str, float]:
        """Bounds and assumed values of pauses and idle shares, and the share that is saved.

        `median_bound` and `median` are the longest possible median of the pauses and that of the
        assumed law [s]. `least_long` and `long` are the lowest possible share of idle time in
        pauses of over an hour and that of the law; the time-out recovers a share `saved` [1].
        """
        law = ThinkTime()
        return {
            "median_bound": greatest_median(),
            "median": law.median,
            "least_long": least_idle_share(k.HOUR),
            "long": law.idle_share(k.HOUR),
            "saved": law.recovered(self.cull),
        }


def sessions(gpu_cell: float) -> dict[str, Session]:
    """Sessions without pauses, with pauses, and overnight, with GPU cells of this length."""
    cells = (int(k.NOTEBOOK_GPU_ROUNDS), k.NOTEBOOK_GPU_OTHER, gpu_cell)
    return {
        "batch": Session(*cells),
        "semi": Session(*cells, k.NOTEBOOK_GPU_PAUSE),
        "night": Session(*cells, k.NOTEBOOK_GPU_PAUSE, k.NOTEBOOK_GPU_NIGHT),
    }


@lru_cache(maxsize=256)
def _on_one_gpu(session: Session, users: int) -> Spread:
    """Simulate users with such sessions on one GPU, with the same random numbers each time."""
    rng = np.random.default_rng(1)
    return simulate_sessions(session, users, 1, int(k.NOTEBOOK_GPU_RUNS), rng)


def _lowest(slowdowns: Mapping[str, float]) -> list[str]:
    """Return the names with the lowest slowdown; more than one where they tie."""
    limit = min(slowdowns.values()) * (1 + TIE)
    return [name for name, slowdown in slowdowns.items() if slowdown <= limit]


def _zero(difference: float) -> float:
    """Return a difference of times [s] or slowdowns [1], 0 if it is only rounding."""
    if abs(difference) < TIE * 100:
        return 0.0
    return difference


@lru_cache(maxsize=1536)
def _outcome(
    notebooks: Sequence[Sequence[Cell]],
    cores: int,
    scheduler: str,
    starts: Sequence[float] = (),
    asks: Sequence[float] = (),
    overhead: float = 0.0,
    loss: float = 0.0,
) -> SharedRun:
    """Run notebooks on one node from 0 s or their `starts` on, and compare each with it alone.

    Cells that are requested at the same moment start in the order of `asks`, times that differ from
    `starts` by less than matters.
    """
    options = {"overhead": overhead, "oversubscription_loss": loss, "starts": asks or starts}
    result = run(notebooks, cores, scheduler, **options)
    end = result.end
    times = (np.subtract(end, starts or 0.0).tolist(), alone(notebooks, cores))
    return SharedRun(result, end[0], end[-1], result.makespan, antt(*times), stp(*times))


def machine(first: float, second: float) -> dict[str, object]:
    """Return the finish times of two tasks on a machine that divides its time, or does not [s].

    One after the other (`ordered`) also has the mean of the finish times, and their sum.
    """
    work = (Cell(1, first),), (Cell(1, second),)
    equal = _outcome(work, 1, "naive", asks=(0.0, TIE))
    ordered = _outcome(work, 1, "dynamic", asks=(0.0, TIE))
    total = sum(ordered.run.end)
    return {"equal": equal, "ordered": ordered, "mean": total / 2, "sum": total}


def _at_least(share: float, digits: int = 3) -> str:
    """Write a lower bound above 10%, rounded down: rounded up it would claim too much."""
    scale = 10**digits
    return f.share(math.floor(share * scale) / scale, digits)


say = Sentences(
    Study,
    formats={"least": _at_least},
)
