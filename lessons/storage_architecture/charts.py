"""Storage architecture: its charts, as tidy frames and kept specifications."""

import math
from dataclasses import asdict, replace
from functools import lru_cache, partial

import altair as alt
import numpy as np
import pandas as pd

from lessons.storage_architecture.settings import Design
from lessons.storage_architecture.verdict import fleet_words, load_words
from physics import constants as k
from ui.base import format as f
from ui.charts.look import Look, label, only, shortened, specification

NAMES = ("bandwidth", "metadata", "requests", "connections")
ALTERNATIVE = {"files": "objects", "shards": "objects", "objects": "files"}
FLEET_TICKS = [128, 256, 512, 1024, 2048, 4096, 8192, 16384]
SIZE_TICKS = [0.01, 0.1, 1, 10, 100, 1000, 10000]
FEWEST, MOST = int(k.STORAGE_FLEET.low), int(k.STORAGE_FLEET.high)
#: Sizes of one read on the second chart [B]; the line of connections is the only one that bends.
SIZES = np.geomspace(4e3, 10e9, 17)


def fleet(design: Design, look: Look) -> tuple[pd.DataFrame, dict, str]:
    """The main chart: frame, specification, alternative text."""
    return fleet_frame(design), loads_spec(look, "GPUs (log scale)", False), fleet_alt(design)


def size(design: Design, look: Look) -> tuple[pd.DataFrame, dict, str]:
    """Loads against the size of a read."""
    return size_frame(design), loads_spec(look, "size of one read (MB, log scale)", True), size_alt(design)


def burst(design: Design, look: Look) -> tuple[pd.DataFrame, dict, str]:
    """The storage nodes around a checkpoint."""
    return burst_frame(design), burst_spec(look), burst_alt(design)


def distance(design: Design, look: Look) -> tuple[pd.DataFrame, dict, str]:
    """Cost of moving the data or the job."""
    return distance_frame(design), distance_spec(look), distance_alt(design)


# --- loads -----------------------------------------------------------------------------------------------------------
@lru_cache(maxsize=256)
def fleet_frame(design: Design) -> pd.DataFrame:
    """Loads over the number of GPUs: lines in use, lines of the alternative, saturation points, you are here."""
    alternative = ALTERNATIVE[design.organization]
    rows: list[tuple[str, str, float, float, str]] = []
    for kind, organization in (("used", design.organization), ("unused", alternative)):
        loads = design.loads_of(organization)
        for name in NAMES:
            load = getattr(loads, name)
            if load == 0:
                continue
            each = 0.0 if name == "connections" else 1.0
            for gpus in (FEWEST, MOST):
                rows.append((kind, name, gpus, load * (gpus / design.accelerators) ** each, name))
            if kind == "used":
                rows.append(("here", name, design.accelerators, load, load_words(load)))
                full = design.accelerators / load if each else math.nan
                if FEWEST <= full <= MOST:
                    # Beside “you are here” there is no room for a second number.
                    words = "" if 0.58 < load < 2.4 else fleet_words(full)
                    rows.append(("full", name, full, 1.0, words))
    return _with_labels(rows, MOST, FEWEST, f"{f.significant(design.accelerators)} GPUs", design.accelerators)


@lru_cache(maxsize=256)
def size_frame(design: Design) -> pd.DataFrame:
    """Loads over the size of one read at the present fleet, in MB."""
    rows: list[tuple[str, str, float, float, str]] = []
    for organization, sizes in (("files", SIZES[[0, -1]]), ("objects", SIZES)):
        kind = "used" if design.from_objects == (organization == "objects") else "unused"
        for size in sizes:
            loads = replace(design, organization=organization, file_size=size, request_size=size).loads
            rows += [(kind, name, size / k.MB, load, name) for name, load in asdict(loads).items() if load > 0]
    for name in design.used:
        load = getattr(design.loads, name)
        rows.append(("here", name, design.unit_size / k.MB, load, load_words(load)))
    low, high = SIZES[0] / k.MB, SIZES[-1] / k.MB
    return _with_labels(rows, low, high, f.data(design.unit_size), design.unit_size / k.MB)


