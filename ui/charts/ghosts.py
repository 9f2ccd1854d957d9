"""What pinned scenarios leave on a chart: their points and curves, faintly, each with its name.

A pinned scenario is drawn by the lesson's own chart function at the pinned settings; of its rows
remain the points that say "here" and the lines that the figure names. They join the chart's rows,
so its specification stays as it is.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa

from ui.base.lesson import Figure
from ui.charts import marks
from ui.charts.look import stack

#: How a point of a pinned scenario looks; one that stands at the frame's edge keeps its shape.
RING = {"tone": "paper", "rim": "quiet", "rim_width": 2, "size": 90, "role": "pinned"}


#: Where its name may stand, the best first.
SIDES = tuple(
    {"align": align, "dx": dx, "dy": dy}
    for dy in (-14, 14)
    for align, dx in (("left", 10), ("right", -10))
)
#: Size of a chart, of a letter and of a line of text [px], to see which of them is free.
WIDE = 820.0
HIGH = 190.0
LETTER = 6.6
LINE = 14.0


def with_pins(figure: Figure, here: Figure, pinned: Iterable[tuple[str, Figure]]) -> Figure:
    """Add to a chart what remains of pinned scenarios, below everything else, and their words.

    `here` is what a pin of the present settings would leave: nobody needs that twice. `pinned` has
    the name of each scenario and the same chart of it; one that lies in another frame is only
    named.
    """
    ghosts = []
    said = []
    own = _left(here)
    for name, other in pinned:
        if other.spec != figure.spec:
            said.append(f"{name.capitalize()} lies in another frame: {other.alt}")
            continue
        said.append(f"{name.capitalize()}: {other.alt}")
        taken = [row for row in (*figure.rows.to_pylist(), *ghosts) if row["kind"] == "label"]
        ghosts += _ghosts(name, [row for row in _left(other) if row not in own], figure.spec, taken)
    if not said:
        return figure
    rows = figure.rows
    if ghosts:
        rows = pa.concat_tables([stack(ghosts), rows], promote_options="permissive")
    return replace(figure, rows=rows, alt=" ".join([figure.alt, *said]))


def _left(figure: Figure) -> list[dict[str, Any]]:
    """Return the rows of a chart that a pin keeps: its "here", and the lines that the figure names."""
    return [
        row
        for row in figure.rows.to_pylist()
        if row["kind"] in figure.lines or (row["kind"] == "point" and row.get("role") == "here")
    ]


def _ghosts(
    name: str, rows: list[dict[str, Any]], spec: Mapping, taken: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Draw these rows faintly, and name them at their first point, or else in the middle of their
    line.
    """
    points = [row | RING | {"label": name} for row in rows if row["kind"] == "point"]
    lines = [
        row | {"kind": "ghost", "pin": f"{name} {row['kind']} {row.get('limit') or ''}"}
        for row in rows
        if row["kind"] != "point"
    ]
    if not (points or lines):
        return []
    if points:
        at = points[0]
    else:
        at = lines[len(lines) // 2]
    x, y = _axes(spec)
    place = at[x["field"]], at[y["field"]]
    labels = marks.renamed(
        (marks.label(*place, name, tone="quiet", **looks) for looks in SIDES),
        x["field"],
        y["field"],
    )
    boxes = [box for row in taken if (box := _box(row, x, y)) is not None]
    return [*lines, *points, min(labels, key=lambda row: _hidden(_box(row, x, y), boxes))]


def _box(
    row: Mapping[str, Any], x: Mapping, y: Mapping
) -> tuple[float, float, float, float] | None:
    """Return about where a label stands on a chart of usual size [px]: left, right, top, bottom."""
    if row["kind"] != "label" or row.get(x["field"]) is None or row.get(y["field"]) is None:
        return None
    width = LETTER * len(row["label"])
    left = (
        WIDE * _across(row[x["field"]], x)
        + row["dx"]
        - width * {"left": 0, "right": 1}.get(row["align"], 0.5)
    )
    middle = HIGH * (1 - _across(row[y["field"]], y)) + row["dy"]
    return left, left + width, middle - LINE / 2, middle + LINE / 2


def _hidden(
    box: tuple[float, float, float, float], others: Iterable[tuple[float, float, float, float]]
) -> float:
    """Return how much of a label lies over others or outside the chart [px²]."""
    left, right, top, bottom = box
    seen = max(0.0, min(right, WIDE) - max(left, 0)) * max(0.0, min(bottom, HIGH) - max(top, 0))
    over = (
        max(0.0, min(right, r) - max(left, a)) * max(0.0, min(bottom, b) - max(top, t))
        for a, r, t, b in others
    )
    return (right - left) * (bottom - top) - seen + sum(over)


def _axes(spec: Mapping) -> tuple[Mapping, Mapping]:
    """Return the channels of the first layer that has both axes."""
    for layer in spec["layer"]:
        x, y = (layer.get("encoding", {}).get(name, {}) for name in ("x", "y"))
        if "field" in x and "field" in y:
            return x, y
    raise ValueError("a chart with pins needs a layer with both axes")


def _across(value: Any, channel: Mapping) -> float:
    """Return where a value lies on its axis, from 0 to 1; in the middle where that cannot be told."""
    scale = channel.get("scale") or {}
    domain = scale.get("domain")
    if not isinstance(value, int | float) or not isinstance(domain, list) or len(domain) != 2:
        return 0.5
    low, high = domain
    if scale.get("type") == "log":
        value, low, high = (math.log(max(one, 1e-300)) for one in (value, low, high))
    share = (value - low) / (high - low)
    if scale.get("reverse"):
        return 1 - share
    return share
