"""Placement: the stream as a film, a row of eight GPUs for each node."""

import pandas as pd

from lessons.placement.settings import NODE, RULES, Training
from lessons.placement.stream import JOBS, NODES, Run, run
from physics.films import Film
from physics.films import film as of_rows
from ui.base import format as f
from ui.films import Kind, Showing

#: The job with whose arrival the film begins: by then the nodes have filled up.
FIRST = 20
KINDS = {
    "small": Kind("up to 2 GPUs", "s4"),
    "middle": Kind("4 or 5 GPUs", "accent"),
    "node": Kind("a whole node", "good"),
    "scattered": Kind("scattered", "bad"),
}


def showing(training: Training) -> Showing:
    """The stream once the nodes have filled up, with those who wait."""
    mine, rule = run(training), RULES[training.rule].lower()
    most = int(mine.waiting.max())
    return Showing(
        _film(mine),
        KINDS,
        f"Each row is a node of {NODE} GPUs; {rule}; stream {training.draw} of 20, one of many that could have come. "
        f"From the arrival of job {FIRST} to that of job {JOBS}. First come, first served: while the first in "
        "line finds no room, all wait.",
        f"A stream of {JOBS} jobs on {NODES} nodes of {NODE} GPUs under {rule}. When a job arrives, it finds at most "
        f"{f.count(most, 'job')} waiting; {f.count(int(mine.scattered.sum()), 'job')} of all ran scattered.",
        columns=NODE,
        tall=240,
    )


def kind_of(gpus: int, scattered: bool) -> str:
    """Name the kind of a job's boxes."""
    return "scattered" if scattered else "small" if gpus <= 2 else "node" if gpus == NODE else "middle"


def _film(found: Run) -> Film:
    """Give each job the lowest free GPUs of its nodes; a box for each stretch of neighbors."""
    until = [[float("-inf")] * NODE for _ in range(NODES)]
    jobs = found.served.assign(scattered=found.scattered).sort_values("start", kind="stable")
    boxes: list[tuple] = []
    for job in jobs.itertuples():
        kind = kind_of(int(job.gpus), bool(job.scattered))
        for node, size in job.nodes:
            free = [gpu for gpu in range(NODE) if until[node][gpu] <= job.start][:size]
            for gpu in free:
                until[node][gpu] = job.end
            boxes += [
                (node * NODE + first, node * NODE + last, job.start, job.end, kind, f"{job.gpus}")
                for first, last in _stretches(free)
            ]
    waiting = [
        (job.gpus, job.arrival, job.start, kind_of(int(job.gpus), False))
        for job in jobs.itertuples()
        if job.start > job.arrival
    ]
    begin, end = (float(found.served["arrival"].iloc[job]) for job in (FIRST - 1, -1))
    return of_rows(NODES * NODE, begin, end, pd.DataFrame(boxes, columns=list(_BOXES)), waiting)


_BOXES = ("first", "last", "begin", "end", "kind", "words")


def _stretches(gpus: list[int]) -> list[tuple[int, int]]:
    """First and last of each run of neighbors.

    >>> _stretches([0, 1, 3])
    [(0, 1), (3, 3)]
    """
    found: list[tuple[int, int]] = []
    for gpu in gpus:
        if found and found[-1][1] == gpu - 1:
            found[-1] = (found[-1][0], gpu)
        else:
            found.append((gpu, gpu))
    return found
