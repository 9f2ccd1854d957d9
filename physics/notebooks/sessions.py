"""Notebook sessions whose users pause, and whose cells take turns on a GPU.

Every user repeats the same round: a cell that needs no GPU, a cell on one GPU, a pause. A GPU is
taken only while a cell runs on it, and requests are served in their order. The other cells find
cores at once.
"""

from dataclasses import dataclass

import numpy as np

from physics.arguments import Count, NonNegative, Positive, count, within_range
from physics.notebooks.node import Cell, run

#: Runs, users, and rounds of one call at most: each cell is simulated.
MOST_RUNS = 10_000
MOST_USERS = 1_000
MOST_ROUNDS = 10_000


@within_range
@dataclass(frozen=True)
class Session:
    """User's work with a notebook, in equal rounds."""

    rounds: Count  #: rounds of a cell without and a cell with a GPU [1]
    other_cell: NonNegative  #: length of the cell that needs no GPU [s]
    gpu_cell: Positive  #: length of the cell that needs one GPU [s]
    pause: NonNegative = 0.0  #: mean of the exponential pause between two rounds [s]
    night: NonNegative = 0.0  #: one more pause, half way through the rounds [s]

    @property
    def computing(self) -> float:
        """Total computing time of the session [s]."""
        return self.rounds * (self.other_cell + self.gpu_cell)

    @property
    def length(self) -> float:
        """Mean time from the first cell's start to the last cell's end without waiting [s]."""
        pauses = (self.rounds - 1) * self.pause
        if self.rounds > 1:
            pauses += self.night
        return self.computing + pauses

    @property
    def idle_if_held(self) -> float:
        """Mean idle time of a GPU allocated for the whole session [s]."""
        return self.length - self.rounds * self.gpu_cell


@dataclass(frozen=True)
class Spread:
    """Lowest, average, and highest mean slowdown of the users over several runs."""

    best: float  #: the lowest of all runs [1]
    average: float  #: the mean of all runs [1]
    worst: float  #: the highest of all runs [1]


@within_range
def simulate_sessions(
    session: Session, users: Count, gpus: Count, runs: Count, rng: np.random.Generator
) -> Spread:
    """Slowdown of users who share GPUs cell by cell, over several runs with random pauses.

    A user's slowdown is the time that the user computes and waits for a GPU, divided by the time
    that the user computes; pauses do not count. Users start at random within the time that one
    session computes. A run's slowdown is the mean of its users', at least 1.

    With exponential cells on the GPU, no night, and many rounds, this is the machine-repairman
    model (M/M/c with a finite source).

    >>> simulate_sessions(Session(10, 30.0, 30.0), 1, 1, 5, np.random.default_rng(1))
    Spread(best=1.0, average=1.0, worst=1.0)
    """
    users = count("users", users, most=MOST_USERS)
    count("rounds of the session", session.rounds, most=MOST_ROUNDS)
    slowdowns = []
    for _ in range(count("runs", runs, most=MOST_RUNS)):
        starts = rng.uniform(0.0, session.computing, users) + session.other_cell
        notebooks = [_gpu_cells(session, rng) for _ in range(users)]
        done = run(notebooks, gpus, "dynamic", moldable=False, starts=starts.tolist())
        waited = sum(cell.start - cell.ready for cell in done.cells)
        slowdowns.append(1 + waited / (users * session.computing))
    return Spread(min(slowdowns), float(np.mean(slowdowns)), max(slowdowns))


def _gpu_cells(session: Session, rng: np.random.Generator) -> list[Cell]:
    """Draw the GPU cells of one session; what lies between two of them is a cell's pause."""
    between = rng.exponential(session.pause, session.rounds) + session.other_cell
    between[session.rounds // 2 - 1] += session.night
    return [Cell(1, session.gpu_cell, think=float(time)) for time in between]
