"""The lesson's study: four synthetic notebooks in all combinations.

A to D follow the description of a talk (A alternates one and all cores, B uses mostly one, C mostly all, D mostly one
and is the longest); their lengths, 2 : 3 : 6 : 8 on the usual 8 cores, and everything else about them are assumed.
"""

from itertools import combinations
from typing import Annotated

from physics.arguments import Count, one_of, within_range
from physics.constants import NOTEBOOK_CORES, NOTEBOOK_LONG_CELL, NOTEBOOK_SHORT_CELL
from physics.notebooks.node import Cell

#: Cells of each notebook: "1" uses one core, "N" all of the node; and how long each lasts alone on the usual node [s].
NOTEBOOKS = {
    "A": ("1N1N1N", NOTEBOOK_SHORT_CELL),
    "B": ("11N111N11", NOTEBOOK_SHORT_CELL),
    "C": ("NN1NNN1NNN1N", NOTEBOOK_LONG_CELL),
    "D": ("1111N1111N1111N1", NOTEBOOK_LONG_CELL),
}
#: A, B, …, ABCD.
COMBINATIONS = tuple("".join(chosen) for size in range(1, 5) for chosen in combinations("ABCD", size))


@within_range
def synthetic(name: Annotated[str, one_of(NOTEBOOKS)], cores: Count) -> list[Cell]:
    """Return a synthetic notebook, "A" to "D", on a node of so many cores.

    The work of a cell is fixed; on more cores than usual an all-core cell has more threads and ends sooner.

    >>> [len(synthetic(name, 8)) for name in "ABCD"]
    [6, 9, 12, 16]
    """
    pattern, length = NOTEBOOKS[name]
    return [Cell(1, length) if kind == "1" else Cell(cores, length * NOTEBOOK_CORES) for kind in pattern]
