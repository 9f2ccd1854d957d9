"""Chart of loads: one horizontal bar per part, from 0 to its load as a share of its capacity."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt

from ui.charts import axes, marks
from ui.charts.axes import tip
from ui.charts.layers import only
from ui.charts.look import Look, specification

#: SVG path of a vertical stroke, as high as a bar.
TICK = "M-0.12,-1.4H0.12V1.4H-0.12Z"


@lru_cache(maxsize=16)
def loads(
    look: Look,
    field: str,
    names: Sequence[str],
    end: float,
    ticks: str | Sequence[float],
    form: str,
) -> dict:
    """Return the chart of loads: one bar per name in column `field`, on an axis up to `end`.

    `ticks` are the axis's numbers or an expression for these, and `form` is the number format of a
    bar's tooltip. Rows of kind "bar" have a `start`, an `end`, and a `tone`.
    """
    values = alt.ExprRef(ticks) if isinstance(ticks, str) else list(ticks)
    base = alt.Chart().encode(
        x=axes.x("start:Q", "load (% of capacity)", [0, end], format=".0%", values=values),
        y=axes.y(f"{field}:N", None, names, ticks=False, domain=False, labelLimit=160),
    )
    bars = base.transform_filter(only("bar")).mark_bar(color=marks.tone(look), height={"band": 0.7})
    layers = [
        bars.encode(x2="end:Q", tooltip=[f"{field}:N", tip("end:Q", "load", form)]),
        marks.points(base, look),
        marks.labels(base, look, halo=False),
    ]
    return specification(alt.layer(*layers), look, height=320 if look.present else 250)


def bar(
    name: str, load: float, tone: str, text: str, inside: float, short: str | None = None
) -> list[dict[str, Any]]:
    """Return the rows of a bar and of its label, inside the bar if that is longer than `inside`."""
    if load > inside:
        label = marks.label(0, name, text, short=short, dx=6, tone="paper", bold=True)
    else:
        label = marks.label(load, name, text, short=short, dx=6)
    return [{"kind": "bar", "x": 0.0, "end": load, "y": name, "tone": tone}, label]
