"""Storage architecture, first picture: GPUs that queue for file opens."""

from functools import lru_cache
from math import ceil, sqrt

import altair as alt
import numpy as np

from lessons.storage_architecture.loads import remedies, verdict
from lessons.storage_architecture.settings import QUEUES, Design, load_words, say
from ui.base import format as f
from ui.base.lesson import Figure, View
from ui.charts import Look, Rows, axes, box, layer, marks, specification, stack

#: GPUs of one dot, and dots that are side by side in a queue.
CROWD = 64
ABREAST = 4
#: Right and lower end of the picture, and left end of the machines, which are right of the queues.
RIGHT = 24.0
FOOT = 10.6
MACHINES = 11.5
#: Upper edges of the areas for opens and for bytes, and their height.
OPENS = 1.2
BYTES = 6.2
TALL = 2.8
#: First to fail according to each answer of the prediction.
GUESSES = {
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
    indices = np.arange(number)
    x = MACHINES + size * (indices % columns)
    y = top + size * (indices // columns)
    x2 = x + size - gap
    y2 = y + size - gap
    boxes = {"kind": "cell", "x": x, "x2": x2, "y": y, "y2": y2, "tone": "faint"}
    level = y2 - (size - gap) * busy
    return [boxes, boxes | {"kind": "work", "y": level, "tone": tone}]


def line(waiting: float, top: float) -> Rows:
    """Rows of a queue at the machines, one dot per 64 waiting GPUs, and of the queue's end."""
    number = round(waiting / CROWD)
    front = MACHINES - 0.6
    step = min(0.62, front / max(ceil(number / ABREAST), 1))
    rows = []
    for dot in range(number):
        x = front - step * (dot // ABREAST)
        rows.append({"kind": "waiting", "x": x, "y": top + 0.35 + 0.65 * (dot % ABREAST)})
    # The invisible point at the end of the queue is for pins.
    y = top + 0.35 + 0.65 * 1.5
    end = marks.point(front - step * (number / ABREAST), y, size=0, role="here")
    return [*rows, end | {"gpus": float(f"{waiting:.4g}")}]


def rows(design: Design, guess: str | None = None, playing: bool = False) -> Rows:
    """Rows of the picture: both groups of machines, their queues, and the labels."""
    loads = design.loads
    readers = design.readers
    servers = design.metadata_servers
    nodes = design.storage_nodes
    goal = f" (goal: below {f.share(QUEUES)})" if playing else ""
    areas = (
        (
            OPENS,
            "servers",
            servers,
            loads.metadata,
            readers.busy,
            readers.waiting,
            "to open a file",
        ),
        (BYTES, "nodes", nodes, loads.bandwidth, design.nodes_busy, design.at_nodes, "for bytes"),
    )
    rows = []
    labels = []
    for top, name, number, load, busy, waiting, purpose in areas:
        rows += machines(number, top, busy, "accent" if load < QUEUES else "bad")
        tone = "ink" if load < 1 else "bad"
        short = say(f"{name}_short", design)
        labels.append(marks.label(MACHINES, top - 0.7, say(name, design), short=short, bold=True))
        short = f"load {load_words(load)}"
        text = f"{f.share(busy)} busy, {short}{goal}"
        labels.append(marks.label(MACHINES, top + TALL + 0.35, text, short=short, tone=tone))
        count = f.significant(round(waiting), 4)
        text = f"{count} of {design.accelerators:,} GPUs wait {purpose}"
        short = f"{count} wait"
        labels.append(marks.label(0, top - 0.7, text, short=short, bold=waiting >= 0.5))
    rows += [*line(readers.waiting, OPENS), *line(design.at_nodes, BYTES), *labels]
    if guess in GUESSES:
        rows.append(marks.label(0, FOOT - 0.5, f"you said: {GUESSES[guess]}", tone="quiet"))
    return rows


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Specification: machines as boxes that fill with work, and waiting GPUs as queued dots."""
    bare = {"values": [], "grid": False, "ticks": False, "domain": False, "labels": False}
    base = alt.Chart().encode(
        x=axes.x("x:Q", None, [0, RIGHT], **bare), y=axes.y("y:Q", None, [FOOT, 0], **bare)
    )
    dots = layer("waiting", "circle", "bad", size=90 if look.present else 55, opacity=1)
    layers = (box("cell"), box("work"), dots, marks.points, marks.labels)
    chart = alt.layer(*(draw(base, look) for draw in layers))
    return specification(chart, look, height=380 if look.present else 300)


def figure(design: Design, look: Look, guess: str | None = None, playing: bool = False) -> Figure:
    """Chart of the GPUs waiting at each group of machines, with the visitor's prediction."""
    table = stack(rows(design, guess, playing))
    text = say("clerk_chart", design)
    return Figure("clerk", "Where do the GPUs wait?", table, spec(look), text)


view = View("clerk", figure=figure, verdict=verdict, remedies=remedies)
