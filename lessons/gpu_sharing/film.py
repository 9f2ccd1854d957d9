"""Sharing a GPU, the film: the same pair in turns, together and in slices, a few milliseconds long."""

from lessons.gpu_sharing.settings import Sharing
from physics.films import film
from ui.base import format as f
from ui.films import Kind, Showing

#: A row of so many squares is one resource of the device.
SQUARES = 20
#: What each row is, on its widest bar.
NAMES = [f"{way}: {resource}" for way in ("turns", "together", "slices") for resource in ("compute", "memory")]
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
    """Rows of the film: first and last square, from when until when, whose, and words on the widest of a row."""
    period = pair.quantum + pair.switch
    rows: list[tuple] = []
    for turn in range(TURNS):
        name, used = ("yours", pair.yours) if turn % 2 == 0 else ("neighbor", pair.other)
        begin = turn * period
        for row, share in enumerate(used):
            rows += _row(row, [(name, share)], begin, begin + pair.quantum)
            rows += _row(row, [("switch", 1.0)], begin + pair.quantum, begin + period)
    for first, speeds in ((2, (pair.speed,) * 2), (4, pair.slice_speeds)):
        for row in range(2):
            shares = [("yours", pair.yours[row] * speeds[0]), ("neighbor", pair.other[row] * speeds[1])]
            rows += _row(first + row, shares, 0.0, TURNS * period)
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


def _row(row: int, shares: list[tuple[str, float]], begin: float, end: float) -> list[tuple]:
    """Squares of one row, one job after the other; a job that takes less than half a square has none."""
    if end <= begin:
        return []
    found, reached = [], 0.0
    for kind, share in shares:
        first, reached = round(reached * SQUARES), reached + share
        found.append((row * SQUARES + first, row * SQUARES + min(round(reached * SQUARES), SQUARES) - 1, kind))
    found = [one for one in found if one[1] >= one[0]]
    widest = max(found, key=lambda one: one[1] - one[0], default=None)
    return [(*one[:2], begin, end, one[2], NAMES[row] if one is widest else "") for one in found]
