"""Notebook sharing: how long users pause, and in which pauses the idle time lies."""

from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.notebook_sharing.settings import Study, say
from physics import constants as k
from physics.notebooks import ThinkTime, least_idle_share
from ui.base.lesson import Figure, Grab, Verdict
from ui.charts import Look, axes, line, marks, plane, stack, upright

#: Ends of the axis of pauses [s].
LOW, HIGH = 0.1, float(k.THINK_MAXIMUM)


def figure(study: Study, look: Look) -> Figure:
    """Shares of pauses and of idle time in pauses longer than a length."""
    title = "Where are the pauses, and where is the idle time?"
    return Figure("think", title, _rows(study.cull), _spec(look), say("pauses_chart", study), grab=Grab("cull"))


@lru_cache(maxsize=128)
def _rows(cull: float) -> pa.Table:
    law, times = ThinkTime(), np.geomspace(LOW, HIGH, 80)
    curves = {"pauses": law.pause_share, "idle": law.idle_share, "least": least_idle_share}
    rows: list[dict[str, object]] = [
        {"kind": kind, "time": times, "share": [share(time) for time in times]} for kind, share in curves.items()
    ]
    names = (
        ("idle time (assumed)", 4.0, law.idle_share, {"baseline": "top", "dy": 8, "tone": "accent", "bold": True}),
        ("idle time: at least", 0.7, least_idle_share, {"baseline": "top", "dy": 5, "tone": "s1", "bold": True}),
        ("pauses (assumed)", 9.0, law.pause_share, {"baseline": "bottom", "dx": 8, "dy": -4}),
    )
    found = [marks.label(time, share(time), words, **looks) for words, time, share, looks in names]
    if cull < HIGH:
        rows.append({"kind": "cull", "time": cull, "share": 0.0})
        found.append(marks.label(cull, 0.42, "time-out: drag", short="time-out", dx=-5))
        found.append(marks.point(cull, law.idle_share(cull)))
    return stack([*rows, *marks.renamed(found, "time", "share")])


@plane
def _spec(look: Look) -> tuple:
    """Shares over the length of a pause, on a log scale."""
    names = {"0.1": "0.1 s", "1": "1 s", "10": "10 s", "60": "1 min", "600": "10 min", "3600": "1 h", "36000": "10 h"}
    values = [float(at) for at in names]
    x = axes.x(
        "time:Q", "pause longer than", [LOW, HIGH], type="log", values=values, labelExpr=f"({names})[datum.value]"
    )
    y = axes.y("share:Q", "share", [0, 1.06], format=".0%")
    tips = [alt.Tooltip("time:Q", format=".3~s", title="s"), alt.Tooltip("share:Q", format=".1%")]
    return (
        x,
        y,
        upright("cull", "ink"),
        line("pauses", "quiet", (2, 2), tooltip=tips),
        line("least", "s1", (6, 3), width=look.stroke, tooltip=tips),
        line("idle", tooltip=tips),
    )


def verdict(study: Study) -> Verdict:
    """Say what the time-out saves and what it costs."""
    return Verdict(say("time_out" if study.recovered else "no_time_out", study))
