"""Placement: one stream as an animation, a row of eight GPUs for each node."""

from dataclasses import dataclass
from operator import attrgetter

from lessons.placement import stream
from lessons.placement.model import NODE, NODES, Run
from lessons.placement.settings import Training, say
from physics import films
from ui.base.lesson import Film, Verdict
from ui.films import Kind, Showing

#: The job with whose arrival the animation begins: by then the nodes have filled up.
FIRST = 20
KINDS = {"near": Kind("on one node", "accent"), "scattered": Kind("scattered", "bad")}


def showing(training: Training) -> Showing:
    """Animation of the job stream after the nodes have filled up, with the waiting jobs."""
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
    which = "none_scatter"
    if training.whole:
        which = "stay_whole"
    elif training.stream.many:
        which = "some_scatter"
    free = say("stream_free", training, all=str(NODES * NODE))
    return Verdict(" ".join([free, say(which, training), *stream.backlog(training)]))


@dataclass
class Piece:
    """GPUs of one job in the row of one node."""

    lane: int  #: first of its places in the row
    size: int  #: GPUs
    begin: float  #: since when it is drawn at this lane [s]
    end: float  #: end of its job [s]
    kind: str
    words: str

    def box(self, node: int, until: float) -> tuple:
        """Return the animation's box for this piece, ending at the given time."""
        first = node * NODE + self.lane
        return first, first + self.size - 1, self.begin, until, self.kind, self.words


def _film(run: Run) -> films.Film:
    """Draw each job as one piece of its node's row; running jobs move over where one needs it.

    Which GPUs of a node a job has makes no difference, so a drawn place is no GPU of its own.
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
                lane = _close_ranks(row, job.start)
            row.append(Piece(lane, size, job.start, job.end, kind, f"{job.gpus}"))
            rows[node] = sorted(row, key=attrgetter("lane"))
        if job.start > job.arrival:
            waiting.append((job.gpus, job.arrival, job.start, "near"))
    for node, row in enumerate(rows):
        boxes += [piece.box(node, piece.end) for piece in row]
    begin, end = run.served["arrival"].iloc[[FIRST - 1, -1]].tolist()
    return films.film(NODES * NODE, begin, end, boxes, waiting)


def _gap(row: list[Piece], size: int) -> int | None:
    """Return the first lane of the tightest free stretch that holds a piece; None if none does."""
    stretches = []
    lane = 0
    for piece in row:
        stretches.append((piece.lane - lane, lane))
        lane = piece.lane + piece.size
    stretches.append((NODE - lane, lane))
    wide_enough = [stretch for stretch in stretches if stretch[0] >= size]
    if not wide_enough:
        return None
    return min(wide_enough)[1]


def _close_ranks(row: list[Piece], time: float) -> int:
    """Move the pieces of a row to its left end, and return the first free lane."""
    lane = 0
    for piece in row:
        piece.lane = lane
        piece.begin = time
        lane += piece.size
    return lane


view = Film("film", showing=showing, verdict=verdict)