def _with_labels(rows: list, end: float, start: float, here: str, x: float) -> pd.DataFrame:
    """Add the line of saturation, labels that keep apart at one end, and a domain of whole powers of ten."""
    lines = [row for row in rows if row[0] in ("used", "unused")]
    low = min(0.01, 10.0 ** math.floor(math.log10(min(row[3] for row in lines) * 1.0001)))
    high = max(10.0, 10.0 ** math.ceil(math.log10(max(row[3] for row in lines) * 0.9999)))
    gap = math.log10(high / low) * 0.11
    at_end = sorted(((row[3], row[0], row[1]) for row in lines if row[2] == end), key=lambda found: found[0])
    places: list[float] = []
    for load, kind, name in at_end:
        place = max(math.log10(load), places[-1] + gap if places else -math.inf)
        places.append(place)
        words = name if kind == "used" else f"{name} (not used)"
        rows.append((f"{kind} label", name, end, 10.0**place, words))
    if places[-1] + gap > math.log10(high):
        high *= 10  # room for the topmost label
    rows.append(("saturated", "", start, 1.0, "saturated"))
    rows.append(("overload", "", end, high, "overloaded"))
    # Numbers stand away from the lines' names, and all words within the chart.
    across = abs(math.log(x / start) / math.log(end / start))
    side = ("left" if across > 0.2 else "right") if end > start else ("right" if across > 0.25 else "left")
    # On a line that rises there is room above it at the left and below it at the right, else the other way round.
    for _, name, *rest in [row for row in rows if row[0] == "here"]:
        above = (side == "left") == (end > start) and (end > start or name != "bandwidth")
        load = math.log10(rest[1])
        if across > 0.72 and any(abs(place - load + (0.1 if above else 0.9) * gap) < 0.55 * gap for place in places):
            above = not above  # a name stands there
        rows.append((f"here {side} {'above' if above else 'below'}", name, *rest))
    far = across > 0.7 if end > start else across < 0.3
    rows += [("fleet", "", x, low, ""), (f"fleet {'left' if far else 'right'}", "", x, low, here)]
    return pd.DataFrame(rows, columns=["kind", "limit", "x", "load", "label"])


@lru_cache(maxsize=16)
def loads_spec(look: Look, title: str, end_left: bool) -> dict:
    """Loads on a log scale, 1 is saturated; what is not used now is dashed."""
    x = alt.X(
        "x:Q",
        title=title,
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(format=",~g", values=SIZE_TICKS if end_left else FLEET_TICKS, grid=False),
    )
    y = alt.Y(
        "load:Q",
        title="load ÷ capacity" if look.present else "load ÷ capacity (log scale)",  # large type has no room for more
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(format=",~%", tickCount=3),
    )
    color = alt.Color("limit:N", scale=alt.Scale(domain=list(NAMES), range=list(look.series[:4])), legend=None)
    base = alt.Chart().encode(x=x, y=y)
    # Names stand at one end of the lines, so what is marked on them is labeled towards the other.
    align, other, dx = ("left", "right", 6) if end_left else ("right", "left", -6)
    strong = {"color": look.ink, "fontWeight": "bold"}
    tooltip = [
        alt.Tooltip("limit:N"),
        alt.Tooltip("x:Q", format=",.4~g", title=title),
        alt.Tooltip("load:Q", format=",.3~%"),
    ]

    def text(kind: str, **options: object) -> alt.Chart:
        words = base.transform_filter(only(kind)).mark_text(fontSize=look.text_size, **options)
        words = words.encode(text=shortened("replace(datum.label, ' (not used)', '')"))
        return words if "color" in options else words.encode(color=color)

    overload = base.transform_filter(only("overload"))
    layers = [
        overload.mark_rect(color=look.bad, opacity=0.08).encode(x=alt.value(0), x2=alt.value("width"), y2=alt.datum(1)),
        base.transform_filter(only("saturated"))
        .mark_rule(color=look.bad, strokeWidth=1.5, strokeDash=[8, 4])
        .encode(x=alt.value(0), x2=alt.value("width")),
        base.transform_filter(only("fleet"))
        .mark_rule(color=look.quiet, strokeWidth=1, strokeDash=[2, 3])
        .encode(y=alt.value(0), y2=alt.value("height")),
        base.transform_filter(only("unused"))
        .mark_line(strokeWidth=1.5, strokeDash=[5, 4], opacity=0.75)
        .encode(color=color, tooltip=tooltip, detail="limit:N"),
        base.transform_filter(only("used"))
        .mark_line(strokeWidth=look.stroke)
        .encode(color=color, tooltip=tooltip, detail="limit:N"),
        # It names the whole region, so it stands in the corner that no line reaches.
        text("saturated", align=other, dx=-dx, color=look.bad).encode(y=alt.value(12)),
        text("used label", align=align, baseline="bottom", dx=dx, dy=-5, fontWeight="bold"),
        text("unused label", align=align, baseline="bottom", dx=dx, dy=-5),
        base.transform_filter(only("full"))
        .mark_point(aria=False, shape="diamond", size=110, filled=True, opacity=1, stroke=look.paper, strokeWidth=1.5)
        .encode(color=color, tooltip=tooltip),
        base.transform_filter(only("here"))
        .mark_point(aria=False, size=110, filled=True, opacity=1, stroke=look.paper, strokeWidth=1.5)
        .encode(color=color, tooltip=tooltip),
        text("full", align="right", baseline="bottom", dx=-8, dy=-6, color=look.ink),
        *(
            text(f"here {side} {place}", align=align, baseline="middle", dx=dx, dy=dy, **strong)
            for side, align, dx in (("left", "right", -12), ("right", "left", 12))
            for place, dy in (("above", -9), ("below", 9))
        ),
        text("fleet left", align="right", baseline="bottom", dx=-5, dy=-4, color=look.ink),
        text("fleet right", align="left", baseline="bottom", dx=5, dy=-4, color=look.ink),
    ]
    return specification(alt.layer(*layers), look)


