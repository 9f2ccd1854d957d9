"""Notebook sharing: where pauses are and where idle time is."""

from functools import lru_cache, partial

import altair as alt
import numpy as np
import pandas as pd

from lessons.notebook_sharing.settings import Study
from lessons.notebook_sharing.words import at_least, seconds
from physics import constants as k
from physics.notebooks import ThinkTime, least_idle_share
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, label, only, specification


def think_frame(study: Study) -> pd.DataFrame:
    """Rows of the think-time chart: shares of pauses and of idle time in pauses longer than t."""
    return _think_frame(study.cull)


@lru_cache(maxsize=128)
def _think_frame(cull: float) -> pd.DataFrame:
    law = ThinkTime()
    rows: list[tuple] = []
    times = np.geomspace(0.1, float(k.THINK_MAXIMUM), 80)
    for time in times:
        rows.append(("pauses", time, law.pause_share(time), ""))
        rows.append(("mixture", time, law.idle_share(time), ""))
        rows.append(("least", time, least_idle_share(time), ""))
    hour = float(k.HOUR)
    rows.append(("hour", hour, least_idle_share(hour), f"1 h: at least {at_least(least_idle_share(hour))}"))
    rows.append(("median", law.median, 0.5, f"median {seconds(law.median)} (assumed)"))
    rows.append(("mixture label", 4.0, law.idle_share(4.0), "idle time, assumed mixture"))
    rows.append(("least label", 0.7, least_idle_share(0.7), "idle time, any law: at least"))
    rows.append(("pauses label", 9.0, law.pause_share(9.0), "pauses, assumed mixture"))
    if cull < k.THINK_MAXIMUM:
        rows.append(("cull", cull, 0.4, "culling time-out"))
    return pd.DataFrame(rows, columns=["kind", "time", "share", "label"])


@lru_cache(maxsize=8)
def think_spec(look: Look) -> dict:
    """Where pauses are and where idle time is, over the length of a pause."""
    values = [0.1, 1, 10, 60, 600, 3600, 36000]
    names = "{'0.1': '0.1 s', '1': '1 s', '10': '10 s', '60': '1 min', '600': '10 min', '3600': '1 h', '36000': '10 h'}"
    x = axes.x(
        "time:Q",
        "pause longer than",
        [0.1, float(k.THINK_MAXIMUM)],
        type="log",
        values=values,
        labelExpr=f"({names})[datum.value]",
    )
    y = axes.y("share:Q", "share", [0, 1.06], format=".0%")
    base = alt.Chart().encode(x=x, y=y)

    text = partial(label, base, look=look)

    def line(kind: str, color: str, dash: list[int]) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_line(color=color, strokeWidth=look.stroke, strokeDash=dash)
        return mark.encode(
            tooltip=[alt.Tooltip("time:Q", format=".3~s", title="s"), alt.Tooltip("share:Q", format=".1%")]
        )

    layers = [
        marks.upright(base, "cull", color=look.ink, strokeDash=[3, 3]),
        line("pauses", look.quiet, [2, 2]),
        line("least", look.series[1], [6, 3]),
        line("mixture", look.accent, [1, 0]),
        base.transform_filter(only("hour")).mark_point(color=look.series[1], filled=True, size=110, opacity=1),
        base.transform_filter(only("median")).mark_point(color=look.quiet, filled=True, size=90, opacity=1),
        text("hour", look.ink, align="right", baseline="top", dx=-8, dy=22, fontWeight="bold"),
        text("median", look.ink, align="left", dx=9),
        text("mixture label", look.accent, align="left", baseline="top", dy=10, fontWeight="bold"),
        text("least label", look.series[1], align="left", baseline="top", dy=5, fontWeight="bold"),
        text("pauses label", look.ink, align="left", baseline="bottom", dx=8, dy=-4),
        text("cull", look.ink, align="right", baseline="bottom", dx=-5, dy=-8),
    ]
    return specification(alt.layer(*layers), look)


def think_words(study: Study) -> str:
    """Say what a time-out gets back and whom it hits, in the assumed mixture."""
    law, timeout = ThinkTime(), study.cull
    if timeout >= law.maximum:
        return "The culling time-out is longer than any pause: it gets nothing back and costs nobody anything."
    return (
        f"In the assumed mixture a time-out of {f.duration(timeout)} gets back {f.share(law.recovered(timeout))} of "
        f"the idle time, and 1 pause in {f.rounded(1 / law.pause_share(timeout), 2)} costs its notebook's state."
    )


def think_alt() -> str:
    """The think-time chart in one sentence with its numbers."""
    law = ThinkTime()
    return (
        f"Share of idle time in pauses longer than a given length: over an hour at least "
        f"{at_least(least_idle_share(k.HOUR))} for any law with these figures, {f.share(law.idle_share(k.HOUR))} in "
        f"the assumed mixture, whose median pause is {seconds(law.median)}."
    )


def figure(study: Study, look: Look) -> Figure:
    """Where pauses are and where idle time is."""
    title = "Where are the pauses, and where is the idle time?"
    return Figure("think", title, think_frame(study), think_spec(look), think_alt())
