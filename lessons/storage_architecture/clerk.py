"""Storage architecture, first picture: GPUs that queue for file opens."""

from functools import lru_cache
from math import ceil, sqrt

import altair as alt
import numpy as np

from lessons.storage_architecture.loads import remedies, verdict
from lessons.storage_architecture.settings import QUEUES, Design, load_words, say
from ui.base import format as f
from ui.base.lesson import Figure, View
from ui.charts import Look, axes, box, layer, marks, specification, stack
from ui.charts.described import Rows

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


def machines(number: int, top: float, busy: float, tone: str) -> Rows:
    """Rows of equal boxes, each filled from below to its busy share."""
    width = RIGHT - MACHINES
    columns = max(ceil(sqrt(number * width / TALL)), ceil(number / 2) if number <= 24 else 0)
    size = min(width / columns, TALL / ceil(number / columns), TALL / 2)
    gap = size * 0.12
    cells = np.arange(number)
    left = MACHINES + size * (cells % columns)
    upper = top + size * (cells // columns)
    foot = upper + size - gap
    right = left + size - gap
    cell = {"kind": "cell", "x": left, "x2": right, "y": upper, "y2": foot, "tone": "faint"}
    level = foot - (size - gap) * busy
    return [cell, cell | {"kind": "work", "y": level, "tone": tone}]


def line(waiting: float, top: float) -> Rows:
    """Rows of dots, one per 64 waiting GPUs, in a queue at the machines, and of its end."""
    number = round(waiting / CROWD)
    front = MACHINES - 0.6
    step = min(0.62, front / max(ceil(number / ABREAST), 1))
    rows = []
    for dot in range(number):
        x = front - step * (dot // ABREAST)
        rows.append({"kind": "waiting", "x": x, "y": top + 0.35 + 0.65 * (dot % ABREAST)})
    # Where the line ends is what a pin leaves.
    y = top + 0.35 + 0.65 * 1.5
    end = marks.point(front - step * (number / ABREAST), y, size=0, role="here")
    return [*rows, end | {"gpus": float(f"{waiting:.4g}")}]


def rows(design: Design, guess: str | None = None, playing: bool = False) -> Rows:
    """Rows of the picture: both groups of machines, their queues, and the list."""
    loads = design.loads
    readers = design.readers
    goal = f" (goal: below {f.share(QUEUES)})" if playing else ""
    areas = (
        (OPENS, "servers", loads.metadata, readers.busy, readers.waiting, "to open a file"),
        (BYTES, "nodes", loads.bandwidth, design.nodes_busy, design.at_nodes, "for bytes"),
    )
    drawn = []
    labels = []
    for top, name, load, busy, waiting, what in areas:
        number = design.metadata_servers if name == "servers" else design.storage_nodes
        drawn += machines(number, top, busy, "accent" if load < QUEUES else "bad")
        tone = "ink" if load < 1 else "bad"
        short = say(f"{name}_short", design)
        labels.append(marks.label(MACHINES, top - 0.7, say(name, design), short=short, bold=True))
        short = f"load {load_words(load)}"
        text = f"{f.share(busy)} busy, {short}{goal}"
        labels.append(marks.label(MACHINES, top + TALL + 0.35, text, short=short, tone=tone))
        count = f.significant(round(waiting), 4)
        text = f"{count} of {design.accelerators:,} GPUs wait {what}"
        short = f"{count} wait"
        labels.append(marks.label(0, top - 0.7, text, short=short, bold=waiting >= 0.5))
    drawn += [*line(readers.waiting, OPENS), *line(design.at_nodes, BYTES), *labels]
    if guess in SAID:
        drawn.append(marks.label(0, FOOT - 0.5, f"you said: {SAID[guess]}", tone="quiet"))
    return drawn


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Vega specification: machines as filled boxes, and waiting GPUs as queued dots."""
    bare = {"values": [], "grid": False, "ticks": False, "domain": False, "labels": False}
    base = alt.Chart().encode(
        x=axes.x("x:Q", None, [0, RIGHT], **bare), y=axes.y("y:Q", None, [FOOT, 0], **bare)
    )
    dots = layer("waiting", "circle", "bad", size=90 if look.present else 55, opacity=1)
    layers = [
        box("cell")(base, look),
        box("work")(base, look),
        dots(base, look),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, height=380 if look.present else 300)


def figure(design: Design, look: Look, guess: str | None = None, playing: bool = False) -> Figure:
    """Chart of the GPUs waiting at each group of machines, with the visitor's prediction."""
    drawn = stack(rows(design, guess, playing))
    words = say("clerk_chart", design)
    return Figure("clerk", "Where do the GPUs wait?", drawn, spec(look), words)


view = View("clerk", figure=figure, verdict=verdict, remedies=remedies)
