"""Storage architecture: what an object store is asked for, over the size of one GET."""

from dataclasses import replace

from lessons.storage_architecture import loads
from lessons.storage_architecture.settings import Design, load_words, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Verdict
from ui.charts import Look

TITLE, NAMES = "What limits the reads from an object store?", ("prefixes", "connections")
FRAME = loads.Frame("objects", TITLE, Grab("request_size", k.MB), "size of one GET (MB)", names=NAMES)


def figure(design: Design, look: Look, end: float = FRAME.high) -> Figure:
    """Loads of prefixes and of connections against the size of one GET."""
    here = (design.request_size / k.MB, f.data(design.request_size))
    sized = [replace(design, request_size=size * k.MB).objects for size in FRAME.places()]
    values, *along = [(one.requests, one.connections) for one in (design.objects, *sized)]
    return loads.drawn(replace(FRAME, high=end), design, look, here, values, tuple(zip(*along, strict=True)))


def metrics(design: Design) -> list[Metric]:
    """What prefixes and connections are asked for, and the fees."""
    loads = design.objects
    return [
        Metric("Reads that get through", f.share(loads.achieved), say("gets", design), loads.holds),
        Metric("Load of prefixes", load_words(loads.requests), say("of_prefixes", design), loads.requests < 1),
        Metric("Load of connections", load_words(loads.connections), say("in_flight", design), loads.connections < 1),
        Metric("Request fees in 30 days", say.written("fees:dollars", design), "storage itself not included"),
    ]


def verdict(design: Design) -> Verdict:
    """Say which of the two limits is the bottleneck."""
    return Verdict(
        say("objects_hold" if design.objects.holds else f"{design.objects.binding}_full", design), design.objects.holds
    )
