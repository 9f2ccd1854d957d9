"""Storage architecture: the effect of a checkpoint on the reads that share its storage nodes."""

from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Ends of the axes: time since the start of a checkpoint [s], and share of the nodes' bandwidth.
START = -10.0
END = 40.0
TOP = 1.4


@chart(say, "checkpoint", x=[START, END], y=[0, TOP])
def figure(design: Design) -> Rows:
    """Chart of the storage nodes' bandwidth in use around the start of one checkpoint."""
    demand = design.rate / design.bandwidth
    burst = design.burst
    usual_reads = min(1.0, demand)
    slow_reads = demand * burst.read_share
    with_checkpoint = slow_reads + k.STORAGE_CHECKPOINT_SHARE
    end = min(burst.duration, END)
    length = f"{f.duration(burst.duration)}{' →' if burst.duration > END else ''}"
    demanded = f"demanded: {f.share(demand)}{' ↑' if demand > TOP else ''}"
    middle = min(slow_reads + k.STORAGE_CHECKPOINT_SHARE / 2, 0.9)
    length_style = {"short": length, "bold": True, "dx": -8 if end > END / 2 else 8}
    demand_style = {"short": demanded, "tone": "ink", "dx": -6, "dy": -10}
    # Below its line, the label stays off the checkpoint's label and inside the frame.
    if 0.6 < demand < 1 or demand > TOP - 0.1:
        demand_style["dy"] = 10
    capacity_style = {"short": "bandwidth", "tone": "ink", "dx": 6, "dy": -10}
    return [
        _box("s0", START, 0.0, 0.0, usual_reads),
        _box("s0", 0.0, end, 0.0, slow_reads),
        _box("s1", 0.0, end, slow_reads, with_checkpoint),
        _box("s0", end, END, 0.0, usual_reads),
        *marks.limit("capacity", START, 1.0, "bandwidth of the storage nodes", **capacity_style),
        marks.label(end, middle, f"checkpoint, {length}", **length_style),
        marks.label(START, 0.0, "reads", dx=6, dy=-9, bold=True),
        *marks.limit("demand", END, min(demand, TOP), f"reads {demanded}", **demand_style),
    ]


def _box(tone: str, start: float, end: float, low: float, high: float) -> marks.Row:
    """Row of bandwidth in use, from one time to another and from one share to another."""
    return {"kind": "box", "tone": tone, "x": start, "end": end, "from": low, "y": high}


@verdict_of(say)
def verdict(design: Design) -> Outcome:
    """Return the verdict on whether a checkpoint slows the reads, and ends before the next one."""
    if not design.burst.finishes:
        return "checkpoint_endless", False
    free = design.burst.read_share == 1
    return "checkpoint_unnoticed" if free else "checkpoint_noticed", free


view = View("checkpoint", figure=figure, verdict=verdict)
