"""Storage architecture: the same loads over the size of a file."""

from dataclasses import replace

from lessons.storage_architecture.loads import BOTH, Frame, drawn
from lessons.storage_architecture.settings import Design
from physics import constants as k
from ui.base.lesson import Figure, Grab
from ui.charts import Look

TITLE, GRAB = "How does the file size change the loads?", Grab("file_size", k.MB)
FRAME = Frame("size", TITLE, GRAB, "file size (MB)", "file_size:data", BOTH)


def figure(design: Design, look: Look, end: float = FRAME.high) -> Figure:
    """Loads against the size of a file."""
    return drawn(replace(FRAME, high=end), design, look)
