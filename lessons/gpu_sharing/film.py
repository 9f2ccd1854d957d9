"""Sharing a GPU, the film: the same pair in turns, together and in slices, a few milliseconds long."""

from lessons.gpu_sharing.settings import Sharing
from physics.films import film
from ui.base import format as f
from ui.films import Kind, Showing

#: A row of so many squares is one resource of the device.
SQUARES = 20
#: Turns that the film shows.
TURNS = 6
KINDS = {
    "yours": Kind("your job", "s0"),
    "neighbor": Kind("its neighbor", "s1"),
    "switch": Kind("switching: nothing runs", "quiet"),
}


def showing(pair: Sharing) -> Showing:
    """Six rows: compute and memory bandwidth in turns, together, and in slices."""
    useful, wait = pair.turns
    return Showing(
        film(6 * SQUARES, 0.0, TURNS * (pair.quantum + pair.switch), boxes(pair), waiting(pair)),
        KINDS,
        caption=(
            "Six rows of 20 squares, each 5 % of the device, rounded: compute and memory bandwidth when the two take "
            "turns, the same two rows when they run together, and again in slices. What waits is who has no turn."
        ),
        alt=(
            f"In turns each job has the GPU to itself for {f.duration(pair.quantum)}, then waits {f.duration(wait)}; "
            f"{f.share(useful)} of the time is useful. Together each runs at {f.share(pair.speed)} of its speed all "
            f"the time, in slices at {f.share(pair.slice_speeds[0])} and {f.share(pair.slice_speeds[1])}."
        ),
        columns=SQUARES,
        tall=190,
        unit=1e-3,
        unit_name="ms",
    )


def boxes(pair: Sharing) -> list[tuple]:
    """Rows of the film: first and last square, from when until when, whose, and words."""
    rows: list[tuple] = []
    period, end = pair.quantum + pair.switch, TURNS * (pair.quantum + pair.switch)
    for turn in range(TURNS):
        name, used = ("yours", pair.yours) if turn % 2 == 0 else ("neighbor", pair.other)
        begin = turn * period
        for row, share in enumerate(used):
            rows += _bar(row, 0, share, begin, begin + pair.quantum, name)
            if pair.switch:
                rows += _bar(row, 0, 1.0, begin + pair.quantum, begin + period, "switch")
    for first, speeds in ((2, (pair.speed,) * 2), (4, pair.slice_speeds)):
        for row in range(2):
            mine = pair.yours[row] * speeds[0]
            rows += _bar(first + row, 0, mine, 0.0, end, "yours")
            rows += _bar(first + row, round(mine * SQUARES), pair.other[row] * speeds[1], 0.0, end, "neighbor")
    return rows


def waiting(pair: Sharing) -> list[tuple]:
    """Who waits for a turn: size in squares, from when until when, whose."""
    period, rows = pair.quantum + pair.switch, []
    for turn in range(TURNS):
        name, begin = "neighbor" if turn % 2 == 0 else "yours", turn * period
        rows.append((SQUARES, begin, begin + period, name))
        if pair.switch:
            rows.append((SQUARES, begin + pair.quantum, begin + period, "yours" if name == "neighbor" else "neighbor"))
    return rows


def _bar(row: int, start: int, share: float, begin: float, end: float, kind: str) -> list[tuple]:
    """Squares of one row from a start on; none for less than half a square."""
    last = min(start + round(share * SQUARES), SQUARES) - 1
    words = ("turns", "turns", "together", "together", "slices", "slices")[row]
    resource = ("compute", "memory")[row % 2]
    if last < start:
        return []
    return [
        (row * SQUARES + start, row * SQUARES + last, begin, end, kind, f"{words}: {resource}" if start == 0 else "")
    ]
