"""Notebook sharing: what the knobs say, run under three schedulers, and kept."""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from physics import constants as k
from physics.notebooks import Cell, NotebookRun, alone, antt, run, stp
from physics.notebooks.study import (
    COMBINATIONS,
    OwnNodes,
    break_even_overhead,
    crowding,
    culled,
    notebooks_that_fit,
    own_nodes,
    paused,
    synthetic,
)
from ui.base import format as f
from ui.knobs import MORE, choice, knob, toggle

SCHEDULERS = {"naive": "Naive", "partitioned": "Partitioned", "dynamic": "Dynamic"}
THINK = {"none": "Run top to bottom", "attentive": "Attentive user", "overnight": "Left overnight"}
PAIR = "pair"
Books = tuple[tuple[Cell, ...], ...]
TOGETHER = {PAIR: "Two all-core cells"} | {names: " + ".join(names) for names in COMBINATIONS}
MOST = int(k.NOTEBOOK_USERS)


@dataclass(frozen=True)
class Outcome:
    """One scheduler's run and its measures."""

    run: NotebookRun
    antt: float
    stp: float

    @property
    def stuck(self) -> int:
        """Notebooks that never end."""
        return sum(math.isinf(end) for end in self.run.end)


@dataclass(frozen=True)
class Study:
    """Everything that the knobs say; all SI."""

    page: ClassVar[str] = "notebook_sharing"

    combination: str = choice(TOGETHER)
    copies: int = knob(k.NOTEBOOK_COPIES, spoken=lambda copies: "one copy" if copies == 1 else f"{copies} copies")
    cores: int = knob(k.NOTEBOOK_CORES)
    scheduler: str = choice(SCHEDULERS, default="dynamic")
    moldable: bool = toggle(default=True)
    overhead: float = knob(k.NOTEBOOK_OVERHEAD, spoken=f.duration)
    loss: float = knob(k.NOTEBOOK_LOSS, unit=0.01)
    think: str = choice(THINK, group=MORE)
    cull: float = knob(k.NOTEBOOK_CULL, unit=k.HOUR, group=MORE)
    bound: float = knob(k.NOTEBOOK_ANTT_BOUND, group=MORE)
    endless: int = knob(k.NOTEBOOK_ENDLESS, high="cores", group=MORE)
    draw: int = knob(k.NOTEBOOK_DRAW, group=MORE)

    def idle(self) -> dict[str, str]:
        """Name the knobs that have no effect at the moment, with the reason."""
        if self.combination == PAIR:
            return dict.fromkeys(("think", "cull", "draw"), "these notebooks have one cell each and no pauses")
        if self.think == "none":
            return dict.fromkeys(("cull", "draw"), "there are no pauses")
        return {} if self.own.culls else {"cull": "no pause is longer"}

    @property
    def names(self) -> str:
        """One letter a notebook."""
        return _letters(self.combination) * self.copies

    @property
    def labels(self) -> list[str]:
        """Names that tell copies apart."""
        names = self.names
        if len(set(names)) == len(names):
            return list(names)
        return [f"{name}{names[: place + 1].count(name)}" for place, name in enumerate(names)]

    @property
    def pauses(self) -> tuple[str, int]:
        """Think-time case and draw; without pauses all draws are one."""
        return (self.think, self.draw) if self.think != "none" else ("none", int(k.NOTEBOOK_DRAW))

    @property
    def notebooks(self) -> Books:
        """The notebooks as their users meant them."""
        return _notebooks(self.names, self.cores, *self.pauses)

    @property
    def lived(self) -> Books:
        """The notebooks with what is run again after a cull."""
        return _lived(self.names, self.cores, *self.pauses, self.cull)

    @property
    def alone(self) -> tuple[float, ...]:
        """How long each takes by itself, never culled [s]."""
        return _alone(self.names, self.cores, *self.pauses)

    def run_key(self, scheduler: str) -> tuple:
        """Everything that a run of this scheduler depends on, and nothing else."""
        naive, dynamic = scheduler == "naive", scheduler == "dynamic"
        books = (
            self.names,
            self.cores,
            *self.pauses,
            self.cull if self.think != "none" else float(k.NOTEBOOK_CULL),
        )
        options = (self.loss if naive else 0.0, self.overhead if dynamic else 0.0, self.moldable or not dynamic)
        return (scheduler, *books, *options, self.endless)

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        """One outcome a scheduler."""
        return {scheduler: _outcome(*self.run_key(scheduler)) for scheduler in SCHEDULERS}

    @property
    def now(self) -> Outcome:
        """The outcome of the scheduler chosen."""
        return self.outcomes[self.scheduler]

    @cached_property
    def own(self) -> OwnNodes:
        """What the notebooks cost with a node each."""
        return own_nodes(self.notebooks, self.cores, self.cull)

    @cached_property
    def own_kept(self) -> OwnNodes:
        """The same if nothing is ever culled."""
        return own_nodes(self.notebooks, self.cores, float(k.NOTEBOOK_CULL.high))

    @property
    def break_even(self) -> float:
        """Overhead a cell from which dynamic scheduling is no longer ahead [s]."""
        return _break_even(replace(self, scheduler="dynamic", overhead=0.0, bound=float(k.NOTEBOOK_ANTT_BOUND)))

    @property
    def good(self) -> bool:
        """Whether the scheduler chosen keeps the mean slowdown within the bound."""
        return turnaround(self, self.scheduler) <= self.bound * (1 + 1e-12)


