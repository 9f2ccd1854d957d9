"""Storage architecture: how long the storage nodes have capacity for growing data."""

import numpy as np

from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from physics.storage.demands import grown
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.charts import axes, level, line, marks, picture, upright

#: Ends of the axes: years, and terabytes; what is beyond leaves through the upper edge.
YEARS = 6.0
TOP = 4000.0
PLANNED = float(k.STORAGE_YEARS)


@picture(
    say,
    "capacity",
    "When is the storage full?",
    axes.x("x:Q", "years from now", [0, YEARS], grid=False, values=list(range(7))),
    axes.y("y:Q", "data (TB)", [0, TOP], format=",d"),
    upright("plan", "quiet"),
    line("data"),
    level("capacity", "ink", (6, 4)),
)
def figure(design: Design) -> list[marks.Row]:
    """Chart of the data over the years and the capacity."""
    x = np.linspace(0, YEARS, 121)
    size = np.array([grown(design.data, design.growth, year) / k.TB for year in x.tolist()])
    shown = min(design.capacity / k.TB, TOP)
    full = design.full_after
    if design.capacity / k.TB > TOP:
        arrow = " ↑"
    else:
        arrow = ""
    if shown > 0.9 * TOP:
        dy = 12
    else:
        dy = -10
    looks = {"short": "capacity", "dx": 8, "dy": dy, "tone": "ink"}
    rows = [
        {"kind": "data", "x": x[size <= TOP], "y": size[size <= TOP]},
        *marks.limit(
            "plan", PLANNED, TOP, f"planned: {f.count(PLANNED, 'year')}", dx=5, dy=9, tone="quiet"
        ),
        *marks.limit("capacity", 0.0, shown, say("holding", design) + arrow, **looks),
    ]
    if 0 < full <= YEARS and not arrow:
        rows.append(
            marks.point(full, shown, shape="diamond", tone="bad" if full < PLANNED else "good")
        )
    return rows


def verdict(design: Design) -> Verdict:
    """Return the verdict on how long the capacity lasts."""
    full = design.full_after
    return Verdict(say("full_later" if full else "full_today", design), full >= PLANNED)
