"""Notebook sharing, the film: cores, cells and pauses under the three schedulers, on the same notebooks."""

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, pairwise

from lessons.notebook_sharing.gantt import horizon
from lessons.notebook_sharing.settings import SCHEDULERS, Study
from physics import constants as k
from physics.films import Film, film
from physics.notebooks import CellRun
from ui.base import format as f
from ui.films import Kind, Showing

#: Squares of a scheduler's row, at least; a core is a whole number of them.
SQUARES = 40
#: Boxes, waits and pauses of one scheduler that a film holds at most, so that it stays light.
MOST = 650
#: Notebooks that have colors of their own; beyond, copies share one.
COLORS = 5
#: A film that is longer has a clock in hours [s].
LONG = 3 * float(k.HOUR)
#: Relative difference of two moments that are one.
SAME = 1e-9


def parts(study: Study) -> int:
    """Squares of one core."""
    return max(1, SQUARES // study.cores)


def showing(study: Study) -> Showing:
    """The three schedulers one above another, with the cells that wait and the users who pause."""
    shown, squares = played(study), parts(study)
    last, long = horizon(study), shown.end > LONG
    cut = "" if shown.end >= last else f" The first {f.duration(shown.end)} of {f.duration(last)}."
    chance = (
        " Nothing is drawn by lot."
        if study.pauses[0] == "none"
        else f" The pauses are draw {study.draw}, one of many that could have come."
    )
    apart = " The cores of the cell that never ends are not drawn." if study.endless else ""
    square = "a core" if squares == 1 else f"1/{squares} of a core"
    names = ", ".join(words.lower() for words in SCHEDULERS.values())
    each = "; ".join(
        f"{words} never ends"
        if study.outcomes[name].stuck
        else f"{words} takes {f.duration(study.outcomes[name].run.makespan)}"
        for name, words in SCHEDULERS.items()
    )
    return Showing(
        shown,
        kinds(study),
        f"Each row is the node, from top to bottom under {names}; a square is {square}, rounded.{cut}{chance}{apart}",
        f"{f.count(len(study.names), 'notebook')} on {f.count(study.cores, 'core')}: {each}.",
        columns=study.cores * squares,
        tall=120,
        unit=float(k.HOUR if long else k.MINUTE),
        unit_name="h" if long else "min",
        digits=2,
        counted=("wait or pause", "nobody waits or pauses"),
        lines=tuple(SCHEDULERS.values()),
    )


def kinds(study: Study) -> dict[str, Kind]:
    """Colors of the notebooks, and of what is no work; copies share a color where there are many."""
    labels = study.labels if len(study.names) <= COLORS else list(study.names)
    tones = {label: f"s{place % COLORS}" for place, label in enumerate(dict.fromkeys(labels))}
    found = {}
    for band in range(len(SCHEDULERS)):
        for notebook, label in enumerate(labels):
            found[f"{notebook} {band}"] = Kind(f"notebook {label}", tones[label], band)
        found[f"overhead {band}"] = Kind("holds cores, works not yet", "ink", band)
        found[f"pause {band}"] = Kind("pauses", "quiet", band)
    return found


@lru_cache(maxsize=16)
def played(study: Study) -> Film:
    """What the three runs say of each moment, until the last notebook has ended or the film is full."""
    wide = study.cores * parts(study)
    boxes: list[tuple] = []
    waiting: list[tuple] = []
    end = horizon(study)
    for band, name in enumerate(SCHEDULERS):
        cells = study.outcomes[name].run.cells
        overhead = study.overhead if name == "dynamic" else 0.0
        own, queue = _held(cells, overhead, study, band), _aside(cells, study, band)
        starts = sorted([row[2] for row in own] + [row[1] for row in queue])
        end = min([end, *starts[MOST : MOST + 1]])
        boxes += own
        waiting += queue
    return film(len(SCHEDULERS) * wide, 0.0, end, boxes, waiting)


def _held(cells: list[CellRun], overhead: float, study: Study, band: int) -> list[tuple]:
    """Boxes of one scheduler: who holds which squares; a holder whose squares stay the same has one box."""
    squares = parts(study)
    wide = study.cores * squares
    first = band * wide
    open_: dict[tuple, float] = {}
    rows = []
    for since, _, holders in [*_stretches(cells, overhead), (math.inf, math.inf, [])]:
        ends = [
            min(wide, round(total * squares)) for total in accumulate((cores for _, cores, _ in holders), initial=0.0)
        ]
        now = {
            (first + low, first + high - 1, cell.notebook, cell.place, works)
            for (cell, _, works), (low, high) in zip(holders, pairwise(ends), strict=True)
            if high > low
        }
        for box in [box for box in open_ if box not in now]:
            low, high, notebook, _, works = box
            kind = f"{notebook} {band}" if works else f"overhead {band}"
            rows.append((low, high, open_.pop(box), since, kind, study.labels[notebook]))
        for box in now:
            open_.setdefault(box, since)
    return rows


def _stretches(cells: list[CellRun], overhead: float) -> Iterator[tuple[float, float, list[tuple]]]:
    """Yield (since, until, holders as (cell, cores, whether it works)) between any two changes."""
    ran = sorted((cell for cell in cells if cell.steps), key=lambda cell: cell.start)
    times = {time for cell in ran for time, _ in cell.steps}
    times |= {time for cell in ran for time in (cell.end, cell.start + overhead) if math.isfinite(time)}
    moments = sorted(times)
    # Of moments that rounding alone keeps apart the last one stands for all.
    moments = [now for now, after in pairwise([*moments, math.inf]) if after > now * (1 + SAME) + SAME]
    active: list[CellRun] = []
    for since, until in pairwise([*moments, math.inf]):
        while ran and ran[0].start <= since:
            active.append(ran.pop(0))
        active = sorted((cell for cell in active if cell.end > since), key=lambda cell: cell.notebook)
        held = ([cores for time, cores in cell.steps if time <= since][-1] for cell in active)
        works = (since >= (cell.start + overhead) * (1 - SAME) for cell in active)
        yield since, until, list(zip(active, held, works, strict=True))


def _aside(cells: list[CellRun], study: Study, band: int) -> list[tuple]:
    """Who has no cores: cells that wait for them, and notebooks whose users pause."""
    squares = parts(study)
    rows = []
    before: dict[int, CellRun] = {}
    for cell in cells:
        size = cell.asked * squares
        if cell.notebook in before and cell.ready > before[cell.notebook].end:
            rows.append((size, before[cell.notebook].end, cell.ready, f"pause {band}"))
        if cell.start > cell.ready:
            rows.append((size, cell.ready, cell.start, f"{cell.notebook} {band}"))
        before[cell.notebook] = cell
    return rows
