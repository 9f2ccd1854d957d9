"""Sharing a GPU, going further: the same pair under time slicing, at the same time, and in slices,
as an animation.
"""

from lessons.gpu_sharing.settings import Sharing, say
from physics.films import film
from ui.films import Kind, Showing

#: A row of so many squares is one resource of the GPU.
SQUARES = 20
#: What each row is, on its widest bar.
NAMES = [
    f"{way}: {part}"
    for way in ("time slices", "at once", "MIG")
    for part in ("compute", "memory bandwidth")
]
#: Time slices that the animation shows.
TURNS = 6
KINDS = {
    "yours": Kind("your job", "s0"),
    "neighbor": Kind("its neighbor", "s3"),
    "switch": Kind("switching: nothing runs", "quiet"),
}


def showing(pair: Sharing) -> Showing:
    """Six rows: compute and memory bandwidth under time slicing, at the same time, and in slices."""
    played = film(6 * SQUARES, 0.0, TURNS * (pair.quantum + pair.switch), boxes(pair))
    caption, alt = (say(text, pair) for text in ("film", "film_shows"))
    return Showing(
        played, KINDS, caption, alt, SQUARES, tall=190, unit=1e-3, unit_name="ms", queue=False
    )


def boxes(pair: Sharing) -> list[tuple]:
    """Rows of the animation: first and last square, begin and end, whose, and words on the widest
    of a row.
    """
    period = pair.quantum + pair.switch
    rows: list[tuple] = []
    for turn in range(TURNS):
        if turn % 2 == 0:
            name = "yours"
            used = pair.yours
        else:
            name = "neighbor"
            used = pair.other
        begin = turn * period
        for row, share in enumerate(used):
            rows += _row(row, [(name, share)], begin, begin + pair.quantum)
            rows += _row(row, [("switch", 1.0)], begin + pair.quantum, begin + period)
    for first, speeds in (
        (2, (pair.speed,) * 2),
        (4, (pair.your_slice["speed"], pair.other_slice["speed"])),
    ):
        for row in range(2):
            shares = [
                ("yours", pair.yours[row] * speeds[0]),
                ("neighbor", pair.other[row] * speeds[1]),
            ]
            rows += _row(first + row, shares, 0.0, TURNS * period)
    return rows


def _row(row: int, shares: list[tuple[str, float]], begin: float, end: float) -> list[tuple]:
    """Squares of one row, one job after the other; a job that takes less than half a square has
    none.
    """
    if end <= begin:
        return []
    found = []
    reached = 0.0
    for kind, share in shares:
        first = round(reached * SQUARES)
        reached = reached + share
        found.append(
            (
                row * SQUARES + first,
                row * SQUARES + min(round(reached * SQUARES), SQUARES) - 1,
                kind,
            )
        )
    found = [one for one in found if one[1] >= one[0]]
    widest = max(found, key=lambda one: one[1] - one[0], default=None)
    return [(*one[:2], begin, end, one[2], NAMES[row] if one is widest else "") for one in found]
