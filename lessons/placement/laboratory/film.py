"""Placement: one stream as an animation, a row of eight GPUs for each node."""

import numpy as np

from lessons.placement import stream
from lessons.placement.model import NODE, NODES, Run
from lessons.placement.settings import Training, say
from physics.films import Film
from physics.films import film as of_rows
from physics.scheduling.schedule import pieces_of
from ui.base.lesson import Verdict
from ui.films import Kind, Showing

#: The job with whose arrival the animation begins: by then the nodes have filled up.
FIRST = 20
KINDS = {"near": Kind("on one node", "accent"), "scattered": Kind("scattered", "bad")}


def showing(training: Training) -> Showing:
    """The stream once the nodes have filled up, with the jobs that wait."""
    caption, alt = (say(text, training, first=str(FIRST)) for text in ("film", "film_shows"))
    return Showing(_film(training.stream), KINDS, caption, alt, columns=NODE, tall=240)


def verdict(training: Training) -> Verdict:
    """Say what is free, what of it cannot be used, and what scattered jobs pay."""
    if training.whole:
        which = "stay_whole"
    elif training.stream.many:
        which = "some_scatter"
    else:
        which = "none_scatter"
    parts = [
        say("stream_free", training, all=str(NODES * NODE)),
        say(which, training),
        *stream.backlog(training),
    ]
    return Verdict(" ".join(parts))


def _film(found: Run) -> Film:
    """Give each job the lowest free GPUs of its nodes; a box for each stretch of neighbors."""
    until = [[float("-inf")] * NODE for _ in range(NODES)]
    jobs = found.served.assign(scattered=found.scattered).sort_values("start", kind="stable")
    boxes = []
    waiting = []
    for job in jobs.itertuples():
        for node, size in job.nodes:
            free = [gpu for gpu in range(NODE) if until[node][gpu] <= job.start][:size]
            for gpu in free:
                until[node][gpu] = job.end
            if job.scattered:
                kind = "scattered"
            else:
                kind = "near"
            boxes += [
                (node * NODE + low, node * NODE + high - 1, job.start, job.end, kind, f"{job.gpus}")
                for low, high in pieces_of(np.array(free))
            ]
        if job.start > job.arrival:
            waiting.append((job.gpus, job.arrival, job.start, "near"))
    begin, end = (float(found.served["arrival"].iloc[job]) for job in (FIRST - 1, -1))
    return of_rows(NODES * NODE, begin, end, boxes, waiting)
