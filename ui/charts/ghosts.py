"""Faint points and curves of pinned scenarios on a chart, each with its name.

A pinned scenario is drawn by the lesson's own chart function at the pinned settings; of its rows
remain the points that say "here" and the lines that the figure names. They join the chart's rows,
so its specification stays as it is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa

from ui.base.lesson import Figure
from ui.charts import marks
from ui.charts.look import stack

#: How a point of a pinned scenario looks; one that stands at the frame's edge keeps its shape.
RING: dict[str, Any] = {
    "tone": "paper",
    "rim": "quiet",
    "rim_width": 2,
    "size": 90,
    "role": "pinned",
}


def with_pins(figure: Figure, here: Figure, pinned: Iterable[tuple[str, Figure]]) -> Figure:
    """Add pinned scenarios to a chart, below its other marks, and to the chart's description.

    `here` is what a pin of the present settings would leave: nobody needs that twice. `pinned` has
    the name of each scenario and the same chart of it; one that lies in another frame is only
    named.
    """
    ghosts = []
    sentences = []
    own = _left(here)
    for name, other in pinned:
        if other.spec != figure.spec:
            sentences.append(f"{name.capitalize()} lies in another frame: {other.alt}")
            continue
        sentences.append(f"{name.capitalize()}: {other.alt}")
        ghosts += _ghosts(name, [row for row in _left(other) if row not in own], figure.spec)
    if not sentences:
        return figure
    rows = figure.rows
    if ghosts:
        rows = pa.concat_tables([stack(ghosts), rows], promote_options="permissive")
    return replace(figure, rows=rows, alt=" ".join([figure.alt, *sentences]))


def _left(figure: Figure) -> list[dict[str, Any]]:
    """Return the rows of a chart that a pin keeps: its "here", and the lines that the figure
    names.
    """
    return [
        row
        for row in figure.rows.to_pylist()
        if row["kind"] in figure.lines or (row["kind"] == "point" and row.get("role") == "here")
    ]


def _ghosts(name: str, rows: list[dict[str, Any]], spec: Mapping) -> list[dict[str, Any]]:
    """Draw these rows faintly, and name them at their first point, or else in the middle of their
    line.
    """
    points = [row | RING | {"label": name} for row in rows if row["kind"] == "point"]
    lines = [
        row | {"kind": "ghost", "pin": f"{name} {row['kind']} {row.get('limit') or ''}"}
        for row in rows
        if row["kind"] != "point"
    ]
    if not rows:
        return []
    at = (points or lines[len(lines) // 2 :])[0]
    x, y = (channel["field"] for channel in _axes(spec))
    words = marks.label(at[x], at[y], name, tone="quiet", dx=10, dy=-14)
    return [*lines, *points, *marks.renamed([words], x, y)]


def _axes(spec: Mapping) -> tuple[Mapping, Mapping]:
    """Return the channels of the first layer that has both axes."""
    for layer in spec["layer"]:
        x, y = (layer.get("encoding", {}).get(name, {}) for name in ("x", "y"))
        if "field" in x and "field" in y:
            return x, y
    raise ValueError("a chart with pins needs a layer with both axes")
