"""Simulation of notebooks that share one node under three schedulers, with slowdown measures.

Cores are a fluid: a cell that holds k cores, perhaps a fraction of one, does k core-seconds of work
a second. `run` goes exactly from event to event (a cell asks, a cell ends), without time steps.

Of the lesson's four synthetic notebooks, A to D follow the description of a talk (A alternates one
and all cores, B uses mostly one, C mostly all, D mostly one and is the longest); their lengths, 2 :
3 : 6 : 8 on the usual 8 cores, and everything else about them are assumed.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from itertools import chain, combinations
from operator import attrgetter, truediv
from typing import Annotated, Literal

from physics.arguments import (
    Count,
    NonNegative,
    NonNegatives,
    Positive,
    Share,
    one_of,
    positive,
    positive_or_infinite,
    several,
    within_range,
)
from physics.constants import NOTEBOOK_CORES, NOTEBOOK_LONG_CELL, NOTEBOOK_SHORT_CELL

SCHEDULERS = ("naive", "partitioned", "dynamic")
# events closer than this, relative to the clock, coincide: rounding must not decide who was first
SAME_MOMENT = 1e-12


@within_range
@dataclass(frozen=True)
class Cell:
    """One cell of a notebook: its threads, its work, and the pause after it."""

    threads: Count  #: cores it can use at once [1]
    work: Positive  #: what it has to do, the same on any number of cores [core-s]
    #: idle time after the cell [s]; that of a notebook's last cell does not count
    think: NonNegative = 0.0


@dataclass(frozen=True)
class CellRun:
    """Times of one cell's run; a time is infinite if the event never happens."""

    notebook: int  #: index of its notebook in the input
    place: int  #: its place in the notebook, from 0
    asked: int  #: min(threads, cores) [1]
    #: cores it could count on, the fewest it held; under "dynamic" those it started with [1]
    granted: float
    ready: float  #: when it asked: the cell before it has ended and its pause is over [s]
    start: float  #: when it first held any core [s]
    end: float  #: when its work was done [s]
    #: (moment [s], cores held from then on [1]) from start to end
    steps: tuple[tuple[float, float], ...]


@dataclass(slots=True)
class Running:
    """Cell that has been submitted and has not ended."""

    notebook: int
    index: int
    threads: int
    requested: int
    ready: float
    remaining: float  # work to do at `counted` [core-s]
    counted: float = math.inf  # time from which on `remaining` shrinks at `speed` [s]
    cores: float = 0
    speed: float = 0
    end: float = math.inf  # at the present speed [s]
    steps: list[tuple[float, float]] = field(default_factory=list)

    def hold(self, time: float, cores: float, speed: float, overhead: float) -> None:
        """Give the running cell this number of cores at this speed from a time on.

        The overhead is added when it first gets cores.

        Where nothing changes nothing is computed, so a cell that others leave alone ends when it
        would by itself, to the last bit.
        """
        if (cores, speed) == (self.cores, self.speed):
            return
        if not self.steps:
            time = max(time, self.ready)
            self.counted = time + overhead
        elif time > self.counted:
            self.remaining = max(0.0, self.remaining - (time - self.counted) * self.speed)
            self.counted = time
        self.cores = cores
        self.speed = speed
        self.end = math.inf
        if speed > 0:
            self.end = self.counted + self.remaining / speed
        self.steps.append((time, cores))

    def record(self) -> CellRun:
        """Return the record of the cell's run."""
        start = math.inf
        granted: float = 0
        if self.steps:
            start = self.steps[0][0]
            granted = min(cores for _, cores in self.steps)
        identity = (self.notebook, self.index, self.requested)
        return CellRun(*identity, granted, self.ready, start, self.end, tuple(self.steps))


def _naive(active: Sequence[Running], cores: int, loss: float) -> list[tuple[float, float]]:
    """Return (cores, speed) of each cell if all threads have equal shares of the cores.

    A thread has at most one core. All lose speed while there are more threads than cores.
    """
    threads = sum(cell.threads for cell in active)
    if threads <= cores:
        return [(float(cell.threads), float(cell.threads)) for cell in active]
    shares = [cell.threads * cores / threads for cell in active]
    return [(share, share * (1 - loss)) for share in shares]


def _partitioned(active: Sequence[Running], share: float) -> list[tuple[float, float]]:
    """Return (cores, speed) of each cell if every notebook has its own share of the cores.

    A cell uses at most as many cores as it has threads.
    """
    return [(min(cell.threads, share),) * 2 for cell in active]


