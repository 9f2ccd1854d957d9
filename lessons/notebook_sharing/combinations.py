"""Notebook sharing: the mean slowdown of every combination of the notebooks A to D, as a heat map."""

from functools import lru_cache

import altair as alt
import pyarrow as pa

from lessons.notebook_sharing.settings import SCHEDULERS, TIE, Study, say
from physics.notebooks.node import COMBINATIONS
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, specification, stack


def figure(study: Study, look: Look) -> Figure:
    """Mean slowdowns as a table in which the lowest of each combination is framed."""
    title = "Which policy has the lowest mean slowdown?"
    return Figure("combinations", title, _rows(study), _spec(look), say("combinations_chart", study))


@lru_cache(maxsize=32)
def _rows(study: Study) -> pa.Table:
    rows = []
    for names, found in study.table.items():
        best = min(found.values())
        for name, value in found.items():
            behind = value / best - 1
            field = {"combination": names, "policy": SCHEDULERS[name], "antt": value, "label": f.significant(value)}
            rows.append(field | {"behind": behind if behind > TIE else 0.0})
    return stack(rows)


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Combinations from left to right, schedulers from top to bottom; the darker, the farther behind the best."""
    x = axes.x(
        "combination:N", "notebooks on the node", list(COMBINATIONS), sort=None, labelAngle=-90, paddingInner=0.06
    )
    y = axes.y("policy:N", None, list(SCHEDULERS.values()), sort=None, labelLimit=200, labelExpr=axes.BROKEN)
    base = alt.Chart().encode(x=x, y=y)
    shade = alt.FillOpacity("behind:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.6], clamp=True), legend=None)
    tips = [alt.Tooltip(f"{name}:N") for name in ("combination", "policy", "label")]
    frame = {"stroke": look.good, "strokeWidth": {"expr": "datum.behind ? 0 : 2"}}
    fields = base.mark_rect(fill=look.bad, tooltip=True, **frame).encode(fillOpacity=shade, tooltip=tips)
    text = base.mark_text(color=look.ink, fontSize=look.text_size - 1, angle={"expr": "width < 560 ? 270 : 0"})
    return specification(alt.layer(fields, text.encode(text="label:N")), look, 260)
