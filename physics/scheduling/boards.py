"""Schedule as one board: large jobs from the left, small ones from the right, idle slots between.

The simulator counts GPUs; which ones a job holds does not matter to it, so a chart may choose them.
"""

from collections.abc import Collection

import numpy as np

from physics.scheduling.schedule import Schedule, stretches


def board_pieces(
    schedule: Schedule, left: Collection[str], unit: int, begin: float, end: float
) -> list[tuple]:
    """Return a board's pieces between two times: first and last slot, start, end [s], and job row.

    The row is None for a piece of idle slots while jobs wait.

    Args:
        left: Classes whose runs close up at the left, in the order of their starts. Runs of the
            others keep their slots as long as these are free.
        unit: GPUs of one slot, a divisor of every job's GPUs.

    >>> import pandas as pd
    >>> from physics.scheduling import simulate
    >>> jobs = pd.DataFrame({"submit": [0, 0, 1], "runtime": [5, 9, 4], "gpus": [4, 2, 6]})
    >>> jobs["job_class"] = ["large", "small", "large"]
    >>> board_pieces(simulate(jobs, 8), ["large"], 2, 0.0, 5.0)
    [(2, 2, 1.0, 5.0, None), (0, 1, 0.0, 5.0, 0), (3, 3, 0.0, 5.0, 1)]
    """
    runs = schedule.runs
    runs = runs[(runs["start"] < end) & (runs["end"] > begin)]
    rows = runs["row"].tolist()
    starts = runs["start"].to_numpy()
    ends = runs["end"].to_numpy()
    sizes = (runs["gpus"] // unit).tolist()
    at_left = schedule.jobs["job_class"].isin(left).to_numpy()[runs["row"]]
    times = schedule.timeline["time"].to_numpy()
    queue = schedule.timeline["queue_length"].to_numpy()
    changes = np.concatenate(([begin, end], starts, ends, times)).clip(begin, end)
    slots = schedule.capacity // unit
    right: dict[int, int] = {}
    states = []
    for moment in np.unique(changes)[:-1].tolist():
        running = (starts <= moment) & (ends > moment)
        edge = 0
        occupied = []
        for run in np.flatnonzero(running & at_left).tolist():
            occupied.append((edge, edge + sizes[run] - 1, rows[run]))
            edge += sizes[run]
        small = np.flatnonzero(running & ~at_left).tolist()
        right = _settled(right, small, sizes, edge, slots)
        for run, first in right.items():
            occupied.append((first, first + sizes[run] - 1, rows[run]))
        border = min(right.values(), default=slots)
        present = np.searchsorted(times, moment, side="right") - 1
        if border > edge and present >= 0 and queue[present] > 0:
            occupied.append((edge, border - 1, None))
        states.append((moment, occupied))
    pieces = [
        (first, last, start, stop, row) for start, stop, first, last, row in stretches(states, end)
    ]
    return sorted(pieces, key=lambda piece: (piece[4] is not None, piece[4] or 0, piece[2]))


def _settled(
    before: dict[int, int], running: list[int], sizes: list[int], edge: int, slots: int
) -> dict[int, int]:
    """Return the first slot of each small run: as before if all fit, or closed up at the right.

    Args:
        before: First slots of the runs until now.
        edge: First slot to the right of the large runs; all small runs must fit beside it.
        slots: Slots of the board.
    """
    settled = {run: first for run, first in before.items() if run in running}
    free = np.arange(slots) >= edge
    for run, first in settled.items():
        free[first : first + sizes[run]] = False
    fits = min(settled.values(), default=slots) >= edge
    for run in [run for run in running if run not in settled]:
        width = sizes[run]
        starts = range(slots - width, edge - 1, -1)
        first = next((slot for slot in starts if free[slot : slot + width].all()), -1)
        if first < 0:
            fits = False
            break
        settled[run] = first
        free[first : first + width] = False
    if fits:
        return settled
    border = slots
    for run in running:
        border -= sizes[run]
        settled[run] = border
    return settled
