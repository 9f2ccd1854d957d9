"""Storage architecture, second act: what a checkpoint does to the reads that share its storage nodes."""

from functools import lru_cache

import altair as alt
import pandas as pd

from lessons.storage_architecture.settings import Design
from lessons.storage_architecture.values import checkpoint_words
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, specification

#: The frame stands still: seconds around the begin of a checkpoint, and shares of the storage nodes' bandwidth.
START, END, TOP = -10.0, 40.0, 1.4


def figure(design: Design, look: Look) -> Figure:
    """Draw the use of the storage nodes around one checkpoint."""
    title = "What does a checkpoint do to the reads?"
    return Figure("checkpoint", title, burst_frame(design), _spec(look), burst_alt(design))


def words(design: Design) -> str:
    """What the chart shows, in words."""
    return checkpoint_words(design)


def burst_frame(design: Design) -> pd.DataFrame:
    """Boxes of time [s] and share of the storage nodes' bandwidth, and labels."""
    burst = design.burst
    demand = 0.0 if design.apart else design.rate / design.bandwidth
    calm, kept = demand * design.loads.achieved, demand * burst.read_share
    shown = min(burst.duration, END)
    rows: list[dict[str, object]] = [
        _box("reads", START, 0.0, 0.0, calm),
        _box("reads", 0.0, shown, 0.0, kept),
        _box("checkpoint", 0.0, shown, kept, kept + design.write_share),
    ]
    if burst.finishes and shown < END:
        rows.append(_box("reads", shown, END, 0.0, calm))
    length = f"checkpoint, {f.duration(burst.duration)}{' →' if burst.duration > END else ''}"
    rows += [
        {"kind": "capacity", "x": START, "y": 1.0},
        marks.label(START, 1.0, "bandwidth of the storage nodes", short="bandwidth", dx=6, dy=-10),
        marks.label(shown / 2, kept + design.write_share / 2, length, align="center", bold=True),
    ]
    if shown < 8:  # a box too narrow for words: beside its top, or under that where what is demanded is named
        top = min(kept + design.write_share, 0.85)
        rows[-1] |= {"x": shown, "y": top if abs(top - demand) > 0.15 else top - 0.2, "align": "left", "dx": 8}
    if calm > 0.1:
        rows.append(marks.label(START, calm / 2, "reads", dx=6, bold=True))
    if demand:
        beyond = demand > TOP
        text = f"reads demanded: {f.share(demand)}{' ↑' if beyond else ''}"
        rows.append({"kind": "demand", "x": START, "y": min(demand, TOP)})
        dy = 10 if beyond or 1 < demand < 1.15 or demand > 0.1 > 1 - demand else -10
        rows.append(marks.label(END, min(demand, TOP), text, align="right", dx=-6, dy=dy, tone="s0"))
    return pd.DataFrame(rows)


def _box(kind: str, start: float, end: float, low: float, high: float) -> dict[str, object]:
    return {"kind": kind, "x": start, "end": end, "from": low, "y": high, "label": kind}


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Boxes of reads and writes over time, with what the nodes can do and what training asks for."""
    x = axes.x("x:Q", "time since the checkpoint begins (s)", [START, END], grid=False, tickCount=6)
    y = axes.y("y:Q", "share of the nodes' bandwidth", [0, TOP], format=".0%", values=[0, 0.25, 0.5, 0.75, 1.0, 1.25])
    base = alt.Chart().encode(x=x, y=y)
    color = {"reads": look.series[0], "checkpoint": look.series[1], "capacity": look.ink, "demand": look.series[0]}

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(f"datum.kind === '{kind}'")

    def box(kind: str) -> alt.Chart:
        tooltip = [alt.Tooltip("label:N"), alt.Tooltip("y:Q", format=".3~%", title="up to")]
        mark = of(kind).mark_rect(color=color[kind], opacity=0.55, clip=True)
        return mark.encode(x2="end:Q", y2="from:Q", tooltip=tooltip)

    def rule(kind: str, **looks: object) -> alt.Chart:
        mark = of(kind).mark_rule(color=color[kind], strokeWidth=2, **looks)
        return mark.encode(x=alt.value(0), x2=alt.value("width"))

    layers = [box("reads"), box("checkpoint"), rule("capacity"), rule("demand", strokeDash=[6, 4])]
    return specification(alt.layer(*layers, marks.labels(base, look)), look, halo=False)


def burst_alt(design: Design) -> str:
    """The checkpoint chart in one sentence with its numbers."""
    burst = design.burst
    reads = (
        f"reads come from {'local drives' if design.local else 'the object store'}"
        if design.apart
        else f"{f.share(burst.read_share)} of the reads get through"
    )
    length = f.duration(burst.duration)
    return f"Use of the storage nodes over time: a checkpoint takes {length}, and meanwhile {reads}."
