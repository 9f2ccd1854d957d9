"""The lesson's study: four synthetic notebooks in all combinations, and the overhead at which sharing stops paying.

A to D follow the description of a talk (A alternates one and all cores, B uses mostly one, C mostly all, D mostly one
and is the longest); their lengths, 2 : 3 : 6 : 8 on the usual 8 cores, and everything else about them are assumed.
"""

from collections.abc import Sequence
from itertools import combinations

from physics.constants import NOTEBOOK_CORES, NOTEBOOK_LONG_CELL, NOTEBOOK_PAIR_CELL, NOTEBOOK_SHORT_CELL
from physics.notebooks.core_sharing import Cell
from physics.notebooks.node import alone, antt, run
from physics.numerics import checks

__all__ = ["COMBINATIONS", "break_even_overhead", "synthetic"]

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


def break_even_overhead(
    notebooks: Sequence[Sequence[Cell]],
    cores: int,
    *,
    oversubscription_loss: float = 0.0,
    moldable: bool = True,
    highest: float = 60.0,
) -> float:
    """Overhead per cell at which "dynamic" stops having the lowest ANTT of the three schedulers [s].

    The first crossing on a grid of 60 steps, the last one by tenths, then halved until it is known to a thousandth of a
    second: ANTT need not grow evenly with the overhead, since a delay can change who asks first. 0 if "dynamic" is not
    ahead even without overhead, that thousandth if it is ahead without any and no longer with so much, infinity if it
    is still ahead at the `highest` overhead [s].
    """
    highest = checks.positive("highest", highest)
    single = alone(notebooks, cores)
    rivals = [
        run(notebooks, cores, "naive", oversubscription_loss=oversubscription_loss),
        run(notebooks, cores, "partitioned"),
    ]
    best = min(antt(rival.end, single) for rival in rivals)

    def ahead(overhead: float) -> bool:
        end = run(notebooks, cores, "dynamic", overhead=overhead, moldable=moldable).end
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
