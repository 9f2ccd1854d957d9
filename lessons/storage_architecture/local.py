"""Storage architecture: the copy onto the GPU nodes' own drives, over the size of a file."""

from lessons.storage_architecture.loads import Frame, Pair, drawn
from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from ui.base.lesson import Figure, Grab, Verdict
from ui.charts import Look

TITLE, GRAB = "How long does the copy take before the first read?", Grab("file_size", k.MB)


def figure(design: Design, look: Look) -> Figure:
    """Times that the copy's bytes and its opens take, against the size of a file."""
    return drawn(FRAME, design, look)


def _hours(design: Design) -> Pair:
    return design.copy.carrying / k.HOUR, design.copy.opening / k.HOUR


TIMES = {"names": ("bytes", "opens"), "up": "time of the copy (h)", "low": 1e-3, "high": 1e4, "shares": False}
FRAME = Frame("local", TITLE, GRAB, "file size (MB)", "file_size:data", _hours, **TIMES)


def verdict(design: Design) -> Verdict:
    """Say whether the data fit, and what the copy waits for."""
    if design.local.space > 1:
        return Verdict(say("no_space", design), False)
    return Verdict(say("copy_opens" if design.copy.opening > design.copy.carrying else "copy_bytes", design), True)
