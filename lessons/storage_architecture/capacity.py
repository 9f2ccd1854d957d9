"""Storage architecture: for how long the store holds growing data, and what a copy on local drives takes."""

import math
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from lessons.storage_architecture.local import copy_words
from lessons.storage_architecture.settings import Design
from physics import constants as k
from physics.storage.capacity import full_after, grown
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification

#: The frame stands still: years, and petabytes; what is beyond leaves it through its upper edge.
YEARS, TOP = 6.0, 4e15
PLANNED = float(k.STORAGE_YEARS)


def frame(design: Design) -> pd.DataFrame:
    """Rows over the years: data, capacity, and where the one reaches the other."""
    full = full_after(design.data, design.capacity, design.growth)
    sizes = [(float(year), grown(design.data, design.growth, float(year))) for year in np.linspace(0, YEARS, 61)]
    rows: list[dict[str, object]] = [{"kind": "data", "x": year, "y": size / k.TB} for year, size in sizes]
    shown = min(design.capacity, TOP) / k.TB
    arrow = " ↑" if design.capacity > TOP else ""
    dy = 12 if shown > 0.9 * TOP / k.TB else -10
    rows.append({"kind": "capacity", "x": 0.0, "y": shown})
    rows.append(marks.label(0.0, shown, f"capacity: {_tb(design.capacity)}{arrow}", short="capacity", dx=8, dy=dy))
    if design.local:
        top = min(design.local_capacity, TOP) / k.TB
        arrow = " ↑" if design.local_capacity > TOP else ""
        dy = 12 if top > 0.9 * TOP / k.TB else -10
        text = f"local drives: {_tb(design.local_capacity)}{arrow}"
        rows.append({"kind": "capacity", "x": 0.0, "y": top})
        rows.append(marks.label(YEARS, top, text, short="local drives", align="right", dx=-8, dy=dy))
    if 0 < full <= YEARS and design.capacity <= TOP:
        rows.append(marks.point(full, shown, shape="diamond", tone="bad" if full < PLANNED else "good"))
        # The data lie below the capacity before that, and above it afterwards: both places are free.
        side = {"align": "right", "dx": -9, "dy": -12} if full > 0.65 * YEARS else {"dx": 9, "dy": 14}
        rows.append(marks.label(full, shown, f"full after {_years(full)}", short=_years(full), bold=True, **side))
    return pd.DataFrame(rows)


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Data that grow over the years below a level capacity."""
    x = axes.x("x:Q", "years from now", [0, YEARS], grid=False)
    y = axes.y("y:Q", "data (TB)", [0, TOP / k.TB], format=",d", tickCount=5)
    base = alt.Chart().encode(x=x, y=y)
    tooltip = [alt.Tooltip("x:Q", format=".1f", title="years"), alt.Tooltip("y:Q", format=",.0f", title="TB")]
    layers = [
        base.transform_filter(only("data"))
        .mark_line(color=look.accent, strokeWidth=look.stroke, clip=True)
        .encode(tooltip=tooltip),
        marks.level(base, "capacity", color=look.ink, strokeDash=[6, 4]),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def words(design: Design) -> str:
    """For how long the capacity lasts, and what a copy on the GPU nodes' drives takes, in words."""
    full = full_after(design.data, design.capacity, design.growth)
    planned = f.count(PLANNED, "year")
    held = f"{_tb(design.capacity)} for {_tb(design.data)} that {_growing(design)}"
    then = _tb(grown(design.data, design.growth, PLANNED))
    if full == 0:
        lasts = "full today"
    elif math.isinf(full):
        lasts = "never full"
    else:
        lasts = f"full after {_years(full)}; after {planned} there would be {then}"
    if design.local:
        return f"{held}: {lasts}. {_drives(design)} {copy_words(design)}"
    share, whole = (design.copy_of(whole) for whole in (False, True))
    unit = "shards" if design.organization == "shards" else "files"
    size = design.shard_size if design.organization == "shards" else design.file_size
    return (
        f"{held}: {lasts}. On drives in the GPU nodes the data would first have to be copied: {f.data(share.part)} to "
        f"each of {f.count(design.nodes, 'node')} takes {f.duration(share.carrying)}, all of it to every node "
        f"{f.duration(whole.carrying)}, at the rate of the slowest of the storage nodes' bandwidth, a node's link and "
        f"its drives. To open {unit} of {f.data(size)} for it the metadata servers need {f.duration(share.opening)} "
        f"for the one and {f.duration(whole.opening)} for the other."
    )


def _drives(design: Design) -> str:
    """For how long the drives of the GPU nodes hold the growing data, in words."""
    full = full_after(design.data, design.local_capacity, design.growth)
    held = f.data(design.local_capacity)
    if design.whole:
        drives = f"On each GPU node the drives hold {held}, and all of the data is to lie there"
    else:
        drives = f"The drives of {f.count(design.nodes, 'GPU node')} hold {held} together"
    if design.data > design.local_capacity:
        return f"{drives}: too little today."
    return f"{drives}: {'never full' if math.isinf(full) else f'full after {_years(full)}' if full else 'full today'}."


def _tb(size: float) -> str:
    """Write a size in TB, so that data and capacity can be compared."""
    return f"{f.significant(size / k.TB, 4)} TB"


def _growing(design: Design) -> str:
    return f"grow by {f.share(design.growth)} a year" if design.growth else "do not grow"


def _years(years: float) -> str:
    return f.count(float(f"{years:.3g}"), "year")


def figure(design: Design, look: Look) -> Figure:
    """Draw the growing data below the capacity."""
    alt_text = (
        f"Data over the years: {_tb(design.data)} now, {_tb(grown(design.data, design.growth, PLANNED))} after "
        f"{f.count(PLANNED, 'year')}; the capacity is {_tb(design.capacity)}"
        f"{f', that of the local drives {_tb(design.local_capacity)}' if design.local else ''}."
    )
    return Figure("capacity", "For how long does the store hold the data?", frame(design), _spec(look), alt_text)
