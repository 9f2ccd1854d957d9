"""What pinned scenarios leave on a chart: their points and curves, faintly, each with its name.

A pinned scenario is drawn by the lesson's own chart function at the pinned settings; of its rows remain the points that
say "here" and the lines that the figure names. They join the chart's rows, so its specification stays as it is.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

import pyarrow as pa

from ui.base.lesson import Figure
from ui.charts import marks
from ui.charts.look import stack, table

#: How a point of a pinned scenario looks; one that stands at the frame's edge keeps its shape.
RING = {"tone": "paper", "rim": "quiet", "rim_width": 2, "size": 90, "role": "pinned"}


def with_pins(figure: Figure, here: Figure, pinned: Iterable[tuple[str, Figure]]) -> Figure:
    """Add what remains of pinned scenarios, below everything else, and their words.

    Parameters
    ----------
    figure : Figure
        The chart that is drawn.
    here : Figure
        What a pin of the present settings would leave: nobody needs that twice.
    pinned : iterable of (str, Figure)
        Name of each pinned scenario, and the same chart of it. One that lies in another frame is only named.

    Returns
    -------
    Figure
        The very same if nothing is pinned.
    """
    ghosts, said, own = [], [], _left(here)
    for name, other in pinned:
        if other.spec != figure.spec:
            said.append(f"{name.capitalize()} lies in another frame: {other.alt}")
            continue
        said.append(f"{name.capitalize()}: {other.alt}")
        ghosts += _ghosts(name, [row for row in _left(other) if row not in own], figure.spec)
    if not said:
        return figure
    rows = table(figure.rows)
    if ghosts:
        rows = pa.concat_tables([stack(ghosts), rows], promote_options="permissive")
    return replace(figure, rows=rows, alt=" ".join([figure.alt, *said]))


def _left(figure: Figure) -> list[dict[str, object]]:
    """Return the rows of a chart that a pin keeps: its "here", and the lines that the figure names."""
    return [
        row
        for row in table(figure.rows).to_pylist()
        if row["kind"] in figure.lines or (row["kind"] == "point" and row.get("role") == "here")
    ]


def _ghosts(name: str, rows: list[dict[str, object]], spec: Mapping) -> list[dict[str, object]]:
    """Draw these rows faintly, and name them at their first point, or else in the middle of their line."""
    points = [row | RING | {"label": name} for row in rows if row["kind"] == "point"]
    lines = [
        row | {"kind": "ghost", "pin": f"{name} {row['kind']} {row.get('limit') or ''}"}
        for row in rows
        if row["kind"] != "point"
    ]
    if not (points or lines):
        return []
    at = points[0] if points else lines[len(lines) // 2]
    x, y = _axes(spec)
    side = {"align": "right", "dx": -10} if _across(at[x["field"]], x) > 0.8 else {"align": "left", "dx": 10}
    foot = _across(at[y["field"]], y)
    # Its own “you are here” stands beside a point, so the name stands above it, or below where the frame ends.
    words = marks.label(0, 0, name, tone="quiet", dy=14 if foot > 0.88 else -14, **side)
    place = {x["field"]: at[x["field"]], y["field"]: at[y["field"]]}
    return [*lines, *points, {key: value for key, value in words.items() if key not in ("x", "y")} | place]


def _axes(spec: Mapping) -> tuple[Mapping, Mapping]:
    """Return the channels of the first layer that has both axes."""
    for layer in spec["layer"]:
        x, y = (layer.get("encoding", {}).get(name, {}) for name in ("x", "y"))
        if "field" in x and "field" in y:
            return x, y
    raise ValueError("a chart with pins needs a layer with both axes")


def _across(value: object, channel: Mapping) -> float:
    """Return where a value lies on its axis, from 0 to 1; in the middle where that cannot be told."""
    scale = channel.get("scale") or {}
    domain = scale.get("domain")
    if not isinstance(value, int | float) or not isinstance(domain, list) or len(domain) != 2:
        return 0.5
    low, high = domain
    if scale.get("type") == "log":
        value, low, high = (math.log(max(one, 1e-300)) for one in (value, low, high))
    share = (value - low) / (high - low)
    return 1 - share if scale.get("reverse") else share
