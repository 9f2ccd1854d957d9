"""Highlight some marks of a chart during a tour."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from physics.texts import toml_beside
from ui.base.lesson import Figure
from ui.charts.look import Look

#: What a glow looks like and keeps, by the type of its mark.
_GLOWS = toml_beside(__file__, "spotlight.toml")
_KIND = re.compile(r"datum\.kind === '([^']*)'")
#: What of a layer's encoding says where its marks are.
_PLACE = ("x", "y", "x2", "y2", "xOffset", "yOffset", "text", "detail", "order")


def rows_of(figure: Figure, look: str) -> list[dict]:
    """Return a chart's rows of a kind, of a role such as "here", or with a label that starts with
    `look`.
    """
    return [
        row
        for row in figure.rows.to_pylist()
        if look in (row["kind"], row.get("role")) or str(row.get("label") or "").startswith(look)
    ]


def lit(figure: Figure, look: str, colors: Look) -> Figure:
    """Return a chart with these marks highlighted, or unchanged if it has none of these marks."""
    kinds = {row["kind"] for row in rows_of(figure, look)}
    name = json.dumps(look)
    chosen = (
        f"datum.kind === {name} || datum.role === {name} "
        f"|| (isString(datum.label) && indexof(datum.label, {name}) === 0)"
    )
    layers = []
    for layer in figure.spec["layer"]:
        filters = " ".join(str(step.get("filter")) for step in layer.get("transform", ()))
        if kinds.intersection(_KIND.findall(filters)):
            layers.append(_glow(layer, chosen, colors))
        layers.append(layer)
    return replace(figure, spec=dict(figure.spec) | {"layer": layers})


def _glow(layer: Mapping, chosen: str, colors: Look) -> dict:
    """Return a layer that draws a glow under the chosen rows of another one."""
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
        "transform": [*layer.get("transform", ()), {"filter": chosen}],
        "mark": style,
        "encoding": {name: encoding[name] for name in _PLACE if name in encoding},
    }
