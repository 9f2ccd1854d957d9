"""DRF story: charts of what each job had before and has after, under two policies."""

from functools import lru_cache

import altair as alt
import pandas as pd

from ui.charts import axes
from ui.charts.look import Look, only, specification

#: One job: its name and, for each of two policies, before, after, and what is written there.
Row = tuple[str, tuple[tuple[float, float, str], tuple[float, float, str]]]


def rows(jobs: list[Row]) -> pd.DataFrame:
    """Rows of the chart: for each job its name and a bar of change under each policy."""
    found: list[tuple[str, float, float, float, str]] = []
    for i, (name, both) in enumerate(jobs):
        found.append(("name", i - 0.36, 0.0, 0.0, name))
        for kind, offset, (before, after, text) in zip(("one", "two"), (-0.06, 0.26), both, strict=True):
            found.append((kind, i + offset, before, after, text))
    widest = max(max(row[2:4]) for row in found) or 1.0
    found += [("frame", -0.6, 0.0, widest, ""), ("frame", len(jobs) - 0.4, 0.0, 0.0, "")]
    return pd.DataFrame(found, columns=["kind", "row", "before", "after", "label"])


@lru_cache(maxsize=16)
def spec(look: Look, title: str, percent: bool) -> dict:
    """Before (hollow) and after (filled) for each job: a circle for the first policy, a square for the second."""
    y = axes.y("row:Q", reverse=True, zero=False, axis=None)
    x = axes.x(
        "after:Q",
        title,
        zero=True,
        range=[0, alt.ExprRef(f"width - {10.5 * look.text_size:.0f}")],
        tickCount=10,
        **{"format": ".0%"} if percent else {},
    )
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("label:N"), alt.Tooltip("before:Q", format=".3~f"), alt.Tooltip("after:Q", format=".3~f")]

    def part(kind: str) -> alt.Chart:
        return base.transform_filter(only(kind))

    layers = [part("frame").mark_point(opacity=0)]
    for kind, color, shape in (("one", look.accent, "circle"), ("two", look.bad, "square")):
        layers += [
            part(kind).mark_rule(color=color, strokeWidth=look.stroke).encode(x="before:Q", x2="after:Q"),
            part(kind).mark_point(color=color, shape=shape, size=70, opacity=1, fill=look.paper).encode(x="before:Q"),
            part(kind).mark_point(color=color, shape=shape, size=90, filled=True, opacity=1).encode(tooltip=tips),
            part(kind)
            .mark_text(color=color, align="left", dx=9, fontSize=look.text_size)
            .encode(x=alt.X("right:Q"), text="label:N")
            .transform_calculate(right="max(datum.before, datum.after)"),
        ]
    layers.append(
        part("name")
        .mark_text(color=look.ink, align="left", dx=4, fontWeight="bold", fontSize=look.text_size)
        .encode(x=alt.value(0), text="label:N")
    )
    return specification(alt.layer(*layers), look, 300)