def _letters(combination: str) -> str:
    return "NN" if combination == PAIR else combination


@lru_cache(maxsize=512)
def _notebooks(names: str, cores: int, think: str, draw: int) -> Books:
    """Synthetic notebooks with pauses; one more notebook leaves the others' pauses as they are."""
    return tuple(
        tuple(paused(synthetic(name, cores), think, np.random.default_rng([draw, place])))
        for place, name in enumerate(names)
    )


@lru_cache(maxsize=512)
def _lived(names: str, cores: int, think: str, draw: int, cull: float) -> Books:
    return tuple(tuple(culled(book, cull)) for book in _notebooks(names, cores, think, draw))


@lru_cache(maxsize=512)
def _alone(names: str, cores: int, think: str, draw: int) -> tuple[float, ...]:
    return tuple(alone(_notebooks(names, cores, think, draw), cores))


def _run(scheduler, names, cores, think, draw, cull, loss, overhead, moldable, endless) -> Outcome:
    done = run(
        _lived(names, cores, think, draw, cull),
        cores,
        scheduler,
        overhead=overhead,
        oversubscription_loss=loss,
        moldable=moldable,
        endless=endless,
    )
    single = _alone(names, cores, think, draw)
    return Outcome(done, antt(done.end, single), stp(done.end, single))


_outcome = lru_cache(maxsize=64)(_run)  # few: a crowd's history can take a megabyte


@lru_cache(maxsize=4096)
def _measures(*settings) -> dict[str, float]:
    outcome = _run(*settings)
    return {"antt": outcome.antt, "stp": outcome.stp}


def turnaround(study: Study, scheduler: str) -> float:
    """ANTT of one scheduler, without keeping the run."""
    return _measures(*study.run_key(scheduler))["antt"]


@lru_cache(maxsize=256)
def _break_even(study: Study) -> float:
    return break_even_overhead(
        study.lived,
        study.cores,
        oversubscription_loss=study.loss,
        moldable=study.moldable,
        endless=study.endless,
        highest=float(k.MINUTE),
        single=study.alone,
    )


def table(study: Study) -> dict[str, dict[str, dict[str, float]]]:
    """ANTT and STP of every combination A … ABCD and scheduler at these settings."""
    found = {}
    for names in COMBINATIONS:
        other = replace(study, combination=names)
        found[names] = {scheduler: _measures(*other.run_key(scheduler)) for scheduler in SCHEDULERS}
    return found


def own_antt(study: Study) -> float:
    """ANTT with a node each: 1, and more where culled users run cells again."""
    rerun = alone(study.lived, study.cores)
    return sum(took / single for took, single in zip(rerun, study.alone, strict=True)) / len(rerun)


def nodes_needed(study: Study) -> int:
    """Nodes on which all users keep the bound, each filled in order as far as it goes; 0 if one exceeds it alone."""
    return _nodes_needed(replace(study, copies=1))


@lru_cache(maxsize=64)
def _nodes_needed(study: Study) -> int:
    names = (_letters(study.combination) * MOST)[:MOST]
    lived, single = _lived(names, study.cores, *study.pauses, study.cull), _alone(names, study.cores, *study.pauses)
    dynamic, naive = study.scheduler == "dynamic", study.scheduler == "naive"
    options = {
        "moldable": study.moldable or not dynamic,
        "overhead": study.overhead if dynamic else 0.0,
        "oversubscription_loss": study.loss if naive else 0.0,
    }
    place = nodes = 0
    while place < MOST:
        left, options["single"] = lived[place:], single[place:]
        crowd = crowding(left, study.cores, study.scheduler, study.bound, endless=study.endless, **options)
        fit = notebooks_that_fit(study.bound, list(crowd))
        if not fit:
            return 0
        place, nodes = place + fit, nodes + 1
    return nodes


def crowds(study: Study) -> dict[str, list[tuple[int, float]]]:
    """(n, ANTT) for the first n notebooks, the combination repeated, by scheduler; ends well above the bound."""
    return _crowds(replace(study, scheduler="dynamic", copies=1))


@lru_cache(maxsize=64)
def _crowds(study: Study) -> dict[str, list[tuple[int, float]]]:
    letters = _letters(study.combination)
    names = (letters * MOST)[:MOST]
    lived, single = _lived(names, study.cores, *study.pauses, study.cull), _alone(names, study.cores, *study.pauses)
    options = {
        "single": single,
        "endless": study.endless,
        "moldable": study.moldable,
        "overhead": study.overhead,
        "oversubscription_loss": study.loss,
    }
    return {
        scheduler: list(crowding(lived, study.cores, scheduler, 1.6 * study.bound, **options))
        for scheduler in SCHEDULERS
    }
