"""Fair queueing, going further: aging, between the order of arrival and strict priority."""

from functools import lru_cache

import altair as alt
import numpy as np

from lessons.fair_queueing.settings import AGING, CLASSES, Teams, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab
from ui.charts import Look, axes, line, marks, plane, stack

#: Top of the chart [h]: above what strict priority makes of the highest load.
TOP, MOST = 40.0, AGING[-1]


@lru_cache(maxsize=64)
def _curves(load: float) -> list[dict]:
    """The two waits [h] against the ratio."""
    ratios = np.geomspace(1, MOST, 41)
    waits = [Teams(load=load, aging_ratio=ratio).waits for ratio in ratios]
    return [{"kind": name, "x": ratios, "y": [one[name] / k.HOUR for one in waits]} for name in CLASSES]


def figure(teams: Teams, look: Look) -> Figure:
    """The two waits against the ratio of the aging rates."""
    ratio, parts, rows = teams.aging_ratio, list(_curves(teams.load)), []
    side = -11 if ratio > 4 else 11
    for name, tone in zip(CLASSES, ("s0", "s1"), strict=True):
        wait, said = teams.waits[name] / k.HOUR, f.duration(teams.waits[name])
        dy = 13 if name == "urgent" and wait > 4 else -13
        rows.append(marks.point(ratio, wait, size=130, tone=tone))
        rows.append(marks.label(ratio, wait, f"{name}: {said}", short=said, dy=dy, bold=True, tone=tone, dx=side))
    frame, title = stack([*parts, *rows]), "What does aging do to the two waits?"
    return Figure("aging", title, frame, _spec(look), say("aging_chart", teams), grab=Grab("aging_ratio"))


@plane
def _spec(look: Look) -> tuple:
    """Mean waits against the ratio of the aging rates."""
    ticks = {"type": "log", "values": [1, 2, 5, 10, 20, 50, 100], "format": "d"}
    x = axes.x("x:Q", "how much faster urgent jobs age", [1, MOST], **ticks)
    y = axes.y("y:Q", "mean wait (hours)", [0, TOP], tickCount=5)
    tips = [alt.Tooltip("x:Q", format=".3~g", title="ratio"), alt.Tooltip("y:Q", format=".3~g", title="wait (h)")]
    return x, y, line("patient", "s1", tooltip=tips), line("urgent", "s0", tooltip=tips)
