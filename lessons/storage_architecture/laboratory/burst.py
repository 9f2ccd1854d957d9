"""Storage architecture: the effect of a checkpoint on the reads that share its storage nodes."""

from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import marks
from ui.charts.described import Rows, chart

#: Ends of the axes: seconds around the begin of a checkpoint, and shares of the storage nodes'
#: bandwidth.
START = -10.0
END = 40.0
TOP = 1.4


@chart(say, "checkpoint", x=[START, END], y=[0, TOP])
def figure(design: Design) -> Rows:
    """Chart of the storage nodes' bandwidth in use around the start of one checkpoint."""
    demand = design.rate / design.bandwidth
    burst = design.burst
    calm = min(1.0, demand)
    kept = demand * burst.read_share
    shown = min(burst.duration, END)
    length = f"{f.duration(burst.duration)}{' →' if burst.duration > END else ''}"
    demanded = f"demanded: {f.share(demand)}{' ↑' if demand > TOP else ''}"
    middle = min(kept + k.STORAGE_CHECKPOINT_SHARE / 2, 0.9)
    name = {"short": length, "bold": True, "dx": -8 if shown > END / 2 else 8}
    ends = {"short": demanded, "tone": "ink", "dx": -6, "dy": -10}
    # off the checkpoint's name, and inside the frame
    if 0.6 < demand < 1 or demand > TOP - 0.1:
        ends["dy"] = 10
    top = {"short": "bandwidth", "tone": "ink", "dx": 6, "dy": -10}
    return [
        _box("s0", START, 0.0, 0.0, calm),
        _box("s0", 0.0, shown, 0.0, kept),
        _box("s1", 0.0, shown, kept, kept + k.STORAGE_CHECKPOINT_SHARE),
        _box("s0", shown, END, 0.0, calm),
        *marks.limit("capacity", START, 1.0, "bandwidth of the storage nodes", **top),
        marks.label(shown, middle, f"checkpoint, {length}", **name),
        marks.label(START, 0.0, "reads", dx=6, dy=-9, bold=True),
        *marks.limit("demand", END, min(demand, TOP), f"reads {demanded}", **ends),
    ]


def _box(tone: str, start: float, end: float, low: float, high: float) -> marks.Row:
    return {"kind": "box", "tone": tone, "x": start, "end": end, "from": low, "y": high}


@verdict_of(say)
def verdict(design: Design) -> Outcome:
    """Return the verdict on whether a checkpoint slows the reads, and ends before the next one."""
    if not design.burst.finishes:
        return "checkpoint_endless", False
    free = design.burst.read_share == 1
    return "checkpoint_unnoticed" if free else "checkpoint_noticed", free


view = View("checkpoint", figure=figure, verdict=verdict)
