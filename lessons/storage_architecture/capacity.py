"""Storage architecture: for how long the storage nodes hold growing data."""

import numpy as np

from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from physics.storage.demands import grown
from ui.base import format as f
from ui.base.lesson import Figure, Verdict
from ui.charts import Look, axes, level, line, marks, plane, stack, upright

#: Ends of the axes: years, and terabytes; what is beyond leaves through the upper edge.
YEARS, TOP = 6.0, 4000.0
PLANNED = float(k.STORAGE_YEARS)


def figure(design: Design, look: Look) -> Figure:
    """Data over the years, below the capacity."""
    x = np.linspace(0, YEARS, 121)
    size = np.array([grown(design.data, design.growth, year) / k.TB for year in x.tolist()])
    shown, full = min(design.capacity / k.TB, TOP), design.full_after
    arrow = " ↑" if design.capacity / k.TB > TOP else ""
    down = 12 if shown > 0.9 * TOP else -10
    rows = [
        {"kind": "data", "x": x[size <= TOP], "y": size[size <= TOP]},
        {"kind": "capacity", "x": 0.0, "y": shown},
        {"kind": "plan", "x": PLANNED, "y": TOP},
        marks.label(PLANNED, TOP, f"planned: {f.count(PLANNED, 'year')}", dx=5, dy=9, tone="quiet"),
        marks.label(0.0, shown, say("holding", design) + arrow, short="capacity", dx=8, dy=down),
    ]
    if 0 < full <= YEARS and not arrow:
        rows.append(marks.point(full, shown, shape="diamond", tone="bad" if full < PLANNED else "good"))
    return Figure("capacity", "When is the storage full?", stack(rows), _spec(look), say("capacity_chart", design))


@plane
def _spec(look: Look) -> tuple:
    """Data that grow over the years below a level capacity."""
    x = axes.x("x:Q", "years from now", [0, YEARS], grid=False, values=list(range(7)))
    y = axes.y("y:Q", "data (TB)", [0, TOP], format=",d")
    return x, y, upright("plan", "quiet"), line("data"), level("capacity", "ink", (6, 4))


def verdict(design: Design) -> Verdict:
    """Say for how long the capacity lasts."""
    full = design.full_after
    return Verdict(say("full_later" if full else "full_today", design), full >= PLANNED)
