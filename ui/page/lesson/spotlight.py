"""Highlight some marks of a chart during a tour."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from physics.texts import toml_beside
from ui.base.lesson import Figure
from ui.charts.look import Look

#: Style of a glow, and the properties that it shares with its mark, by the mark's type.
_GLOWS = toml_beside(__file__, "spotlight.toml")
_KIND = re.compile(r"datum\.kind === '([^']*)'")
#: Channels of a layer's encoding that determine where its marks are.
_POSITIONS = ("x", "y", "x2", "y2", "xOffset", "yOffset", "text", "detail", "order")


def rows_of(figure: Figure, look: str) -> list[dict]:
    """Return a chart's rows whose kind or role is `look`, or whose label starts with it."""
    return [
        row
        for row in figure.rows.to_pylist()
        if look in (row["kind"], row.get("role")) or str(row.get("label") or "").startswith(look)
    ]


def lit(figure: Figure, look: str, colors: Look) -> Figure:
    """Return a chart with the marks of `rows_of` highlighted, or unchanged if it has none."""
    kinds = {row["kind"] for row in rows_of(figure, look)}
    name = json.dumps(look)
    condition = (
        f"datum.kind === {name} || datum.role === {name} "
        f"|| (isString(datum.label) && indexof(datum.label, {name}) === 0)"
    )
    layers = []
    for layer in figure.spec["layer"]:
        filters = " ".join(str(step.get("filter")) for step in layer.get("transform", ()))
        if kinds.intersection(_KIND.findall(filters)):
            layers.append(_glow(layer, condition, colors))
        layers.append(layer)
    return replace(figure, spec=dict(figure.spec) | {"layer": layers})


def _glow(layer: Mapping, condition: str, colors: Look) -> dict:
    """Return a layer that draws a glow under those marks of another one that meet a condition."""
    mark = layer["mark"]
    if isinstance(mark, str):
        mark = {"type": mark}
    accent = colors.color("accent")
    glow = _GLOWS.get(mark["type"], _GLOWS["line"])
    style = {"type": mark["type"], "stroke": accent, **glow["style"]}
    style |= {name: mark[name] for name in glow.get("keeps", ()) if name in mark}
    if mark["type"] == "text":
        style["color"] = accent
    encoding = layer.get("encoding", {})
    return {
        "transform": [*layer.get("transform", ()), {"filter": condition}],
        "mark": style,
        "encoding": {name: encoding[name] for name in _POSITIONS if name in encoding},
    }
