"""Storage architecture, first picture: GPUs that queue for file opens while storage nodes have
capacity.
"""

from functools import lru_cache
from math import ceil, sqrt

import altair as alt

from lessons.storage_architecture.loads import remedies, verdict
from lessons.storage_architecture.settings import QUEUES, Design, load_words, say
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, box, marks, specification, stack

__all__ = ["figure", "remedies", "verdict"]

#: GPUs of one dot, and the dots of a line that stand side by side.
CROWD = 64
ABREAST = 4
#: The picture's frame; the machines stand right of the lines.
RIGHT = 24.0
FOOT = 10.6
MACHINES = 11.5
#: Tops of the two areas, one for the opens and one for the bytes, and their height.
OPENS = 1.2
BYTES = 6.2
TALL = 2.8
#: What each option of the prediction calls the first to fail.
SAID = {
    "a": "the storage nodes",
    "b": "the metadata server",
    "c": "nothing fails",
    "d": "single reads",
}


def machines(number: int, top: float, busy: float, tone: str) -> list[marks.Row]:
    """Rows of equal boxes, each filled from below to its busy share."""
    width = RIGHT - MACHINES
    columns = max(ceil(sqrt(number * width / TALL)), ceil(number / 2) if number <= 24 else 0)
    size = min(width / columns, TALL / ceil(number / columns), TALL / 2)
    gap = size * 0.12
    lefts = [MACHINES + size * (at % columns) for at in range(number)]
    tops = [top + size * (at // columns) for at in range(number)]
    rights = [left + size - gap for left in lefts]
    feet = [y + size - gap for y in tops]
    levels = [foot - (size - gap) * busy for foot in feet]
    outline = {"kind": "cell", "x": lefts, "x2": rights, "y": tops, "y2": feet, "tone": "faint"}
    filled = {"kind": "work", "x": lefts, "x2": rights, "y": levels, "y2": feet, "tone": tone}
    return [outline, filled]


def line(waiting: float, top: float) -> list[marks.Row]:
    """Rows of dots queued at the machines, one per 64 waiting GPUs, and of the queue's end."""
    number = round(waiting / CROWD)
    step = min(0.62, (MACHINES - 0.6) / (max(ceil(number / ABREAST), 1)))
    rows = []
    for at in range(number):
        x = MACHINES - 0.6 - step * (at // ABREAST)
        y = top + 0.35 + 0.65 * (at % ABREAST)
        rows.append({"kind": "waiting", "x": x, "y": y})
    # Where the line ends is what a pin leaves.
    end = MACHINES - 0.6 - step * (number / ABREAST)
    ring = marks.point(end, top + 0.35 + 0.65 * 1.5, size=0, role="here")
    return [*rows, ring | {"gpus": float(f"{waiting:.4g}")}]


def _tone(load: float) -> str:
    """Color of machines by their load."""
    if load < QUEUES:
        return "accent"
    return "bad"


def rows(design: Design, guess: str | None = None, playing: bool = False) -> list[marks.Row]:
    """Rows of the picture: both groups of machines, their queues, and the list."""
    loads = design.loads
    goal = f" (goal: below {f.share(QUEUES)})" if playing else ""
    drawn = [
        *machines(design.metadata_servers, OPENS, design.readers.busy, _tone(loads.metadata)),
        *machines(design.storage_nodes, BYTES, design.nodes_busy, _tone(loads.bandwidth)),
        *line(design.readers.waiting, OPENS),
        *line(design.at_nodes, BYTES),
    ]
    areas = (
        (OPENS, "servers", loads.metadata, design.readers.busy, design.readers.waiting, "an open"),
        (BYTES, "nodes", loads.bandwidth, design.nodes_busy, design.at_nodes, "bytes"),
    )
    for top, name, load, busy, waiting, what in areas:
        tone = "ink" if load < 1 else "bad"
        short = say(f"{name}_short", design)
        drawn.append(marks.label(MACHINES, top - 0.7, say(name, design), short=short, bold=True))
        text = f"{f.share(busy)} busy, asked for {load_words(load)}"
        short = f"asked for {load_words(load)}"
        label = marks.label(MACHINES, top + TALL + 0.35, f"{text}{goal}", short=short, tone=tone)
        drawn.append(label)
        count = f.significant(round(waiting), 4)
        text = f"{count} of {design.accelerators:,} GPUs wait for {what}"
        short = f"{count} wait"
        drawn.append(marks.label(0, top - 0.7, text, short=short, bold=waiting >= 0.5))
    if guess in SAID:
        words = f"you said: {SAID[guess]}"
        drawn.append(marks.label(0, FOOT - 0.5, words, tone="quiet"))
    return drawn


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Vega specification: machines as filled boxes, and waiting GPUs as queued dots."""
    bare = {"values": [], "grid": False, "ticks": False, "domain": False, "labels": False}
    base = alt.Chart().encode(
        x=axes.x("x:Q", None, [0, RIGHT], **bare), y=axes.y("y:Q", None, [FOOT, 0], **bare)
    )
    dots = base.transform_filter("datum.kind === 'waiting'").mark_circle(
        size=90 if look.present else 55, opacity=1, color=look.bad
    )
    layers = [
        box("cell")(base, look),
        box("work")(base, look),
        dots,
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, height=380 if look.present else 300)


def figure(design: Design, look: Look, guess: str | None = None, playing: bool = False) -> Figure:
    """Chart of the GPUs waiting at each group of machines, with the visitor's prediction."""
    title = "Where do the GPUs wait?"
    words = say("clerk_chart", design)
    return Figure("clerk", title, stack(rows(design, guess, playing)), spec(look), words)
