"""Placement, laboratory: one stream as an animation, with a row of eight GPUs for each node."""

from dataclasses import dataclass
from operator import attrgetter

from lessons.placement import stream
from lessons.placement.model import NODE, NODES, Run
from lessons.placement.settings import Training, say
from physics import films
from ui.base.lesson import Film, Verdict
from ui.films import Kind, Showing

#: Number of the job whose arrival starts the animation; by then the nodes have filled up.
FIRST = 20
KINDS = {"near": Kind("on one node", "accent"), "scattered": Kind("scattered", "bad")}


def showing(training: Training) -> Showing:
    """Return the animation of the job stream after the nodes have filled up."""
    first = str(FIRST)
    return Showing(
        _film(training.stream),
        KINDS,
        say("film", training, first=first),
        say("film_shows", training, first=first),
        columns=NODE,
        tall=240,
    )


def verdict(training: Training) -> Verdict:
    """Return the verdict: how many GPUs are free or unusable, and how slow scattered jobs are."""
    name = "none_scatter"
    if training.whole:
        name = "stay_whole"
    elif training.stream.many:
        name = "some_scatter"
    free = say("stream_free", training, all=str(NODES * NODE))
    return Verdict(" ".join([free, say(name, training), *stream.backlog(training)]))


@dataclass
class Piece:
    """The GPUs that a job has on one node, as a piece of the node's row."""

    lane: int  #: its first cell in the row, from 0
    size: int  #: GPUs
    start: float  #: since when it has been in this lane [s]
    end: float  #: end of its job [s]
    kind: str  #: a key of `KINDS`
    label: str

    def box(self, node: int, end: float) -> tuple:
        """Return the animation's box for this piece, which stays in its lane until `end` [s]."""
        first = node * NODE + self.lane
        return first, first + self.size - 1, self.start, end, self.kind, self.label


def _film(run: Run) -> films.Film:
    """Make each job one piece per node; running jobs move aside if a new one needs the room.

    A cell is no particular GPU: it makes no difference which GPUs of a node a job has.
    """
    jobs = run.served.assign(scattered=run.scattered).sort_values("start", kind="stable")
    rows = [[] for _ in range(NODES)]
    boxes = []
    waiting = []
    for job in jobs.itertuples():
        kind = "scattered" if job.scattered else "near"
        for node, size in job.nodes:
            row = []
            for piece in rows[node]:
                if piece.end > job.start:
                    row.append(piece)
                else:
                    boxes.append(piece.box(node, piece.end))
            lane = _gap(row, size)
            if lane is None:
                boxes += [piece.box(node, job.start) for piece in row]
                lane = _pack(row, job.start)
            row.append(Piece(lane, size, job.start, job.end, kind, f"{job.gpus}"))
            rows[node] = sorted(row, key=attrgetter("lane"))
        if job.start > job.arrival:
            waiting.append((job.gpus, job.arrival, job.start, "near"))
    for node, row in enumerate(rows):
        boxes += [piece.box(node, piece.end) for piece in row]
    start, end = run.served["arrival"].iloc[[FIRST - 1, -1]].tolist()
    return films.film(NODES * NODE, start, end, boxes, waiting)


def _gap(row: list[Piece], size: int) -> int | None:
    """Return the first lane of the smallest gap that a piece of this size fits in, or None."""
    gaps = []
    lane = 0
    for piece in row:
        gaps.append((piece.lane - lane, lane))
        lane = piece.lane + piece.size
    gaps.append((NODE - lane, lane))
    return min((gap for gap in gaps if gap[0] >= size), default=(0, None))[1]


def _pack(row: list[Piece], time: float) -> int:
    """Move the pieces of a row to its left end at a time [s], and return the first free lane."""
    lane = 0
    for piece in row:
        piece.lane = lane
        piece.start = time
        lane += piece.size
    return lane


view = Film("film", showing=showing, verdict=verdict)