def _dynamic(active: Sequence[Running], cores: int, moldable: bool) -> list[tuple[float, float]]:
    """Return (cores, speed) of each cell if requests are granted in the order of the list.

    A rigid cell that does not fit stops all behind it.

    A cell is never given less than before: who comes later stands behind it in the list, and who
    leaves only frees cores. So going through the list again at each event is the same as keeping
    grants and handing out what is freed.
    """
    idle = cores
    grants: list[tuple[float, float]] = []
    for cell in active:
        granted = min(cell.requested, idle)
        if granted < cell.requested and not moldable:
            granted = idle = 0
        idle -= granted
        grants.append((granted, granted))
    return grants


def _play(
    notebooks: list[list[Cell]],
    cores: int,
    share: Callable,
    overhead: float,
    starts: Sequence[float],
) -> list[CellRun]:
    """Go from event to event until nothing moves; return the records by notebook and place.

    First cells ask at their `starts`. `share` says the cores and the speed of each active cell.
    """
    records: list[list[CellRun]] = [[] for _ in notebooks]
    # (when its next cell asks, notebook), a heap
    coming = sorted(zip(starts, range(len(starts)), strict=True))
    active: list[Running] = []  # in order of arrival, then fewer threads, then index
    while True:
        moments = [cell.end for cell in active]
        if coming:
            moments.append(coming[0][0])
        clock = min(moments, default=math.inf)
        if clock == math.inf:
            break
        same = clock + SAME_MOMENT * clock
        for cell in active:
            if cell.end <= same:
                done = records[cell.notebook]
                book = notebooks[cell.notebook]
                done.append(cell.record())
                if len(done) < len(book):
                    heappush(coming, (cell.end + book[cell.index].think, cell.notebook))
        arrivals = []
        while coming and coming[0][0] <= same:
            ready, number = heappop(coming)
            index = len(records[number])
            next_cell = notebooks[number][index]
            threads = next_cell.threads
            arrivals.append(
                Running(number, index, threads, min(threads, cores), ready, next_cell.work)
            )
        active = [cell for cell in active if cell.end > same]
        active += sorted(arrivals, key=attrgetter("threads", "notebook"))
        for cell, (granted, speed) in zip(active, share(active), strict=True):
            cell.hold(clock, granted, speed, overhead)
    for cell in active:
        records[cell.notebook].append(cell.record())
    for number, (done, book) in enumerate(zip(records, notebooks, strict=True)):
        for index in range(len(done), len(book)):
            threads = min(book[index].threads, cores)
            done.append(CellRun(number, index, threads, 0, math.inf, math.inf, math.inf, ()))
    return list(chain.from_iterable(records))


