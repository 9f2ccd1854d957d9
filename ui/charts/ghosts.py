"""Faint points and curves of pinned scenarios on a chart, each with its name.

The lesson's own chart function draws a pinned scenario at the pinned settings. Of its rows, only
the points with the role "here" and the figure's `lines` stay. They are added to the chart's rows,
so its specification does not change.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa

from ui.base.lesson import Figure
from ui.charts import marks
from ui.charts.look import stack

#: Columns of a point of a pinned scenario; its shape stays, such as an arrow at the frame's edge.
RING: dict[str, Any] = {
    "tone": "paper",
    "rim": "quiet",
    "rim_width": 2,
    "size": 90,
    "role": "pinned",
}


def with_pins(figure: Figure, here: Figure, pinned: Iterable[tuple[str, Figure]]) -> Figure:
    """Add pinned scenarios to a chart, below its other marks, and to the chart's description.

    `here` is the chart of the present settings, whose marks are not drawn twice. `pinned` has the
    name and the chart of each scenario; a chart with other axes is only described.
    """
    ghosts = []
    sentences = []
    current_rows = _lasting_rows(here)
    for name, other in pinned:
        if other.spec != figure.spec:
            sentences.append(f"{name.capitalize()} lies in another frame: {other.alt}")
            continue
        sentences.append(f"{name.capitalize()}: {other.alt}")
        new_rows = [row for row in _lasting_rows(other) if row not in current_rows]
        ghosts += _ghosts(name, new_rows, figure.spec)
    if not sentences:
        return figure
    rows = figure.rows
    if ghosts:
        rows = pa.concat_tables([stack(ghosts), rows], promote_options="permissive")
    return replace(figure, rows=rows, alt=" ".join([figure.alt, *sentences]))


def _lasting_rows(figure: Figure) -> list[dict[str, Any]]:
    """Return the rows of a chart that stay when it is pinned: its "here" and its `lines`."""
    return [
        row
        for row in figure.rows.to_pylist()
        if row["kind"] in figure.lines or (row["kind"] == "point" and row.get("role") == "here")
    ]


def _ghosts(name: str, rows: list[dict[str, Any]], spec: Mapping) -> list[dict[str, Any]]:
    """Return these rows as faint ones, with a label at the first point or amid the line."""
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
