"""Storage architecture: the same loads over the size of a file."""

from dataclasses import replace

from lessons.storage_architecture import loads
from lessons.storage_architecture.settings import Design
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab
from ui.charts import Look

FRAME = loads.Frame("size", "How does the file size change the loads?", Grab("file_size", k.MB), "file size (MB)")


def figure(design: Design, look: Look, end: float = FRAME.high) -> Figure:
    """Loads against the size of a file."""
    size, x = design.file_size / k.MB, FRAME.places()
    along = (design.loads.bandwidth + 0 * x, design.loads.metadata * size / x)
    return loads.drawn(replace(FRAME, high=end), design, look, (size, f.data(design.file_size)), design.both, along)
