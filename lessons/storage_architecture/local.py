"""Storage architecture: the copy onto the GPU nodes' own drives, over the size of a file."""

from lessons.storage_architecture import plot
from lessons.storage_architecture.settings import Design, dollars, load_words, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Verdict
from ui.charts.look import Look, stack

FRAME = plot.Frame("file size (MB)", 4e-3, 1e3, "time of the copy (h)", 1e-2, 1e4, ("bytes", "opens"), shares=False)
TICKS = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)


def figure(design: Design, look: Look) -> Figure:
    """Times that the copy's bytes and its opens take, against the size of a file."""
    x, here = FRAME.places(), design.file_size / k.MB
    both = (design.copy.carrying / k.HOUR, design.copy.opening / k.HOUR)
    rows = plot.lines(FRAME, [both[0]] * len(x), both[1] * here / x)
    words = f.data(design.file_size)
    rows += plot.here(FRAME, here, words, both, rises=False, written=lambda hours: f.duration(hours * k.HOUR))
    drawn, alt = plot.spec(look, FRAME, TICKS), say("local_chart", design)
    title = "How long does the copy take before the first read?"
    return Figure("local", title, stack(rows), drawn, alt, ("line",), Grab("file_size", k.MB))


def metrics(design: Design) -> list[Metric]:
    """The copy, what it costs, and the load of the drives."""
    local = design.local
    space = f"{f.data(design.copy.part)} of {f.data(design.node_space)} per node"
    read = f"{f.data_rate(design.node_demand)} of {f.data_rate(design.node_rate)} per node"
    waiting = f"{f.rounded(design.waiting, 3)} GPU-hours"
    return [
        Metric("Copy before the first read", f.duration(design.copy.time), "opens and bytes at once"),
        Metric("Cost of GPUs that wait", dollars(design.waiting * design.price_near), waiting),
        Metric("Load of the drives", load_words(local.drives), read, local.drives < 1),
        Metric("Space in use", load_words(local.space), space, local.space <= 1),
    ]


def verdict(design: Design) -> Verdict:
    """Say whether the data fit and the drives keep up, and what the copy waits for."""
    if design.local.space > 1:
        return Verdict(say("no_space", design), False)
    if design.local.drives >= 1:
        return Verdict(say("slow_drives", design), False)
    return Verdict(say("copy_opens" if design.copy.opening > design.copy.carrying else "copy_bytes", design), True)


def words(design: Design) -> str:
    """Say how the copy is made."""
    return say("local_words", design)
