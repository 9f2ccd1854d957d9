"""Notebook sharing: how long users pause, and in which pauses the idle time lies."""

import altair as alt
import numpy as np

from lessons.notebook_sharing.settings import Study, say
from physics import constants as k
from physics.notebooks import ThinkTime, least_idle_share
from ui.base.lesson import Figure, Grab
from ui.charts import Look, axes, line, marks, plane, stack, upright

#: Ends of the axis of pauses [s].
LOW, HIGH = 0.1, float(k.THINK_MAXIMUM)


def figure(study: Study, look: Look) -> Figure:
    """Shares of pauses and of idle time in pauses longer than a length."""
    law, times, cull = ThinkTime(), np.geomspace(LOW, HIGH, 80), study.cull
    curves = {"pauses": law.pause_share, "idle": law.idle_share, "least": least_idle_share}
    rows = [
        *({"kind": kind, "x": times, "y": [share(at) for at in times]} for kind, share in curves.items()),
        {"kind": "cull", "x": cull, "y": 0.0},
        marks.label(4.0, law.idle_share(4.0), "idle time (assumed)", dy=14, tone="accent", bold=True),
        marks.label(0.7, least_idle_share(0.7), "idle time: at least", dy=11, tone="s1", bold=True),
        marks.label(9.0, law.pause_share(9.0), "pauses (assumed)", dx=8, dy=-10),
        marks.label(cull, 0.42, "time-out: drag", short="time-out", dx=-5),
        marks.point(cull, law.idle_share(cull)),
    ]
    title = "Where are the pauses, and where is the idle time?"
    return Figure("think", title, stack(rows), _spec(look), say("pauses_chart", study), grab=Grab("cull"))


@plane
def _spec(look: Look) -> tuple:
    """Shares over the length of a pause, on a log scale."""
    names = {"0.1": "0.1 s", "1": "1 s", "10": "10 s", "60": "1 min", "600": "10 min", "3600": "1 h", "36000": "10 h"}
    ticks = {"type": "log", "values": [float(at) for at in names], "labelExpr": f"({names})[datum.value]"}
    x = axes.x("x:Q", "pause longer than", [LOW, HIGH], **ticks)
    y = axes.y("y:Q", "share", [0, 1.06], format=".0%")
    tips = [alt.Tooltip("x:Q", format=".3~s", title="s"), alt.Tooltip("y:Q", format=".1%", title="share")]
    lines = line("least", "s1", (6, 3), look.stroke, tooltip=tips), line("idle", tooltip=tips)
    return x, y, upright("cull", "ink"), line("pauses", "quiet", (2, 2), tooltip=tips), *lines