def fleet_alt(design: Design) -> str:
    """The main chart in one sentence with its numbers."""
    loads = design.loads
    parts = [f"{name} {load_words(getattr(loads, name))}" for name in design.used]
    return (
        f"Load of each limit against the number of GPUs, 100 % is saturated. At "
        f"{f.significant(design.accelerators)} GPUs: {' and '.join(parts)}; "
        f"{f.share(loads.achieved)} of the reads get through."
    )


def size_alt(design: Design) -> str:
    """The size chart in one sentence with its numbers."""
    parts = [f"{name} {load_words(getattr(design.loads, name))}" for name in design.used]
    return (
        f"Load of each limit against the size of one read. At {f.data(design.unit_size)}: {' and '.join(parts)}. "
        "Bandwidth does not depend on the size; metadata and requests are inversely proportional to it."
    )


# --- checkpoints -----------------------------------------------------------------------------------------------------
def burst_frame(design: Design) -> pd.DataFrame:
    """Use of the storage nodes around one checkpoint: boxes of time and data rate in GB/s."""
    burst = design.burst
    reads = 0.0 if design.from_objects else design.rate
    calm, kept = reads * design.loads.achieved, reads * burst.read_share
    length = burst.duration
    writes = design.write_share * design.bandwidth
    rows = [
        ("reads", -length, 0.0, 0.0, calm, "reads"),
        ("reads", 0.0, length, 0.0, kept, "reads"),
        ("writes", 0.0, length, kept, kept + writes, "checkpoint"),
        ("capacity", -length, 2 * length, design.bandwidth, design.bandwidth, "bandwidth of the storage nodes"),
    ]
    if burst.finishes:
        rows.append(("reads", length, 2 * length, 0.0, calm, "reads"))
    rows.append(("room", 0.0, 0.0, 0.0, 1.15 * design.bandwidth, ""))  # for the words on the line of the capacity
    if reads:
        rows.append(("demand", -length, 2 * length, reads, reads, ""))
        rows.append(("demand label", 2 * length, 2 * length, reads, reads, "reads demanded"))
    frame = pd.DataFrame(rows, columns=["kind", "start", "end", "from", "to", "label"])
    return frame.assign(**{"from": frame["from"] / k.GB, "to": frame["to"] / k.GB})


@lru_cache(maxsize=8)
def burst_spec(look: Look) -> dict:
    """Boxes of reads and writes over time, with what the nodes can do and what training asks for."""
    x = alt.X(
        "start:Q",
        title="time since the checkpoint begins (s)",
        scale=alt.Scale(nice=False),
        axis=alt.Axis(grid=False, tickCount=8),
    )
    y = alt.Y("to:Q", title="data rate (GB/s)", scale=alt.Scale(zero=True, nice=True))
    base = alt.Chart().encode(x=x, y=y, x2="end:Q")
    color = {"reads": look.series[0], "writes": look.series[1], "capacity": look.ink, "demand": look.series[0]}

    def box(kind: str) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_rect(color=color[kind], opacity=0.55)
        tooltip = [alt.Tooltip("label:N"), alt.Tooltip("to:Q", format=",.4~g", title="up to (GB/s)")]
        return mark.encode(y2="from:Q", tooltip=tooltip)

    def line(kind: str, **options: object) -> alt.Chart:
        return base.transform_filter(only(kind)).mark_rule(color=color[kind], strokeWidth=2, **options)

    places = alt.Chart().encode(x=x, y=y)
    text = partial(label, places, color=look.ink, look=look)
    layers = [
        places.transform_filter(only("room")).mark_point(opacity=0),
        box("reads"),
        box("writes"),
        line("capacity"),
        line("demand", strokeDash=[6, 4]),
        text("capacity", align="left", baseline="bottom", dx=6, dy=-4),
        text("demand label", align="right", baseline="top", dx=-6, dy=6),
        text("writes", align="left", baseline="top", dx=6, dy=8, fontWeight="bold"),
    ]
    return specification(alt.layer(*layers), look, rims=False)