@dataclass(frozen=True)
class NotebookRun:
    """A run of notebooks on one node, from the first cell to the end of the last."""

    end: list[float]  #: when each notebook's last cell ended, in input order [s]
    cells: list[CellRun]  #: one record a cell, by notebook and then by place
    idle: float  #: cores × makespan − work: core-seconds in which no work was done [core-s]

    @property
    def makespan(self) -> float:
        """Time at which the last notebook ends [s]."""
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

    - "naive": the cores are shared equally among the threads of all running cells, T in all, at
      most one each: a cell of t threads holds min(t, t · cores / T). While T > cores, work goes on
      at 1 − `oversubscription_loss` of that speed.
    - "partitioned": cores ÷ notebooks each, always; a cell holds min(threads, share).
    - "dynamic": a ready cell asks for min(threads, cores). Requests are granted in the order in
      which they were made, then fewer threads, then index of the notebook, and cores are held until
      the cell ends. A moldable cell starts as soon as a core is free and grows up to what it asked
      for; a rigid one starts only with all of it, and nobody behind it overtakes it. For the first
      `overhead` seconds a cell holds its cores but does no work.

    Args:
        notebooks, cores: The cells of each, in order; cores of the node [1].
        overhead: Time to give a cell its cores, paid once a cell [s]; "dynamic" only.
        oversubscription_loss: Share of the speed lost while threads exceed cores [1]; "naive" only.
        moldable: Whether a cell can run on fewer cores than it asked for; "dynamic" only.
        starts: When each notebook's first cell asks for cores; all at 0 unless given [s].

    Cells that oversubscribe at a loss of 1 never end: their moments are infinite. Assumes perfect
    speed-up to the number of threads, and memory for everybody.

    >>> pair = [[Cell(4, 40)], [Cell(1, 10)]]
    >>> run(pair, 4).end, run(pair, 4, "partitioned").end, run(pair, 4, "dynamic").end
    ([12.5, 12.5], [20.0, 10.0], [12.5, 10.0])
    """
    books = _checked(notebooks)
    starts = starts or [0.0] * len(books)
    if len(starts) != len(books):
        raise ValueError(
            f"starts must hold one time per notebook, got {len(starts)} for {len(books)} notebooks"
        )
    share = {
        "naive": partial(_naive, cores=cores, loss=oversubscription_loss),
        "partitioned": partial(_partitioned, share=cores / len(books)),
        "dynamic": partial(_dynamic, cores=cores, moldable=moldable),
    }
    if scheduler != "dynamic":
        overhead = 0.0
    cells = _play(books, cores, share[scheduler], overhead, starts)
    end = [-math.inf] * len(books)
    for cell in cells:
        end[cell.notebook] = max(end[cell.notebook], cell.end)
    work = math.fsum(cell.work for cell in chain.from_iterable(books))
    idle = max(0.0, cores * max(end) - work)  # rounding can leave -1e-15
    return NotebookRun(end, cells, idle)


def alone(notebooks: Sequence[Sequence[Cell]], cores: int) -> list[float]:
    """End time of each notebook by itself on all cores, without overhead or loss [s].

    >>> alone([[Cell(4, 40)], [Cell(1, 10, think=5), Cell(8, 40, think=99)]], 4)
    [10.0, 25.0]
    """
    return [run([book], cores, "dynamic").end[0] for book in _checked(notebooks)]


def antt(shared: Sequence[float], alone: Sequence[float]) -> float:
    """Average normalized turnaround time: mean of shared ÷ alone, at least 1, lower is better [1].

    `shared` and `alone` say when each notebook ends together with the others, and by itself on all
    cores [s].

    Source: S. Eyerman and L. Eeckhout, System-level performance metrics for multiprogram workloads,
    2008.

    >>> antt([12.5, 10], [10, 10])
    1.125
    """
    shared, alone = _pairs(shared, alone)
    return math.fsum(map(truediv, shared, alone)) / len(alone)


def stp(shared: Sequence[float], alone: Sequence[float]) -> float:
    """System throughput: sum of alone ÷ shared, at most the number of notebooks [1].

    Higher is better; see `antt`. One that never ends adds nothing.

    >>> stp([12.5, 10], [10, 10])
    1.8
    """
    shared, alone = _pairs(shared, alone)
    return math.fsum(map(truediv, alone, shared))


def _pairs(shared: Sequence[float], alone: Sequence[float]) -> tuple[list[float], list[float]]:
    """End times shared and alone as lists of equal length [s]."""
    shared = several("shared", shared)
    alone = several("alone", alone)
    if not shared or len(shared) != len(alone):
        raise ValueError(
            f"shared and alone must hold one time a notebook, got {len(shared)} and {len(alone)} "
            "times"
        )
    return (
        [positive_or_infinite("shared", time) for time in shared],
        [positive("alone", time) for time in alone],
    )


def _checked(notebooks: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """Notebooks as lists, each of at least one cell."""
    if not isinstance(notebooks, Sequence) or not notebooks:
        raise ValueError(f"notebooks must be a list of at least one notebook, got {notebooks!r}")
    for number, book in enumerate(notebooks):
        is_list = isinstance(book, Sequence) and len(book) > 0
        if not is_list or not all(isinstance(cell, Cell) for cell in book):
            raise ValueError(f"notebook {number} must be a list of at least one Cell, got {book!r}")
    return list(map(list, notebooks))


#: Cells of each notebook, "1" for one core and "N" for all of the node, and the time that each cell
#: takes alone on the usual node [s].
NOTEBOOKS = {
    "A": ("1N1N1N", NOTEBOOK_SHORT_CELL),
    "B": ("11N111N11", NOTEBOOK_SHORT_CELL),
    "C": ("NN1NNN1NNN1N", NOTEBOOK_LONG_CELL),
    "D": ("1111N1111N1111N1", NOTEBOOK_LONG_CELL),
}
#: A, B, …, ABCD.
COMBINATIONS = tuple(
    "".join(chosen) for size in range(1, 5) for chosen in combinations("ABCD", size)
)


@within_range
def synthetic(name: Annotated[str, one_of(NOTEBOOKS)], cores: Count) -> list[Cell]:
    """Return the cells of a synthetic notebook, "A" to "D", for a node with this many cores.

    The work of a cell is fixed; on more cores than usual an all-core cell has more threads and ends
    sooner.
    """
    pattern, length = NOTEBOOKS[name]
    cells = {"1": Cell(1, length), "N": Cell(cores, length * NOTEBOOK_CORES)}
    return [cells[kind] for kind in pattern]
