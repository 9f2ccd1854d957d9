"""The lesson's study: four synthetic notebooks in all combinations, with pauses, culled when idle for long.

A to D follow the description of a talk (A alternates one and all cores, B uses mostly one, C mostly all, D mostly one
and is the longest); their lengths, 2 : 3 : 6 : 8 on the usual 8 cores, and everything else about them are assumed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from physics.constants import NOTEBOOK_CORES, NOTEBOOK_LONG_CELL, NOTEBOOK_PAIR_CELL, NOTEBOOK_SHORT_CELL
from physics.notebooks.node import Cell, ThinkTime, alone, antt, run
from physics.numerics import checks

__all__ = [
    "COMBINATIONS",
    "OwnNodes",
    "break_even_overhead",
    "crowding",
    "culled",
    "notebooks_that_fit",
    "own_nodes",
    "paused",
    "synthetic",
]

#: Cells of each notebook: "1" uses one core, "N" all of the node; and how long each lasts alone on the usual node [s].
NOTEBOOKS = {
    "A": ("1N1N1N", NOTEBOOK_SHORT_CELL),
    "B": ("11N111N11", NOTEBOOK_SHORT_CELL),
    "C": ("NN1NNN1NNN1N", NOTEBOOK_LONG_CELL),
    "D": ("1111N1111N1111N1", NOTEBOOK_LONG_CELL),
    "N": ("N", NOTEBOOK_PAIR_CELL),
}
#: A, B, …, ABCD.
COMBINATIONS = tuple("".join(chosen) for size in range(1, 5) for chosen in combinations("ABCD", size))
THINK_CASES = ("none", "attentive", "overnight")


def synthetic(name: str, cores: int) -> list[Cell]:
    """Return a synthetic notebook, "A" to "D", or "N" of a single all-core cell, on a node of so many cores.

    The work of a cell is fixed; on more cores than usual an all-core cell has more threads and ends sooner.

    >>> [alone([synthetic(name, 8)], 8)[0] for name in "ABCD"]
    [120.0, 180.0, 360.0, 480.0]
    """
    cores = checks.count("cores", cores)
    if not isinstance(name, str) or name not in NOTEBOOKS:
        raise ValueError(f"notebook must be one of {', '.join(NOTEBOOKS)}, got {name!r}")
    pattern, length = NOTEBOOKS[name]
    return [Cell(1, length) if kind == "1" else Cell(cores, length * NOTEBOOK_CORES) for kind in pattern]


def paused(book: Sequence[Cell], case: str, rng: np.random.Generator, law: ThinkTime | None = None) -> list[Cell]:
    """Put pauses between the cells: none, those of an attentive user, or those and one gap of a night.

    Args:
        book: Cells of one notebook, in order.
        case: "none", "attentive" or "overnight"; the gap stands at a random place between two cells; a notebook of one
            cell has no such place.
        rng: Source of chance.
        law: The assumed mixture by default; its short pauses are an attentive user's, its gaps those of a night.
    """
    if case not in THINK_CASES:
        raise ValueError(f"case must be one of {', '.join(THINK_CASES)}, got {case!r}")
    if case == "none":
        return [replace(cell, think=0.0) for cell in book]
    law = law or ThinkTime()
    pauses = law.sample_short(len(book), rng)
    if case == "overnight" and len(book) > 1:
        pauses[rng.integers(len(book) - 1)] = rng.uniform(law.gap_least, law.maximum)
    return [replace(cell, think=float(pause)) for cell, pause in zip(book, pauses, strict=True)]


def culled(book: Sequence[Cell], timeout: float) -> list[Cell]:
    """What a notebook becomes if it is shut down after being idle for a time-out [s].

    A pause longer than that costs its state: all cells so far run once more, without pauses, before the next one.

    >>> [cell.work for cell in culled([Cell(1, 3, think=99), Cell(1, 5)], timeout=60)]
    [3.0, 3.0, 5.0]
    """
    timeout = checks.non_negative("timeout", timeout)
    lived: list[Cell] = []
    for place, cell in enumerate(book):
        lived.append(cell)
        if cell.think > timeout and place + 1 < len(book):
            lived += [replace(earlier, think=0.0) for earlier in book[: place + 1]]
    return lived


@dataclass(frozen=True)
class OwnNodes:
    """What notebooks cost when each holds a node of its own, from its first cell to the end of its last."""

    idle: float  #: core-seconds in which a held node does no work [core-s]
    rerun: float  #: work done again because state was lost [core-s]
    culls: int  #: pauses that were longer than the time-out [1]
    delay: float  #: time that rerunning adds, summed over notebooks [s]


def own_nodes(notebooks: Sequence[Sequence[Cell]], cores: int, timeout: float) -> OwnNodes:
    """Add up what exclusive nodes cost if an idle one is taken back after a time-out [s].

    A pause x keeps the node for min(x, timeout); after a longer one the user gets a node at once and runs all cells
    so far again.
    """
    idle = rerun = delay = 0.0
    culls = 0
    for book in notebooks:
        lived = culled(book, timeout)
        gaps = [cell.think for cell in book[:-1] if cell.think > timeout]
        took = alone([lived], cores)[0]
        away = sum(gap - timeout for gap in gaps)
        work = sum(cell.work for cell in lived)
        idle += cores * (took - away) - work
        rerun += work - sum(cell.work for cell in book)
        delay += took - alone([book], cores)[0]
        culls += len(gaps)
    return OwnNodes(max(0.0, idle), rerun, culls, delay)


def break_even_overhead(
    notebooks: Sequence[Sequence[Cell]],
    cores: int,
    *,
    oversubscription_loss: float = 0.0,
    moldable: bool = True,
    endless: int = 0,
    highest: float = 60.0,
    single: Sequence[float] | None = None,
) -> float:
    """Return the overhead a cell at which "dynamic" stops having the lowest ANTT of the three schedulers [s].

    The first crossing on a grid of 60 steps, the last one by tenths, then halved until it is known to a thousandth of a
    second: ANTT need not grow evenly with the overhead, since a delay can change who asks first. 0 if "dynamic" is not
    ahead even without overhead, that thousandth if it is ahead without any and no longer with so much, infinity if it
    is still ahead at the highest overhead looked at. Slowdowns are beside `single`, the time of each notebook alone
    [s]; by default that of these same notebooks.
    """
    highest = checks.positive("highest", highest)
    single = alone(notebooks, cores) if single is None else single
    rivals = [
        run(notebooks, cores, "naive", oversubscription_loss=oversubscription_loss, endless=endless),
        run(notebooks, cores, "partitioned", endless=endless),
    ]
    best = min(antt(rival.end, single) for rival in rivals)

    def ahead(overhead: float) -> bool:
        end = run(notebooks, cores, "dynamic", overhead=overhead, moldable=moldable, endless=endless).end
        return antt(end, single) < best * (1 - 1e-12)

    low, step = 0.0, highest / 60
    if not ahead(low):
        return 0.0
    while ahead(low + step):
        low += step
        if low >= highest:
            return float("inf")
    while ahead(low + step / 10):
        low += step / 10
    high = low + step / 10
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (middle, high) if ahead(middle) else (low, middle)
    return low or 1e-3


def crowding(
    notebooks: Sequence[Sequence[Cell]],
    cores: int,
    scheduler: str,
    enough: float,
    single: Sequence[float] | None = None,
    **options: float,
) -> Iterator[tuple[int, float]]:
    """Yield (n, ANTT) of the first n notebooks on one node, for n from 1 until ANTT is beyond `enough`.

    Slowdowns are beside `single`, the time of each notebook alone [s]; by default that of these same notebooks.
    """
    single = alone(notebooks, cores) if single is None else single
    for number in range(1, len(notebooks) + 1):
        end = run(notebooks[:number], cores, scheduler, **options).end
        turnaround = antt(end, single[:number])
        yield number, turnaround
        if turnaround > enough:
            return


def notebooks_that_fit(bound: float, crowd: Sequence[tuple[int, float]]) -> int:
    """Return the most notebooks up to which every smaller crowd keeps ANTT within a bound too; 0 if not even one does.

    >>> notebooks_that_fit(1.5, [(1, 1.0), (2, 1.4), (3, 1.6), (4, 1.45)])
    2
    """
    fit = 0
    for number, turnaround in crowd:
        if turnaround > bound * (1 + 1e-12):
            break
        fit = number
    return fit
