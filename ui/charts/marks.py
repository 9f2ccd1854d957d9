"""Marks styled by the data: one layer for all labels of a chart, and one for all points.

A row says how it is drawn: `tone` names a color of the look, the other columns are the mark's own
properties. So a chart has few layers, its specification stays the same while rows come and go, and
the browser updates it in place.
"""

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import altair as alt

from ui.charts.layers import halo_of, only
from ui.charts.look import NARROW, Look

#: A row of a chart: how and where it is drawn.
Row = dict[str, Any]

#: Tones that a row may have.
TONES = ["ink", "quiet", "faint", "paper", "accent", "good", "bad", "s0", "s1", "s2", "s3", "s4"]
#: Text of a row: on a phone, its short form.
TEXT = alt.value({"expr": f"{NARROW} && datum.short !== null ? datum.short : datum.label"})


def label(
    x: Any,
    y: Any,
    text: str,
    *,
    short: str | None = None,
    align: str = "",
    baseline: str = "middle",
    dx: float = 0,
    dy: float = 0,
    tone: str = "ink",
    bold: bool = False,
) -> Row:
    """Return the row of one label; `short` is its text on a phone.

    By default, a label with a negative `dx` ends there, and any other label begins there.

    >>> label(0.95, 4.46, "you are here", dx=-12)["align"]
    'right'
    """
    return {
        "kind": "label",
        "x": x,
        "y": y,
        "label": text,
        "short": short,
        "tone": tone,
        "bold": bold,
        "align": align or ("right" if dx < 0 else "left"),
        "baseline": baseline,
        "dx": dx,
        "dy": dy,
    }


def point(
    x: Any,
    y: Any,
    *,
    shape: str = "circle",
    size: float = 110,
    dx: float = 0,
    tone: str = "accent",
    rim: str = "paper",
    rim_width: float = 1.5,
    role: str | None = None,
) -> Row:
    """Return the row of a point, filled with `tone` and outlined with `rim`.

    A point with the role "here" stays when the scenario is pinned.
    """
    return {
        "kind": "point",
        "x": x,
        "y": y,
        "role": role,
        "shape": shape,
        "size": size,
        "dx": dx,
        "tone": tone,
        "rim": rim,
        "rim_width": rim_width,
    }


def here(
    x: float,
    y: float,
    words: str,
    *,
    top: float = math.inf,
    size: float = 130,
    fill: str = "accent",
    role: str | None = "here",
    **looks: Any,
) -> list[Row]:
    """Return the rows of the point of the present settings and of its label.

    A point above the chart's `top` becomes an arrow at the top.
    """
    shape = "circle"
    if y > top:
        y = top
        shape = "triangle-up"
        words += " ↑"
    mark = point(x, y, size=size, shape=shape, tone=fill, role=role)
    return [mark, label(x, y, words, **{"bold": True, **looks})]


def guess(x: Any, y: Any, words: str, *, size: float = 260, **looks: Any) -> list[Row]:
    """Return the rows of a ring at the visitor's answer, and of the ring's label."""
    ring = point(x, y, size=size, tone="paper", rim="quiet", rim_width=2)
    return [ring, label(x, y, words, **{"short": "you said", "tone": "quiet", **looks})]


def limit(kind: str, x: Any, y: Any, words: str, **looks: Any) -> list[Row]:
    """Return the rows of a reference line, such as a target, and of the line's label."""
    return [{"kind": kind, "x": x, "y": y}, label(x, y, words, **{"tone": "good", **looks})]


def labels(base: alt.Chart, look: Look, halo: bool = True, kind: str = "label") -> alt.Chart:
    """Draw the labels of one kind, with a halo in the page's color unless they are on fills."""
    looks: dict[str, Any] = {
        name: {"expr": f"datum.{name}"} for name in ("align", "baseline", "dx", "dy")
    }
    weight = {"expr": "datum.bold ? 'bold' : 'normal'"}
    looks |= {"fontSize": look.text_size, "fontWeight": weight, "color": tone(look)}
    if halo:
        looks |= halo_of(look.paper)
    return base.transform_filter(only(kind)).mark_text(**looks).encode(text=TEXT)


def points(base: alt.Chart, look: Look) -> alt.Chart:
    """Draw all rows of kind "point"."""
    return base.transform_filter(only("point")).mark_point(
        filled=True,
        opacity=1,
        shape={"expr": "datum.shape"},
        size={"expr": "datum.size"},
        xOffset={"expr": "datum.dx"},
        color=tone(look),
        stroke=tone(look, "rim"),
        strokeWidth={"expr": "datum.rim_width"},
    )


def ghosts(base: alt.Chart, look: Look, order: str, **looks: Any) -> alt.Chart:
    """Draw the lines of pinned scenarios, ordered by a field."""
    looks |= {"color": look.quiet, "strokeWidth": 0.6 * look.stroke, "opacity": 0.6}
    return (
        base.transform_filter(only("ghost")).mark_line(**looks).encode(order=order, detail="pin:N")
    )


def tone(look: Look, column: str = "tone") -> dict[str, str]:
    """Return the mark property that colors each row by the tone in a column."""
    table = ", ".join(f"'{name}': '{look.color(name)}'" for name in TONES)
    return {"expr": f"{{{table}}}[datum.{column}]"}


def apart(values: list[float], gap: float, top: float) -> list[float]:
    """Move label heights apart to a minimum gap: first up, then down from the top.

    >>> apart([2.0, 1.0, 9.5], 2.0, 10.0)
    [3.0, 1.0, 9.5]
    """
    placed = list(values)
    order = sorted(range(len(values)), key=values.__getitem__)
    for below, above in pairwise(order):
        placed[above] = max(placed[above], placed[below] + gap)
    for i in reversed(order):
        placed[i] = top = min(placed[i], top)
        top -= gap
    return placed


def renamed(rows: Iterable[Mapping[str, Any]], x: str, y: str) -> list[Row]:
    """Rename `x` and `y` in each row to the columns of the chart's axes."""
    columns = {"x": x, "y": y}
    return [{columns.get(name, name): value for name, value in row.items()} for row in rows]