def burst_alt(design: Design) -> str:
    """The checkpoint chart in one sentence with its numbers."""
    burst = design.burst
    reads = (
        "reads come from the object store"
        if design.from_objects
        else f"{f.share(burst.read_share)} of the reads get through"
    )
    length = f.duration(burst.duration)
    return f"Data rate of the storage nodes over time: a checkpoint takes {length}, and meanwhile {reads}."


# --- distance --------------------------------------------------------------------------------------------------------
def distance_frame(design: Design) -> pd.DataFrame:
    """Cost over the length of the run for both ways, in hours and dollars."""
    choice, hours = design.relocation, design.hours
    far, near = design.price_far * design.job_gpus, design.price_near * design.job_gpus
    even = choice.break_even_hours
    longest = max(2 * hours, 1.3 * even) if even <= 20 * hours else 2 * hours
    rows = []
    for kind, start, hourly, words in (
        ("data", choice.transfer_cost, far, "move the data"),
        ("job", 0.0, near, "move the job"),
    ):
        rows += [(kind, x, start + hourly * x, words) for x in (0.0, longest)]
        other = near * longest if kind == "data" else choice.transfer_cost + far * longest
        above = start + hourly * longest >= other
        x = longest if above else 0.55 * longest
        rows.append((f"{kind} {'above' if above else 'below'}", x, start + hourly * x, words))
        rows.append((f"{kind} here", hours, start + hourly * hours, f.money(start + hourly * hours)))
    if even <= longest:
        rows.append(("even", even, near * even, f"equal at {f.duration(even * k.HOUR)}"))
    rows.append(("room", 0.0, 1.12 * max(row[2] for row in rows), ""))  # for the name of the steeper line
    rows.append(("run", hours, 0.0, f"your run: {f.duration(hours * k.HOUR)}"))
    return pd.DataFrame(rows, columns=["kind", "hours", "cost", "label"])


@lru_cache(maxsize=8)
def distance_spec(look: Look) -> dict:
    """Two straight lines that cross where moving the data begins to pay."""
    x = alt.X(
        "hours:Q",
        title="length of the run (h)",
        scale=alt.Scale(nice=False, zero=True),
        axis=alt.Axis(grid=False, tickCount=8),
    )
    y = alt.Y("cost:Q", title="cost (dollars)", scale=alt.Scale(zero=True), axis=alt.Axis(format="$,.0f", tickCount=5))
    base = alt.Chart().encode(x=x, y=y)
    color = {"data": look.series[0], "job": look.series[1]}
    tooltip = [alt.Tooltip("label:N"), alt.Tooltip("hours:Q", format=",.3~g"), alt.Tooltip("cost:Q", format="$,.0f")]

    text = partial(label, base, look=look)
    layers = [
        base.transform_filter(only("room")).mark_point(opacity=0),
        base.transform_filter(only("run"))
        .mark_rule(color=look.quiet, strokeDash=[2, 3])
        .encode(y=alt.value(0), y2=alt.value("height")),
        *(
            base.transform_filter(only(kind))
            .mark_line(color=color[kind], strokeWidth=look.stroke, strokeDash=[1, 0] if kind == "data" else [8, 3])
            .encode(tooltip=tooltip)
            for kind in color
        ),
        *(
            base.transform_filter(only(f"{kind} here")).mark_point(
                aria=False, color=color[kind], size=110, filled=True, opacity=1, stroke=look.paper, strokeWidth=1.5
            )
            for kind in color
        ),
        base.transform_filter(only("even")).mark_point(
            aria=False, color=look.good, shape="diamond", size=120, filled=True, opacity=1
        ),
        text("even", look.good, align="left", baseline="top", dx=8, dy=6),
        text("run", look.ink, align="left", baseline="bottom", dx=5, dy=-4),
        *(
            text(f"{kind} above", color[kind], align="right", baseline="bottom", dx=-8, dy=-6, fontWeight="bold")
            for kind in color
        ),
        *(
            text(f"{kind} below", color[kind], align="left", baseline="top", dx=8, dy=8, fontWeight="bold")
            for kind in color
        ),
    ]
    return specification(alt.layer(*layers), look)


def distance_alt(design: Design) -> str:
    """The cost chart in one sentence with its numbers."""
    choice = design.relocation
    even = (
        "they cost the same at every length"
        if choice.transfer_cost == 0 and design.price_far == design.price_near
        else "they cost the same at no length above 0"
        if math.isinf(choice.break_even_hours) or choice.break_even_hours == 0
        else f"they cost the same at {f.duration(choice.break_even_hours * k.HOUR)}"
    )
    return (
        f"Cost against the length of the run: at {f.duration(design.hours * k.HOUR)} moving the data costs "
        f"{f.money(choice.cost_moving_data)} and moving the job {f.money(choice.cost_moving_job)}; {even}."
    )
