"""Storage architecture: how long the storage nodes have capacity for growing data."""

import numpy as np

from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from physics.storage.demands import grown
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Ends of the axes: years, and terabytes.
YEARS = 6.0
TOP = 4000.0
PLANNED = float(k.STORAGE_YEARS)


@chart(say, "capacity", x=[0, YEARS], y=[0, TOP])
def figure(design: Design) -> Rows:
    """Chart of the data over the years and the capacity."""
    x = np.linspace(0, YEARS, 121)
    size = np.array([grown(design.data, design.growth, year) / k.TB for year in x.tolist()])
    capacity = design.capacity / k.TB
    height = min(capacity, TOP)
    full = design.full_after
    words = say("holding", design)
    if capacity > TOP:
        words += " ↑"
    style = {"short": "capacity", "dx": 8, "dy": 12 if height > 0.9 * TOP else -10, "tone": "ink"}
    plan = f"planned: {f.count(PLANNED, 'year')}"
    rows = [
        {"kind": "data", "x": x[size <= TOP], "y": size[size <= TOP]},
        *marks.limit("plan", PLANNED, TOP, plan, dx=5, dy=9, tone="quiet"),
        *marks.limit("capacity", 0.0, height, words, **style),
    ]
    if 0 < full <= YEARS and capacity <= TOP:
        tone = "bad" if full < PLANNED else "good"
        rows.append(marks.point(full, height, shape="diamond", tone=tone))
    return rows


@verdict_of(say)
def verdict(design: Design) -> Outcome:
    """Return the verdict on how long the capacity lasts."""
    full = design.full_after
    return "full_later" if full else "full_today", full >= PLANNED


view = View("capacity", figure=figure, verdict=verdict)
