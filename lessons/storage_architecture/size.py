"""Storage architecture: the same loads over the size of a file."""

from dataclasses import replace

from lessons.storage_architecture import plot
from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Reach
from ui.charts.look import Look, stack

FRAME = plot.Frame("file size (MB)", 4e-3, 1e3)
TICKS = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)


def figure(design: Design, look: Look, end: float = FRAME.high) -> Figure:
    """Loads against the size of a file."""
    frame, here = replace(FRAME, high=end), design.file_size / k.MB
    x, loads = frame.places(), (design.loads.bandwidth, design.loads.metadata)
    rows = plot.background(frame) + plot.lines(frame, [loads[0]] * len(x), loads[1] * here / x)
    rows += plot.here(frame, here, f.data(design.file_size), loads, rises=False)
    drawn, reach = plot.spec(look, frame, TICKS), Reach(design.loads.highest, end, float("inf"))
    title, alt = "How does the file size change the loads?", say("size_chart", design)
    return Figure("size", title, stack(rows), drawn, alt, ("line",), Grab("file_size", k.MB), reach)


def words(design: Design) -> str:
    """Say how the loads follow from the size of a file."""
    return say("size_words", design)
