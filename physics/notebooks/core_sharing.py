"""Which running cell holds how many cores, and the event loop that carries cells from start to end.

The mechanism below `physics.notebooks`, which says what is modeled and is the place to call from.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from physics.arguments import Count, NonNegative, Positive, within_range

SCHEDULERS = ("naive", "partitioned", "dynamic")
SAME_MOMENT = 1e-12  # events closer than this, relative to the clock, coincide: rounding must not decide who was first


@within_range
@dataclass(frozen=True)
class Cell:
    """One cell of a notebook: its threads, its work, and the pause after it.

    >>> Cell(threads=4, work=40)
    Cell(threads=4, work=40.0, think=0.0)
    """

    threads: Count  #: cores it can use at once [1]
    work: Positive  #: what it has to do, the same on any number of cores [core-s]
    think: NonNegative = 0.0  #: idle time after the cell [s]; that of a notebook's last cell does not count


@dataclass(frozen=True)
class CellRun:
    """Times of one cell's run; a time is infinite if the event never happens."""

    notebook: int  #: index of its notebook in the input
    place: int  #: its place in the notebook, from 0
    asked: int  #: min(threads, cores) [1]
    granted: float  #: cores it could count on, the fewest it held; under "dynamic" those it started with [1]
    ready: float  #: when it asked: the cell before it has ended and its pause is over [s]
    start: float  #: when it first held any core [s]
    end: float  #: when its work was done [s]
    steps: tuple[tuple[float, float], ...]  #: (moment [s], cores held from then on [1]) from start to end


@dataclass(slots=True)
class Running:
    """A cell that has asked and has not ended."""

    notebook: int
    place: int
    threads: int
    asked: int
    ready: float
    left: float  # work to do at `since` [core-s]
    since: float = math.inf  # from here on `left` shrinks at `speed`
    cores: float = 0
    speed: float = 0
    end: float = math.inf  # at the present speed
    steps: list[tuple[float, float]] = field(default_factory=list)

    def hold(self, now: float, cores: float, speed: float, overhead: float) -> None:
        """Go on with these cores at this speed; the first cores bring the overhead.

        Where nothing changes nothing is computed, so a cell that others leave alone ends when it would by itself, to
        the last bit.
        """
        if (cores, speed) == (self.cores, self.speed):
            return
        if not self.steps:
            now = max(now, self.ready)
            self.since = now + overhead
        elif now > self.since:
            self.left, self.since = max(0.0, self.left - (now - self.since) * self.speed), now
        self.cores, self.speed = cores, speed
        self.end = self.since + self.left / speed if speed > 0 else math.inf
        self.steps.append((now, cores))

    def record(self) -> CellRun:
        """Return the record of this cell."""
        start, granted = (self.steps[0][0], min(cores for _, cores in self.steps)) if self.steps else (math.inf, 0)
        return CellRun(self.notebook, self.place, self.asked, granted, self.ready, start, self.end, tuple(self.steps))


Sharing = Callable[[Sequence[Running]], list[tuple[float, float]]]  # cores and speed of each, in the order given


def naive(cores: int, loss: float) -> Sharing:
    """Give every thread an equal part of the cores, at most one; all lose speed while threads exceed cores."""

    def share(active: Sequence[Running]) -> list[tuple[float, float]]:
        threads = sum(cell.threads for cell in active)
        if threads <= cores:
            return [(cell.threads, cell.threads) for cell in active]
        held = [cell.threads * cores / threads for cell in active]
        return [(part, part * (1 - loss)) for part in held]

    return share


def partitioned(cores: int, notebooks: int) -> Sharing:
    """Give every notebook cores ÷ notebooks, of which a cell uses at most its threads."""
    part = cores / notebooks
    return lambda active: [(min(cell.threads, part),) * 2 for cell in active]


def dynamic(cores: int, moldable: bool) -> Sharing:
    """Give each cell what it asked for, in the order of the list; a rigid cell that does not fit stops all behind it.

    A cell is never given less than before: who comes later stands behind it in the list, and who leaves only frees
    cores. So going through the list again at each event is the same as keeping grants and handing out what is freed.
    """

    def share(active: Sequence[Running]) -> list[tuple[float, float]]:
        free, held = cores, []
        for cell in active:
            given = min(cell.asked, free)
            if given < cell.asked and not moldable:
                given = free = 0
            free -= given
            held.append((given, given))
        return held

    return share


def play(
    notebooks: list[list[Cell]], cores: int, share: Sharing, overhead: float, starts: Sequence[float] = ()
) -> list[CellRun]:
    """Records by notebook and place, from event to event until nothing moves; first cells ask at their starts, or 0."""
    records: list[list[CellRun]] = [[] for _ in notebooks]
    asks = starts or [0.0] * len(notebooks)
    coming = sorted((start, number) for number, start in enumerate(asks))  # (when its next cell asks, notebook), a heap
    active: list[Running] = []  # in order of arrival, then fewer threads, then index
    while (now := min([cell.end for cell in active] + [ready for ready, _ in coming[:1]], default=math.inf)) < math.inf:
        same = now + SAME_MOMENT * now
        for cell in active:
            if cell.end <= same:
                done, book = records[cell.notebook], notebooks[cell.notebook]
                done.append(cell.record())
                if len(done) < len(book):
                    heappush(coming, (cell.end + book[cell.place].think, cell.notebook))
        arrivals = []
        while coming and coming[0][0] <= same:
            ready, number = heappop(coming)
            place = len(records[number])
            cell = notebooks[number][place]
            arrivals.append(Running(number, place, cell.threads, min(cell.threads, cores), ready, cell.work))
        active = [cell for cell in active if cell.end > same]
        active += sorted(arrivals, key=lambda cell: (cell.threads, cell.notebook))
        for cell, (held, speed) in zip(active, share(active), strict=True):
            cell.hold(now, held, speed, overhead)
    for cell in active:
        records[cell.notebook].append(cell.record())
    for number, (done, book) in enumerate(zip(records, notebooks, strict=True)):
        done += [
            CellRun(number, place, min(book[place].threads, cores), 0, math.inf, math.inf, math.inf, ())
            for place in range(len(done), len(book))
        ]
    return [record for done in records for record in done]
