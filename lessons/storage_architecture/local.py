"""Storage architecture: the copy onto the GPU nodes' own drives, over the size of a file."""

from lessons.storage_architecture import loads
from lessons.storage_architecture.settings import Design, load_words, say
from physics import constants as k
from physics.storage.local import drive_rate
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Verdict
from ui.charts import Look

TIMES = {"up": "time of the copy (h)", "low": 1e-3, "high": 1e4, "names": ("bytes", "opens"), "shares": False}
TITLE = "How long does the copy take before the first read?"
FRAME = loads.Frame("local", TITLE, Grab("file_size", k.MB), "file size (MB)", **TIMES)


def figure(design: Design, look: Look) -> Figure:
    """Times that the copy's bytes and its opens take, against the size of a file."""
    size, x = design.file_size / k.MB, FRAME.places()
    hours = (design.copy.carrying / k.HOUR, design.copy.opening / k.HOUR)
    along = (hours[0] + 0 * x, hours[1] * size / x)
    return loads.drawn(FRAME, design, look, (size, f.data(design.file_size)), hours, along)


def metrics(design: Design) -> list[Metric]:
    """The copy, what it costs, and the load of the drives."""
    local, waiting = design.local, design.accelerators * design.copy.time / k.HOUR
    rate = f"of {f.data_rate(drive_rate(design.file_size, design.local_drives))} per node"
    return [
        Metric("Copy before the first read", f.duration(design.copy.time), "opens and bytes at once"),
        Metric(
            "Cost of GPUs that wait",
            f.money(float(f"{waiting * k.GPU_HOUR_NEAR:.3g}")),
            f"{f.rounded(waiting, 3)} GPU-hours",
        ),
        Metric("Load of the drives", load_words(local.drives), rate),
        Metric("Space in use", load_words(local.space), say("space", design), local.space <= 1),
    ]


def verdict(design: Design) -> Verdict:
    """Say whether the data fit, and what the copy waits for."""
    if design.local.space > 1:
        return Verdict(say("no_space", design), False)
    return Verdict(say("copy_opens" if design.copy.opening > design.copy.carrying else "copy_bytes", design), True)
