"""Notebook sharing: the mean slowdown of every combination of the notebooks A to D, as a heat map."""

from functools import lru_cache

import altair as alt
import pandas as pd

from lessons.notebook_sharing.settings import SCHEDULERS, TIE, Study, say
from physics.notebooks.study import COMBINATIONS
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, only, specification


def figure(study: Study, look: Look) -> Figure:
    """Mean slowdowns as a table in which the lowest of each combination is framed."""
    title = "Which policy has the lowest mean slowdown?"
    return Figure("combinations", title, _rows(study), _spec(look), say("combinations_chart", study))


@lru_cache(maxsize=32)
def _rows(study: Study) -> pd.DataFrame:
    rows: list[tuple] = []
    for names, found in study.table.items():
        best = min(found.values())
        for name, value in found.items():
            kind = "best" if value <= best * (1 + TIE) else "value"
            written = f.significant(value) if value < 1e4 else "over 10⁴"
            rows.append((kind, names, SCHEDULERS[name], value, min(value / best - 1, 1.0), written))
    return pd.DataFrame(rows, columns=["kind", "combination", "policy", "antt", "behind", "label"])


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Combinations from left to right, schedulers from top to bottom; the darker, the farther behind the best."""
    x = axes.x("combination:N", "notebooks on the node", list(COMBINATIONS), sort=None, labelAngle=-90)
    y = axes.y("policy:N", None, list(SCHEDULERS.values()), sort=None, labelLimit=200, labelExpr=axes.BROKEN)
    base = alt.Chart().encode(x=x, y=y)
    shade = alt.Opacity("behind:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.6], clamp=True), legend=None)
    tips = [alt.Tooltip(f"{name}:N") for name in ("combination", "policy", "label")]
    size = look.text_size - 1
    text = base.mark_text(color=look.ink, fontSize=size, angle={"expr": "width < 560 ? 270 : 0"})
    layers = [
        base.transform_filter(only("value"))
        .mark_rect(color=look.bad, tooltip=True)
        .encode(opacity=shade, tooltip=tips),
        base.transform_filter(only("best"))
        .mark_rect(fill=look.paper, stroke=look.good, strokeWidth=2, tooltip=True)
        .encode(tooltip=tips),
        text.encode(text="label:N"),
    ]
    return specification(alt.layer(*layers), look, 260, halo=False)
