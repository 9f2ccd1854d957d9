"""Storage architecture: what an object store is asked for, over the size of one GET."""

from dataclasses import replace
from operator import attrgetter

from lessons.storage_architecture.loads import Frame, drawn
from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from ui.base.lesson import Figure, Grab, Verdict
from ui.charts import Look

TITLE, GRAB = "What limits the reads from an object store?", Grab("request_size", k.MB)
VALUES, NAMES = attrgetter("objects.requests", "objects.connections"), ("prefixes", "connections")
FRAME = Frame("objects", TITLE, GRAB, "size of one GET (MB)", "request_size:data", VALUES, NAMES)


def figure(design: Design, look: Look, end: float = FRAME.high) -> Figure:
    """Loads of prefixes and of connections against the size of one GET."""
    return drawn(replace(FRAME, high=end), design, look)


def verdict(design: Design) -> Verdict:
    """Say which of the two limits is the bottleneck."""
    holds = design.objects.holds
    return Verdict(say("objects_hold" if holds else f"{design.objects.binding}_full", design), holds)
