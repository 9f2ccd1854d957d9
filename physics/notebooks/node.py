"""Notebooks that share one node: when cells end under three schedulers, and what sharing costs their users.

Cores are a fluid: a cell that holds k cores, perhaps a fraction of one, does k core-seconds of work a second. `run`
goes exactly from event to event (a cell asks, a cell ends), without time steps.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from physics.arguments import (
    Count,
    NonNegative,
    NonNegatives,
    Share,
    positive,
    positive_or_infinite,
    several,
    within_range,
)
from physics.notebooks import core_sharing
from physics.notebooks.core_sharing import Cell, CellRun


@dataclass(frozen=True)
class NotebookRun:
    """A run of notebooks on one node, from the first cell to the end of the last."""

    end: list[float]  #: when each notebook's last cell ended, in input order [s]
    cells: list[CellRun]  #: one record a cell, by notebook and then by place
    idle: float  #: cores × makespan − work: core-seconds in which no work was done [core-s]

    @property
    def makespan(self) -> float:
        """When the last notebook ended [s]."""
        return max(self.end)


@within_range
def run(
    notebooks: Sequence[Sequence[Cell]],
    cores: Count,
    scheduler: Literal["naive", "partitioned", "dynamic"] = "naive",
    *,
    overhead: NonNegative = 0.0,
    oversubscription_loss: Share = 0.0,
    moldable: bool = True,
    starts: NonNegatives = (),
) -> NotebookRun:
    """Starts and ends of the cells of notebooks that share one node [s].

    - "naive": the cores are shared equally among the threads of all running cells, T in all, at most one each: a
      cell of t holds min(t, t · cores / T). While T > cores, work goes on at 1 − `oversubscription_loss` of that speed.
    - "partitioned": cores ÷ notebooks each, always; a cell holds min(threads, share).
    - "dynamic": a ready cell asks for min(threads, cores). Requests are granted in the order of the moment they were
      made, then fewer threads, then index of the notebook, and kept until the cell ends. A moldable cell starts as soon
      as a core is free and grows up to what it asked for; a rigid one starts only with all of it, and nobody behind it
      overtakes it. For the first `overhead` seconds a cell holds its cores but does no work.

    Args:
        notebooks: The cells of each, in order.
        cores: Of the node [1].
        overhead: Time to give a cell its cores, paid once a cell [s]; "dynamic" only.
        oversubscription_loss: Share of the speed lost while threads exceed cores [1]; "naive" only.
        moldable: Whether a cell can run on fewer cores than it asked for; "dynamic" only.
        starts: When each notebook's first cell asks for cores; all at 0 unless given [s].

    Cells that oversubscribe at a loss of 1 never end: their moments are infinite. Assumes perfect speed-up to the
    number of threads, and memory for everybody.

    >>> pair = [[Cell(4, 40)], [Cell(1, 10)]]
    >>> run(pair, 4).end, run(pair, 4, "partitioned").end, run(pair, 4, "dynamic").end
    ([12.5, 12.5], [20.0, 10.0], [12.5, 10.0])
    """
    books = _checked(notebooks)
    if starts and len(starts) != len(books):
        raise ValueError(f"starts must hold one time per notebook, got {len(starts)} for {len(books)} notebooks")
    share = {
        "naive": core_sharing.naive(cores, oversubscription_loss),
        "partitioned": core_sharing.partitioned(cores, len(books)),
        "dynamic": core_sharing.dynamic(cores, moldable),
    }
    cells = core_sharing.play(books, cores, share[scheduler], overhead if scheduler == "dynamic" else 0.0, starts)
    end = [max(cell.end for cell in cells if cell.notebook == number) for number in range(len(books))]
    work = math.fsum(cell.work for book in books for cell in book)
    return NotebookRun(end, cells, idle=max(0.0, cores * max(end) - work))  # rounding can leave -1e-15


def alone(notebooks: Sequence[Sequence[Cell]], cores: int) -> list[float]:
    """When each notebook would end by itself on all cores, without overhead or loss [s].

    >>> alone([[Cell(4, 40)], [Cell(1, 10, think=5), Cell(8, 40, think=99)]], 4)
    [10.0, 25.0]
    """
    return [run([book], cores, "dynamic").end[0] for book in _checked(notebooks)]


def antt(shared: Sequence[float], alone: Sequence[float]) -> float:
    """Average normalized turnaround time: mean of shared ÷ alone, at least 1, lower is better [1].

    Args:
        shared, alone: When each notebook ends together with the others, and by itself on all cores, in the same order
            [s].

    Source: S. Eyerman and L. Eeckhout, System-level performance metrics for multiprogram workloads, IEEE Micro 28(3),
    2008, average normalized turnaround time.

    >>> antt([12.5, 10], [10, 10])
    1.125
    """
    pairs = _pairs(shared, alone)
    return math.fsum(together / single for together, single in pairs) / len(pairs)


def stp(shared: Sequence[float], alone: Sequence[float]) -> float:
    """System throughput: sum of alone ÷ shared, at most the number of notebooks, higher is better [1].

    One that never ends adds nothing. Parameters, refusals and reference as for `antt`.

    >>> stp([12.5, 10], [10, 10])
    1.8
    """
    return math.fsum(single / together for together, single in _pairs(shared, alone))


def _pairs(shared: Sequence[float], alone: Sequence[float]) -> list[tuple[float, float]]:
    """Both lists side by side, checked."""
    shared, alone = several("shared", shared), several("alone", alone)
    if not shared or len(shared) != len(alone):
        raise ValueError(f"shared and alone must hold one time a notebook, got {len(shared)} and {len(alone)} times")
    together = [positive_or_infinite("shared", time) for time in shared]
    return list(zip(together, [positive("alone", time) for time in alone], strict=True))


def _checked(notebooks: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """Notebooks as lists, each of at least one cell."""
    if not isinstance(notebooks, Sequence) or not notebooks:
        raise ValueError(f"notebooks must be a list of at least one notebook, got {notebooks!r}")
    for number, book in enumerate(notebooks):
        if not isinstance(book, Sequence) or not book or not all(isinstance(cell, Cell) for cell in book):
            raise ValueError(f"notebook {number} must be a list of at least one Cell, got {book!r}")
    return [list(book) for book in notebooks]
