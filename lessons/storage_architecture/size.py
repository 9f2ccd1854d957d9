"""Storage architecture: the same loads over the size of a file."""

from dataclasses import replace

from lessons.storage_architecture import plot
from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab
from ui.charts.look import Look

FRAME = plot.Frame("file size (MB)")


def figure(design: Design, look: Look, end: float = FRAME.high) -> Figure:
    """Loads against the size of a file."""
    frame, size, x = replace(FRAME, high=end), design.file_size / k.MB, FRAME.places()
    along = (design.loads.bandwidth + 0 * x, design.loads.metadata * size / x)
    title, here = "How does the file size change the loads?", (size, f.data(design.file_size))
    return plot.drawn("size", title, design, look, frame, here, design.both, along, Grab("file_size", k.MB))


def words(design: Design) -> str:
    """Say how the loads follow from the size of a file."""
    return say("size_words", design)
