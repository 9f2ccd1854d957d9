"""Storage architecture: what an object store is asked for, over the size of one GET."""

from dataclasses import replace

from lessons.storage_architecture import plot
from lessons.storage_architecture.settings import Design, dollars, load_words, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Reach, Verdict
from ui.charts.look import Look, stack

FRAME = plot.Frame("size of one GET (MB)", 4e-3, 1e3, names=("prefixes", "connections"))
TICKS = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)


def _loads(design: Design) -> tuple[float, float]:
    return design.objects.requests, design.objects.connections


def figure(design: Design, look: Look, end: float = FRAME.high) -> Figure:
    """Loads of prefixes and of connections against the size of one GET."""
    frame, here = replace(FRAME, high=end), design.request_size / k.MB
    along = [_loads(replace(design, request_size=size * k.MB)) for size in frame.places()]
    rows = plot.background(frame) + plot.lines(frame, *zip(*along, strict=True))
    rows += plot.here(frame, here, f.data(design.request_size), _loads(design), rises=False)
    drawn, reach = plot.spec(look, frame, TICKS), Reach(max(_loads(design)), end, float("inf"))
    title, alt = "What limits the reads from an object store?", say("objects_chart", design)
    return Figure("objects", title, stack(rows), drawn, alt, ("line",), Grab("request_size", k.MB), reach)


def metrics(design: Design) -> list[Metric]:
    """What prefixes and connections are asked for, and the fees."""
    loads, plan = design.objects, design.plan
    needed = f.count(plan.prefixes, "prefix", "prefixes")
    sent = f"{f.rounded(plan.requests_per_second, 3)} GETs/s"
    busy = f"{f.significant(plan.connections_per_accelerator)} in flight of {f.significant(design.connections)}"
    return [
        Metric("Reads that get through", f.share(loads.achieved), sent, loads.holds),
        Metric("Load of prefixes", load_words(loads.requests), f"{needed} needed", loads.requests < 1),
        Metric("Load of connections", load_words(loads.connections), busy, loads.connections < 1),
        Metric("Request fees in 30 days", dollars(design.fees), "storage itself not included"),
    ]


def verdict(design: Design) -> Verdict:
    """Say which of the two limits is the bottleneck."""
    loads = design.objects
    if loads.holds:
        return Verdict(say("objects_hold", design), True)
    name = "prefixes" if loads.requests >= loads.connections else "connections"
    return Verdict(say(f"{name}_full", design), False)


def words(design: Design) -> str:
    """Say what an object store is."""
    return say("objects_words", design)
